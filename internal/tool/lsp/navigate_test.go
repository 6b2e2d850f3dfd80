package lsp

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
)

// shop is a project with names in markers of all sorts.
func shop() map[string]string {
	some := maps.Clone(files)
	some[types] = `package v1

import "strconv"

// Mode is how a shop sells.
//
// +k8s:enum
type Mode string

const (
	ModeOnline Mode = "Online"
	ModeStore  Mode = "Store"
)

// Name is a short name.
//
// +k8s:maxLength=63
// +default="shop"
type Name string

// ShopSpec is a shop.
//
// +versioned:removed(since: "v1", name: "owner", type: "string", lossy: "unused")
type ShopSpec struct {
	// +k8s:optional
	// +default=ref(ModeOnline)
	Mode Mode ` + "`json:\"mode,omitempty\"`" + `

	// +k8s:optional
	// +k8s:neq="Store"
	// +default="Online"
	Second Mode ` + "`json:\"second,omitempty\"`" + `

	// Title is its name.
	//
	// +k8s:optional
	// +versioned:changed(since: "v1", fromName: "label")
	Title Name ` + "`json:\"title,omitempty\"`" + `

	// +k8s:optional
	// +k8s:dependentRequired(title)
	Alias *string ` + "`json:\"alias,omitempty\"`" + `

	// +k8s:optional
	// +k8s:dependentRequired("alias")
	// +k8s:dependentRequired(title)
	Floor string ` + "`json:\"floor,omitempty\"`" + `

	// +k8s:optional
	// +versioned:changed(since: "v1", fromName: "count", fromType: "string", upgradeWith: "ParseCount", downgradeWith: "FormatCount")
	Size int32 ` + "`json:\"size,omitempty\"`" + `
}

// Shop is a shop.
type Shop struct {
	Spec ShopSpec ` + "`json:\"spec\"`" + `
}

func ParseCount(s string) (int32, error) {
	n, err := strconv.ParseInt(s, 10, 32)
	return int32(n), err
}

func FormatCount(n int32) string { return strconv.Itoa(int(n)) }
`
	some["main.go"] = "package main\n\nimport shop \"example.com/shop/api/v1\"\n\nfunc main() {\n\tprintln(shop.FormatCount(1), shop.ModeOnline)\n}\n"
	return some
}

// begin opens types.go of a project without mistakes.
func begin(t *testing.T, files map[string]string) *client {
	c := connect(t, folder(t, files))
	c.open(types, files[types])
	c.settled(types)
	c.expect(types)
	return c
}

// shown returns locations as line:column-column.
func (c *client) shown(list []protocol.Location) string {
	var out []string
	for _, l := range list {
		if l.URI != c.uri(types) {
			c.t.Errorf("a location in %s", l.URI)
		}
		out = append(out, itoa(l.Range.Start.Line+1)+":"+strings.Split(c.texts[types], "\n")[l.Range.Start.Line][l.Range.Start.Character:l.Range.End.Character])
	}
	return strings.Join(out, " ")
}

func TestReferences(t *testing.T) {
	c := begin(t, shop())
	for at, want := range map[string]string{
		"+k8s:dependentRequired(ti‸tle)": "38:Title 41:title 46:title",
		`+k8s:dependentRequired("al‸ias`: "42:Alias 45:alias",
		"+default=ref(Mode‸Online)":      "11:ModeOnline 26:ModeOnline 31:Online",
		`+default="On‸line"`:             "11:ModeOnline 26:ModeOnline 31:Online",
		`+k8s:neq="St‸ore"`:              "12:ModeStore 30:Store",
		`upgradeWith: "Parse‸Count"`:     "59:ParseCount 50:ParseCount",
		"+k8s:max‸Length=63":             "",
		"// Title is‸ its":               "",
		"Alias *st‸ring":                 "",
	} {
		params := protocol.ReferenceParams{TextDocument: c.at(at).TextDocument, Position: c.at(at).Position}
		params.Context.IncludeDeclaration = true
		var list []protocol.Location
		c.call("textDocument/references", params, &list)
		if got := c.shown(list); got != want {
			t.Errorf("%s: got %s, want %s", at, got, want)
		}
		var to *protocol.Location
		c.call("textDocument/definition", c.at(at), &to)
		if first, _, _ := strings.Cut(want, " "); (to == nil) != (want == "") || to != nil && c.shown([]protocol.Location{*to}) != first {
			t.Errorf("%s: the definition is %+v, want %s", at, to, first)
		}
		params.Context.IncludeDeclaration = false
		list = nil
		c.call("textDocument/references", params, &list)
		if _, rest, _ := strings.Cut(want, " "); c.shown(list) != rest {
			t.Errorf("%s: without the declaration %s, want %s", at, c.shown(list), rest)
		}
	}
}

