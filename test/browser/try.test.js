// Tests try.html of `kindsmith docs --try`: in a browser what a person does, and in node the verdicts of the same program on
// many manifests, which are those of `kindsmith validate`.
//
//   SITE=/tmp/site BROWSER=/usr/bin/chromium npm test
//
// CODE is a site of --with-code, and CEL that of Gateway API; both may be missing.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import vm from "node:vm";
import puppeteer from "puppeteer-core";

const site = process.env.SITE;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const file = join(site, "try.html");
const page = readFileSync(file, "utf8");
const part = (id) => page.match(new RegExp(`id="${id}">([^]*?)</script>`))[1];
const examples = JSON.parse(part("_examples"));
const first = examples.find((e) => e.page === "db.example.com/v1/database");

const executablePath = process.env.BROWSER ?? "/usr/bin/chromium";
const firefox = executablePath.includes("firefox");

let browser, tab, requests;
before(async () => {
  browser = await puppeteer.launch(firefox ? { browser: "firefox", executablePath } : { executablePath, args: ["--no-sandbox"] });
  tab = await browser.newPage();
  requests = [];
  tab.on("request", (r) => requests.push(r.url()));
  await tab.goto(pathToFileURL(file).href + "#" + first.page);
});
after(() => browser.close());

const verdict = (pattern) => tab.waitForFunction((p) => new RegExp(p).test(document.getElementById("_verdict").textContent), { timeout: 60000 }, pattern);
const text = (selector) => tab.$eval(selector, (e) => e.textContent);
async function write(manifest) {
  await tab.$eval("#_manifest", (area, value) => { area.value = value; area.dispatchEvent(new Event("input")); }, manifest);
}

