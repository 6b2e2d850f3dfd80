import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { call } from "./api.js";
import { Diff, lines } from "./diff.jsx";
import { Editor } from "./editor.jsx";
import { useLive } from "./objects.jsx";
import { Code, Panel, Source, Tabs } from "./parts.jsx";
import { clock, link, say } from "./state.js";

const pause = 600;

// Object shows an object, or a draft of a new one, with an editor.
export function Object({ kind, version, namespace, name, draft, onLeave }) {
  const [seen, set] = useState(null), [error, setError] = useState(""), [tab, setTab] = useState("edit"), [edited, setEdited] = useState(0);
  useLive(
    () => !draft && call(`objects/${kind.group}/${kind.plural}/${namespace}/${name}`).then((o) => (set(o), setError("")), (e) => setError(e.message)),
    (key) => key.group === kind.group && key.resource === kind.plural && key.name === name && (key.namespace || "-") === namespace,
    [kind.group, kind.plural, namespace, name],
  );
  // The editor begins with one revision, and stays there until the person saves, or takes the newer one.
  const [begun, setBase] = useState(null), base = begun ?? seen;
  useEffect(() => {
    if (seen && !begun) setBase(seen);
  }, [seen]);
  const take = async () => {
    const o = await call(`objects/${kind.group}/${kind.plural}/${namespace}/${name}`);
    set(o);
    setBase(o);
    setEdited((n) => n + 1);
  };
  if (!draft && !seen) return <p class="none">{error}</p>;
  const newer = base && seen && seen.resourceVersion !== base.resourceVersion;
  const byDefault = seen?.defaults.filter((d) => d.by === "default").length ?? 0;
  const tabs = draft ? [] : [
    { id: "edit", name: "Edit" }, { id: "versions", name: "Versions", count: seen.versions.length }, { id: "defaults", name: "Defaults", count: byDefault },
    { id: "managers", name: "Managed fields" }, { id: "history", name: "History", count: seen.history.length },
  ];
  return (
    <article>
      <header class="head">
        {draft ? <button type="button" class="small" onClick={onLeave}>← {kind.kind}</button> : <a class="up" href={link("objects", kind.group, kind.plural, version)}>← {kind.kind}</a>}
        <h1>{draft ? "New " + kind.kind : <><span class="verb">{kind.kind}</span> {name}</>}</h1>
        {!draft && <p class="quiet facts">{namespace !== "-" && <span>namespace {namespace}</span>}<span>{seen.gone ? "deleted" : "revision " + seen.resourceVersion}</span><span>stored as {kind.versions.find((v) => v.storage)?.name}</span></p>}
      </header>
      {seen?.gone && <div class="card refused" role="status"><p>The object is deleted. Its history is here as long as dev runs.</p></div>}
      {newer && tab === "edit" && <div class="card warned-card" role="status"><p>Someone has changed the object since you began. <button type="button" class="small" onClick={take}>Take the new one</button></p></div>}
      {!draft && <Tabs label="Parts of the object" tabs={tabs} value={tab} onChange={setTab} />}
      {(draft || base) && (
        <div role={draft ? undefined : "tabpanel"} id={tab === "edit" && !draft ? "panel" : undefined} aria-labelledby={draft ? undefined : "tab-edit"} hidden={tab !== "edit"}>
          <Draft key={edited} text={draft ?? base.edit} resourceVersion={draft ? "" : base.resourceVersion} fresh={!!draft || seen.gone}
            onSaved={(d) => (draft ? (location.hash = link("objects", kind.group, kind.plural, version, d.namespace || "-", d.name)) : take())} />
        </div>
      )}
      {tab === "versions" && <Panel tab="versions"><Versions list={seen.versions} /></Panel>}
      {tab === "defaults" && <Panel tab="defaults"><Defaults list={seen.defaults} /></Panel>}
      {tab === "managers" && <Panel tab="managers"><Managers list={seen.managers} /></Panel>}
      {tab === "history" && <Panel tab="history"><History list={seen.history} /></Panel>}
    </article>
  );
}

