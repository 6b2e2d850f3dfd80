// Tests the pages of `kindsmith docs` in a browser: accessibility, requests, width, keys and anchors.
//
//   SITE=/tmp/site BROWSER=/usr/bin/chromium npm test
//
// SITE is a folder that `kindsmith docs --out` has written from examples/database. BROWSER is the path of Chromium or Firefox;
// tests that need what only Chromium's protocol has are skipped in Firefox.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const site = process.env.SITE;
if (!site) throw new Error("set SITE to a folder with the pages of examples/database");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const pages = readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html")).sort();
const url = (name) => pathToFileURL(join(site, name)).href;
const database = "db.example.com/v1/database.html";

const executablePath = process.env.BROWSER ?? "/usr/bin/chromium";
const firefox = executablePath.includes("firefox");
const chromiumOnly = { skip: firefox };

let browser;
before(async () => {
  browser = await puppeteer.launch(firefox ? { browser: "firefox", executablePath } : { executablePath, args: ["--no-sandbox"] });
});
after(() => browser.close());

async function open(name, options = {}) {
  const page = await browser.newPage();
  page.requests = [];
  page.on("request", (r) => page.requests.push(r.url()));
  if (!firefox) {
    await page.setBypassCSP(Boolean(options.bypass));
    await page.setJavaScriptEnabled(options.script ?? true);
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: options.scheme ?? "light" }]);
  }
  await page.setViewport({ width: options.width ?? 1000, height: 800 });
  await page.goto(url(name));
  return page;
}

test("there are pages", () => assert.ok(pages.length >= 7, pages.join(" ")));

for (const scheme of firefox ? ["light"] : ["light", "dark"]) {
  test(`axe finds nothing: ${scheme}`, async (t) => {
    for (const name of pages) {
      await t.test(name, async () => {
        const page = await open(name, { scheme, bypass: true });
        await page.evaluate(() => { for (const d of document.querySelectorAll("details")) d.open = true; });
        await page.evaluate(axe);
        const found = await page.evaluate(() => globalThis.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }));
        assert.deepEqual(found.violations.map((v) => `${v.id}: ${v.nodes.length} such as ${v.nodes[0].html}`), []);
        await page.close();
      });
    }
  });
}

test("with forced colors, the field of an anchor has an outline", chromiumOnly, async () => {
  const page = await open(database);
  const client = await page.createCDPSession();
  await client.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
  await page.keyboard.press("j");
  assert.equal(await page.$eval(".here", (f) => getComputedStyle(f).outlineStyle), "solid");
  await page.close();
});

test("the tab key reaches the skip link first, then links and the search", async () => {
  const page = await open(database);
  const names = [];
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press("Tab");
    names.push(await page.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim()));
  }
  assert.equal(names[0], "Skip to the fields");
  assert.ok(names.includes("v1beta1") && names.includes("_query"), names.join(", "));
  await page.close();
});

test("a page makes no request but for itself", async () => {
  for (const name of pages) {
    const page = await open(name);
    if (!firefox) assert.ok(page.requests.includes(url(name))); // Firefox does not report files
    // The worker of try.html is a part of the page.
    assert.deepEqual(page.requests.filter((u) => u !== url(name) && !u.startsWith("data:") && !(name === "try.html" && u.startsWith("blob:"))), []);
    await page.close();
  }
});

test("no page scrolls sideways at 320 pixels", async () => {
  for (const name of pages) {
    const page = await open(name, { width: 320 });
    await page.evaluate(() => { for (const d of document.querySelectorAll("details")) d.open = true; });
    const [scroll, client] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(scroll <= client, `${name}: ${scroll} > ${client}`);
    await page.close();
  }
});

test("without a script, everything is there", chromiumOnly, async () => {
  const page = await open(database, { script: false });
  const text = await page.$eval("body", (b) => b.innerText);
  assert.match(text, /spec\.replicas: Invalid value: 16/);
  assert.match(text, /credentialsSecretName/);
  await page.close();
});

test("keys move between fields, search, and change the version", async () => {
  const page = await open(database);
  const here = () => page.evaluate(() => document.querySelector(".here")?.id);
  await page.keyboard.press("j");
  assert.equal(await here(), "spec");
  await page.keyboard.press("j");
  assert.equal(await here(), "spec.engine");
  await page.keyboard.press("k");
  assert.equal(await here(), "spec");
  await page.keyboard.press("/");
  await page.keyboard.type("idletimeout");
  assert.equal(await page.evaluate(() => document.querySelector("#_hits a").textContent), "spec.idleTimeoutSeconds");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash === "#spec.idleTimeoutSeconds");
  await page.evaluate(() => document.activeElement.blur());
  await Promise.all([page.waitForNavigation(), page.keyboard.press("v")]);
  assert.ok(page.url().endsWith("v1beta1/database.html#spec.idleTimeoutSeconds"), page.url());
  await page.waitForFunction(() => document.querySelector(".here")?.id === "spec.idleTimeout"); // an alias
  await page.close();
});

test("keys can be switched off", async () => {
  const page = await open(database);
  await page.click("#_keys");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("j");
  assert.equal(await page.evaluate(() => document.querySelector(".here")), null);
  await page.click("#_keys");
  await page.close();
});

test("every anchor opens what is around it", async () => {
  const page = await open(database);
  const hidden = await page.evaluate(async () => {
    const found = [];
    for (const field of document.querySelectorAll(".field")) {
      for (const d of document.querySelectorAll("details")) d.open = false;
      location.hash = "#" + field.id;
      window.dispatchEvent(new HashChangeEvent("hashchange"));
      if (field.offsetParent === null) found.push(field.id);
    }
    return found;
  });
  assert.deepEqual(hidden, []);
  await page.close();
});

test("the search of the index finds a field", async () => {
  const page = await open("index.html");
  await page.type("#_query", "bucket");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  assert.match(page.url(), /database\.html#spec\..*bucket$/);
  await page.close();
});
