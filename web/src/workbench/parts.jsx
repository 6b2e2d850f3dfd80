import { useEffect, useState } from "preact/hooks";
import { say } from "./state.js";

// Source shows a place in a Go file, with the lines around it.
export function Source({ at, endColumn }) {
  if (!at) return null;
  const name = `${at.file}:${at.line}`;
  return (
    <figure class="source">
      <figcaption>
        <code class="file">{name}</code>
        <Copy text={`${name}:${at.column}`} what={"the position " + name}>copy</Copy>
      </figcaption>
      <div class="code" tabindex="0" role="group" aria-label={"Source of " + name}>
        {at.lines.map((text, i) => {
          const here = at.first + i === at.line;
          return (
            <div class={here ? "line here" : "line"}>
              <span class="number" aria-hidden="true">{at.first + i}</span>
              <code>{here ? <Mark text={text} column={at.column} end={endColumn} /> : text || " "}</code>
            </div>
          );
        })}
      </div>
    </figure>
  );
}

function Mark({ text, column, end }) {
  const from = new TextDecoder().decode(new TextEncoder().encode(text).slice(0, column - 1)).length;
  const to = end > column ? from + (end - column) : text.length;
  return <>{text.slice(0, from)}<mark>{text.slice(from, to)}</mark>{text.slice(to)}</>;
}

// Copy is a button that copies a text.
export function Copy({ text, what, children, class: name = "small" }) {
  const [done, set] = useState(false);
  useEffect(() => {
    const timer = done && setTimeout(() => set(false), 1500);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    set(true);
    say("copied " + what);
  };
  return <button type="button" class={name} onClick={copy} aria-label={done ? "copied" : undefined}>{done ? "✓ copied" : children}{!done && <span class="unseen"> {what}</span>}</button>;
}

// Tabs are the names of views, of which one is shown.
export function Tabs({ label, tabs, value, onChange }) {
  const move = (e) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (!step) return;
    const ids = tabs.map((t) => t.id), next = ids[(ids.indexOf(value) + step + ids.length) % ids.length];
    e.preventDefault();
    onChange(next);
    document.getElementById("tab-" + next)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map((t) => (
        <button type="button" role="tab" id={"tab-" + t.id} aria-controls={t.id === value ? "panel" : undefined} aria-selected={t.id === value} tabindex={t.id === value ? 0 : -1} onClick={() => onChange(t.id)}>
          {t.name}{t.count > 0 && <span class={"count " + (t.bad ? "bad" : "")}>{t.count}</span>}
        </button>
      ))}
    </div>
  );
}

export const Panel = ({ tab, children }) => <div role="tabpanel" id="panel" aria-labelledby={"tab-" + tab}>{children}</div>;

// Code shows a status of HTTP.
export function Code({ code, done = true }) {
  if (!code) return <span class="badge open">{done ? "…" : "open"}</span>;
  return <span class={"badge " + (code >= 400 ? "bad" : "good")}>{code}</span>;
}
