package lsp

import (
	"context"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/explain"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
)

// The project of the tests. In a document that a client opens, ‸ is the cursor.
var files = map[string]string{
	"go.mod":         "module example.com/shop\n\ngo 1.26\n",
	"kindsmith.yaml": "packages: [./api/...]\n",
	"api/v1/doc.go": `// Package v1 is the API of a shop.
//
// +groupName=shop.example.com
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1", storage: true)
package v1
`,
	"api/v1/types.go": `package v1

// Mode is how a shop sells.
//
// +k8s:enum
type Mode string

const (
	// ModeOnline is a web site.
	ModeOnline Mode = "Online"
	ModeStore  Mode = "Store"
)

// ShopSpec is a shop.
type ShopSpec struct {
	// Mode is how it sells.
	//
	// +k8s:required
	Mode Mode ` + "`json:\"mode\"`" + `

	// Title is its name.
	//
	// +k8s:optional
	// +k8s:maxLength=63
	Title string ` + "`json:\"title,omitempty\"`" + `

	// +k8s:optional
	// +k8s:eachVal=+k8s:maxLength=8
	// +k8s:dependentRequired(title)
	// +versioned:added(since: "v1", lossy: "older shops have none")
	Labels map[string]string ` + "`json:\"labels,omitempty\"`" + `
}
`,
}

const types = "api/v1/types.go"

func TestDiagnostics(t *testing.T) {
	c := connect(t, folder(t, files))
	c.open(types, files[types])
	c.settled(types)
	c.expect(types)
	c.change(types, "maxLength=63", "maxLenght=63")
	c.expect(types, "24:6 check/unknown-tag")
	d := c.diagnostics[types]
	if d.Version == nil || *d.Version != 2 {
		t.Errorf("the diagnostics are of version %v, want 2", d.Version)
	}
	if one := d.Diagnostics[0]; one.Source != "kindsmith" || one.Severity != protocol.SeverityError || one.CodeDescription == nil || !strings.Contains(one.Message, "maxLength") {
		t.Errorf("got %+v", one)
	}
	// An edit above moves it, without an analysis of its own.
	c.change(types, "// Title is its name.\n", "// Title is its name.\n\t// 𝒳 has two units.\n")
	c.expect(types, "25:6 check/unknown-tag")
	// gopls reports mistakes in Go, and those of before stay where they are.
	c.change(types, "\tTitle string", "\tTitle strin")
	c.settled(types)
	c.expect(types, "25:6 check/unknown-tag")
	c.change(types, "type ShopSpec struct {", "type ShopSpec struct {{")
	c.change(types, "// ShopSpec is a shop.\n", "// ShopSpec is a shop.\n//\n")
	c.settled(types)
	c.expect(types, "26:6 check/unknown-tag")
	c.change(types, "struct {{", "struct {")
	c.change(types, "strin ", "string ")
	c.change(types, "maxLenght", "maxLength")
	c.expect(types)
	c.close(types)
	c.expect(types)
}

// TestEmitters is about diagnostics that only complete analyses find. It types in a buffer of an example.
func TestEmitters(t *testing.T) {
	dir, err := filepath.Abs("../../../examples/pipeline")
	if err != nil {
		t.Fatal(err)
	}
	const name = "api/v2/task_types.go"
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t, dir)
	c.open(name, string(content))
	c.settled(name)
	first, _, _ := strings.Cut(c.texts[name], "// +k8s:")
	line := strings.Count(first, "\n") + 1
	c.change(name, "// +k8s:", "// +kubebuilder:validation:MaxLength=x\n\t// +k8s:")
	want := func() string { return itoa(line) + ":39 crd/marker-syntax" }
	c.expect(name, want())
	// An edit above neither hides it until emitters run again, nor leaves it behind.
	c.change(name, "package v2\n", "package v2\n\n// A comment.\n")
	line += 2
	c.settled(name)
	c.expect(name, want())
	c.change(name, "// +kubebuilder:validation:MaxLength=x\n\t", "")
	c.settled(name)
	c.expect(name)
}

