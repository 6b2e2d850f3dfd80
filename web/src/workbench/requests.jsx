import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { call } from "./api.js";
import { Diff } from "./diff.jsx";
import { Editor } from "./editor.jsx";
import { Code, Copy, Panel, Source, Tabs } from "./parts.jsx";
import { clock, link, say, title, took, useStore } from "./state.js";

const writes = ["create", "update", "patch", "delete", "deletecollection"];
const filters = [
  { id: "changes", name: "Changes", has: (r) => writes.includes(r.verb) && r.resource },
  { id: "rejected", name: "Rejected", has: (r) => r.rejected },
  { id: "reads", name: "Reads", has: (r) => r.resource && !writes.includes(r.verb) },
  { id: "all", name: "All", has: () => true },
];

// words returns what a person may look for in a request.
const words = (r) => [r.verb, r.resource, r.namespace, r.name, r.agent, r.version, r.group, r.code, r.path].join(" ").toLowerCase();

export function Requests({ id }) {
  const { requests, kubeconfig } = useStore();
  const [filter, setFilter] = useState("changes"), [search, setSearch] = useState("");
  const shown = useMemo(() => {
    const wanted = filters.find((f) => f.id === filter);
    return requests.filter((r) => wanted.has(r) && words(r).includes(search.toLowerCase())).reverse();
  }, [requests, requests.map((r) => `${r.code}${r.done}`).join(), filter, search]);
  useMove(shown.map((r) => String(r.id)), id, (next) => (location.hash = link("requests", next)));
  return (
    <div class={"split" + (id ? " chosen" : "")}>
      <section class="list" aria-label="Requests">
        <div class="tools">
          <div class="choices" role="group" aria-label="Show">
            {filters.map((f) => {
              const n = requests.filter(f.has).length;
              return <button type="button" aria-pressed={filter === f.id} onClick={() => setFilter(f.id)}>{f.name}{n > 0 && <span class={"count" + (f.id === "rejected" ? " bad" : "")}>{n}</span>}</button>;
            })}
          </div>
          <input type="search" id="search" placeholder="Search" aria-label="Search requests" value={search} onInput={(e) => setSearch(e.target.value)} />
        </div>
        {shown.length === 0 && <p class="none">{requests.some((r) => filters.find((f) => f.id === filter).has(r)) ? "No request has these words." : "No requests yet."}</p>}
        <ol class="rows">{shown.map((r) => <Row key={r.id} r={r} here={String(r.id) === id} />)}</ol>
      </section>
      <section class="detail" aria-label="Request">{id ? <Detail key={id} id={id} /> : <Start kubeconfig={kubeconfig} />}</section>
    </div>
  );
}

