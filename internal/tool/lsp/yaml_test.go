package lsp

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
)

const sample = "config/samples/shop.yaml"

// market is a project with a kind in two versions, and a manifest of it.
func market() map[string]string {
	some := maps.Clone(files)
	some[types] = `package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Mode is how a shop sells.
//
// +k8s:enum
type Mode string

const (
	// ModeOnline is a web site.
	ModeOnline Mode = "Online"
	ModeStore  Mode = "Store"
)

// Clerk sells.
type Clerk struct {
	// Name is the name.
	//
	// +k8s:required
	// +k8s:maxLength=5
	Name string ` + "`json:\"name\"`" + `

	// +k8s:optional
	// +default=8
	Hours *int32 ` + "`json:\"hours,omitempty\"`" + `
}

// ShopSpec is a shop.
type ShopSpec struct {
	// Mode is how it sells.
	//
	// +k8s:required
	Mode Mode ` + "`json:\"mode\"`" + `

	// +k8s:optional
	// +default="Online"
	Second Mode ` + "`json:\"second,omitempty\"`" + `

	// +k8s:optional
	Open *bool ` + "`json:\"open,omitempty\"`" + `

	// +k8s:optional
	// +listType=atomic
	Clerks []Clerk ` + "`json:\"clerks,omitempty\"`" + `

	// +k8s:optional
	// +listType=atomic
	Modes []Mode ` + "`json:\"modes,omitempty\"`" + `

	// +k8s:optional
	Rooms map[string]Clerk ` + "`json:\"rooms,omitempty\"`" + `

	// +k8s:optional
	// +k8s:maximum=9
	// +versioned:changed(since: "v1", fromName: "stores")
	Floors *int32 ` + "`json:\"floors,omitempty\"`" + `
}

// Shop is a shop.
//
// +kubebuilder:object:root=true
type Shop struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Spec ShopSpec ` + "`json:\"spec\"`" + `
}
`
	return some
}

const shopManifest = `apiVersion: shop.example.com/v1
kind: Shop
metadata:
  name: a
spec:
  mode: Store # a comment
  floors: 3
  clerks:
  - name: anna
  - name: ben
    hours: 4
`

