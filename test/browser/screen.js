// Takes a picture of a terminal's screen, which stdin has with its escape sequences: node screen.js FILE.png < screen
import { readFileSync } from "node:fs";
import { start } from "./browser.js";

const escaped = (text) => text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
let style = {};

// apply applies one sequence of numbers of the form ESC [ … m.
function apply(numbers) {
  for (let i = 0; i < numbers.length; i++) {
    const n = numbers[i];
    if (n === 0) style = {};
    else if (n === 1) style["font-weight"] = "bold";
    else if (n === 4) style["text-decoration"] = "underline";
    else if (n === 22) delete style["font-weight"];
    else if (n === 24) delete style["text-decoration"];
    else if (n === 39) delete style.color;
    else if (n === 49) delete style.background;
    else if ((n === 38 || n === 48) && numbers[i + 1] === 2) {
      style[n === 38 ? "color" : "background"] = `rgb(${numbers.slice(i + 2, i + 5).join(",")})`;
      i += 4;
    } else if ((n === 38 || n === 48) && numbers[i + 1] === 5) i += 2;
  }
}

const lines = readFileSync(0, "utf8").trimEnd().split("\n").map((line) => line.split("\x1b[").map((part, i) => {
  let text = part;
  if (i > 0) {
    const end = part.search(/[A-Za-z]/);
    if (part[end] === "m") apply(part.slice(0, end).split(";").map((s) => Number(s.split(":")[0])));
    text = part.slice(end + 1);
  }
  const css = Object.entries(style).map(([k, v]) => `${k}:${v}`).join(";");
  return text ? `<span style="${css}">${escaped(text)}</span>` : "";
}).join(""));

const browser = await start();
const page = await browser.newPage();
await page.setViewport({ width: 960, height: 100, deviceScaleFactor: 1 });
await page.setContent(`<body style="margin:0"><pre id="screen" style="margin:0;padding:12px;font:14px/1.35 'DejaVu Sans Mono',monospace;color:#1f2328;background:#fff;display:inline-block">${lines.join("\n")}</pre>`);
await (await page.$("#screen")).screenshot({ path: process.argv[2] });
await browser.close();
