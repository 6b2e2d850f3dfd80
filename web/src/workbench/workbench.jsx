import { render } from "preact";
import { useEffect } from "preact/hooks";
import "./style.css";
import { Objects } from "./objects.jsx";
import { Requests } from "./requests.jsx";
import { Status } from "./status.jsx";
import { begin, link, useRoute, useStore } from "./state.js";

function App() {
  const s = useStore(), [view = "requests", ...rest] = useRoute();
  useEffect(() => {
    const find = (e) => {
      if (e.key !== "/" || e.target.closest("input, textarea, .cm-editor")) return;
      e.preventDefault();
      document.getElementById("search")?.focus();
    };
    addEventListener("keydown", find);
    return () => removeEventListener("keydown", find);
  }, []);
  useEffect(() => {
    const n = s.requests.filter((r) => r.rejected).length;
    document.title = (n ? `(${n}) ` : "") + "kindsmith dev";
  });
  if (s.connection === "refused") return <Refused />;
  return (
    <>
      <a class="skip" href="#main" onClick={(e) => (e.preventDefault(), document.querySelector("main").focus())}>Skip to the content</a>
      <header class="top">
        <p class="brand"><b>kindsmith</b> dev</p>
        <nav aria-label="Views">
          <a href={link("requests")} aria-current={view === "objects" ? undefined : "page"}>Requests</a>
          <a href={link("objects")} aria-current={view === "objects" ? "page" : undefined}>Objects</a>
        </nav>
        <p class="quiet about">{s.about}</p>
      </header>
      <Status />
      <main tabindex="-1">{view === "objects" ? <Objects parts={rest} /> : <Requests id={rest[0]} />}</main>
      <p class="unseen" role="status" aria-live="polite">{s.said}</p>
    </>
  );
}

const Refused = () => (
  <main class="start">
    <h1>This page needs its token</h1>
    <p>Open the address that <code>kindsmith dev</code> prints in the terminal. It is new whenever dev starts.</p>
  </main>
);

begin();
render(<App />, document.getElementById("page"));