func TestOtherFiles(t *testing.T) {
	dir := folder(t, files)
	c := connect(t, dir)
	c.open("api/v1/doc.go", strings.Replace(files["api/v1/doc.go"], "storage:", "stored:", 1))
	c.settled("api/v1/doc.go")
	if len(c.lines("api/v1/doc.go")) == 0 {
		t.Error("the mistake in doc.go is not reported")
	}
	// A file that is not open has diagnostics, too, and the editor says when it changes.
	broken := strings.Replace(files[types], "+k8s:required", "+k8s:requird", 1)
	if err := source.WriteFile(filepath.Join(dir, types), []byte(broken)); err != nil {
		t.Fatal(err)
	}
	c.notify("workspace/didChangeWatchedFiles", jsontext.Value(`{"changes":[{"uri":"`+c.uri(types)+`","type":2}]}`))
	c.expect(types, "18:6 check/unknown-tag")
	if c.diagnostics[types].Version != nil {
		t.Error("a file that is not open has no version")
	}
	if len(c.registered) != 1 || !strings.Contains(c.registered[0], "didChangeWatchedFiles") {
		t.Errorf("registered: %q", c.registered)
	}
	// Mistakes in kindsmith.yaml are where they are.
	c.open("kindsmith.yaml", "packages: [./api/...]\nlint:\n  disabel: [x]\n")
	c.settled("kindsmith.yaml")
	if list := c.lines("kindsmith.yaml"); len(list) != 1 || !strings.HasPrefix(list[0], "3:3 ") {
		t.Errorf("kindsmith.yaml: %q", list)
	}
}

// TestDependency opens a file of the module cache, as "go to definition" does: nothing is said about it, and the rest goes on.
func TestDependency(t *testing.T) {
	some := maps.Clone(files)
	const dependency = "mod/example.com/units@v1.0.0/units.go"
	some[dependency] = "package units\n\n// +k8s:requird\ntype Count int32\n"
	c := connect(t, folder(t, some))
	c.open(dependency, some[dependency])
	c.open(types, strings.Replace(files[types], "+k8s:required", "+k8s:requird", 1))
	c.expect(types, "18:6 check/unknown-tag")
	c.change(dependency, "requird", "required")
	c.settled(dependency)
	if list := c.lines(dependency); len(list) > 0 {
		t.Errorf("a dependency has %q", list)
	}
	c.close(dependency)
}

// TestNoSettings is about a module without kindsmith.yaml: only packages with markers are analysed.
func TestNoSettings(t *testing.T) {
	some := map[string]string{"go.mod": files["go.mod"], types: strings.Replace(files[types], "+k8s:required", "+k8s:requird", 1), "main.go": "package main\n\nfunc main() {}\n"}
	some[types] = strings.Replace(some[types], `	// +versioned:added(since: "v1", lossy: "older shops have none")`+"\n", "", 1)
	c := connect(t, folder(t, some))
	c.open("main.go", some["main.go"])
	c.settled("main.go")
	if len(c.diagnostics) > 0 {
		t.Errorf("without an API, the editor has %v", c.diagnostics)
	}
	c.open(types, some[types])
	c.expect(types, "18:6 check/unknown-tag")
}

func (c *client) complete(at protocol.PositionParams) (labels []string, items map[string]protocol.CompletionItem) {
	c.t.Helper()
	var list protocol.CompletionList
	c.call("textDocument/completion", at, &list)
	items = map[string]protocol.CompletionItem{}
	for _, item := range list.Items {
		labels = append(labels, item.Label)
		items[item.Label] = item
	}
	return labels, items
}

