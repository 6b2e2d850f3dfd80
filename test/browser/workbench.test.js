// Tests the page of `kindsmith dev` in a browser, with a real API server and kubectl; see dev.js.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import puppeteer from "puppeteer-core";
import { start } from "./dev.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const executablePath = process.env.BROWSER ?? "/usr/bin/chromium";
const firefox = executablePath.includes("firefox");
const skip = process.env.KUBECTL ? false : "KUBECTL, APISERVER and KINDSMITH are not set; run make browser";

const order = (count, name = "first") => `apiVersion: shop.example.com/v1beta1\nkind: Order\nmetadata:\n  name: ${name}\nspec:\n  count: ${count}\n`;

let dev, browser, tab, problems = [];
before(async () => {
  if (skip) return;
  dev = await start();
  browser = await puppeteer.launch(firefox ? { browser: "firefox", executablePath } : { executablePath, args: ["--no-sandbox"] });
  tab = await browser.newPage();
  tab.on("pageerror", (e) => problems.push(e.message));
  await tab.setViewport({ width: 1280, height: 860 });
  await tab.goto(dev.url);
  await tab.waitForSelector(".status.good", { timeout: 120000 });
});
after(async () => {
  await browser?.close();
  await dev?.stop();
});

const text = (selector) => tab.$eval(selector, (e) => e.textContent);
const shows = (selector, pattern) => tab.waitForFunction((s, p) => new RegExp(p).test(document.querySelector(s)?.textContent ?? ""), { timeout: 30000 }, selector, pattern);
const go = async (hash, selector) => {
  await tab.evaluate((h) => (location.hash = h), hash);
  await tab.waitForSelector(selector);
};

// fine runs axe in both schemes, and looks for sideways scrolling at 320 px.
async function fine(name) {
  for (const value of firefox ? ["light"] : ["light", "dark"]) {
    if (!firefox) await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value }, { name: "prefers-reduced-motion", value: "reduce" }]);
    await tab.evaluate(axe);
    const found = await tab.evaluate(() => globalThis.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }));
    assert.deepEqual(found.violations.map((v) => `${name}, ${value}: ${v.id}: ${v.nodes[0].html} ${v.nodes[0].failureSummary}`), []);
    assert.ok(found.passes.length > 10, "axe checks too little");
  }
  await tab.setViewport({ width: 320, height: 700 });
  const [scroll, client] = await tab.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(scroll <= client, `${name}: ${scroll} > ${client}`);
  await tab.setViewport({ width: 1280, height: 860 });
}

test("the token is not in the address any more, and is needed", { skip }, async () => {
  assert.doesNotMatch(tab.url(), /token/);
  assert.equal(await tab.evaluate(async () => (await fetch("/-/api/state")).status), 401);
  await fine("no requests");
});

test("a refused kubectl apply is there at once, with its line, rule and source; the fix passes", { skip }, async () => {
  const seen = tab.waitForSelector(".row.rejected", { timeout: 60000 }).then(() => Date.now());
  const ran = await dev.kubectlSoon(order(101), "apply", "-f", "-");
  assert.notEqual(ran.status, 0);
  console.log(`the request is on the page ${(await seen) - ran.at} ms after kubectl has ended`);
  await tab.keyboard.press("j");
  await shows(".problems .message", "spec\\.count.*less than or equal to 100");
  assert.equal(await text(".cm-line.marked"), "  count: 101");
  assert.equal(await text(".problems .chip"), "+k8s:maximum=100");
  const line = dev.types.split("\n").findIndex((l) => l.includes("+k8s:maximum=100")) + 1;
  assert.equal(await text(".problems .file"), "api/v1/types.go:" + line);
  assert.match(await text(".problems .line.here"), /\+k8s:maximum=100/);
  await fine("a refused request");

  await tab.click(".problems .links button"); // selects the value
  await tab.waitForFunction(() => getSelection().toString() === "101");
  await tab.keyboard.type("99");
  await shows(".card.fine", "The rules accept this");
  await tab.waitForFunction(() => !document.querySelector(".cm-line.marked"));
  await tab.keyboard.down("Control");
  await tab.keyboard.press("Enter");
  await tab.keyboard.up("Control");
  await shows(".card.accepted", "201");
  assert.equal(dev.kubectl("", "get", "orders.v1.shop.example.com", "first", "-o", "jsonpath={.spec.size}").stdout, "99");
  await fine("an accepted request");
});

