// Runs the bundle without VS Code: with a stand-in for its API, and the server as it would start it.
const { test } = require("node:test");
const assert = require("node:assert/strict");
const { buildSync } = require("esbuild");
const { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { spawn } = require("node:child_process");

const manifest = require("../package.json");

function settings() {
  const outfile = join(mkdtempSync(join(tmpdir(), "settings-")), "settings.js");
  buildSync({ entryPoints: [join(__dirname, "../src/settings.ts")], outfile, bundle: true, platform: "node", format: "cjs" });
  return require(outfile);
}

test("the server is the command of the settings", () => {
  const { serverOf, messageOf } = settings();
  assert.deepEqual(serverOf(undefined, undefined), { command: "kindsmith", args: ["lsp"] });
  assert.deepEqual(serverOf(" ", "/work"), { command: "kindsmith", args: ["lsp"] });
  assert.equal(serverOf("bin/kindsmith", "/work").command, join("/work", "bin/kindsmith"));
  assert.equal(serverOf("/opt/kindsmith", "/work").command, "/opt/kindsmith");
  assert.match(messageOf("x", new Error("spawn x ENOENT")), /kindsmith is not at x\. Install it/);
  assert.match(messageOf("x", "exit 1"), /does not start: exit 1/);
});

test("what the manifest names exists", () => {
  for (const g of manifest.contributes.grammars) assert.equal(JSON.parse(readFileSync(join(__dirname, "..", g.path), "utf8")).scopeName, g.scopeName);
  assert.ok(existsSync(join(__dirname, "..", manifest.main)), "npm run build makes it");
  const source = readFileSync(join(__dirname, "../src/extension.ts"), "utf8");
  for (const c of manifest.contributes.commands) assert.ok(source.includes(`"${c.command}"`));
  for (const key of Object.keys(manifest.contributes.configuration.properties)) assert.ok(source.includes(`"${key.replace("kindsmith.", "")}"`), key);
});

// KINDSMITH is the path of the command; the Makefile sets it.
test("the server answers in a file of Go", { skip: !process.env.KINDSMITH && "KINDSMITH is not set" }, async () => {
  const dir = mkdtempSync(join(tmpdir(), "shop-"));
  const { serverOf } = settings();
  const server = serverOf(process.env.KINDSMITH, dir);
  // The client adds this argument for the transport stdio.
  const child = spawn(server.command, [...server.args, "--stdio"], { cwd: dir, env: { ...process.env, GOFLAGS: "", GOWORK: "off" } });
  try {
    const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = require("vscode-languageserver-protocol/node");
    const connection = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    connection.listen();
    connection.onRequest("client/registerCapability", () => null);
    const text = "// Package v1 is an API.\n//\n// +groupName=shop.example.com\npackage v1\n\n// +k8s:maxLenght=5\ntype Name string\n";
    writeFileSync(join(dir, "go.mod"), "module example.com/shop\n\ngo 1.26\n");
    writeFileSync(join(dir, "types.go"), text);
    const reported = new Promise((done) => connection.onNotification("textDocument/publishDiagnostics", done));
    const result = await connection.sendRequest("initialize", { processId: null, rootUri: pathToFileURL(dir).href, capabilities: {} });
    assert.equal(result.serverInfo.name, "kindsmith");
    await connection.sendNotification("initialized", {});
    const uri = pathToFileURL(join(dir, "types.go")).href;
    await connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "go", version: 1, text } });
    const found = await reported;
    assert.equal(found.diagnostics[0].code, "check/unknown-tag");
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    assert.equal(await new Promise((done) => child.on("exit", done)), 0);
  } finally {
    child.kill();
    rmSync(dir, { recursive: true });
  }
});
