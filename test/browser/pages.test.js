// Tests all pages of sites that `kindsmith docs --out` has written: what each page must have, whatever the API.
//
//   SITES=/tmp/a:/tmp/b BROWSER=/usr/bin/firefox-esr npm test
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { firefox, start, violations } from "./browser.js";

const sites = (process.env.SITES ?? process.env.SITE).split(":");
const pages = sites.flatMap((site) => readdirSync(site, { recursive: true }).filter((n) => n.endsWith(".html") && n !== "try.html").sort().map((n) => join(site, n)));
const url = (path) => pathToFileURL(path).href;

test("there are pages", () => assert.ok(pages.length >= 7 * sites.length || sites.length > 1, pages.join(" ")));

for (const scheme of ["light", "dark"]) {
  test(`${scheme}: axe finds nothing, nothing is requested, nothing scrolls sideways`, async (t) => {
    const browser = await start({ scheme });
    after(() => browser.close());
    for (const path of pages) {
      await t.test(path, async () => {
        const page = await browser.open(url(path), { bypass: true });
        assert.equal(await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches), scheme === "dark");
        assert.deepEqual(await violations(page), []);
        if (!firefox) assert.ok(page.requests.includes(url(path))); // Firefox does not report files
        assert.deepEqual(page.requests.filter((u) => u !== url(path) && !u.startsWith("data:")), []);
        await page.setViewport({ width: 320, height: 800 });
        const [scroll, client] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
        assert.ok(scroll <= client, `${scroll} > ${client}`);
        await page.close();
      });
    }
  });
}

test("every anchor opens what is around it, and enter opens what has the focus", async (t) => {
  const browser = await start();
  after(() => browser.close());
  for (const path of pages) {
    await t.test(path, async () => {
      const page = await browser.open(url(path));
      const hidden = await page.evaluate(async () => {
        const found = [];
        for (const field of document.querySelectorAll("[id]:not([id^=_])")) {
          if (!field.closest(".field, section, details")) continue;
          for (const d of document.querySelectorAll("details")) d.open = false;
          location.hash = "#" + encodeURIComponent(field.id);
          window.dispatchEvent(new HashChangeEvent("hashchange"));
          const box = field.classList.contains("field") ? field : field.parentElement;
          if (box.offsetParent === null) found.push(field.id);
        }
        location.hash = "";
        await new Promise((done) => setTimeout(done, 200)); // the events of these changes
        for (const d of document.querySelectorAll("details")) d.open = false;
        return found;
      });
      assert.deepEqual(hidden, []);
      const summary = await page.$("main summary, summary");
      if (summary) {
        await summary.focus();
        await page.keyboard.press("Enter");
        assert.ok(await summary.evaluate((s) => s.parentElement.open), "enter does not open it");
      }
      // What can be clicked can have the focus.
      assert.equal(await page.evaluate(() => document.querySelectorAll("[tabindex='-1']:not(main):not([id])").length), 0);
      await page.close();
    });
  }
});

test("with forced colors, the field of an anchor has an outline", async () => {
  const browser = await start({ forced: true });
  after(() => browser.close());
  const path = pages.find((p) => !p.endsWith("index.html"));
  const page = await browser.open(url(path));
  assert.equal(await page.evaluate(() => matchMedia("(forced-colors: active)").matches), true);
  await page.keyboard.press("j");
  assert.equal(await page.$eval(".here", (f) => getComputedStyle(f).outlineStyle), "solid");
  await page.close();
});