test("filters, steps and the answer", { skip }, async () => {
  await tab.evaluate(() => [...document.querySelectorAll(".choices button")].find((b) => b.textContent.startsWith("Rejected")).click());
  await tab.waitForFunction(() => document.querySelectorAll(".row").length === 1);
  await go("#/requests", ".start"); // forgets what was edited
  await tab.click(".row.rejected");
  await tab.waitForSelector("#tab-steps");
  await tab.click("#tab-steps");
  await shows(".steps", "Before admission by the API server.*No change by NamespaceLifecycle");
  await fine("steps");
  await tab.click("#tab-answer");
  await shows("#panel", "FieldValueInvalid");
  await tab.evaluate(() => [...document.querySelectorAll(".choices button")].find((b) => b.textContent.startsWith("Changes")).click());
  await tab.waitForFunction(() => document.querySelector(".row .badge.good"));
  await tab.evaluate(() => document.querySelector(".row .badge.good").closest("a").click());
  await shows("h1 .badge", "201");
  await tab.click("#tab-steps");
  await shows(".steps", "At validation by the API server.*Converted to v1 by the rules.*As answered");
  await fine("an answer");
});

const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: names }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [shop.example.com], apiVersions: ["*"], resources: [orders], operations: [CREATE] }] }
  validations: [{ expression: "object.metadata.name != 'refused'", message: no order has this name }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: names }
spec: { policyName: names, validationActions: [Deny] }
`;

test("the step at which a policy refuses an object", { skip }, async () => {
  assert.equal(dev.kubectl(policy, "apply", "-f", "-").status, 0);
  while (dev.kubectl(order(1, "refused"), "create", "-f", "-", "--dry-run=server").status === 0) await new Promise((done) => setTimeout(done, 100)); // until the policy is there
  await tab.waitForFunction(() => document.querySelector(".row.rejected").textContent.includes("dry run"));
  await tab.click(".row.rejected");
  await shows("h1 .badge", "4\\d\\d"); // not the request of before
  await tab.waitForSelector("#tab-steps");
  await tab.click("#tab-steps");
  await shows(".steps > li:last-child", "ValidatingAdmissionPolicy by the API server.*no order has this name");
  await shows(".steps", "At validation by the API server");
  await fine("a refusal by a policy");
  assert.equal(dev.kubectl(policy, "delete", "-f", "-").status, 0);
});

test("a save with a mistake keeps the API, and says where the mistake is", { skip }, async () => {
  dev.write("api/v1/types.go", dev.types.replace("+k8s:maximum=100", "+k8s:maxmum=100"));
  await shows(".status.bad", "still served");
  assert.match(await text(".mistake"), /unknown tag \+k8s:maxmum; did you mean \+k8s:maximum/);
  assert.equal(await text(".mistake mark"), "k8s:maxmum");
  assert.notEqual(dev.kubectl(order(101), "apply", "-f", "-").status, 0);
  await fine("a mistake");
  dev.write("api/v1/types.go", dev.types);
  await shows(".status.good", "types\\.go saved.*generated.*reloaded");
});

test("objects appear, are edited, and leave", { skip }, async () => {
  await go("#/objects", "tbody tr");
  await fine("objects");
  dev.kubectl(order(7, "second"), "create", "-f", "-");
  await shows("tbody", "second");
  await go("#/objects/shop.example.com/orders/v1/default/second", ".cm-line");
  await shows(".verdict", "✓ API server");
  await tab.evaluate(() => [...document.querySelectorAll(".cm-line")].find((l) => l.textContent.includes("size: 7")).scrollIntoView());
  await tab.click(".cm-content");
  await tab.keyboard.down("Control");
  await tab.keyboard.press("End");
  await tab.keyboard.up("Control");
  await tab.keyboard.press("ArrowUp");
  await tab.keyboard.press("End");
  await tab.keyboard.type("00");
  await shows(".problems .message", "spec\\.size");
  await shows(".verdict", "✕ API server: 422");
  await fine("an object with a mistake");
  await tab.keyboard.press("Backspace");
  await tab.keyboard.press("Backspace");
  await tab.keyboard.type("0");
  await shows(".verdict", "✓ API server");
  await tab.click("button.primary");
  await tab.waitForFunction(() => /History/.test(document.querySelector("#tab-history").textContent) && document.querySelector("#tab-history .count").textContent === "2");
  assert.equal(dev.kubectl("", "get", "order", "second", "-o", "jsonpath={.spec.size}").stdout, "70");
  for (const view of ["versions", "defaults", "managers", "history"]) {
    await tab.click("#tab-" + view);
    await fine(view);
  }
  await shows(".moments .more", "size: 70");
  dev.kubectl("", "delete", "order", "second");
  await shows(".card.refused", "deleted");
  await go("#/objects", "tbody tr");
  await tab.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
});

test("the page has no errors of its own", { skip }, () => assert.deepEqual(problems, []));
