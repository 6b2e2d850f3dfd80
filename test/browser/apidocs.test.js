// Tests what people do with the pages of `kindsmith docs` in a browser: keys, search, and reading without JavaScript. What each page
// must have is in pages.test.js.
//
//   SITE=/tmp/site BROWSER=/usr/bin/chromium npm test
//
// SITE is a folder that `kindsmith docs --out` has written from examples/database. BROWSER is the path of Chromium or Firefox.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { start } from "./browser.js";

const site = process.env.SITE;
if (!site) throw new Error("set SITE to a folder with the pages of examples/database");
const url = (name) => pathToFileURL(join(site, name)).href;
const database = "db.example.com/v1/database.html";

let browser;
before(async () => { browser = await start(); });
after(() => browser.close());
const open = (name) => browser.open(url(name));

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

test("without a script, everything is there", async () => {
  const browser = await start({ script: false });
  after(() => browser.close());
  const page = await browser.open(url(database));
  const text = await page.$eval("body", (b) => b.innerText);
  assert.match(text, /spec\.replicas: Invalid value: 16/);
  assert.match(text, /credentialsSecretName/);
  assert.equal(await page.$eval("#_search", (f) => f.hidden), true, "the search needs the script");
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

test("the search of the index finds a field", async () => {
  const page = await open("index.html");
  await page.type("#_query", "bucket");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  assert.match(page.url(), /database\.html#spec\..*bucket$/);
  await page.close();
});
