package model_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/model/testdata/objects"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
)

func root(t *testing.T) (*model.Model, *model.Package) {
	t.Helper()
	m, _ := emittest.Model(t, "./testdata/objects")
	i := slices.IndexFunc(m.Packages, func(p *model.Package) bool { return p.Root })
	return m, m.Packages[i]
}

// TestObjectIsJSON compares members with what encoding/json writes of values in which each field is set.
func TestObjectIsJSON(t *testing.T) {
	m, p := root(t)
	for _, v := range []any{
		&objects.Outer{}, &objects.Both{}, &objects.Choice{}, &objects.Shallow{}, &objects.Twice{}, &objects.Pointers{},
		&objects.Recursive{}, &objects.Given{}, &objects.Deep{}, &objects.Facts{},
	} {
		fill(reflect.ValueOf(v).Elem(), 3)
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if err := json.Unmarshal(text, &object); err != nil {
			t.Fatal(err)
		}
		name := reflect.TypeOf(v).Elem().Name()
		var got []string
		for _, member := range m.Object(p.Type(name)).Members {
			got = append(got, member.Name)
			field := reflect.ValueOf(v).Elem()
			for _, step := range member.Path {
				field = reflect.Indirect(field).FieldByName(step)
			}
			if !field.IsValid() {
				t.Errorf("%s: %s has no field %v", name, member.Name, member.Path)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(slices.Sorted(maps.Keys(object)), got); diff != "" {
			t.Errorf("%s (-encoding/json +members):\n%s", name, diff)
		}
	}
}

// fill sets each field, so that nothing is omitted.
func fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		if depth > 0 && v.CanSet() {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), depth-1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), depth)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.String:
		v.SetString("x")
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Bool:
		v.SetBool(true)
	}
}

func TestHidden(t *testing.T) {
	m, p := root(t)
	for name, want := range map[string][]string{
		"Outer":   {"name: Other.Name by Name"},
		"Both":    {"name: Name.Name by ", "name: Other.Name by "},
		"Choice":  {"Label: Untagged.Label by Tagged.Caption"},
		"Shallow": {"name: Deep.Other.Name by Name.Name"},
		"Twice":   {"name: Deep.Other.Name by ", "name: Further.Other.Name by ", "size: Deep.Other.Size by ", "size: Further.Other.Size by "},
	} {
		var got []string
		for _, h := range m.Object(p.Type(name)).Hidden {
			got = append(got, h.Name+": "+strings.Join(h.Path, ".")+" by "+strings.Join(h.By, "."))
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestFacts has what is known of each member, apart from what is the same for all.
func TestFacts(t *testing.T) {
	m, p := root(t)
	o := m.Object(p.Type("Facts"))
	type facts struct {
		Required             bool
		By                   string
		Absent, Unset        model.Lack
		List, Keys, ListBy   string
		Default, DefaultFrom string
		Enum, CEL, NotInCEL  string
		Nullable             bool
	}
	got := map[string]facts{}
	for _, member := range o.Members {
		f := facts{Required: member.Required, By: member.By, Absent: member.Absent, Unset: member.Unset, Nullable: member.Nullable, NotInCEL: member.NotInCEL}
		if l := member.List; l != nil {
			f.List, f.Keys, f.ListBy = l.Type+" "+l.Identity, strings.Join(l.Keys, ","), l.By
		}
		if d := member.Default; d != nil {
			f.Default = d.JSON
			if d.From != nil {
				f.DefaultFrom = d.From.Name
			}
		}
		if member.Enum != nil {
			f.Enum = member.Enum.Name
		}
		if member.CEL != member.Name {
			f.CEL = member.CEL
		}
		got[member.Name] = f
	}
	omitempty := facts{By: "omitempty", Absent: "zero", Unset: "zero"}
	with := func(f facts, change func(*facts)) facts { change(&f); return f }
	items := facts{By: "omitempty", Absent: "empty", Unset: "empty", List: "map map", Keys: "name"}
	pointer := facts{By: "omitempty", Absent: "nil", Unset: "nil"}
	want := map[string]facts{
		"required": {Required: true, By: "+k8s:required", Absent: "zero", Unset: "zero"},
		"optional": {By: "+optional", Absent: "never", Unset: "zero"},
		"marked":   {Required: true, By: "+kubebuilder:validation:Required", Absent: "zero", Unset: "zero"},
		"plain":    {Required: true, By: "no omitempty", Absent: "never", Unset: "zero"},
		"tagged":   with(items, func(f *facts) { f.ListBy = "+k8s:listType" }),
		"listed":   with(items, func(f *facts) { f.ListBy = "+listType" }),
		"byType":   with(items, func(f *facts) { f.ListBy = "+listType" }),
		"words":    {Required: true, By: "no omitempty", Absent: "nil", Unset: "empty", List: "set set", ListBy: "+listType"},
		"patched":  {By: "omitzero", Absent: "nil", Unset: "empty", List: "atomic atomic"},
		"typed":    with(pointer, func(f *facts) { f.Default, f.DefaultFrom = `"x"`, "ItemWithDefault" }),
		"filled":   {By: "omitempty", Absent: "nil", Unset: "empty", List: "atomic atomic", Default: `["a"]`},
		"own":      with(omitempty, func(f *facts) { f.Default = `"y"` }),
		"color":    with(pointer, func(f *facts) { f.Enum = "Color" }),
		"zero":     {By: "omitzero", Absent: "zero", Unset: "zero"},
		"always":   {Required: true, By: "no omitempty", Absent: "never", Unset: "never"},
		"when":     {By: "omitempty", Absent: "zero", Unset: "never"},
		"duration": {By: "omitzero", Absent: "zero", Unset: "zero"},
		"nothing":  with(pointer, func(f *facts) { f.Nullable = true }),
		"the-name": with(omitempty, func(f *facts) { f.CEL = "the__dash__name" }),
		"1st":      with(omitempty, func(f *facts) { f.NotInCEL = "CEL has no name for 1st" }),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if patch := o.Member("patched").Patch; patch == nil || *patch != (model.Patch{Strategy: "merge", MergeKey: "name"}) {
		t.Errorf("the patch of patched is %+v", patch)
	}
}
