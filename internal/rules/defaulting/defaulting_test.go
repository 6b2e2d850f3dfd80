package defaulting_test

import (
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
)

var (
	str     = model.Builtin("string")
	number  = model.Builtin("int32")
	structs = &model.Ref{Kind: model.KindStruct}
)

func named(name string) *model.Ref { return model.Named("example.com/api/v1", name) }

func json(text string) *model.Default { return &model.Default{JSON: text} }

// testModel has one type of each kind.
func testModel() (*model.Model, *model.Type) {
	const pkg = "example.com/api/v1"
	typ := func(name string, def *model.Ref, d *model.Default) *model.Type {
		return &model.Type{Name: name, Package: pkg, Def: def, Default: d}
	}
	spec := typ("Spec", structs, nil)
	embeds := typ("Embeds", structs, nil)
	embeds.Fields = []*model.Field{{Name: "Custom", Embedded: true, Inline: true, Type: named("Custom")}}
	custom := typ("Custom", structs, nil)
	custom.Methods = map[string]*model.Method{"UnmarshalJSON": {Pointer: true}}
	mode := typ("Mode", str, nil)
	mode.Consts = []*model.Const{{Name: "ModeFast", Value: "Fast", IsString: true}}
	m := &model.Model{Packages: []*model.Package{
		{
			Path: pkg, Name: "v1", Imports: map[string]string{"other": "example.com/other/v2"},
			Consts: map[string]*model.Const{
				"DefaultName": {Name: "DefaultName", Value: "a \"name\"", IsString: true},
				"DefaultSize": {Name: "DefaultSize", Value: "3"},
				"DefaultRate": {Name: "DefaultRate", Value: "3/2"},
			},
			Types: []*model.Type{
				spec, custom, embeds, mode,
				typ("Banana", str, json(`"banana"`)),
				typ("Renamed", named("Banana"), nil),
				typ("Again", named("Banana"), json(`"again"`)),
				typ("Pointer", model.PointerTo(named("Banana")), nil),
				typ("Plain", structs, nil),
				typ("MadeOfCustom", named("Custom"), nil),
			},
		},
		{Path: "example.com/other/v2", Name: "v2", Consts: map[string]*model.Const{"Yes": {Name: "Yes", Value: "true"}}},
	}}
	m.Index()
	return m, spec
}

func TestOfField(t *testing.T) {
	m, spec := testModel()
	for _, c := range []struct {
		name   string
		field  model.Field
		want   string
		source defaulting.Source
	}{
		{"own", model.Field{Type: named("Banana"), Default: json(`"own"`)}, `"own"`, defaulting.FromField},
		{"own, laid out", model.Field{Type: named("Plain"), Default: json("{ \"a\" : 1 }")}, `{"a":1}`, defaulting.FromField},
		{"type", model.Field{Type: named("Banana"), OmitEmpty: true}, `"banana"`, defaulting.FromType},
		{"type, behind a pointer", model.Field{Type: model.PointerTo(named("Banana"))}, `"banana"`, defaulting.FromType},
		{"type, behind a named pointer", model.Field{Type: named("Pointer")}, `"banana"`, defaulting.FromType},
		{"type that the type is made of", model.Field{Type: named("Renamed")}, `"banana"`, defaulting.FromType},
		{"outermost type", model.Field{Type: named("Again")}, `"again"`, defaulting.FromType},
		{"list of the type", model.Field{Type: &model.Ref{Kind: model.KindSlice, Elem: named("Banana")}}, "", 0},
		{"struct", model.Field{Type: named("Plain"), OmitEmpty: true}, "{}", defaulting.AutoStruct},
		{"struct that is left out", model.Field{Type: named("Plain"), OmitZero: true}, "", 0},
		{"inlined struct", model.Field{Type: named("Plain"), Inline: true}, "", 0},
		{"struct behind a pointer", model.Field{Type: model.PointerTo(named("Plain"))}, "", 0},
		{"struct with custom JSON", model.Field{Type: named("Custom")}, "", 0},
		{"struct that embeds such", model.Field{Type: named("Embeds")}, "", 0},
		{"struct made of such has no methods", model.Field{Type: named("MadeOfCustom")}, "{}", defaulting.AutoStruct},
		{"string that is sent", model.Field{Type: str}, `""`, defaulting.AutoZero},
		{"number that is sent", model.Field{Type: number}, "0", defaulting.AutoZero},
		{"bool that is sent", model.Field{Type: model.Builtin("bool")}, "false", defaulting.AutoZero},
		{"number that is left out", model.Field{Type: number, OmitEmpty: true}, "", 0},
		{"number that is left out as zero", model.Field{Type: number, OmitZero: true}, "", 0},
		{"number not on the wire", model.Field{Type: number, Skipped: true}, "", 0},
		{"constant of a type", model.Field{Type: str, Default: &model.Default{Ref: &model.Name{Name: "ModeFast"}}}, `"Fast"`, defaulting.FromField},
		{"untyped constant", model.Field{Type: str, Default: &model.Default{Ref: &model.Name{Name: "DefaultName"}}}, `"a \"name\""`, defaulting.FromField},
		{"whole number", model.Field{Type: number, Default: &model.Default{Ref: &model.Name{Name: "DefaultSize"}}}, "3", defaulting.FromField},
		{"fraction", model.Field{Type: number, Default: &model.Default{Ref: &model.Name{Name: "DefaultRate"}}}, "1.5", defaulting.FromField},
		{"constant of an import", model.Field{Type: str, Default: &model.Default{Ref: &model.Name{Package: "other", Name: "Yes"}}}, "true", defaulting.FromField},
		{"constant by import path", model.Field{Type: str, Default: &model.Default{Ref: &model.Name{Package: "example.com/other/v2", Name: "Yes"}}}, "true", defaulting.FromField},
		{"no such constant, whatever the type says", model.Field{Type: named("Banana"), Default: &model.Default{Ref: &model.Name{Name: "Nope"}}}, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, ok := defaulting.OfField(m, spec, &c.field)
			if ok != (c.want != "") {
				t.Fatalf("found is %v: %+v", ok, e)
			}
			if ok && (e.JSON() != c.want || e.Source != c.source) {
				t.Errorf("got %s from %d, want %s from %d", e.JSON(), e.Source, c.want, c.source)
			}
		})
	}
}

// TestOfValue tests list items and map values, which have no automatic defaults.
func TestOfValue(t *testing.T) {
	m, _ := testModel()
	for _, c := range []struct {
		r    *model.Ref
		want string
	}{
		{named("Banana"), `"banana"`}, {model.PointerTo(named("Renamed")), `"banana"`}, {named("Plain"), ""}, {str, ""}, {named("Missing"), ""},
	} {
		e, ok := defaulting.OfValue(m, c.r)
		if ok != (c.want != "") || ok && e.JSON() != c.want {
			t.Errorf("%s: got %+v, %v", c.r, e, ok)
		}
	}
}
