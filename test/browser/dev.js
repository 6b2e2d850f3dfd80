// Starts `kindsmith dev` on the project of docs/guides/dev.md: KINDSMITH, KUBECTL and APISERVER are the paths of the programs.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

export async function start() {
  const dir = mkdtempSync(join(tmpdir(), "workbench-"));
  const write = (name, text) => {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  };
  const types = readFileSync(join(root, "docs/guides/dev.md"), "utf8").match(/```go\n([^]*?)```/)[1];
  const modules = [...readFileSync(join(root, "go.mod"), "utf8").matchAll(/\tgithub\.com\/kindsmith\/kindsmith\/(\S+) (\S+)/g)];
  write("go.mod", "module example.com/shop\n\ngo 1.26.0\n");
  write("go.work", `go 1.26.0\n\nuse (\n\t.\n\t"${root}"\n\t"${root}/runtime"\n)\n` + modules.map(([, m, v]) => `\nreplace github.com/kindsmith/kindsmith/${m} ${v} => "${root}/${m}"\n`).join(""));
  write("api/v1/types.go", types);
  const env = { ...process.env, PATH: [dirname(process.env.APISERVER), process.env.PATH].join(delimiter), GOWORK: join(dir, "go.work"), KUBEBUILDER_ASSETS: "", KUBECONFIG: join(dir, ".dev/kubeconfig"), KUBERC: "off", NO_COLOR: "1" };
  const dev = spawn(process.env.KINDSMITH, ["dev", "./api/...", "--dir", ".dev"], { cwd: dir, env });
  let output = "";
  for (const stream of [dev.stdout, dev.stderr]) stream.on("data", (text) => (output += text));
  const ended = new Promise((done) => dev.on("exit", done));
  const url = await new Promise((ready, fail) => {
    const timer = setInterval(() => {
      const found = output.match(/requests and objects: (\S+)/);
      if (found) clearInterval(timer), ready(found[1]);
    }, 50);
    ended.then(() => (clearInterval(timer), fail(new Error("kindsmith dev ended:\n" + output))));
  });
  return {
    url, types, write,
    // kubectl returns { status, stdout, stderr }.
    kubectl: (input, ...args) => spawnSync(process.env.KUBECTL, args, { cwd: dir, env, input, encoding: "utf8" }),
    // kubectlSoon is kubectl beside the page.
    kubectlSoon: (input, ...args) => new Promise((done) => {
      const run = spawn(process.env.KUBECTL, args, { cwd: dir, env });
      run.stdin.end(input);
      run.on("exit", (status) => done({ status, at: Date.now() }));
    }),
    async stop() {
      dev.kill("SIGINT");
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