func TestCompletion(t *testing.T) {
	c := connect(t, folder(t, files))
	c.open(types, files[types])
	c.settled(types)
	for _, test := range []struct {
		what, old, now string
		has, lacks     []string
		// item, if any, is inserted as the text.
		item, inserts string
	}{
		{"tags of a string", "+k8s:maxLength=63", "+‸", []string{"k8s:maxLength", "k8s:format", "versioned:added", "kubebuilder:validation:Pattern"}, []string{"k8s:maxItems", "k8s:optional", "versioned:version"}, "k8s:maxLength", "k8s:maxLength="},
		{"tags of a map", "+k8s:eachVal=+k8s:maxLength=8", "+k8s:‸", []string{"k8s:eachKey", "k8s:maxProperties"}, []string{"k8s:maxLength", "k8s:maxItems"}, "", ""},
		{"tags of its values", "+k8s:eachVal=+k8s:maxLength=8", "+k8s:eachVal=+‸", []string{"k8s:maxLength", "k8s:format"}, []string{"k8s:maxProperties", "versioned:added", "kubebuilder:validation:Pattern"}, "", ""},
		{"a name in the middle", "+k8s:maxLength=63", "+k8s:max‸Length=63", []string{"k8s:maxLength", "k8s:maxBytes"}, nil, "k8s:maxBytes", "k8s:maxBytes"},
		{"tags of a type", "+k8s:enum", "+‸", []string{"k8s:enum", "k8s:maxLength"}, []string{"k8s:required"}, "", ""},
		{"arguments", `+versioned:added(since: "v1", lossy: "older shops have none")`, `+versioned:added(since: "v1", ‸)`, []string{"lossy", "default"}, []string{"since", "downgradeTo"}, "lossy", "lossy: "},
		{"versions", `+versioned:added(since: "v1", lossy: "older shops have none")`, `+versioned:added(since: "‸")`, []string{"v1", "v1beta1"}, nil, "v1", `"v1"`},
		{"versions without a quote", `+versioned:added(since: "v1", lossy: "older shops have none")`, `+versioned:added(since:‸`, []string{"v1"}, nil, "v1", `"v1"`},
		{"siblings", "+k8s:dependentRequired(title)", "+k8s:dependentRequired(‸)", []string{"title", "mode"}, []string{"labels"}, "title", "title"},
		{"values of a list", "+k8s:maxLength=63", "+k8s:format=‸", []string{"k8s-short-name"}, nil, "", ""},
		{"constants", "+k8s:required", "+default=‸", []string{"Online", "Store"}, nil, "Online", `"Online"`},
		{"constants of a reference", "+k8s:required", `+k8s:neq="‸`, []string{"Online"}, nil, "Store", `"Store"`},
	} {
		t.Run(test.what, func(t *testing.T) {
			c.t = t
			plain := strings.Replace(test.now, "‸", "", 1)
			c.replace(strings.Replace(files[types], test.old, plain, 1))
			at := protocol.PositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: c.uri(types)}}
			before, _, _ := strings.Cut(strings.Replace(files[types], test.old, test.now, 1), "‸")
			at.Position = protocol.ToPosition(source.NewFile(types, []byte(c.texts[types])), len(before))
			labels, items := c.complete(at)
			for _, want := range test.has {
				if !slices.Contains(labels, want) {
					t.Errorf("%s is not proposed: %.300q", want, labels)
				}
			}
			for _, lacks := range test.lacks {
				if slices.Contains(labels, lacks) {
					t.Errorf("%s is proposed", lacks)
				}
			}
			if item := items[test.item]; test.item != "" && (item.TextEdit == nil || item.TextEdit.NewText != test.inserts) {
				t.Errorf("%s inserts %+v, want %q", test.item, item.TextEdit, test.inserts)
			}
		})
	}
	c.t = t
	c.replace(files[types])
	_, items := c.complete(c.at("+k8s:maxL‸ength"))
	item := items["k8s:maxLength"]
	if item.Documentation != nil {
		t.Error("documentation is sent with the list")
	}
	c.call("completionItem/resolve", item, &item)
	if item.Documentation == nil || !strings.Contains(item.Documentation.Value, "characters") {
		t.Errorf("resolved: %+v", item)
	}
	for _, outside := range []string{"type Mode‸ string", "// Mode is‸ how a shop", "package‸ v1", "// +‸k8s:enum"} {
		if labels, _ := c.complete(c.at(outside)); (len(labels) > 0) != strings.Contains(outside, "+") {
			t.Errorf("at %s: %d proposals", outside, len(labels))
		}
	}
}

func TestHoverAndDefinition(t *testing.T) {
	c := connect(t, folder(t, files))
	c.open(types, files[types])
	c.settled(types)
	for at, want := range map[string]string{
		"// +k8s:max‸Length=63":       "**at most 63 characters**",
		"// +k8s:maxLength=6‸3":       "character",
		"+k8s:dependentRequired(ti‸t": "Title is its name.",
		"+versioned:added(sin‸ce":     "the version of the change",
		`lossy: "older sh‸ops`:        "lose",
		"+k8s:eachVal=+k8s:max‸Len":   "at most 8 characters",
		"// Mode is‸ how a":           "",
		"type Mo‸de string":           "",
	} {
		var h protocol.Hover
		c.call("textDocument/hover", c.at(at), &h)
		if (h.Contents == nil) != (want == "") || h.Contents != nil && !strings.Contains(h.Contents.Value, want) {
			t.Errorf("%s: got %+v, want %q", at, h.Contents, want)
		}
	}
	var to protocol.Location
	c.call("textDocument/definition", c.at("+k8s:dependentRequired(ti‸t"), &to)
	if want := c.at("‸Title string"); to.URI != c.uri(types) || to.Range.Start != want.Position {
		t.Errorf("the definition is %+v, want %+v", to, want)
	}
	to = protocol.Location{}
	if c.call("textDocument/definition", c.at("+k8s:max‸Length=63"), &to); to.URI != "" {
		t.Errorf("a tag is declared in no Go file, got %+v", to)
	}
}