// linked writes a project that can import the libraries of this repository.
func linked(t *testing.T, files map[string]string) string {
	t.Helper()
	maps.Copy(files, workspacetest.Files("example.com/shop"))
	dir := folder(t, files)
	if err := workspacetest.Use(dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	return dir
}

// inMarket opens a manifest in a project that has the libraries of this repository.
func inMarket(t *testing.T, manifest string) *client {
	c := connect(t, linked(t, market()))
	c.open(sample, manifest)
	c.settled(sample)
	return c
}

func TestManifestVerdicts(t *testing.T) {
	c := inMarket(t, shopManifest)
	c.expect(sample)
	c.change(sample, "floors: 3", "floors: 30")
	c.expect(sample, "7:11 validate/invalid")
	if d := c.diagnostics[sample].Diagnostics[0]; !strings.Contains(d.Message, "spec.floors") || !strings.Contains(d.Message, "9") {
		t.Errorf("got %+v", d)
	}
	c.change(sample, "floors: 30", "flors: 3")
	if c.settled(sample); len(c.lines(sample)) != 1 || !strings.HasPrefix(c.lines(sample)[0], "7:3 ") {
		t.Errorf("an unknown field: %q", c.lines(sample))
	}
	c.change(sample, "flors: 3", "floors: 3")
	c.change(sample, "kind: Shop", "kind: Shap")
	if c.settled(sample); len(c.lines(sample)) != 1 || !strings.HasPrefix(c.lines(sample)[0], "2:7 ") {
		t.Errorf("an unknown kind of our group: %q", c.lines(sample))
	}
	c.change(sample, "kind: Shap", "kind: Shop")
	c.expect(sample)
	// A syntax error hides only its own document.
	c.change(sample, "apiVersion", "a: [\n---\napiVersion")
	c.change(sample, "floors: 3", "floors: 30")
	if c.settled(sample); len(c.lines(sample)) != 2 || c.lines(sample)[1] != "9:11 validate/invalid" {
		t.Errorf("beside a syntax error: %q", c.lines(sample))
	}
	c.change(sample, "a: [\n---\n", "")
	c.expect(sample, "7:11 validate/invalid")
	// A rule that is edited in a buffer holds at once, and a package with an open brace keeps its last rules.
	c.open(types, market()[types])
	c.change(types, "+k8s:maximum=9", "+k8s:maximum=99")
	c.expect(sample)
	c.change(types, "type ShopSpec struct {", "type ShopSpec struct {{")
	c.settled(types)
	c.change(sample, "floors: 30", "floors: 300")
	c.expect(sample, "7:11 validate/invalid")
	// Manifests of others, and files that are none, are not ours.
	for _, other := range []string{"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {x: 1}\n", "a: [", "- 1\n", "image: {{ .Values.x }}\n", ""} {
		c.open("other.yaml", other)
		c.settled("other.yaml")
		if list := c.lines("other.yaml"); len(list) > 0 {
			t.Errorf("%q has %q", other, list)
		}
		c.close("other.yaml")
	}
}

func TestManifestCompletion(t *testing.T) {
	c := inMarket(t, shopManifest)
	for _, test := range []struct {
		text       string
		has, lacks []string
		item, want string
	}{
		{"spec:\n  ‸", []string{"mode", "floors", "clerks"}, []string{"name", "spec"}, "mode", "mode: "},
		{"spec:\n  mode: Store\n  fl‸", []string{"floors", "clerks"}, []string{"mode"}, "clerks", "clerks:\n  - "},
		{"spec:\n  fl‸\n  mode: Store\n", []string{"floors"}, []string{"mode"}, "rooms", "rooms:\n    "},
		{"spec:\n  fl‸: 3\n", []string{"floors"}, nil, "floors", "floors"},
		{"spec:\n  mode: ‸", []string{"Online", "Store"}, []string{"mode"}, "Online", "Online"},
		{"spec:\n  mode: Sto‸re\n", []string{"Online"}, nil, "Store", "Store"},
		{"spec:\n  mode:‸", []string{"Online"}, nil, "Online", " Online"},
		{"spec:\n  open: ‸", []string{"true", "false"}, nil, "", ""},
		{"spec:\n  clerks:\n  - ‸", []string{"name", "hours"}, []string{"mode"}, "name", "name: "},
		{"spec:\n  clerks:\n    - name: a\n      ‸", []string{"hours"}, []string{"name", "mode"}, "", ""},
		{"spec:\n  clerks:\n  - hours: 1\n  - ho‸\n    name: x\n", []string{"hours"}, []string{"name"}, "", ""},
		{"spec:\n  clerks:\n  - hours: ‸", []string{"8"}, nil, "", ""},
		{"spec:\n  clerks:\n  - name: a\n  fl‸", []string{"floors"}, []string{"clerks", "name"}, "", ""},
		{"spec:\n  modes:\n  - On‸", []string{"Online"}, []string{"mode"}, "", ""},
		{"spec:\n  rooms:\n    kitchen:\n      ‸", []string{"name", "hours"}, nil, "name", "name: "},
		{"sp‸", []string{"spec", "metadata"}, []string{"mode", "kind"}, "", ""},
		{"spec: # ‸", nil, []string{"Online", "mode"}, "", ""},
		{"spec:\n  none:\n    ‸", nil, []string{"mode"}, "", ""},
		{"---\nkind: ‸", []string{"Shop"}, nil, "", ""},
		{"---\napiVersion: shop‸", []string{"shop.example.com/v1", "shop.example.com/v1beta1"}, nil, "", ""},
		{"---\napiVersion: shop.example.com/v1beta1\nkind: Shop\nspec:\n  ‸", []string{"stores"}, []string{"floors"}, "", ""},
		{"---\napi‸", []string{"apiVersion", "kind"}, nil, "", ""},
	} {
		t.Run(test.text, func(t *testing.T) {
			c.t = t
			text := "apiVersion: shop.example.com/v1\nkind: Shop\n" + test.text
			c.change(sample, c.texts[sample], strings.Replace(text, "‸", "", 1))
			labels, list := c.complete(c.in(sample, text))
			for _, want := range test.has {
				if !slices.Contains(labels, want) {
					t.Errorf("%s is not proposed: %q", want, labels)
				}
			}
			for _, lacks := range test.lacks {
				if slices.Contains(labels, lacks) {
					t.Errorf("%s is proposed", lacks)
				}
			}
			if test.item != "" && list[test.item].TextEdit.NewText != test.want {
				t.Errorf("%s inserts %q, want %q", test.item, list[test.item].TextEdit.NewText, test.want)
			}
		})
	}
}

func TestManifestHover(t *testing.T) {
	c := inMarket(t, shopManifest)
	for at, wants := range map[string][]string{
		"flo‸ors: 3":       {"**spec.floors** · *integer*", "at most 9"},
		"mod‸e: Store":     {"required", "Mode is how it sells.", "`Online`: ModeOnline is a web site."},
		"hou‸rs: 4":        {"**spec.clerks.hours**", "default `8`"},
		"- na‸me: ben":     {"at most 5 characters"},
		"# a com‸ment":     nil,
		"  name‸: a\nspec": nil,
	} {
		var h protocol.Hover
		c.call("textDocument/hover", c.in(sample, at), &h)
		if (h.Contents == nil) != (wants == nil) {
			t.Errorf("%s: %+v", at, h.Contents)
			continue
		}
		for _, want := range wants {
			if !strings.Contains(h.Contents.Value, want) {
				t.Errorf("%s: got %s, want %q", at, h.Contents.Value, want)
			}
		}
	}
}

func TestManifestActions(t *testing.T) {
	c := inMarket(t, shopManifest)
	do := func(title string) string {
		t.Helper()
		for _, a := range c.actions(sample, protocol.Range{Start: c.in(sample, "mode‸:").Position}) {
			if a.Title == title {
				return c.apply(sample, a)
			}
		}
		return ""
	}
	want := strings.NewReplacer(
		"  - name: anna\n", "  - name: anna\n    hours: 8\n", "    hours: 4\n", "    hours: 4\n  second: Online\n",
	).Replace(shopManifest)
	if got := do("Add defaults"); got != want {
		t.Errorf("with defaults:\n%s\nwant\n%s", got, want)
	}
	older := strings.NewReplacer("/v1\n", "/v1beta1\n", "floors", "stores", " # a comment", "").Replace(shopManifest)
	if got := do("Convert to v1beta1"); got != older {
		t.Errorf("converted:\n%s\nwant\n%s", got, older)
	}
	// The actions are those of the document below the cursor.
	c.change(sample, "apiVersion", "# first\n---\napiVersion: v1\nkind: ConfigMap\n---\napiVersion")
	if got := do("Convert to v1beta1"); !strings.HasPrefix(got, "# first\n---\napiVersion: v1\nkind: ConfigMap\n---\napiVersion: shop.example.com/v1beta1\n") {
		t.Errorf("converted in a file:\n%s", got)
	}
	if list := c.actions(sample, protocol.Range{Start: c.in(sample, "Config‸Map").Position}); len(list) > 0 {
		t.Errorf("actions of another kind: %+v", list)
	}
	c.change(sample, c.texts[sample], "apiVersion: shop.example.com/v1\nkind: Shop\nspec: {mode: Store}")
	if got := do("Add defaults"); got != "" {
		t.Errorf("defaults in brackets:\n%s", got)
	}
	c.change(sample, c.texts[sample], "apiVersion: shop.example.com/v1\r\nkind: Shop\r\nspec:\r\n  mode: Store")
	if got := do("Add defaults"); got != "apiVersion: shop.example.com/v1\r\nkind: Shop\r\nspec:\r\n  mode: Store\r\n  second: Online" {
		t.Errorf("defaults at the end of a file: %q", got)
	}
}

// TestManifestsWhileTyping types a manifest letter by letter, and asks at each.
func TestManifestsWhileTyping(t *testing.T) {
	c := inMarket(t, "")
	for i := range shopManifest {
		text := shopManifest[:i+1]
		c.change(sample, c.texts[sample], text)
		at := protocol.PositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: c.uri(sample)}, Position: protocol.ToPosition(source.NewFile(sample, []byte(text)), len(text))}
		c.call("textDocument/completion", at, nil)
		c.call("textDocument/hover", at, nil)
		if i%20 == 0 { // it waits for an analysis
			c.actions(sample, protocol.Range{Start: at.Position, End: at.Position})
		}
	}
	c.expect(sample)
	for _, message := range c.messages {
		t.Error(message)
	}
}

// FuzzManifestPlaces asks where a cursor is in any text.
func FuzzManifestPlaces(f *testing.F) {
	for _, text := range []string{shopManifest, "- - a: b\n    c", "a:\n- b\n-", "\t", "a: |\n  b: c\n", "---\n- - - x", "a: 'b", "\"a: b", "# x", "é: ü"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("a.yaml", []byte(text))
		for offset := range min(len(text), 300) + 1 {
			p, ok := yamlPlaceAt(file, protocol.ToPosition(file, offset))
			if ok && (p.keyAt.Start > p.keyAt.End || p.valueAt.Start > p.valueAt.End || p.valueAt.End > len(text)) {
				t.Errorf("at %d: %+v", offset, p)
			}
		}
	})
}
