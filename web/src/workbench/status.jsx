import { Source } from "./parts.jsx";
import { clock, took, useStore } from "./state.js";

const plural = (n, one, many) => `${n} ${n === 1 ? one : many}`;

// Status says what happens between a save and the API that is served.
export function Status() {
  const { reload: r, connection } = useStore();
  if (connection === "lost") return <div class="status bad" role="status"><span class="dot" /> kindsmith dev does not answer; the page connects again when it runs.</div>;
  if (!r || !r.state) return <div class="status" role="status"><span class="dot busy" /> Generating the API for the first time.</div>;
  const mistakes = r.mistakes ?? [], errors = mistakes.filter((m) => m.severity === "error");
  const first = <>{r.changed ? <><code class="file">{r.changed}</code> saved {clock(r.begin)}</> : <>started {clock(r.begin)}</>}</>;
  const arrow = <span class="arrow" aria-label="then">→</span>;
  if (r.state === "generating") return <div class="status" role="status"><span class="dot busy" /> {first}{arrow}generating</div>;
  const notes = (r.lines ?? []).filter((l) => /^(warning|error)/.test(l));
  if (r.state === "serving") {
    return (
      <div class="status good">
        <div role="status"><span class="dot" /> {first}{arrow}generated <b>{took(r.generated)}</b>{arrow}{r.changed ? "reloaded" : "served"} <b>{took(r.applied)}</b></div>
        {notes.length > 0 && <details><summary>{plural(notes.length, "warning", "warnings")}</summary><ul class="notes">{notes.map((l) => <li>{l.replace(/^warning: /, "")}</li>)}</ul></details>}
      </div>
    );
  }
  const kept = r.kept ? "The API of before is still served." : "No API is served yet.";
  return (
    <div class="status bad">
      <div role="status"><span class="dot" /> {first}{arrow}{errors.length ? plural(errors.length, "mistake", "mistakes") : "refused"}. {kept}</div>
      <details open>
        <summary>{errors.length ? "What is wrong" : "What the API server says"}</summary>
        {errors.length ? errors.map((m) => <Mistake m={m} />) : <ul class="notes">{(r.lines ?? []).map((l) => <li>{l}</li>)}</ul>}
      </details>
    </div>
  );
}

function Mistake({ m }) {
  return (
    <div class="mistake">
      <p><b>{m.message}</b> <span class="quiet">{m.code}</span></p>
      <Source at={m.at} endColumn={m.endColumn} />
      {m.notes.length > 0 && <ul class="notes">{m.notes.map((n) => <li>{n}</li>)}</ul>}
    </div>
  );
}
