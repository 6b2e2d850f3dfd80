// Tests the colors of markers: the grammar of VS Code's Go, with ours injected.
const { test } = require("node:test");
const assert = require("node:assert/strict");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const oniguruma = require("vscode-oniguruma");
const { Registry, parseRawGrammar } = require("vscode-textmate");

const ours = "kindsmith.markers.injection";
const files = { "source.go": require.resolve("tm-grammars/grammars/go.json"), [ours]: join(__dirname, "../syntaxes/markers.tmLanguage.json") };

async function grammar() {
  await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner: (p) => new oniguruma.OnigScanner(p), createOnigString: (s) => new oniguruma.OnigString(s) }),
    loadGrammar: async (scope) => (files[scope] ? parseRawGrammar(readFileSync(files[scope], "utf8"), "grammar.json") : null),
    getInjections: (scope) => (scope === "source.go" ? [ours] : []),
  });
  return registry.loadGrammar("source.go");
}

// scopes returns the texts of a marker with their innermost scope of ours.
function scopes(g, text) {
  let state = null;
  const found = [];
  for (const line of text.split("\n")) {
    const out = g.tokenizeLine(line, state);
    state = out.ruleStack;
    for (const t of out.tokens) {
      const scope = t.scopes.findLast((s) => s.endsWith(".marker.go"));
      if (scope && scope !== "meta.marker.go") found.push(`${line.slice(t.startIndex, t.endIndex)} ${scope.replace(".marker.go", "")}`);
    }
  }
  return found;
}

test("markers have colors", async () => {
  const g = await grammar();
  for (const [text, want] of [
    ["// +k8s:maxLength=63", ["+ punctuation.definition", "k8s:maxLength entity.name.tag", "= keyword.operator.assignment", "63 constant.numeric"]],
    ["\t// +k8s:required", ["+ punctuation.definition", "k8s:required entity.name.tag"]],
    ["// +optional", ["+ punctuation.definition", "optional entity.name.tag"]],
    [
      '// +versioned:added(since: "v1", lossy: "a (b)", x: true)',
      ["+ punctuation.definition", "versioned:added entity.name.tag", "( punctuation.section.parens.begin", "since variable.parameter", ": punctuation.separator",
        '"v1" string.quoted.double', "lossy variable.parameter", ": punctuation.separator", '"a (b)" string.quoted.double', "x variable.parameter", ": punctuation.separator",
        "true constant.language", ") punctuation.section.parens.end"],
    ],
    [
      "// +k8s:eachVal=+k8s:maximum=5",
      ["+ punctuation.definition", "k8s:eachVal entity.name.tag", "= keyword.operator.assignment", "+ punctuation.definition", "k8s:maximum entity.name.tag", "= keyword.operator.assignment", "5 constant.numeric"],
    ],
    [
      '// +kubebuilder:printcolumn:name="Size",type=integer',
      ["+ punctuation.definition", "kubebuilder:printcolumn:name entity.name.tag", "= keyword.operator.assignment", '"Size" string.quoted.double', "type variable.parameter", "= keyword.operator.assignment"],
    ],
    ["/* +k8s:enum */", ["+ punctuation.definition", "k8s:enum entity.name.tag"]],
  ]) {
    assert.deepEqual(scopes(g, text), want, text);
  }
});

test("other comments and code have none", async () => {
  const g = await grammar();
  for (const text of ["// a + b", "// see +k8s:enum", "x := 1 // +1", "a := b +c", "// Mode is a mode.\ntype Mode string", 's := "// +k8s:enum"', "/* text */ x +y"]) {
    assert.deepEqual(scopes(g, text), [], text);
  }
});

test("what follows a marker is Go again", async () => {
  const g = await grammar();
  let state = null;
  for (const line of ['// +versioned:added(since: "v1', "type Mode string"]) {
    const out = g.tokenizeLine(line, state);
    state = out.ruleStack;
    if (line.startsWith("type")) assert.ok(out.tokens[0].scopes.every((s) => !s.includes("comment") && !s.includes("marker")), out.tokens[0].scopes.join(" "));
  }
});
