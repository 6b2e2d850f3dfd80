package evolve_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// names has, for each kind of reference, an argument in the newest version and its translation to
// the older one. Kinds without a row have no Go names.
var names = map[tag.Refers]struct{ newest, older string }{
	tag.OwnerField:    {"newSibling", "oldSibling"},
	tag.ElemField:     {"newKey", "oldKey"},
	tag.ValueField:    {"newKey", "oldKey"},
	tag.ValueConst:    {"Static", "Fixed"},
	tag.NamedConst:    {"Static", "Fixed"},
	tag.SelectorConst: {"Static", "Fixed"},
}

// namesNothing are the kinds of references that renames do not affect.
var namesNothing = map[tag.Refers]bool{tag.Nothing: true, tag.Group: true, tag.Function: true, tag.Option: true}

// renamed has one of each that a tag can refer to, with another name in v1beta1.
const renamed = twoVersions + `
// +k8s:enum
type Mode string

const (
	// +versioned:changed(since: "v1", fromName: "Fixed")
	ModeStatic Mode = "Static"
	ModeOther  Mode = "Other"
)

type Inlined struct {
	// +versioned:changed(since: "v1", fromName: "oldKey")
	Key Mode ` + "`json:\"newKey\"`" + `
	// +versioned:changed(since: "v1", fromName: "oldSibling")
	Sibling *string ` + "`json:\"newSibling,omitempty\"`" + `
}

type Item struct {
	Inlined ` + "`json:\",inline\"`" + `
}
`

// place is a type with a tag on a field, part a type with the tag on a subfield.
const (
	place = `
type %[1]s struct {
	Inlined ` + "`json:\",inline\"`" + `
	// +%[2]s
	Mode Mode ` + "`json:\"mode\"`" + `
	// +%[3]s
	F %[4]s ` + "`json:\"f\"`" + `
}
`
	part = `
type %[1]s struct {
	// +k8s:subfield(mode)=+%[2]s
	// +k8s:subfield(newPart)=+%[3]s
	F %[1]sStruct ` + "`json:\"f\"`" + `
}

type %[1]sStruct struct {
	Inlined ` + "`json:\",inline\"`" + `
	Mode Mode ` + "`json:\"mode\"`" + `
	// +versioned:changed(since: "v1", fromName: "oldPart")
	Part %[4]s ` + "`json:\"newPart\"`" + `
}
`
)

// TestRenames puts every tag with a reference on a field, and reads the tag in an older version
// with other names. The cases come from the definitions, so they include new tags.
func TestRenames(t *testing.T) {
	tags := driver.Tags()
	var source strings.Builder
	source.WriteString(renamed)
	type use struct{ name, want string }
	uses := map[string]use{}
	add := func(d *tag.Definition, newest, older string) {
		selector := "k8s:validateTrue" // says nothing
		if d.Discriminator != "" {
			selector = tags.WithRole(d.Discriminator)
		}
		for _, wrap := range []string{"%s", "k8s:ifEnabled(X)=+%s", "k8s:alpha=+k8s:ifDisabled(X)=+%s", "versioned:until(\"v1beta1\")=+%s"} {
			name := fmt.Sprintf("Case%d", len(uses))
			fmt.Fprintf(&source, place, name, selector, fmt.Sprintf(wrap, newest), fieldType(d))
			uses[name] = use{d.Name, "+" + strings.TrimPrefix(fmt.Sprintf(wrap, older), "versioned:until(\"v1beta1\")=+")}
		}
		name := fmt.Sprintf("Case%d", len(uses))
		fmt.Fprintf(&source, part, name, selector, newest, fieldType(d))
		uses[name] = use{d.Name, "+k8s:subfield(oldPart)=+" + older}
	}
	for _, d := range tags.All() {
		if d.Role.IsAboutVersions() {
			continue // older versions do not have these
		}
		inner := ""
		if d.Payload.Tag {
			inner = "=+k8s:validateTrue"
		}
		for _, a := range d.Args {
			if !known(t, d, a.Refers) {
				continue
			}
			newest, older := `"`+names[a.Refers].newest+`"`, `"`+names[a.Refers].older+`"`
			switch {
			case known(t, d, a.NameRefers):
				newest, older = names[a.NameRefers].newest+": "+newest, names[a.NameRefers].older+": "+older
			case a.Name != "":
				newest, older = a.Name+": "+newest, a.Name+": "+older
			}
			add(d, d.Name+"("+newest+")"+inner, d.Name+"("+older+")"+inner)
		}
		if known(t, d, d.Payload.Refers) {
			add(d, d.Name+`="`+names[d.Payload.Refers].newest+`"`, d.Name+`="`+names[d.Payload.Refers].older+`"`)
		}
	}
	if len(uses) < 40 {
		t.Fatalf("there are %d uses of tags that name something", len(uses))
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "v1/types.go"), []byte(source.String()))
	m, bag := project(t, dir, "./v1")
	for _, d := range bag.All() {
		t.Errorf("%s: %s", d.Span, d.Message)
	}
	older := m.Package("example.com/cases/v1beta1")
	if older == nil {
		t.Fatal("there is no older version")
	}
	for name, use := range uses {
		f := older.Type(name).Field("F")
		if len(f.Tags) == 0 {
			t.Errorf("%s: %s has no tags in the older version, want %s", use.name, name, use.want)
			continue
		}
		last := f.Tags[len(f.Tags)-1]
		if got := last.Describe(); strings.ReplaceAll(got, `"`, "") != strings.ReplaceAll(use.want, `"`, "") {
			t.Errorf("%s: the older version has %s, want %s", use.name, got, use.want)
		}
		if unresolved := unresolved(tags, last); unresolved != "" {
			t.Errorf("%s: %s of the older version's tag is not resolved", use.name, unresolved)
		}
	}
}

