package load

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
)

// reached has a package that the root reaches in every way in which Go code refers to a type, and types
// that it does not reach.
var reached = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.26\n",
	"api/types.go": `package api

import (
	"example.com/m/dep"
	. "example.com/m/dots"
	named "example.com/m/marked"
)

// +default=ref(named.Limit)
type T struct {
	dep.Embedded
	Direct  dep.Direct
	Pointer *dep.Pointer
	List    [][2]dep.Item
	Keys    map[dep.Key]dep.Value
	Generic dep.Generic[dep.Argument]
	Dotted  Dotted
	Func    func(dep.Param) dep.Result
	Array   [dep.Length]int
}

type Alias = dep.Aliased

type Constrained[E dep.Constraint] []E

// Hook is no function that generated code calls.
func Hook(dep.NotReached) {}

func SetDefaults_T(in *T, by dep.Called) {}

func Convert_api_T_To_old_T(in *T, out *dep.Old) error { return nil }

var _ = named.Limit
`,
	"dep/dep.go": `package dep

import (
	"example.com/m/deeper"
	"example.com/m/far"
)

type Embedded struct{ In deeper.In }
type Direct = Indirect
type Indirect struct{ Recursive *Direct }
type Pointer interface{ Call(Called2) }
type Called2 int
type Item [Length]byte
type Key string
type Value struct {
	NotReached2 int // a name of a field
}
type Generic[E Constraint] struct{ Of E }
type Constraint interface{ ~int | Listed }
type Listed string
type Argument int
type Param int
type Result int
type Aliased int
type Called int
type Old int

// Length is a constant.
const Length = len(letters) + int(Unit)

const letters = "abc"

// Unit has a type.
const Unit Measure = 1

type Measure int

type (
	// NotReached uses a large package.
	NotReached struct{ Far far.Far }
	// NotReached2 does, too.
	NotReached2 struct{ Far far.Far }
)
`,
	"deeper/deeper.go": "package deeper\n\ntype In struct{ Same }\n\ntype Same int\n\ntype Out int\n",
	"dots/dots.go":     "package dots\n\ntype Dotted struct{ Other Other }\n\ntype Other int\n\ntype Out int\n",
	"marked/marked.go": "package marked\n\ntype Kind int\n\nconst Limit Kind = 3\n\ntype Out int\n",
	"far/far.go":       "package far\n\ntype Far int\n",
}

// A single run loads the same of the roots as others, and of other packages what these reach.
func TestReach(t *testing.T) {
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	t.Setenv("GOPROXY", "off")
	dir := write(t, reached)
	results := map[bool]*Result{}
	for _, once := range []bool{false, true} {
		bag := &diag.Bag{}
		r, err := Load(Config{Dir: dir, Patterns: []string{"./api"}, Once: once}, bag)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range bag.All() {
			t.Errorf("%t: %s: %s", once, d.Span, d.Message)
		}
		results[once] = r
	}
	whole, part := results[false], results[true]
	for _, name := range whole.Roots[0].Types.Scope().Names() {
		was, is := whole.Roots[0].Types.Scope().Lookup(name), part.Roots[0].Types.Scope().Lookup(name)
		switch {
		case name == "Hook":
			if is != nil {
				t.Errorf("%s is loaded", name)
			}
		case is == nil || was.String() != is.String() || was.Type().Underlying().String() != is.Type().Underlying().String():
			t.Errorf("%s is %v, want %v", name, is, was)
		}
	}
	for path, want := range map[string]string{
		"example.com/m/dep":    "Aliased Argument Called Called2 Constraint Direct Embedded Generic Indirect Item Key Length Listed Measure Old Param Pointer Result Unit Value letters",
		"example.com/m/deeper": "In Same",
		"example.com/m/dots":   "Dotted Other",
		"example.com/m/marked": "Kind Limit",
	} {
		if got := strings.Join(part.Package(path).Types.Scope().Names(), " "); got != want {
			t.Errorf("%s has %s, want %s", path, got, want)
		}
	}
	if _, ok := part.loaded["example.com/m/far"]; ok {
		t.Errorf("what nothing reaches is loaded: %q", slices.Sorted(maps.Keys(part.loaded)))
	}
	for _, f := range part.Package("example.com/m/dep").Files {
		for _, group := range f.Syntax.Comments {
			if strings.Contains(group.Text(), "large package") {
				t.Errorf("the comment of a dropped type remains: %s", group.Text())
			}
		}
	}
}

// TestController loads a root whose markers are not about types: of it and of what it imports, only types with JSON names
// and those that others reach are loaded.
func TestController(t *testing.T) {
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	t.Setenv("GOPROXY", "off")
	const controller = `package controller

import (
	"example.com/m/client"
	"example.com/m/data"
)

// +kubebuilder:rbac:groups=shop.example.com,resources=orders,verbs=get

type Reconciler struct {
	client.Client
	options Options
}

type Options struct{ Used, Unused client.Rest }

type File struct {
	Data data.Data ` + "`json:\"data\"`" + `
}

type Shared struct{ Mode Mode }

type Mode string

const Fast Mode = "Fast"
`
	for name, test := range map[string]struct {
		controller, want string
		client           bool
	}{
		"rbac":       {controller, "Fast File Mode Shared", false},
		"a marker":   {strings.Replace(controller, "type Options", "// +union\ntype Options", 1), "Fast File Mode Options Reconciler Shared", true},
		"behind":     {strings.Replace(controller, "Mode Mode }", "Mode Mode } // +optional", 1), "Fast File Mode Options Reconciler Shared", true},
		"no imports": {strings.Replace(controller, "\tclient.Client\n", "", 1), "Fast File Mode Shared", false},
		"a kind": {strings.Replace(strings.Replace(controller, "import (", "import (\n\t\"example.com/m/meta\"", 1), "type Mode", "type Kind struct{ meta.TypeMeta }\n\ntype Mode", 1),
			"Fast File Kind Mode Options Reconciler Shared", true},
	} {
		t.Run(name, func(t *testing.T) {
			bag := &diag.Bag{}
			r, err := Load(Config{Patterns: []string{"./api", "./controller"}, Once: true, Dir: write(t, map[string]string{
				"go.mod":                   "module example.com/m\n\ngo 1.26\n",
				"controller/controller.go": test.controller,
				"api/api.go":               "// Package api is an API.\n//\n// +groupName=shop.example.com\npackage api\n\nimport \"example.com/m/controller\"\n\ntype T struct{ Shared controller.Shared }\n",
				"client/client.go":         "package client\n\nimport \"example.com/m/far\"\n\ntype Client interface{ Do(far.Far) }\n\ntype Rest struct{}\n",
				"far/far.go":               "package far\n\ntype Far struct{}\n",
				"data/data.go":             "package data\n\ntype Data struct{}\n",
				"meta/meta.go":             "package meta\n\ntype TypeMeta struct{}\n",
			})}, bag)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range bag.All() {
				t.Errorf("%s: %s", d.Span, d.Message)
			}
			if got := strings.Join(r.Package("example.com/m/controller").Types.Scope().Names(), " "); got != test.want {
				t.Errorf("the package has %s, want %s", got, test.want)
			}
			if _, ok := r.loaded["example.com/m/client"]; ok != test.client {
				t.Errorf("the client is loaded: %t, want %t", ok, test.client)
			}
			if d := r.Package("example.com/m/data"); d.Types.Scope().Lookup("Data") == nil {
				t.Error("the type of a field with a JSON name is not loaded")
			}
		})
	}
}