func TestFixes(t *testing.T) {
	for _, ending := range []string{"\n", "\r\n"} {
		c := connect(t, folder(t, files))
		text := strings.ReplaceAll(files[types], "\n", ending)
		c.open(types, text)
		c.change(types, "+k8s:maxLength=63", "+k8s:maxLength==63")
		c.change(types, "+k8s:required", "+k8s:required()=")
		at := c.at("maxLength=‸=63").Position
		list := c.actions(types, protocol.Range{Start: at, End: at})
		if len(list) != 1 || list[0].Kind != protocol.QuickFix || !list[0].IsPreferred || len(list[0].Diagnostics) != 1 {
			t.Fatalf("got %+v", list)
		}
		if got := c.apply(types, list[0]); !strings.Contains(got, "+k8s:maxLength=63"+ending) {
			t.Errorf("fixed:\n%s", got)
		}
		if list := c.actions(types, protocol.Range{Start: at, End: at}, "refactor"); len(list) != 0 {
			t.Errorf("fixes are no refactoring: %+v", list)
		}
		whole := c.actions(types, protocol.Range{}, "source.fixAll")
		if len(whole) != 1 {
			t.Fatalf("fix all: %+v", whole)
		}
		if got := c.apply(types, whole[0]); !strings.Contains(got, "+k8s:maxLength=63"+ending) {
			t.Errorf("all fixed:\n%s", got)
		}
		if err := c.ends(); err == nil {
			t.Error("an end without shutdown is no error")
		}
	}
}

// apply returns a file with the edits of an action.
func (c *client) apply(name string, a protocol.CodeAction) string {
	text := c.texts[name]
	f := source.NewFile(name, []byte(text))
	edits := slices.Clone(a.Edit.Changes[c.uri(name)])
	slices.SortFunc(edits, func(x, y protocol.TextEdit) int {
		return protocol.ToOffset(f, y.Range.Start) - protocol.ToOffset(f, x.Range.Start)
	})
	for _, e := range edits {
		text = text[:protocol.ToOffset(f, e.Range.Start)] + e.NewText + text[protocol.ToOffset(f, e.Range.End):]
	}
	return text
}

// TestProtocol sends what no editor should send: each is answered, and the next message is handled.
func TestProtocol(t *testing.T) {
	c := dial(t, folder(t, files))
	fails := func(method, params, want string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if _, err := c.conn.Call(ctx, method, jsontext.Value(params), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s %s: got %v, want %q", method, params, err, want)
		}
	}
	fails("textDocument/hover", `{}`, "initialize first")
	fails("initialize", `{"capabilities": 5}`, "")
	c.call("initialize", jsontext.Value(`{}`), nil)
	fails("initialize", `{}`, "not in a state")
	fails("textDocument/formatting", `{}`, "no method")
	for _, method := range []string{"textDocument/hover", "textDocument/completion", "textDocument/codeAction", "textDocument/definition", "completionItem/resolve"} {
		fails(method, `[]`, "")
		fails(method, `{"textDocument": 1, "label": 1}`, "")
	}
	for _, method := range []string{"textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "textDocument/didSave", "$/cancelRequest", "$/unknown", "workspace/didChangeConfiguration"} {
		c.notify(method, jsontext.Value(`[7]`))
		c.notify(method, jsontext.Value(`{"textDocument": {"uri": "untitled:1", "version": 1, "text": "x"}, "id": 99, "contentChanges": [{"text": "y"}]}`))
	}
	var h jsontext.Value
	for _, uri := range []string{"untitled:1", c.uri("none.go"), "%"} {
		c.call("textDocument/hover", protocol.PositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri}}, &h)
		if len(h) > 0 && string(h) != "null" {
			t.Errorf("%s: got %s", uri, h)
		}
	}
	c.open(types, files[types])
	for _, p := range []protocol.Position{{Line: -1, Character: -1}, {Line: 1e9, Character: 1e9}, {Line: 17, Character: 1e9}} {
		c.call("textDocument/hover", protocol.PositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: c.uri(types)}, Position: p}, &h)
		c.call("textDocument/completion", protocol.PositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: c.uri(types)}, Position: p}, &h)
	}
	c.call("shutdown", nil, nil)
	fails("textDocument/hover", `{}`, "not in a state")
	if err := c.ends(); err != nil {
		t.Errorf("an end after shutdown: %v", err)
	}
}

