package apidocs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	gohtml "golang.org/x/net/html"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/tool/apidocs/html"
	"github.com/kindsmith/kindsmith/internal/tool/apidocs/markdown"
)

// shown is a page as a reader has it: the fields by anchor, in order, and the text of the sections, without marks of code.
type shown struct {
	fields   map[string]string
	order    []string
	required map[string]bool
	sections map[string]string
	// manifests are those of the sections, and of fields by anchor.
	manifests map[string][]string
}

// read returns all pages in both formats, by format and by the name of the page.
func read(t *testing.T, dir string) map[string]map[string]*shown {
	t.Helper()
	site, _ := build(t, dir)
	pages, err := html.Print(site)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := markdown.Print(site)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]*shown{"html": {}, "markdown": {}}
	for p := range site.Pages {
		all["html"][p.Name()] = readHTML(t, pages[p.Name()+".html"])
		all["markdown"][p.Name()] = readMarkdown(string(texts[p.Name()+".md"]))
	}
	return all
}

func newShown() *shown {
	return &shown{map[string]string{}, nil, map[string]bool{}, map[string]string{}, map[string][]string{}}
}

func (s *shown) field(id, text string, required bool) {
	s.fields[id], s.required[id] = text, required
	s.order = append(s.order, id)
}

// readHTML reads the elements .field, and what follows the headings whose ids begin with an underscore.
func readHTML(t *testing.T, content []byte) *shown {
	t.Helper()
	s := newShown()
	section := ""
	for n := range parse(t, content).root.Descendants() {
		if id := attr(n, "id"); n.Data == "h2" && strings.HasPrefix(id, "_") {
			section = id
		}
		in := section
		if n.Type == gohtml.ElementNode && attr(n, "class") == "field" {
			s.field(attr(n, "id"), ownText(n), hasClass(n, "required"))
		}
		for up := n.Parent; up != nil && section == "_fields"; up = up.Parent {
			if attr(up, "class") == "field" {
				in = attr(up, "id")
				break
			}
		}
		if n.Data == "pre" {
			s.manifests[in] = append(s.manifests[in], wholeText(n))
		}
		if n.Type == gohtml.TextNode && section != "_fields" {
			s.sections[section] += n.Data
		}
	}
	for name, text := range s.sections {
		s.sections[name] = strings.Join(strings.Fields(text), " ")
	}
	return s
}