test("the page is ready in a moment, without requests", async () => {
  await verdict("my-database: (valid|no mistake)");
  const took = await tab.evaluate(() => performance.now());
  console.log(`first verdict after ${Math.round(took)} ms, page of ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  assert.deepEqual(requests.filter((u) => !u.startsWith("file:") && !u.startsWith("blob:")), []);
  assert.ok(statSync(file).size < 3.1e6, "the page is larger than 3.1 MB, although no rule is in CEL");
});

test("a mistake has its line, and the button goes there", async () => {
  await write(first.yaml + "  replicas: 99\n");
  await verdict("my-database: invalid");
  const line = first.yaml.split("\n").length;
  assert.match(await text("#_problems"), new RegExp(`line ${line} .*spec\\.replicas`));
  await tab.click("#_problems button");
  assert.equal(await tab.$eval("#_manifest", (a) => a.value.slice(a.selectionStart, a.selectionEnd)), "  replicas: 99");
});

test("axe finds nothing beside mistakes, and nothing scrolls sideways", async () => {
  await write(first.yaml + "  replicas: 99\n");
  await verdict("my-database: invalid");
  await tab.setViewport({ width: 320, height: 800 });
  await tab.setBypassCSP?.(true).catch(() => {}); // Firefox cannot
  const [scroll, client] = await tab.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(scroll <= client, `${scroll} > ${client}`);
  await tab.evaluate(axe);
  const found = await tab.evaluate(() => globalThis.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }));
  assert.deepEqual(found.violations.map((v) => `${v.id}: ${v.nodes[0].html}`), []);
  await tab.setViewport({ width: 1000, height: 800 });
});

test("defaults are shown", async () => {
  await write(first.yaml);
  await verdict("my-database: (valid|no mistake)");
  const stored = await text("#_defaulted");
  assert.ok(stored.split("\n").length > first.yaml.split("\n").length, stored);
});

test("any version can be chosen", async () => {
  for (const e of examples) {
    await tab.select("#_from", e.page);
    await tab.waitForFunction((y) => document.getElementById("_manifest").value === y, {}, e.yaml);
    await verdict("^[A-Z]\\w+ [^:]*: (valid|no mistake)");
  }
});

test("what is no manifest is said", async () => {
  await write("a: [");
  await verdict("cannot be read");
  assert.notEqual(await text("#_problems"), "");
  await write("");
  await verdict("no manifest");
  await write("apiVersion: db.example.com/v1\nkind: Nothing\nmetadata: {name: a}\n");
  await verdict("invalid");
  await write("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n");
  await verdict("not everything is checked");
  assert.match(await text("#_unchecked"), /Pod/);
});

test("a page with the project's own code judges too", { skip: !process.env.CODE }, async () => {
  await tab.goto(pathToFileURL(join(process.env.CODE, "try.html")).href + "#" + first.page);
  await verdict("my-database: valid");
  await write(first.yaml + "  replicas: 99\n");
  await verdict("my-database: invalid");
  assert.match(await text("#_problems"), /spec\.replicas/);
  assert.deepEqual(requests.filter((u) => !u.startsWith("file:") && !u.startsWith("blob:")), []);
});

test("rules in CEL run in the page of an API that has some", { skip: !process.env.CEL }, async () => {
  await tab.goto(pathToFileURL(join(process.env.CEL, "try.html")).href);
  await verdict("^[A-Z]\\w+ [^:]*: valid");
  const gateway = (tls) => `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: a}
spec:
  gatewayClassName: a
  listeners:
  - {name: a, port: 80, protocol: HTTP${tls}}
`;
  await write(gateway(""));
  await verdict("Gateway a: valid");
  await write(gateway(", tls: {mode: Passthrough}"));
  await verdict("Gateway a: invalid");
  assert.match(await text("#_problems"), /line \d+ .*tls must not be specified for protocols/);
  assert.equal(await text("#_unchecked"), "");
});

// mutants are manifests with one change each: a line less, or another value.
function mutants() {
  const list = [];
  for (const e of examples) {
    list.push(e.yaml);
    const lines = e.yaml.split("\n");
    for (let i = 0; i < lines.length; i++) {
      list.push([...lines.slice(0, i), ...lines.slice(i + 1)].join("\n"));
      for (const value of ["-1", "99999999", '""', "x", "true", "null", "{}", "[]"]) {
        const changed = lines[i].replace(/^(\s*(?:- )?\w+:).*$/, `$1 ${value}`);
        if (changed !== lines[i]) list.push([...lines.slice(0, i), changed, ...lines.slice(i + 1)].join("\n"));
      }
    }
  }
  return list;
}

// start starts a program of a page in this process.
async function start(packed) {
  const go = new globalThis.Go();
  const made = await WebAssembly.instantiate(gunzipSync(Buffer.from(packed, "base64")), go.importObject);
  go.run(made.instance);
}

test("verdicts are those of kindsmith validate", { skip: !process.env.KINDSMITH }, async () => {
  vm.runInThisContext(part("_exec"));
  await start(part("_wasm"));
  const load = () => assert.equal(globalThis.kindsmithLoad(gunzipSync(Buffer.from(part("_programs"), "base64")).toString()), "");
  load();
  const dir = mkdtempSync(join(tmpdir(), "try-"));
  try {
    const all = mutants(), opened = [];
    const names = all.map((_, i) => join(dir, `m${String(i).padStart(5, "0")}.yaml`));
    all.forEach((m, i) => writeFileSync(names[i], m));
    const run = spawnSync(process.env.KINDSMITH, ["validate", "--strict", "-o", "json", "-f", dir, "./api/..."], { cwd: process.env.PROJECT, maxBuffer: 1 << 30, encoding: "utf8" });
    assert.ok(run.stdout.startsWith("{"), run.stderr);
    const native = new Map(names.map((n) => [n, []]));
    for (const d of JSON.parse(run.stdout).diagnostics) native.get(join(dir, d.file.split("/").pop())).push(`${d.range?.start.line}: ${d.severity}: ${d.message}`);
    let different = 0, wrong = 0, unchecked = 0;
    all.forEach((m, i) => {
      const got = JSON.parse(globalThis.kindsmithJudge(m));
      const here = got.problems.map((p) => `${p.line}: ${p.severity}: ${p.message}`).sort();
      const there = native.get(names[i]).sort();
      if (there.length) wrong++;
      const open = got.documents.some((d) => d.notChecked.length);
      if (open) unchecked++;
      opened.push(open);
      // Rules that do not run here are named; all others agree.
      const same = open ? here.every((p) => there.includes(p)) : here.join("\n") === there.join("\n");
      if (!same && different++ < 3) console.log(`${m}\nhere:\n${here.join("\n")}\nnative:\n${there.join("\n")}`);
      for (const d of got.documents) assert.ok(d.state !== "valid" || !d.notChecked.length, "valid, although something is not checked");
    });
    console.log(`${all.length} manifests, ${wrong} with mistakes, ${unchecked} with rules that do not run here`);
    assert.equal(different, 0);
    assert.ok(wrong > 50, "too few mistakes");
    if (!process.env.CODE) return;

    // A page of --with-code has the generated code as a second program: it says the same, and leaves no function out.
    const [, code] = readFileSync(join(process.env.CODE, "try.html"), "utf8").match(/id="_code">([^]*?)<\/script>/);
    await start(code);
    load();
    let ran = 0;
    all.forEach((m, i) => {
      const got = JSON.parse(globalThis.kindsmithJudge(m));
      const here = got.problems.map((p) => `${p.line}: ${p.severity}: ${p.message}`).sort();
      const left = got.documents.flatMap((d) => d.notChecked).filter((name) => !name.startsWith("objects "));
      assert.deepEqual(left, [], `not checked, although the page has the code:\n${m}`);
      if (opened[i]) ran++;
      else assert.deepEqual(here, native.get(names[i]).sort(), m);
    });
    console.log(`with generated code the same; it ran functions for ${ran} manifests`);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