// useMove makes j and k go to the next and the one before.
function useMove(ids, id, go) {
  const now = useRef();
  now.current = { ids, id, go };
  useEffect(() => {
    const move = (e) => {
      const step = { j: 1, k: -1 }[e.key];
      if (!step || e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, textarea, .cm-editor, [role=tablist]")) return;
      const { ids, id, go } = now.current, at = ids.indexOf(id), next = ids[at < 0 ? 0 : at + step];
      if (next) go(next);
    };
    addEventListener("keydown", move);
    return () => removeEventListener("keydown", move);
  }, []);
}

function Row({ r, here }) {
  const at = useRef(null);
  useEffect(() => {
    if (here) at.current.scrollIntoView({ block: "nearest" });
  }, [here]);
  return (
    <li>
      <a ref={at} class={"row" + (r.rejected ? " rejected" : "")} href={link("requests", String(r.id))} aria-current={here ? "true" : undefined}>
        <Code code={r.code} done={r.done} />
        <span class="what"><b>{r.verb}</b> {title(r).slice(r.verb.length + 1)}{r.dryRun && <span class="tag">dry run</span>}{r.replays > 0 && <span class="tag">replay of {r.replays}</span>}</span>
        <span class="quiet who">{r.agent}{r.version && " · " + r.version}{r.namespace && " · " + r.namespace}</span>
        <time class="quiet when" datetime={r.begin}>{clock(r.begin)}</time>
      </a>
    </li>
  );
}

function Start({ kubeconfig }) {
  const command = `export KUBECONFIG=${kubeconfig}`;
  return (
    <div class="start">
      <h1>Requests appear here</h1>
      <p>Use kubectl or any other client with the kubeconfig of <code>kindsmith dev</code>:</p>
      <pre class="command" tabindex="0"><code>{command + "\nkubectl apply -f order.yaml"}</code></pre>
      <Copy text={command} what="the command">Copy the first line</Copy>
      <p class="quiet">A request that the API server refuses stays in the list. Choose it to see the line, the rule, and where the rule is declared.</p>
      <p class="quiet keys"><kbd>j</kbd> <kbd>k</kbd> next and previous · <kbd>/</kbd> search · <kbd>Ctrl</kbd>+<kbd>Enter</kbd> send again</p>
    </div>
  );
}

const reasons = { 200: "OK", 201: "Created", 400: "Bad request", 401: "Unauthorized", 403: "Forbidden", 404: "Not found", 409: "Conflict", 422: "Invalid", 429: "Too many requests", 500: "Server error", 502: "Unreachable", 504: "Timeout" };

function Detail({ id }) {
  const { requests, reload } = useStore();
  const live = requests.find((r) => String(r.id) === id);
  const [d, set] = useState(null), [error, setError] = useState("");
  useEffect(() => {
    let gone = false;
    call("requests/" + id).then((v) => !gone && (set(v), setError("")), (e) => !gone && setError(e.message));
    return () => (gone = true);
  }, [id, live?.done, live?.reported, reload?.state === "serving" && reload.begin]);
  if (!d) return <p class="none">{error}</p>;
  return <Loaded d={d} />;
}

function Loaded({ d }) {
  const sends = d.form !== "other" && d.manifest !== "";
  const [tab, setTab] = useState(sends ? "manifest" : "answer");
  const [verdict, setVerdict] = useState(null), [edited, setEdited] = useState(false), [result, setResult] = useState(null), [busy, setBusy] = useState(false);
  const editor = useRef(null), timer = useRef(0), reading = useRef(null), latest = useRef(d.manifest);
  const shown = edited && verdict ? verdict : d.verdict;

  const judge = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(async () => {
      reading.current?.abort();
      reading.current = new AbortController();
      try {
        setVerdict(await call(`requests/${d.id}/judge`, { text: latest.current }, reading.current.signal));
      } catch (e) {
        if (e.name !== "AbortError") setResult({ error: e.message });
      }
    }, 80);
  };
  const change = (text) => {
    latest.current = text;
    setEdited(text !== d.manifest);
    setResult(null);
    judge();
  };
  const replay = async () => {
    setBusy(true);
    try {
      const again = await call(`requests/${d.id}/replay`, { text: latest.current });
      setResult(again);
      say(again.rejected ? `Rejected again with ${again.code}` : `Accepted with ${again.code}`);
      if (again.code >= 400) setVerdict(again.verdict), setEdited(true);
    } catch (e) {
      setResult({ error: e.message });
    }
    setBusy(false);
  };
  const go = (range) => {
    setTab("manifest");
    requestAnimationFrame(() => editor.current?.go(range));
  };
  const canSend = !d.withheld && (sends || writes.includes(d.verb) || d.verb === "get" || d.verb === "list");
  const tabs = [
    ...(sends ? [{ id: "manifest", name: { patch: "Patch" }[d.form] ?? "Manifest" }] : []),
    ...(shown.steps.length ? [{ id: "steps", name: "Steps", count: d.differences.length, bad: true }] : []),
    { id: "answer", name: "Answer" },
  ];
  return (
    <article>
      <header class="head">
        <a class="back" href="#/requests">← Requests</a>
        <h1><Code code={d.code} /> <span class="verb">{d.verb}</span> {d.verdict.objects.join(", ") || title(d).slice(d.verb.length + 1)}</h1>
        <p class="quiet facts">
          {reasons[d.code] && <span>{reasons[d.code]}</span>}<span>{d.agent || "unknown client"}</span>{d.resource && <span>{d.group ? `${d.group}/${d.version}` : d.version}</span>}
          {d.namespace && <span>namespace {d.namespace}</span>}<span>{clock(d.begin)}</span>{d.done ? <span>{took(d.took)}</span> : <span>open</span>}{d.replays > 0 && <a href={link("requests", String(d.replays))}>replay of {d.replays}</a>}
        </p>
        <div class="actions">
          {canSend && <button type="button" class="primary" disabled={busy} onClick={replay}>{edited ? "Send the edited " + (d.form === "patch" ? "patch" : "manifest") : "Replay"}</button>}
          {d.kubectl && <Copy class="" text={d.kubectl} what="the request as a kubectl command">Copy as kubectl</Copy>}
        </div>
      </header>
      {d.differences.length > 0 && !edited && (
        <div class="card bug" role="note">
          <h2>The API server and the rules disagree</h2>
          <ul class="notes">{d.differences.map((t) => <li>{t}</li>)}</ul>
          <p>Without a webhook or policy of yours that does this, it is a bug of kindsmith. Please report it with the request.</p>
        </div>
      )}
      {result && <Result r={result} />}
      <Problems d={d} verdict={shown} edited={edited} accepted={result && !result.error && result.code < 400} go={go} />
      <Tabs label="Parts of the request" tabs={tabs} value={tab} onChange={setTab} />
      {sends && (
        <div role="tabpanel" id={tab === "manifest" ? "panel" : undefined} aria-labelledby="tab-manifest" hidden={tab !== "manifest"}>
          <Editor text={d.manifest} problems={shown.problems} label={d.form === "patch" ? "Patch" : "Manifest"} onChange={change} onSend={replay} into={editor} />
          <p class="quiet under">Edit, then press <kbd>Ctrl</kbd>+<kbd>Enter</kbd> to send. {d.form === "apply" && "This is the manifest that kubectl apply has read. kubectl sends what differs from the last one."}</p>
        </div>
      )}
      {tab === "steps" && <Panel tab="steps"><Steps steps={shown.steps} write={writes.includes(d.verb)} /></Panel>}
      {tab === "answer" && <Panel tab="answer">{d.withheld && d.withheld !== "" ? <p class="none">Not kept: {d.withheld}.</p> : <Editor key="answer" text={d.answer} label="Answer" readOnly />}</Panel>}
    </article>
  );
}

