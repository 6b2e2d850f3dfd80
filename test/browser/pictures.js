// Takes the pictures of README.md: SITE=/tmp/site node pictures.js FOLDER
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";
import { start } from "./dev.js";

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

const dev = await start();
try {
  const order = (count, name) => `apiVersion: shop.example.com/v1beta1\nkind: Order\nmetadata:\n  name: ${name}\nspec:\n  count: ${count}\n`;
  await page.setViewport({ width: 1080, height: 800 });
  await page.goto(dev.url);
  dev.write("api/v1/types.go", dev.types + "\n");
  await page.waitForFunction(() => /types\.go.* saved.*reloaded/.test(document.querySelector(".status").textContent), { timeout: 60000 });
  dev.kubectl(order(3, "first"), "apply", "-f", "-");
  dev.kubectl("", "label", "order", "first", "customer=ann");
  dev.kubectl(order(12, "second"), "apply", "-f", "-");
  dev.kubectl(order(101, "first"), "apply", "-f", "-");
  await page.waitForSelector(".row.rejected");
  await page.click(".row.rejected");
  await page.waitForSelector(".cm-line.marked");
  await page.evaluate(() => document.activeElement.blur());
  await new Promise((done) => setTimeout(done, 800)); // the list is drawn with a transition
  await page.screenshot({ path: join(folder, "dev.png") });
} finally {
  await dev.stop();
}
await browser.close();