// rename returns the files after a rename, or its error.
func (c *client) rename(at, to string) (map[string]string, error) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var edit protocol.WorkspaceEdit
	if _, err := c.conn.Call(ctx, "textDocument/rename", protocol.RenameParams{TextDocument: c.at(at).TextDocument, Position: c.at(at).Position, NewName: to}, &edit); err != nil {
		return nil, err
	}
	out := map[string]string{}
	for uri := range edit.Changes {
		path, _ := protocol.ToPath(uri)
		name := strings.TrimPrefix(path, c.dir+"/")
		if _, open := c.texts[name]; !open {
			content, err := source.NewFS(nil).ReadFile(path)
			if err != nil {
				c.t.Fatal(err)
			}
			c.texts[name] = string(content)
		}
		out[name] = c.apply(name, protocol.CodeAction{Edit: &edit})
	}
	return out, nil
}

func TestRename(t *testing.T) {
	some := shop()
	c := begin(t, some)
	for _, test := range []struct {
		at, to string
		// want are the replacements in types.go, old and new by turns; main those in main.go.
		want []string
		main []string
	}{
		{at: "+k8s:dependentRequired(ti‸tle)\n\tAlias", to: "name", want: []string{`json:"title`, `json:"name`, "Required(title)", "Required(name)"}},
		{at: `+k8s:dependentRequired("al‸ias`, to: "other", want: []string{
			`json:"alias`, `json:"other`, `Required("alias")`, `Required("other")`,
			"\tAlias *string", "\t// +versioned:changed(since: \"v1\", fromName: \"alias\")\n\tAlias *string",
		}},
		{at: `+k8s:neq="St‸ore"`, to: "Street", want: []string{`"Store"`, `"Street"`, "\tModeStore ", "\t// +versioned:changed(since: \"v1\", fromName: \"Store\")\n\tModeStore "}},
		{at: `+default="On‸line"`, to: "Web site", want: []string{`"Online"`, `"Web site"`, "\tModeOnline Mode", "\t// +versioned:changed(since: \"v1\", fromName: \"Online\")\n\tModeOnline Mode"}},
		{at: "+default=ref(Mode‸Online)", to: "ModeWeb", want: []string{"ModeOnline", "ModeWeb"}, main: []string{"ModeOnline", "ModeWeb"}},
		{at: `downgradeWith: "Format‸Count"`, to: "PrintCount", want: []string{"FormatCount", "PrintCount"}, main: []string{"FormatCount", "PrintCount"}},
	} {
		t.Run(test.at, func(t *testing.T) {
			c.t = t
			got, err := c.rename(test.at, test.to)
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.NewReplacer(test.want...).Replace(some[types]); got[types] != want {
				t.Errorf("types.go is\n%s\nwant\n%s", got[types], want)
			}
			if test.main == nil != (got["main.go"] == "") || test.main != nil && got["main.go"] != strings.NewReplacer(test.main...).Replace(some["main.go"]) {
				t.Errorf("main.go is\n%s", got["main.go"])
			}
		})
	}
	c.t = t
	var prepared *protocol.PrepareRename
	c.call("textDocument/prepareRename", c.at(`+k8s:dependentRequired("al‸ias`), &prepared)
	if prepared == nil || prepared.Placeholder != "alias" {
		t.Errorf("prepared: %+v", prepared)
	}
	prepared = nil
	if c.call("textDocument/prepareRename", c.at("+k8s:max‸Length=63"), &prepared); prepared != nil {
		t.Errorf("a tag can be renamed: %+v", prepared)
	}
	for _, test := range [][3]string{
		{"+k8s:max‸Length=63", "x", "nothing here"},
		{"+k8s:dependentRequired(ti‸tle)", "alias", "has a field alias already"},
		{"+k8s:dependentRequired(ti‸tle)", "a b", "not a name in JSON"},
		{`+k8s:neq="St‸ore"`, "Online", "ModeOnline has the value"},
		{`+k8s:neq="St‸ore"`, "a\"b", "cannot be a value"},
		{`upgradeWith: "Parse‸Count"`, "1x", "not a name in Go"},
		{`upgradeWith: "Parse‸Count"`, "FormatCount", "declared in the package already"},
		{`upgradeWith: "Parse‸Count"`, "parse", "upper-case"},
	} {
		if _, err := c.rename(test[0], test[1]); err == nil || !strings.Contains(err.Error(), test[2]) {
			t.Errorf("%s to %s: got %v, want %q", test[0], test[1], err, test[2])
		}
	}
	// A name with two meanings is for gopls.
	c.change(types, "func FormatCount(n int32) string { return strconv.Itoa(int(n)) }", "func FormatCount(n int32) string { ParseCount := 1; return strconv.Itoa(int(n) + ParseCount) }")
	if _, err := c.rename(`upgradeWith: "Parse‸Count"`, "ReadCount"); err == nil || !strings.Contains(err.Error(), "another meaning in api/v1/types.go:") {
		t.Errorf("a hidden name: %v", err)
	}
}

