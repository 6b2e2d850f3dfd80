package unions_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/conformance/unions"
	"github.com/kindsmith/kindsmith/conformance/unions/skew"
	"github.com/kindsmith/kindsmith/internal/core/model"
	plans "github.com/kindsmith/kindsmith/internal/rules/rule/unions"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/runtime/union"
)

var servers = map[string]unions.GoServer{
	"Conformance":                unions.GoServerOf(skew.NormalizeUnions_Conformance, skew.Validate_Conformance),
	"ConformanceStrict":          unions.GoServerOf(skew.NormalizeUnions_ConformanceStrict, skew.Validate_ConformanceStrict),
	"Older":                      unions.GoServerOf(skew.NormalizeUnions_Older, skew.Validate_Older),
	"OptionalUnion":              unions.GoServerOf(skew.NormalizeUnions_OptionalUnion, skew.Validate_OptionalUnion),
	"OptionalUnionBeforeC":       unions.GoServerOf(skew.NormalizeUnions_OptionalUnionBeforeC, skew.Validate_OptionalUnionBeforeC),
	"RequiredUnion":              unions.GoServerOf(skew.NormalizeUnions_RequiredUnion, skew.Validate_RequiredUnion),
	"RequiredUnionStrict":        unions.GoServerOf(skew.NormalizeUnions_RequiredUnionStrict, skew.Validate_RequiredUnionStrict),
	"RequiredUnionBeforeC":       unions.GoServerOf(skew.NormalizeUnions_RequiredUnionBeforeC, skew.Validate_RequiredUnionBeforeC),
	"RequiredUnionBeforeCStrict": unions.GoServerOf(skew.NormalizeUnions_RequiredUnionBeforeCStrict, skew.Validate_RequiredUnionBeforeCStrict),
	"LenientRequired":            unions.GoServerOf(skew.NormalizeUnions_LenientRequired, skew.Validate_LenientRequired),
	"LenientOptional":            unions.GoServerOf(skew.NormalizeUnions_LenientOptional, skew.Validate_LenientOptional),
	"DefaultedUnion":             unions.GoServerOf(skew.NormalizeUnions_DefaultedUnion, skew.Validate_DefaultedUnion),
	"TwoUnions":                  unions.GoServerOf(skew.NormalizeUnions_TwoUnions, skew.Validate_TwoUnions),
	"Containers":                 unions.GoServerOf(skew.NormalizeUnions_Containers, skew.Validate_Containers),
	"AtMostOne":                  unions.GoServerOf(nil, skew.Validate_AtMostOne),
	"AtMostOneBeforeC":           unions.GoServerOf(nil, skew.Validate_AtMostOneBeforeC),
	"ExactlyOne":                 unions.GoServerOf(nil, skew.Validate_ExactlyOne),
	"ExactlyOneBeforeC":          unions.GoServerOf(nil, skew.Validate_ExactlyOneBeforeC),
}

// codeOf returns the rule that an error of generated Go is about.
func codeOf(e *field.Error) union.Code {
	last := e.Field[strings.LastIndexByte(e.Field, '.')+1:]
	switch {
	case e.Type == field.ErrorTypeRequired && last == "d":
		return union.NoValue
	case e.Type == field.ErrorTypeRequired:
		return union.SelectedUnset
	case e.Type == field.ErrorTypeForbidden:
		return union.NotSelected
	case e.Type == field.ErrorTypeNotSupported:
		return union.UnknownValue
	case strings.Contains(e.Detail, "at most one"), strings.Contains(e.Detail, "exactly one"):
		return union.TooMany
	case strings.Contains(e.Detail, "must specify one of"):
		return union.TooFew
	case e.Type == field.ErrorTypeInvalid:
		return union.SeveralSet
	}
	return union.Code(e.Error())
}

// outcome returns the codes, or the object without nulls and the field x.
func outcome(t *testing.T, object map[string]any, codes []union.Code) string {
	t.Helper()
	if len(codes) > 0 {
		slices.Sort(codes)
		var text []string
		for _, c := range slices.Compact(codes) {
			text = append(text, string(c))
		}
		return strings.Join(text, " ")
	}
	delete(object, "x")
	prune(object)
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// prune removes nulls, and empty strings, lists and objects, which Go omits.
func prune(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			prune(x)
			switch x := x.(type) {
			case nil:
				delete(v, k)
			case string:
				if x == "" {
					delete(v, k)
				}
			case []any:
				if len(x) == 0 {
					delete(v, k)
				}
			}
		}
	case []any:
		for _, x := range v {
			prune(x)
		}
	}
}