// TestEdits types at random, so that files are half-written in every way. Nothing fails, and what is right again has the
// diagnostics of a new server.
func TestEdits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	dir := folder(t, files)
	warm := connect(t, dir)
	warm.open(types, files[types])
	pieces := []string{"", "", "{", "}", "(", ")", "\"", "`", "+", "+k8s:", "=", "// ", "/*", "\n", "\r\n", "𝒳", "struct", "\xff", "// +k8s:eachVal=+", "\n\t// +versioned:added(since: \""}
	for step := range 60 {
		text := warm.texts[types]
		start := random.IntN(len(text) + 1)
		end := min(len(text), start+random.IntN(1+random.IntN(40)))
		if step%10 == 9 {
			text, start, end = files[types], 0, 0
		}
		text = strings.ToValidUTF8(text[:start]+pieces[random.IntN(len(pieces))]+text[end:], "?")
		warm.replace(text)
		for range 5 {
			at := protocol.ToPosition(source.NewFile(types, []byte(text)), random.IntN(len(text)+1))
			params := protocol.PositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: warm.uri(types)}, Position: at}
			for _, method := range []string{"completion", "hover", "definition"} {
				warm.call("textDocument/"+method, params, nil)
			}
		}
		warm.settled(types)
	}
	warm.mu.Lock()
	for _, message := range warm.messages {
		if strings.Contains(message, "bug") {
			t.Error(message)
		}
	}
	warm.mu.Unlock()
	for _, mistake := range []string{"+k8s:requird", "+k8s:maximum=5", "+versioned:added(since: \"v3\")"} {
		text := strings.Replace(files[types], "+k8s:required", mistake, 1)
		warm.replace(text)
		warm.settled(types)
		cold := connect(t, dir)
		cold.open(types, text)
		cold.settled(types)
		cold.expect(types, warm.lines(types)...)
		if len(warm.lines(types)) == 0 {
			t.Errorf("%s is not reported", mistake)
		}
	}
}

// TestExit ends a session of an editor that keeps its pipes open, from which a read does not return.
func TestExit(t *testing.T) {
	reader, toServer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = toServer.Close() }()
	_ = reader.Fd() // now it blocks, as standard input does
	ended := make(chan error, 1)
	go func() { ended <- Serve(context.Background(), stream{reader, discard{}}, "test") }()
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`,
	} {
		if _, err := io.WriteString(toServer, "Content-Length: "+itoa(len(message))+"\r\n\r\n"+message); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the server does not end")
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

// FuzzPlaces asks at every place of a file, whatever is in it.
func FuzzPlaces(f *testing.F) {
	for _, text := range files {
		f.Add(text)
	}
	for _, text := range []string{"package v1\n\n// +", "// +k8s:eachVal=+(", "package v1\ntype T struct {\n\t// +k8s:subfield(a: \"\n\tA", "package v1\r\n\r\n/* +k8s:\r\n * +x */\r\ntype T int", "package v1\nconst (\n// +\nA, B", "/* +"} {
		f.Add(text)
	}
	s := &server{tags: driver.Tags(), pages: explain.New()}
	w := &workspace{server: s, good: map[string]*model.Model{}}
	f.Fuzz(func(t *testing.T, text string) {
		v := view{doc: newDocument("file:///x/types.go", "/x/types.go", 1, []byte(text)), in: w}
		for offset := range min(len(text), 400) + 1 {
			at := protocol.PositionParams{Position: protocol.ToPosition(v.doc.file, offset)}
			if _, err := s.completion(context.Background(), v, at); err != nil {
				t.Fatal(err)
			}
			if _, err := s.hover(context.Background(), v, at); err != nil {
				t.Fatal(err)
			}
		}
	})
}