function Result({ r }) {
  if (r.error) return <div class="card refused" role="alert"><p>{r.error}</p></div>;
  const bad = r.code >= 400;
  return (
    <div class={"card " + (bad ? "refused" : "accepted")}>
      <p><Code code={r.code} /> {bad ? "The API server refuses it still." : "The API server accepts it."} <a href={link("requests", String(r.id))}>Request {r.id}</a></p>
    </div>
  );
}

// Problems says what is wrong: at which line, by which rule, and where the rule is declared.
function Problems({ d, verdict, edited, accepted, go }) {
  const list = verdict.problems;
  if (list.length === 0) {
    if (edited && !accepted) return <div class="card fine" role="status"><p>✓ The rules accept this. Send it to see what the API server says.</p></div>;
    if (d.message && !edited) return <div class="card refused"><p class="message">{d.message}</p></div>;
    return <Warnings d={d} />;
  }
  return (
    <>
      <ol class="problems" aria-label="What is wrong">
        {list.map((p) => (
          <li class="card refused">
            <p class="message">{p.path && <code class="path">{p.path}</code>} {p.message}</p>
            <p class="links">
              {d.form !== "other" && <button type="button" class="small" onClick={() => go(p.range)}>Line {p.range.line}</button>}
              {p.missing && <span class="quiet">not set in the manifest</span>}
              {!edited && d.code >= 400 && p.rules && !p.server && <span class="quiet">found by the rules; the API server stops before</span>}
              {!edited && p.server && !p.rules && <span class="quiet">reported by the API server</span>}
            </p>
            {p.rule && <p class="rule">broken rule <code class="chip">{p.rule}</code></p>}
            <Source at={p.declared} endColumn={p.declared ? p.declared.column + new TextEncoder().encode(p.rule).length : 0} />
          </li>
        ))}
      </ol>
      {verdict.notChecked.length > 0 && <NotChecked list={verdict.notChecked} />}
      <Warnings d={d} />
    </>
  );
}

const NotChecked = ({ list }) => <p class="quiet">Only the API server checks: {list.join(", ")}.</p>;
const Warnings = ({ d }) => (d.warnings.length > 0 ? <ul class="notes warned" aria-label="Warnings">{d.warnings.map((t) => <li>Warning: {t}</li>)}</ul> : null);

const from = { client: "sent", rules: "by the rules", server: "by the API server" };

function Steps({ steps, write }) {
  const { reports } = useStore();
  return (
    <>
      {write && !reports && <p class="quiet">This API server does not report what its admission does, so the inner steps are those of the rules alone. The server that kindsmith builds reports them.</p>}
      <ol class="steps">
        {steps.map((s, i) => {
          const before = steps.slice(0, i).findLast((t) => t.text)?.text, same = s.text && s.text === before;
          return (
            <li>
              <h2>{s.title} <span class={"tag " + s.from}>{from[s.from]}</span>{same && <span class="quiet"> no change</span>}</h2>
              {s.refused && <p class="message refusal">{s.refused}</p>}
              {s.note && <p class="quiet">{s.note}</p>}
              {!same && s.text && (before === undefined ? <details><summary>Show</summary><pre tabindex="0"><code>{s.text}</code></pre></details> : <Diff before={before} after={s.text} label={`What the step ${s.title} changes`} />)}
            </li>
          );
        })}
      </ol>
    </>
  );
}
