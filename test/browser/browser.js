// Starts the browser that BROWSER names, Chromium or Firefox, with what a person may have set.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import puppeteer from "puppeteer-core";

const executablePath = process.env.BROWSER ?? "/usr/bin/chromium";
export const firefox = executablePath.includes("firefox");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// start starts a browser. scheme is light or dark, forced has forced colors, script is false without JavaScript in pages.
export async function start({ scheme = "light", forced = false, script = true } = {}) {
  const browser = await puppeteer.launch(firefox
    ? {
        browser: "firefox", executablePath,
        extraPrefsFirefox: {
          "layout.css.prefers-color-scheme.content-override": scheme === "dark" ? 0 : 1,
          "browser.display.document_color_use": forced ? 2 : 0,
          "security.csp.enable": false, // axe is a script of the test
          ...(script ? {} : { "javascript.enabled": false }),
        },
      }
    : { executablePath, args: ["--no-sandbox"] });
  browser.open = async (url, { width = 1000, bypass = false } = {}) => {
    const page = await browser.newPage();
    page.requests = [];
    page.on("request", (r) => page.requests.push(r.url()));
    if (!firefox) {
      if (bypass) await page.setBypassCSP(true);
      await page.setJavaScriptEnabled(script);
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      if (forced) {
        const client = await page.createCDPSession();
        await client.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
      }
    }
    await page.setViewport({ width, height: 800 });
    await page.goto(url);
    return page;
  };
  return browser;
}

// violations returns what axe finds on a page, with everything opened.
export async function violations(page) {
  await page.evaluate(() => { for (const d of document.querySelectorAll("details")) d.open = true; });
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }));
  return found.violations.map((v) => `${v.id}: ${v.nodes.length} such as ${v.nodes[0].html}`);
}
