// What the page knows, from events. Views read it with useStore, and are drawn again when it changes.
import { useEffect, useState } from "preact/hooks";
import { listen } from "./api.js";

export const store = { connection: "opening", requests: [], kinds: [], reload: null, about: "", kubeconfig: "", reports: false, said: "", touched: new Map() };
const readers = new Set();
let drawn = false;

function changed() {
  if (drawn) return;
  drawn = true;
  queueMicrotask(() => {
    drawn = false;
    for (const r of readers) r({});
  });
}

export function useStore() {
  const [, draw] = useState({});
  useEffect(() => {
    readers.add(draw);
    return () => readers.delete(draw);
  }, []);
  return store;
}

// say makes screen readers say a text.
export function say(text) {
  store.said = text;
  changed();
}

const most = 500;

const handlers = {
  state(data) {
    Object.assign(store, data);
  },
  request(r) {
    const at = store.requests.findLastIndex((known) => known.id === r.id);
    if (at >= 0) store.requests[at] = r;
    else store.requests = [...store.requests, r].slice(-most);
    if (r.done && r.rejected) store.said = `Rejected with ${r.code}: ${title(r)}`;
  },
  reload(data) {
    Object.assign(store, data);
    if (data.reload.state === "failed") store.said = "The source has mistakes";
    if (data.reload.state === "serving") store.said = "The API is served";
  },
  object(key) {
    store.touched.set(`${key.group}/${key.resource}`, Date.now());
    for (const watch of watchers) watch(key);
  },
};

// watchers are called with the key of each object that has changed.
export const watchers = new Set();

export function begin() {
  listen((name, data) => {
    handlers[name]?.(data);
    changed();
  }, (connection) => {
    store.connection = connection;
    changed();
  });
}

// title says in words what a request does.
export function title(r) {
  if (!r.resource) return `${r.verb} ${r.path.split("?")[0]}`;
  const what = r.resource + (r.name ? "/" + r.name : "") + (r.subresource ? "/" + r.subresource : "");
  return `${r.verb} ${what}`;
}

// route is the address after #, as its parts.
export function route() {
  return location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
}

export function useRoute() {
  const [parts, set] = useState(route());
  useEffect(() => {
    const follow = () => set(route());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return parts;
}

export const link = (...parts) => "#/" + parts.map(encodeURIComponent).join("/");

export const clock = (text) => new Date(text).toLocaleTimeString([], { hour12: false });
export const took = (ms) => (ms >= 1000 ? (ms / 1000).toFixed(1) + " s" : ms >= 10 ? Math.round(ms) + " ms" : ms.toFixed(1) + " ms");