func flow(t *testing.T, text string) map[string]any {
	t.Helper()
	if text == "-" {
		return nil
	}
	out := map[string]any{}
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

// want returns an outcome as outcome does.
func want(t *testing.T, text string) string {
	t.Helper()
	if strings.HasPrefix(text, "{") {
		return outcome(t, flow(t, text), nil)
	}
	return text
}

// known removes fields that a type does not have, as decoders of unstructured objects do.
func known(object, typ map[string]any) map[string]any {
	if object == nil {
		return nil
	}
	out := map[string]any{}
	for k, v := range object {
		if _, ok := typ[k]; ok {
			out[k] = v
		}
	}
	return out
}

// run sends an object to a server, as Go values and as JSON.
func run(t *testing.T, types *rowTypes, typ string, object, old map[string]any, expected string) {
	t.Helper()
	out, errs, err := servers[typ](object, old)
	if err != nil {
		t.Fatal(err)
	}
	var codes []union.Code
	for _, e := range errs {
		codes = append(codes, codeOf(e))
	}
	if diff := cmp.Diff(expected, outcome(t, out, codes)); diff != "" {
		t.Errorf("Go as %s (-want +got):\n%s%v", typ, diff, errs)
	}
	shape, fields := types.of(typ)
	asJSON, before := known(object, fields), known(old, fields)
	codes = nil
	shape.Normalize(union.Request{}, asJSON, before)
	for _, v := range shape.Validate(union.Request{}, asJSON, before) {
		codes = append(codes, v.Code)
	}
	if diff := cmp.Diff(expected, outcome(t, asJSON, codes)); diff != "" {
		t.Errorf("JSON as %s (-want +got):\n%s", typ, diff)
	}
}

type rowTypes struct {
	plans *plans.Plans
	pkg   *model.Package
}

func loadRows(t *testing.T) *rowTypes {
	t.Helper()
	m, _ := emittest.Model(t, "../../../conformance/unions/skew")
	for _, p := range m.Packages {
		if p.Root {
			return &rowTypes{plans.NewPlans(tag.Programs(m, driver.Tags()), plans.All), p}
		}
	}
	return nil
}

func (r *rowTypes) of(name string) (*union.Shape, map[string]any) {
	t := r.pkg.Type(name)
	fields := map[string]any{}
	var add func(t *model.Type)
	add = func(t *model.Type) {
		for _, f := range t.Fields {
			if f.Inline {
				add(r.pkg.Type(f.Type.ID().Name))
			}
			fields[f.JSON] = true
		}
	}
	add(t)
	return r.plans.Shape(t), fields
}

// each runs f as a subtest for each row of a table.
func each(t *testing.T, table func() ([]unions.Row, error), f func(t *testing.T, r unions.Row)) {
	t.Helper()
	rows, err := table()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) < 45 {
		t.Errorf("there are only %d rows", len(rows))
	}
	for _, r := range rows {
		t.Run(r.Name, func(t *testing.T) { f(t, r) })
	}
}

func TestConformance(t *testing.T) {
	types := loadRows(t)
	each(t, unions.Conformance, func(t *testing.T, r unions.Row) {
		if expected := want(t, r.Older); r.Invalid {
			run(t, types, "Older", flow(t, r.Sent), flow(t, r.Live), invalidOr(t, r.Sent, r.Live))
			shape, _ := types.of("Older")
			out := flow(t, r.Sent)
			shape.Normalize(union.Request{}, out, flow(t, r.Live))
			if diff := cmp.Diff(expected, outcome(t, out, nil)); diff != "" {
				t.Errorf("older (-want +got):\n%s", diff)
			}
		} else {
			run(t, types, "Older", flow(t, r.Sent), flow(t, r.Live), expected)
		}
		run(t, types, r.Type, flow(t, r.Sent), flow(t, r.Live), want(t, r.Outcome))
		run(t, types, r.Type+"Strict", flow(t, r.Sent), flow(t, r.Live), want(t, r.Strict))
	})
}

// invalidOr returns the error of several members, unless the update does not change the union.
func invalidOr(t *testing.T, object, old string) string {
	t.Helper()
	if object == old {
		return want(t, object)
	}
	return string(union.TooMany)
}

func TestSkew(t *testing.T) {
	types := loadRows(t)
	each(t, unions.Skew, func(t *testing.T, r unions.Row) {
		live, sent := flow(t, r.Live), flow(t, r.Sent)
		if r.Verb == "MP" {
			sent = merged(live, sent)
		}
		if _, given := sent["d"]; !given && r.Type == "DefaultedUnion" {
			sent["d"] = "A"
		}
		run(t, types, r.Type, sent, live, want(t, r.Outcome))
		if strict := r.Type + "Strict"; r.Strict != r.Outcome {
			run(t, types, strict, sent, live, want(t, r.Strict))
		}
	})
}

// merged applies a JSON merge patch.
func merged(live, patch map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range live {
		out[k] = v
	}
	for k, v := range patch {
		if inner, ok := v.(map[string]any); ok {
			before, _ := out[k].(map[string]any)
			out[k] = merged(before, inner)
		} else if v == nil {
			delete(out, k)
		} else {
			out[k] = v
		}
	}
	return out
}