// known reports whether a kind of reference has names. It fails the test for kinds that neither
// names nor namesNothing lists.
func known(t *testing.T, d *tag.Definition, r tag.Refers) bool {
	t.Helper()
	_, has := names[r]
	if !has && !namesNothing[r] {
		t.Errorf("+%s refers to something that the test does not know: %d", d.Name, r)
	}
	return has
}

func fieldType(d *tag.Definition) string {
	switch {
	case d.Shapes == tag.Lists:
		return "[]Item"
	case d.Shapes == tag.Structs:
		return "Item"
	case d.Payload.Refers == tag.ValueConst:
		return "Mode"
	}
	return "*string"
}

// unresolved returns a text without its reference; "" if all have one.
func unresolved(tags *tag.Set, c *model.Tag) string {
	for ; c != nil; c = c.Inner {
		d := tags.Lookup(c.Name)
		for _, a := range c.Args {
			want := d.Arg(a.Name)
			if _, ok := names[want.Refers]; ok && a.Value.Ref == nil {
				return a.Value.Text
			}
			if _, ok := names[want.NameRefers]; ok && a.NameRef == nil {
				return a.Name
			}
		}
		if _, ok := names[d.Payload.Refers]; ok && c.Payload.Ref == nil {
			return c.Payload.Text
		}
	}
	return ""
}

// TestNotYet reads tags in a version that lacks their constant.
func TestNotYet(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "v1/types.go"), []byte(twoVersions+`
// +k8s:enum
type Closed string

const (
	ClosedA Closed = "A"
	// +versioned:added(since: "v1", downgradeTo: "A")
	ClosedNew Closed = "New"
)

type Open string

const (
	OpenA Open = "A"
	// +versioned:added(since: "v1")
	OpenNew Open = "New"
)

type Spec struct {
	// +k8s:modeDiscriminator
	// +k8s:neq="New"
	// +k8s:neq="A"
	Mode Closed `+"`json:\"mode\"`"+`
	// +k8s:neq="New"
	Open Open `+"`json:\"open\"`"+`
	// +k8s:ifMode("New")=+k8s:required
	// +k8s:ifMode("A")=+k8s:optional
	Both *string `+"`json:\"both,omitempty\"`"+`
	// +k8s:ifMode("New")=+k8s:required
	Only *string `+"`json:\"only,omitempty\"`"+`
}
`))
	m, _ := project(t, dir, "./v1")
	spec := m.Package("example.com/cases/v1beta1").Type("Spec")
	for field, want := range map[string]string{
		// The value does not exist, so omitting the rule allows nothing more.
		"Mode": `+k8s:modeDiscriminator +k8s:neq="A"`,
		// Clients can send any value.
		"Open": `+k8s:neq="New"`,
		// The field is still forbidden in modes without a tag.
		"Both": `+k8s:ifMode("A")=+k8s:optional`,
		// Without the tag the field would be allowed in every mode.
		"Only": `+k8s:ifMode("New")=+k8s:required`,
	} {
		var got []string
		for _, c := range spec.Field(field).Tags {
			got = append(got, c.Describe())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s has %v, want %s", field, got, want)
		}
	}
}

