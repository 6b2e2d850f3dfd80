import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "./api.js";
import { Object } from "./object.jsx";
import { link, useStore, watchers } from "./state.js";

// Objects shows the kinds, the objects of one, and one object.
export function Objects({ parts }) {
  const { kinds } = useStore(), [group, resource, version, namespace, name] = parts;
  const kind = kinds.find((k) => k.group === group && k.plural === resource) ?? kinds[0];
  if (!kind) return <p class="none">No kinds are served yet.</p>;
  const stored = kind.versions.find((v) => v.storage)?.name, at = kind.versions.some((v) => v.name === version) ? version : stored;
  return (
    <div class={"split kinds" + (name ? " chosen" : "")}>
      <nav class="list" aria-label="Kinds">
        <ul class="rows">
          {kinds.map((k) => (
            <li>
              <a class="row kind" href={link("objects", k.group, k.plural)} aria-current={k === kind ? "true" : undefined}>
                <span class="what"><b>{k.kind}</b></span>
                <span class="quiet who">{k.group}</span>
                <span class="versions">{k.versions.map((v) => <span class={"tag" + (v.storage ? " server" : "")}>{v.name}{v.storage && " stored"}{v.deprecated && " deprecated"}{!v.served && " not served"}</span>)}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <section class="detail" aria-label={name ? "Object" : "Objects"}>
        {name ? <Object key={[group, resource, namespace, name].join("/")} kind={kind} version={at} namespace={namespace} name={name} /> : <Table key={kind.group + kind.plural + at} kind={kind} version={at} />}
      </section>
    </div>
  );
}

// useLive calls load now and after each change of an object that passes a test; at most once in a while.
export function useLive(load, concerns, deps) {
  const now = useRef();
  now.current = { load, concerns };
  useEffect(() => {
    let timer = 0, gone = false;
    const run = () => {
      timer = 0;
      if (!gone) now.current.load();
    };
    const watch = (key) => now.current.concerns(key) && !timer && (timer = setTimeout(run, 60));
    run();
    watchers.add(watch);
    return () => {
      gone = true;
      clearTimeout(timer);
      watchers.delete(watch);
    };
  }, deps);
}

const sample = (kind, version) => `apiVersion: ${kind.group}/${version}\nkind: ${kind.kind}\nmetadata:\n  name: example${kind.namespaced ? "\n  namespace: default" : ""}\nspec: {}\n`;

function Table({ kind, version }) {
  const { reload } = useStore();
  const [table, set] = useState(null), [error, setError] = useState(""), [tree, setTree] = useState(false), [adding, setAdding] = useState(false);
  useLive(
    () => call(`table/${kind.group}/${kind.plural}/${version}`).then((t) => (set(t), setError("")), (e) => setError(e.message)),
    (key) => key.group === kind.group && key.resource === kind.plural,
    [kind.group, kind.plural, version, reload?.state === "serving" && reload.begin],
  );
  const open = (row) => link("objects", kind.group, kind.plural, version, row.namespace || "-", row.name);
  if (adding) return <Object kind={kind} version={version} draft={sample(kind, version)} onLeave={() => setAdding(false)} />;
  const columns = table?.columns.map((c, i) => ({ ...c, i })).filter((c) => !c.wide && c.name !== "Name") ?? [];
  return (
    <article>
      <header class="head">
        <h1>{kind.kind}</h1>
        <p class="quiet facts"><span>{kind.plural}.{kind.group}</span><span>{kind.namespaced ? "in namespaces" : "of the cluster"}</span>{kind.declared && <code class="file">{kind.declared.file}:{kind.declared.line}</code>}</p>
        <div class="actions">
          <div class="choices" role="group" aria-label="Version">
            {kind.versions.filter((v) => v.served).map((v) => <a class="choice" href={link("objects", kind.group, kind.plural, v.name)} aria-current={v.name === version ? "true" : undefined}>{v.name}</a>)}
          </div>
          <div class="choices" role="group" aria-label="View">
            <button type="button" aria-pressed={!tree} onClick={() => setTree(false)}>Table</button>
            <button type="button" aria-pressed={tree} onClick={() => setTree(true)}>Tree</button>
          </div>
          <button type="button" onClick={() => setAdding(true)}>New {kind.kind}</button>
        </div>
      </header>
      {error && <div class="card refused" role="alert"><p>{error}</p></div>}
      {table && table.rows.length === 0 && <p class="none">No objects yet. Create one here or with kubectl; it appears at once.</p>}
      {table && table.rows.length > 0 && (tree ? <Tree rows={table.rows} open={open} /> : (
        <div class="wide" tabindex="0" role="group" aria-label={"Objects of " + kind.kind}>
          <table>
            <thead><tr>{kind.namespaced && <th scope="col">Namespace</th>}<th scope="col">Name</th>{columns.map((c) => <th scope="col" title={c.description}>{c.name}</th>)}</tr></thead>
            <tbody>
              {table.rows.map((row) => (
                <tr key={row.uid}>
                  {kind.namespaced && <td class="quiet">{row.namespace}</td>}
                  <th scope="row"><a href={open(row)}>{row.name}</a></th>
                  {columns.map((c) => <td>{c.name === "Age" ? <Age since={row.created} /> : format(row.cells[c.i])}</td>)}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ))}
    </article>
  );
}

const format = (cell) => (cell === null || cell === undefined || cell === "" ? <span class="quiet">–</span> : typeof cell === "object" ? JSON.stringify(cell) : String(cell));

function Age({ since }) {
  const [, draw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => draw((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const s = Math.max(0, Math.round((Date.now() - new Date(since)) / 1000));
  return <span>{s < 120 ? s + "s" : s < 7200 ? Math.floor(s / 60) + "m" : s < 172800 ? Math.floor(s / 3600) + "h" : Math.floor(s / 86400) + "d"}</span>;
}

// Tree shows objects by namespace, below their owners.
function Tree({ rows, open }) {
  const known = new Set(rows.map((r) => r.uid));
  const below = (uid) => rows.filter((r) => r.owners.some((o) => o.uid === uid));
  const branch = (list) => (
    <ul class="tree">
      {list.map((r) => (
        <li><a href={open(r)}>{r.name}</a>{below(r.uid).length > 0 && branch(below(r.uid))}</li>
      ))}
    </ul>
  );
  const roots = rows.filter((r) => !r.owners.some((o) => known.has(o.uid)));
  return (
    <ul class="tree top-level">
      {[...new Set(roots.map((r) => r.namespace))].map((n) => {
        const mine = roots.filter((r) => r.namespace === n), owners = [...new Set(mine.flatMap((r) => r.owners.map((o) => `${o.kind} ${o.name}`)))];
        return (
          <li>
            <b>{n || "cluster"}</b>
            {branch(mine.filter((r) => r.owners.length === 0))}
            {owners.map((o) => <ul class="tree"><li><span class="quiet">{o}</span>{branch(mine.filter((r) => r.owners.some((x) => `${x.kind} ${x.name}` === o)))}</li></ul>)}
          </li>
        );
      })}
    </ul>
  );
}
