// Builds the bundles in dist from src: `make web`. Each bundle has the digest of its sources, which a test of package web
// compares with the sources.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import * as esbuild from "esbuild";

// sources are the files that decide what a bundle is, sorted, with / between folders.
function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? sources(folder + "/" + e.name) : [folder + "/" + e.name]));
}
const names = ["build.js", "package.json", "package-lock.json", ...sources("src")].sort();
const hash = createHash("sha256");
for (const name of names) hash.update(`${name}\0${readFileSync(name, "utf8").replaceAll("\r\n", "\n")}\0`);
const banner = `/* sources: ${hash.digest("hex")} */`;

await esbuild.build({
  entryPoints: ["src/workbench/workbench.jsx"],
  outdir: "dist", bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "none",
  jsx: "automatic", jsxImportSource: "preact", banner: { js: banner, css: banner },
});
writeFileSync("dist/index.html", readFileSync("src/workbench/index.html"));

const size = (name) => brotliCompressSync(readFileSync(join("dist", name))).length;
const total = ["workbench.js", "workbench.css", "index.html"].reduce((sum, name) => sum + size(name), 0);
console.log(`workbench: ${(total / 1000).toFixed(1)} KB as brotli`);
if (total > 200e3) throw new Error("the workbench is larger than 200 KB");
