// The JSON API of the workbench, below /-/api/. The token is in the address that kindsmith dev prints. It stays in this
// browser, and is not part of any address after that.
const prefix = "/-/api/";

function takeToken() {
  const found = location.hash.match(/^#token=([^&]+)&?(.*)$/);
  if (found) {
    localStorage.setItem("token", found[1]);
    history.replaceState(null, "", "#" + (found[2] || "/requests"));
  }
  return localStorage.getItem("token") ?? "";
}
const headers = { Authorization: "Bearer " + takeToken() };

export class Refused extends Error {}

// call sends a request, and returns the JSON of the answer. Body is sent as JSON, if there is one.
export async function call(path, body, signal) {
  const answer = await fetch(prefix + path, body === undefined ? { headers, signal } : { method: "POST", headers, signal, body: JSON.stringify(body) });
  if (answer.status === 401) throw new Refused();
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.error);
  return value;
}

// listen calls on(name, data) for each event, and connection(state) when the connection is "open", "lost" or "refused". It
// never ends.
export async function listen(on, connection) {
  for (let wait = 200; ; wait = Math.min(2 * wait, 3000)) {
    try {
      const answer = await fetch(prefix + "events", { headers });
      if (answer.status === 401) {
        connection("refused");
        return;
      }
      connection("open");
      wait = 200;
      await events(answer.body.pipeThrough(new TextDecoderStream()), on);
    } catch {
      // dev has ended, or starts again
    }
    connection("lost");
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

async function events(stream, on) {
  const reader = stream.getReader();
  for (let text = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
      const found = text.slice(0, end).match(/^event: (.*)\ndata: (.*)$/);
      if (found) on(found[1], JSON.parse(found[2]));
    }
  }
}