// TestRenameKeeps applies renames, and expects no mistake and the same older version.
func TestRenameKeeps(t *testing.T) {
	for _, test := range [][2]string{{`+k8s:dependentRequired("al‸ias`, "other"}, {`+k8s:neq="St‸ore"`, "Street"}, {`+default="On‸line"`, "Web"}, {"+default=ref(Mode‸Online)", "ModeWeb"}} {
		c := begin(t, shop())
		got, err := c.rename(test[0], test[1])
		if err != nil {
			t.Fatal(err)
		}
		c.replace(got[types])
		c.settled(types)
		c.expect(types)
	}
}

func TestHintsAndLenses(t *testing.T) {
	c := begin(t, shop())
	show := func(last int) string {
		var list []protocol.InlayHint
		c.call("textDocument/inlayHint", protocol.RangeParams{TextDocument: c.at("‸package").TextDocument, Range: protocol.Range{End: protocol.Position{Line: last}}}, &list)
		var out []string
		for _, h := range list {
			line := strings.Split(c.texts[types], "\n")[h.Position.Line]
			if len(line) != h.Position.Character {
				t.Errorf("%+v is not at the end of %q", h, line)
			}
			out = append(out, strings.Fields(line)[0]+": "+h.Label+" ("+h.Tooltip+")")
		}
		return strings.Join(out, "\n")
	}
	want := `Mode: one of ` + "`Online`, `Store`" + `; default "Online" (from type Mode)` + "\n" + `Second: one of ` + "`Online`, `Store`" + ` (from type Mode)` + "\n" + `Title: at most 63 characters; default "shop" (from type Name)`
	if got := show(1000); got != want {
		t.Errorf("hints:\n%s\nwant\n%s", got, want)
	}
	if got := show(30); got != strings.Split(want, "\n")[0] {
		t.Errorf("hints of a part: %s", got)
	}
	lenses := func() []string {
		var list []protocol.CodeLens
		c.call("textDocument/codeLens", protocol.DocumentParams{TextDocument: c.at("‸package").TextDocument}, &list)
		out := []string{}
		for _, l := range list {
			out = append(out, strings.Fields(strings.Split(c.texts[types], "\n")[l.Range.Start.Line])[0]+" "+l.Command.Title)
		}
		return out
	}
	former := []string{"type v1beta1 also has owner", "Title v1beta1: label", "Size v1beta1: count (string)"}
	if got := lenses(); !slices.Equal(got, former) {
		t.Errorf("lenses: %q, want %q", got, former)
	}
	// With an open brace, those of the last model stay where they are.
	c.change(types, "// Mode is how a shop sells.", "// Mode is how.\n// It sells.")
	c.change(types, "type Shop struct {", "type Shop struct {{")
	if got := show(1000); got != want {
		t.Errorf("hints after an open brace:\n%s", got)
	}
	if got := lenses(); !slices.Equal(got, former) {
		t.Errorf("lenses after an open brace: %q", got)
	}
	c.change(types, "struct {{", "struct {")
	c.change(types, `+versioned:changed(since: "v1", fromName: "label")`, `+versioned:added(since: "v1", lossy: "new")`)
	if got := lenses(); !slices.Contains(got, "Title v1beta1: not yet") {
		t.Errorf("lenses of an added field: %q", got)
	}
}
