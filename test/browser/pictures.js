// Takes the pictures of README.md: SITE=/tmp/site node pictures.js FOLDER
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const [folder] = process.argv.slice(2);
const site = process.env.SITE;
const browser = await puppeteer.launch({ executablePath: process.env.BROWSER ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.setViewport({ width: 900, height: 640 });
await page.goto(pathToFileURL(join(site, "db.example.com/v1/database.html")).href + "#spec.storage");
await page.evaluate(() => document.activeElement.blur());
await page.screenshot({ path: join(folder, "api-docs.png") });
await page.setViewport({ width: 900, height: 720 });
await page.goto(pathToFileURL(join(site, "try.html")).href + "#db.example.com/v1/database");
await page.waitForFunction(() => /my-database/.test(document.getElementById("_verdict").textContent), { timeout: 60000 });
await page.$eval("#_manifest", (area) => {
  area.rows = 13;
  area.value += "  replicas: 99\n";
  area.dispatchEvent(new Event("input"));
});
await page.waitForFunction(() => /invalid/.test(document.getElementById("_verdict").textContent));
await page.$eval("#_problems", () => window.scrollTo(0, 70));
await page.screenshot({ path: join(folder, "try.png") });
await browser.close();