// Draft is the editor of an object: the rules judge while a person types, and the API server in each pause.
function Draft({ text, resourceVersion, fresh, onSaved }) {
  const [verdict, setVerdict] = useState(null), [dry, setDry] = useState(null), [result, setResult] = useState(null), [busy, setBusy] = useState(false), [changed, setChanged] = useState(false);
  const latest = useRef(text), typing = useRef(0), pausing = useRef(0), asking = useRef(null), editor = useRef(null);
  const version = fresh ? "" : resourceVersion;
  const ask = async (path, then) => {
    const sent = latest.current;
    try {
      const answer = await call(path, { text: sent, resourceVersion: version }, asking.current?.signal);
      if (sent === latest.current) then(answer);
    } catch (e) {
      if (e.name !== "AbortError" && sent === latest.current) then({ error: e.message });
    }
  };
  const check = () => {
    asking.current?.abort();
    asking.current = new AbortController();
    clearTimeout(typing.current);
    clearTimeout(pausing.current);
    setDry(null);
    typing.current = setTimeout(() => ask("judge", setVerdict), 60);
    pausing.current = setTimeout(() => ask("dryrun", setDry), pause);
  };
  useEffect(() => {
    check();
    return () => (asking.current?.abort(), clearTimeout(typing.current), clearTimeout(pausing.current));
  }, []);
  const change = (t) => {
    latest.current = t;
    setChanged(t !== text);
    setResult(null);
    check();
  };
  const save = async () => {
    setBusy(true);
    try {
      const done = await call("save", { text: latest.current, resourceVersion: version });
      setResult(done);
      say(done.code < 400 ? "Saved" : "Refused with " + done.code);
      if (done.code < 400) setTimeout(() => onSaved(done), 300);
    } catch (e) {
      setResult({ error: e.message });
    }
    setBusy(false);
  };
  const problems = (dry?.verdict ?? verdict)?.problems ?? noProblems;
  return (
    <>
      <div class="actions">
        <button type="button" class="primary" disabled={busy || (!changed && !fresh)} onClick={save}>{fresh ? "Create" : "Save"}</button>
        <p class="verdict" role="status">
          {problems.length === 0 && verdict && !verdict.error && <span class="ok">✓ rules</span>}
          {problems.length > 0 && <span class="no">✕ {problems.length} {problems.length === 1 ? "mistake" : "mistakes"}</span>}
          {dry === null ? <span class="quiet">API server: waiting for a pause</span> : dry.error ? <span class="no">{dry.error}</span> : dry.code < 400 ? <span class="ok">✓ API server (dry run, strict)</span> : <span class="no">✕ API server: {dry.code}</span>}
        </p>
      </div>
      {result?.error && <div class="card refused" role="alert"><p>{result.error}</p></div>}
      {result?.code >= 400 && <div class="card refused" role="alert"><p><Code code={result.code} /> {result.message} <a href={link("requests", String(result.id))}>Request {result.id}</a></p></div>}
      {result?.code < 400 && <div class="card accepted" role="status"><p><Code code={result.code} /> Saved. <a href={link("requests", String(result.id))}>Request {result.id}</a></p></div>}
      {dry?.differences?.length > 0 && <div class="card bug"><h2>The API server and the rules disagree</h2><ul class="notes">{dry.differences.map((t) => <li>{t}</li>)}</ul></div>}
      <Editor text={text} problems={problems} label="Object" onChange={change} onSend={save} into={editor} />
      {problems.length > 0 && (
        <ol class="problems" aria-label="What is wrong">
          {problems.map((p) => (
            <li class="card refused">
              <p class="message">{p.path && <code class="path">{p.path}</code>} {p.message}</p>
              <p class="links"><button type="button" class="small" onClick={() => editor.current?.go(p.range)}>Line {p.range.line}</button>{p.rule && <span class="rule">broken rule <code class="chip">{p.rule}</code></span>}</p>
              <Source at={p.declared} endColumn={p.declared ? p.declared.column + new TextEncoder().encode(p.rule).length : 0} />
            </li>
          ))}
        </ol>
      )}
      {problems.length === 0 && dry?.code >= 400 && <div class="card refused"><p class="message">{dry.message}</p></div>}
      {dry?.stored && changed && <details><summary>What would be stored</summary><Diff before={text} after={dry.stored} label="What would be stored" /></details>}
    </>
  );
}
const noProblems = [];