// TestListMarkers reads markers that list values of an enum, or fields, in an older version, which has another name for
// one, and lacks another.
func TestListMarkers(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "v1/types.go"), []byte(twoVersions+`
// +kubebuilder:validation:Enum=Static;Other;New
type Mode string

const (
	// +versioned:changed(since: "v1", fromName: "Fixed-1")
	ModeStatic Mode = "Static"
	ModeOther  Mode = "Other"
	// +versioned:added(since: "v1", downgradeTo: "Other")
	ModeNew Mode = "New"
)

// +kubebuilder:validation:Enum=1;2;3
type Level int32

const (
	// +versioned:changed(since: "v1", fromName: "7")
	LevelLow Level = 1
	LevelMid Level = 2
)

// +kubebuilder:validation:ExactlyOneOf=text;none;added
// +kubebuilder:validation:AtMostOneOf=text;added
// +kubebuilder:validation:AtLeastOneOf=added
// +kubebuilder:validation:AtLeastOneOf=added;wrapped;inlined
type A struct {
	B `+"`json:\",inline\"`"+`
	// +versioned:added(since: "v1")
	Added *string `+"`json:\"added,omitempty\"`"+`
	// +kubebuilder:validation:Enum="Static";New
	One *Mode `+"`json:\"one,omitempty\"`"+`
	// +kubebuilder:validation:items:Enum={Static,Other}
	Many []Mode `+"`json:\"many\"`"+`
	// +kubebuilder:validation:Enum=New
	None Mode `+"`json:\"none\"`"+`
	// +versioned:since("v1")=+kubebuilder:validation:Enum=Other
	// +versioned:until("v1beta1")=+kubebuilder:validation:Enum=Static
	Wrapped Mode `+"`json:\"wrapped\"`"+`
	// +kubebuilder:validation:Enum=Static;New
	// +versioned:changed(since: "v1", fromName: "words")
	Text string `+"`json:\"text,omitempty\"`"+`
}

type B struct {
	// +versioned:changed(since: "v1", fromName: "embedded")
	Inlined *string `+"`json:\"inlined,omitempty\"`"+`
}
`))
	m, bag := project(t, dir, "./v1")
	if bag.HasErrors() {
		t.Fatal(goldentest.Diagnostics(bag.All(), ""))
	}
	older := m.Package("example.com/cases/v1beta1")
	a := older.Type("A")
	for name, item := range map[string]struct {
		markers []model.Marker
		want    string
	}{
		"A": {a.Markers, "kubebuilder:validation:ExactlyOneOf=words;none" +
			"kubebuilder:validation:AtLeastOneOf=wrapped;embedded"},
		"Mode":    {older.Type("Mode").Markers, `kubebuilder:validation:Enum="Fixed-1";Other`},
		"Level":   {older.Type("Level").Markers, "kubebuilder:validation:Enum=7;2;3"},
		"One":     {a.Field("One").Markers, `kubebuilder:validation:Enum="Fixed-1"`},
		"Many":    {a.Field("Many").Markers, `kubebuilder:validation:items:Enum="Fixed-1";Other`},
		"None":    {a.Field("None").Markers, ""},
		"Wrapped": {a.Field("Wrapped").Markers, `kubebuilder:validation:Enum="Fixed-1"`},
		"Text":    {a.Field("Words").Markers, "kubebuilder:validation:Enum=Static;New"},
	} {
		var got string
		for _, marker := range item.markers {
			got += marker.Text
		}
		if got != item.want {
			t.Errorf("%s has %q, not %q", name, got, item.want)
		}
	}
}