// ownText is the text of a field without those in it.
func ownText(n *gohtml.Node) string {
	var b strings.Builder
	var walk func(n *gohtml.Node)
	walk = func(n *gohtml.Node) {
		switch {
		case n.Type == gohtml.TextNode:
			b.WriteString(n.Data)
		case attr(n, "class") == "fields", n.Data == "details" && strings.HasPrefix(wholeText(n), "Fields of"):
			return
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(n)
	return strings.Join(strings.Fields(b.String()), " ")
}

// hasClass reports whether the head of a field has an element of a class.
func hasClass(field *gohtml.Node, class string) bool {
	for c := range field.ChildNodes() {
		for n := range c.Descendants() {
			if c.Data == "div" && attr(n, "class") == class {
				return true
			}
		}
	}
	return false
}

func wholeText(n *gohtml.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == gohtml.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

var (
	anchors = regexp.MustCompile(`<a id="([^"]*)"></a>`)
	marks   = strings.NewReplacer("`", "", "**", "", `\`, "", "&lt;", "<", "*", "", "](#", " (", "[`", "")
	fence   = regexp.MustCompile("(?ms)^( *)```yaml\n(.*?)^ *```$")
)

// readMarkdown reads what follows each anchor.
func readMarkdown(text string) *shown {
	s := newShown()
	for line := range strings.SplitSeq(anchors.ReplaceAllString(text, "\x00$1\x00"), "\n\x00") {
		id, rest, ok := strings.Cut(line, "\x00")
		if !ok {
			continue
		}
		plain := strings.Join(strings.Fields(marks.Replace(rest)), " ")
		if strings.HasPrefix(id, "_") {
			s.sections[id] = plain
		} else {
			s.field(id, plain, strings.Contains(rest, "**required**"))
		}
		for _, found := range fence.FindAllStringSubmatch(rest, -1) {
			s.manifests[id] = append(s.manifests[id], strings.ReplaceAll("\n"+found[2], "\n"+found[1], "\n")[1:])
		}
	}
	return s
}

// parent returns the path of the field around a field.
func parent(path string) string {
	i := strings.LastIndexByte(path, '.')
	return path[:max(i, 0)]
}

// TestRequiredFirst finds no optional field before a required one of the same object.
func TestRequiredFirst(t *testing.T) {
	both := 0
	for _, dir := range projects {
		for format, pages := range read(t, dir) {
			for name, page := range pages {
				optional := map[string]string{}
				for _, id := range page.order {
					if before := optional[parent(id)]; page.required[id] && before != "" {
						t.Errorf("%s of %s: the required %s follows the optional %s", format, name, id, before)
					} else if page.required[id] {
						both++
					} else {
						optional[parent(id)] = id
					}
				}
			}
		}
	}
	if both == 0 {
		t.Error("no field is required")
	}
}

// published is a field of a CustomResourceDefinition.
type published struct {
	Required        bool
	Default         any
	Enum            []any
	Format, Pattern string
	Minimum, Maximum, MinLength, MaxLength,
	MinItems, MaxItems *float64
	Items                *published
	AdditionalProperties *published
	Properties           map[string]*published
	Validations          []struct{ Rule string } `json:"x-kubernetes-validations"`
	RequiredNames        []string                `json:"-"`
}

// UnmarshalJSON reads the names of required fields, which the keyword of the object has.
func (p *published) UnmarshalJSON(text []byte) error {
	type plain published
	in := struct {
		*plain
		Required             []string
		AdditionalProperties json.RawMessage
	}{plain: (*plain)(p)}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	p.RequiredNames = in.Required
	if len(in.AdditionalProperties) > 0 && in.AdditionalProperties[0] == '{' {
		return json.Unmarshal(in.AdditionalProperties, &p.AdditionalProperties)
	}
	return nil
}

func (p *published) each(path string, f func(path string, p *published)) {
	for p.Items != nil || p.AdditionalProperties != nil {
		if p = p.Items; p == nil {
			return
		}
	}
	for name, field := range p.Properties {
		field.Required = slices.Contains(p.RequiredNames, name)
		at := strings.TrimPrefix(path+"."+name, ".")
		f(at, field)
		field.each(at, f)
	}
}

// TestFieldsSayWhatIsPublished compares what readers see of each field with the definition that API servers get: whether it is required,
// the default, the values, the limits in words, and who may change it.
func TestFieldsSayWhatIsPublished(t *testing.T) {
	files, err := filepath.Glob(projects[0] + "/config/crd/bases/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	seen := map[string]int{}
	pages := read(t, projects[0])
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var crd struct {
			Spec struct {
				Group    string
				Names    struct{ Kind string }
				Versions []struct {
					Name   string
					Schema struct{ OpenAPIV3Schema *published }
				}
			}
		}
		if err := yaml.Unmarshal(text, &crd); err != nil {
			t.Fatal(err)
		}
		for _, version := range crd.Spec.Versions {
			name := crd.Spec.Group + "/" + version.Name + "/" + strings.ToLower(crd.Spec.Names.Kind)
			version.Schema.OpenAPIV3Schema.each("", func(path string, p *published) {
				if path == "apiVersion" || path == "kind" || path == "metadata" {
					return
				}
				for format := range pages {
					p.compare(t, format+" of "+name, path, pages[format][name], seen)
				}
			})
		}
	}
	for _, what := range []string{"required", "default", "enum", "limit", "immutable", "status"} {
		if seen[what] == 0 {
			t.Errorf("no field tests %s", what)
		}
	}
}

// compare compares a field with what a page says about it. Seen counts what is compared.
func (p *published) compare(t *testing.T, name, path string, page *shown, seen map[string]int) {
	t.Helper()
	text, ok := page.fields[path]
	if !ok {
		t.Errorf("%s has no %s", name, path)
		return
	}
	says := func(what, words string) {
		seen[what]++
		if !strings.Contains(text, words) {
			t.Errorf("%s: %s does not say %q: %s", name, path, words, text)
		}
	}
	if seen["required"] += map[bool]int{true: 1}[p.Required]; page.required[path] != p.Required {
		t.Errorf("%s: %s is required: %v, which the definition has as %v", name, path, page.required[path], p.Required)
	}
	if p.Default != nil {
		value, err := json.Marshal(p.Default)
		if err != nil {
			t.Fatal(err)
		}
		says("default", "default "+string(value))
	}
	for _, value := range p.Enum {
		says("enum", fmt.Sprint(value))
	}
	limits := map[string]*float64{"at least %v": p.Minimum, "at most %v": p.Maximum, "at least %v item": p.MinItems, "at most %v item": p.MaxItems}
	if p.Format == "" && p.Pattern == "" && !strings.Contains(text, "a label key") { // formats imply the lengths
		limits["at most %v character"] = p.MaxLength
		if p.MinLength != nil && *p.MinLength > 1 { // 1 means required
			limits["at least %v character"] = p.MinLength
		}
	}
	for words, limit := range limits {
		if limit != nil {
			says("limit", fmt.Sprintf(words, *limit))
		}
	}
	for _, rule := range p.Validations {
		if rule.Rule == "self == oldSelf" {
			says("immutable", "cannot change after the object is created")
		}
	}
	if path == "status" {
		says("status", "written by the controller")
	}
}

// TestLifecycleIsShown finds what happens to fields in other versions, and the anchors that old links lead to.
func TestLifecycleIsShown(t *testing.T) {
	for format, pages := range read(t, projects[0]) {
		v1 := pages["db.example.com/v1/database"]
		for id, words := range map[string][]string{
			"spec.replicas":            {"instances before v1beta1"},
			"spec.deletionPolicy":      {"since v1beta1"},
			"spec.deprecatedAdminUser": {"deprecated", "list the account under users"},
		} {
			for _, w := range words {
				if !strings.Contains(v1.fields[id], w) {
					t.Errorf("%s: %s does not say %q: %s", format, id, w, v1.fields[id])
				}
			}
		}
		if old := pages["db.example.com/v1alpha1/database"].fields["spec.instances"]; !strings.Contains(old, "replicas since v1beta1") {
			t.Errorf("%s: spec.instances of v1alpha1: %s", format, old)
		}
	}
}

// TestAliases compares the anchors of the formats: paths, and the names in other versions, which lead to the field.
func TestAliases(t *testing.T) {
	ids := regexp.MustCompile(` id="([^_"][^"]*)"`)
	aliases := 0
	for _, dir := range projects {
		site, _ := build(t, dir)
		pages, err := html.Print(site)
		if err != nil {
			t.Fatal(err)
		}
		texts, err := markdown.Print(site)
		if err != nil {
			t.Fatal(err)
		}
		for p := range site.Pages {
			of := func(text []byte) (found []string) {
				for _, m := range ids.FindAllSubmatch(text, -1) {
					found = append(found, string(m[1]))
				}
				return found
			}
			if diff := cmp.Diff(of(pages[p.Name()+".html"]), of(texts[p.Name()+".md"])); diff != "" {
				t.Errorf("%s: anchors of HTML (-) and Markdown (+):\n%s", p.Name(), diff)
			}
			root := parse(t, pages[p.Name()+".html"]).root
			for f := range p.All {
				for _, alias := range f.Aliases {
					aliases++
					if at := fieldWith(root, alias); at != f.Path {
						t.Errorf("%s: #%s leads to %q, and the field is %s", p.Name(), alias, at, f.Path)
					}
					if !strings.Contains(string(texts[p.Name()+".md"]), `<a id="`+alias+`"></a>`) {
						t.Errorf("%s: Markdown has no anchor %s", p.Name(), alias)
					}
				}
			}
		}
	}
	if aliases < 5 {
		t.Errorf("%d fields had other names", aliases)
	}
}

// fieldWith returns the path of the field around an anchor.
func fieldWith(root *gohtml.Node, id string) string {
	for n := range root.Descendants() {
		if attr(n, "id") != id {
			continue
		}
		for up := n; up != nil; up = up.Parent {
			if attr(up, "class") == "field" {
				return attr(up, "id")
			}
		}
	}
	return ""
}

// TestChangesAreShown finds each kind of change in the section of a version, with one manifest before and after.
func TestChangesAreShown(t *testing.T) {
	for dir, tests := range map[string]map[string][]string{
		projects[0]: {
			"db.example.com/v1beta1/database": {"spec.replicas", "was called instances", "the value Maria is now MariaDB", "spec.deletionPolicy", "is new"},
			"db.example.com/v1/database":      {"changed from string to integer", `the default was "5m", and is now 300`, "new rule: at most 86400", "is deprecated: list the account under users"},
		},
		projects[1]: {"ci.example.com/v1beta2/pipeline": {"is removed"}, "ci.example.com/v1beta1/pipeline": {"was spec.repository"}},
	} {
		for format, pages := range read(t, dir) {
			both := 0
			for name, words := range tests {
				page := pages[name]
				if page == nil {
					t.Fatalf("there is no %s", name)
				}
				for _, w := range words {
					if !strings.Contains(page.sections["_changes"], w) {
						t.Errorf("%s of %s does not say %q: %s", format, name, w, page.sections["_changes"])
					}
				}
				// Functions that convert are not called here. A version that needs them for all manifests has none.
				if n := len(page.manifests["_changes"]); n == 2 {
					both++
				} else if n != 0 {
					t.Errorf("%s of %s has %d manifests, not one before and after", format, name, n)
				}
			}
			if both == 0 {
				t.Errorf("%s of %s: no version shows a manifest before and after", format, dir)
			}
		}
	}
}