// Versions shows the object in all versions beside each other. Lines that differ from the stored version are marked.
function Versions({ list }) {
  const stored = list.find((v) => v.stored)?.text ?? "";
  return (
    <div class="columns">
      {list.map((v) => (
        <section aria-label={"Version " + v.name}>
          <h2>{v.name} {v.stored && <span class="tag server">stored</span>}</h2>
          {v.lost.length > 0 && <p class="no">Lost when a client writes this version: {v.lost.map((p) => <code class="chip">{p}</code>)}</p>}
          {v.tracked.length > 0 && <p class="quiet">Tracked for other versions: {v.tracked.map((t) => <code class="chip">{t}</code>)}</p>}
          {!v.stored && v.lost.length === 0 && <p class="ok">✓ nothing is lost on the way back</p>}
          {v.stored && <p class="quiet">Other versions mark the lines that differ.</p>}
          <Plain text={v.text} other={v.stored ? null : stored} label={"The object in " + v.name} />
        </section>
      ))}
    </div>
  );
}

function Plain({ text, other, label }) {
  const all = useMemo(() => (other === null ? text.replace(/\n$/, "").split("\n").map((t) => [" ", t]) : lines(other, text).filter(([sign]) => sign !== "-")), [text, other]);
  return <div class="diff" tabindex="0" role="group" aria-label={label}>{all.map(([sign, t]) => <div class={"line" + (sign === "+" ? " differs" : "")}><span aria-hidden="true">{sign === "+" ? "≠" : ""}</span><code>{sign === "+" && <span class="unseen">differs: </span>}{t || " "}</code></div>)}</div>;
}

function Defaults({ list }) {
  if (list.length === 0) return <p class="none">No field of this kind has a declared default.</p>;
  return (
    <div class="wide" tabindex="0" role="group" aria-label="Defaults">
      <table>
        <thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Set by</th><th scope="col">Default</th><th scope="col">Declared</th></tr></thead>
        <tbody>
          {list.map((d) => (
            <tr>
              <th scope="row"><code>{d.path}</code></th>
              <td>{d.value ? <code>{d.value}</code> : <span class="quiet">–</span>}</td>
              <td>{d.by === "default" ? <span class="tag server">default</span> : d.by || <span class="quiet">–</span>}</td>
              <td><code>{d.default}</code></td>
              <td>{d.declared && <code class="file">{d.declared.file}:{d.declared.line}</code>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Managers({ list }) {
  if (list.length === 0) return <p class="none">The object has no managed fields.</p>;
  return (
    <ul class="owners">
      {list.map((m) => (
        <li class="card">
          <h2>{m.name}</h2>
          <p class="quiet facts"><span>{m.operation}</span>{m.subresource && <span>{m.subresource}</span>}<span>{m.version}</span>{m.at && <span>{clock(m.at)}</span>}</p>
          <p class="chips">{m.fields.map((f) => <code class="chip">{f}</code>)}</p>
        </li>
      ))}
    </ul>
  );
}

function History({ list }) {
  const newest = list.map((m, i) => ({ ...m, before: list[i - 1] })).reverse();
  if (list.length === 0) return <p class="none">Nothing has changed since dev began.</p>;
  return (
    <ol class="moments">
      {newest.map((m) => (
        <li>
          <h2>{m.deleted ? "Deleted" : m.first ? "There when dev began" : m.before && !m.before.deleted ? "Changed" : "Created"} <span class="quiet">{clock(m.at)}{m.by && " by " + m.by}</span></h2>
          {m.before && !m.deleted && !m.before.deleted ? (m.before.text === m.text ? <p class="quiet">Only metadata that API servers set.</p> : <Diff before={m.before.text} after={m.text} label={"What changed at " + clock(m.at)} />)
            : <details><summary>Show</summary><pre tabindex="0"><code>{m.text}</code></pre></details>}
        </li>
      ))}
    </ol>
  );
}
