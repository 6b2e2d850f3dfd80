package unions_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/conformance/unions/shapes"
	plans "github.com/kindsmith/kindsmith/internal/rules/rule/unions"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/runtime/union"
)

var pairs = flag.Int("pairs", 1500, "pairs of objects that TestShapes makes of each shape")

const shapesPackage = "../../../conformance/unions/shapes"

// seed is a union as the texts of the KEPs describe it: their rules are written down here once more, for objects of
// JSON.
type seed struct {
	d string
	// selects has the member of each value that the discriminator may have, "" for none.
	selects map[string]string
	members []string
	// optional members may be unset although they are selected. Zero values of plain ones are unset.
	optional, plain           string
	tagged, open, older       bool
	exactly, atMost, isStrict bool
}

func newer(more map[string]string) seed {
	s := seed{d: "d", members: []string{"a", "b", "c"}, selects: map[string]string{"A": "a", "B": "b", "C": "c"}}
	for value, member := range more {
		s.selects[value] = member
	}
	return s
}

func (s seed) but(change func(*seed)) seed { change(&s); return s }

var (
	none     = map[string]string{"": "", "None": ""}
	optional = newer(none)
	required = newer(nil)
	tagged   = newer(nil).but(func(s *seed) { s.tagged = true })
	counted  = seed{members: []string{"a", "b", "c"}}
	exactly  = counted.but(func(s *seed) { s.exactly, s.plain = true, "ab" })
)

var forms = []struct {
	name   string
	seeds  []seed
	server server
}{
	{"Optional", []seed{optional}, serverOf(shapes.NormalizeUnions_Optional, shapes.Validate_Optional)},
	{"Required", []seed{required}, serverOf(shapes.NormalizeUnions_Required, shapes.Validate_Required)},
	{"Strict", []seed{required.but(func(s *seed) { s.isStrict = true })}, serverOf(shapes.NormalizeUnions_Strict, shapes.Validate_Strict)},
	{"Lenient", []seed{required.but(func(s *seed) { s.optional = "ab" })}, serverOf(shapes.NormalizeUnions_Lenient, shapes.Validate_Lenient)},
	{"Kinds", []seed{optional.but(func(s *seed) { s.plain = "abc" })}, serverOf(shapes.NormalizeUnions_Kinds, shapes.Validate_Kinds)},
	{"Inlined", []seed{optional}, serverOf(shapes.NormalizeUnions_Inlined, shapes.Validate_Inlined)},
	{"Pointer", []seed{optional}, serverOf(shapes.NormalizeUnions_Pointer, shapes.Validate_Pointer)},
	{"Two", []seed{
		{d: "d", members: []string{"a", "b"}, selects: map[string]string{"A": "a", "B": "b", "C": "", "": "", "None": ""}},
		{d: "e", members: []string{"c"}, selects: map[string]string{"A": "", "B": "", "C": "c"}},
	}, serverOf(shapes.NormalizeUnions_Two, shapes.Validate_Two)},
	{"Tagged", []seed{tagged}, serverOf(shapes.NormalizeUnions_Tagged, shapes.Validate_Tagged)},
	{"TaggedOptional", []seed{newer(none).but(func(s *seed) { s.tagged, s.plain = true, "abc" })}, serverOf(shapes.NormalizeUnions_TaggedOptional, shapes.Validate_TaggedOptional)},
	{"Open", []seed{newer(map[string]string{"": ""}).but(func(s *seed) { s.tagged, s.open = true, true })}, serverOf(shapes.NormalizeUnions_Open, shapes.Validate_Open)},
	{"Exactly", []seed{exactly}, serverOf(nil, shapes.Validate_Exactly)},
	{"ExactlyPointer", []seed{exactly}, serverOf(nil, shapes.Validate_ExactlyPointer)},
	{"AtMost", []seed{counted.but(func(s *seed) { s.atMost, s.plain = true, "b" })}, serverOf(nil, shapes.Validate_AtMost)},
	{"Older", []seed{newer(nil).but(func(s *seed) { s.older = true })}, serverOf(shapes.NormalizeUnions_Older, shapes.Validate_Older)},
}

func (s *seed) value(object map[string]any) string { return text(object[s.d]) }

func (s *seed) isSet(object map[string]any, member string) bool {
	v := object[member]
	if v == nil || !strings.Contains(s.plain, member) {
		return v != nil
	}
	switch v := v.(type) {
	case string:
		return v != ""
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	return true
}

func (s *seed) set(object map[string]any) []string {
	var set []string
	for _, m := range s.members {
		if s.isSet(object, m) {
			set = append(set, m)
		}
	}
	return set
}

// keep removes all members but one.
func (s *seed) keep(object map[string]any, member string) {
	for _, m := range s.members {
		if m != member {
			delete(object, m)
		}
	}
}

// normalize is N1 to N4 of the newer text, and O1 to O4 of the older one.
func (s *seed) normalize(object, old map[string]any) {
	d, was := s.value(object), s.value(old)
	member, known := s.selects[d]
	switch {
	case s.exactly || s.atMost:
	case s.older && d != was && d != "":
		s.keep(object, member)
	case s.older:
		set := s.set(object)
		added := slices.DeleteFunc(slices.Clone(set), func(m string) bool { return s.isSet(old, m) })
		switch {
		case len(set) == 1:
			object[s.d] = strings.ToUpper(set[0])
		case len(added) == 1:
			s.keep(object, added[0])
			object[s.d] = strings.ToUpper(added[0])
		}
	case old != nil && d != was && known:
		s.keep(object, member)
	}
}

// validate is V1 to V5 of the newer text, at most one member of the older one, and upstream's rules of the tags. An
// update that changes neither the discriminator nor which members are set is not checked.
func (s *seed) validate(object, old map[string]any) []string {
	set, d := s.set(object), s.value(object)
	if old != nil && !s.isStrict && slices.Equal(set, s.set(old)) && (s.d == "" || d == s.value(old)) {
		return nil
	}
	member, known := s.selects[d]
	switch {
	case s.older || s.atMost:
		if len(set) > 1 {
			return []string{"Invalid "}
		}
		return nil
	case s.exactly:
		if len(set) != 1 {
			return []string{"Invalid "}
		}
		return nil
	case !known && !s.tagged && d == "":
		return []string{"Required " + s.d}
	case !known && !s.tagged:
		return []string{"NotSupported " + s.d}
	}
	var list []string
	several := len(set) > 1 && !s.tagged
	if several {
		list = append(list, "Invalid ")
	}
	unset, other := "Required ", "Forbidden "
	if s.tagged {
		unset, other = "Invalid ", "Invalid "
	}
	if member != "" && !slices.Contains(set, member) && !strings.Contains(s.optional, member) {
		list = append(list, unset+member)
	}
	for _, m := range set {
		if m != member && !several {
			list = append(list, other+m)
		}
	}
	return list
}

// randomObject has each field absent, null, zero or empty, or set.
func (s *seed) randomInto(r *rand.Rand, object map[string]any, kinds map[string]string) {
	if s.d != "" && r.IntN(5) > 0 {
		object[s.d] = []any{nil, "", "None", "A", "B", "C", "A", "B", "C", "Zed"}[r.IntN(10)]
	}
	for _, m := range s.members {
		switch r.IntN(6) {
		case 0:
			object[m] = nil
		case 1:
			object[m] = map[string]any{"": 0.0, "list": []any{}, "string": "", "map": map[string]any{}}[kinds[m]]
		case 2, 3:
			object[m] = map[string]any{"": 1.0, "list": []any{1.0}, "string": "x", "map": map[string]any{"k": 1.0}}[kinds[m]]
		}
	}
}

// kindsOf are the kinds of members that are no pointers.
var kindsOf = map[string]map[string]string{
	"Kinds": {"a": "list", "b": "string", "c": "map"}, "TaggedOptional": {"a": "list", "b": "string", "c": "map"},
	"Exactly": {"a": "list", "b": "string"}, "ExactlyPointer": {"a": "list", "b": "string"}, "AtMost": {"b": "list"},
}

func copied(object map[string]any) map[string]any {
	if object == nil {
		return nil
	}
	out := map[string]any{}
	for k, v := range object {
		out[k] = v
	}
	return out
}

// canonical removes what Go omits.
func canonical(object map[string]any, kinds map[string]string) string {
	out := map[string]any{}
	for k, v := range object {
		empty := v == nil || (k == "d" || k == "e" || kinds[k] != "") && slices.Contains([]string{`""`, "[]", "{}"}, encoded(v))
		if !empty {
			out[k] = v
		}
	}
	return encoded(out)
}

func encoded(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// TestShapes compares generated Go and the tables of runtime/union with the rules of the texts, on random pairs.
func TestShapes(t *testing.T) {
	m, _ := emittest.Model(t, shapesPackage)
	nodes := plans.NewPlans(tag.Programs(m, driver.Tags()), plans.All)
	for _, form := range forms {
		t.Run(form.name, func(t *testing.T) {
			shape := nodes.Shape(m.Package("github.com/kindsmith/kindsmith/conformance/unions/shapes").Type(form.name))
			r := rand.New(rand.NewPCG(1, 2))
			rejected := 0
			for range *pairs {
				kinds := kindsOf[form.name]
				object, old := map[string]any{}, map[string]any(nil)
				if r.IntN(5) > 0 {
					old = map[string]any{}
				}
				for i := range form.seeds {
					form.seeds[i].randomInto(r, object, kinds)
					if old != nil {
						form.seeds[i].randomInto(r, old, kinds)
					}
				}
				if old != nil && r.IntN(3) == 0 { // a small change
					object = copied(old)
					form.seeds[r.IntN(len(form.seeds))].randomInto(r, object, kinds)
				}
				want, problems := copied(object), []string{}
				for i := range form.seeds {
					form.seeds[i].normalize(want, old)
				}
				for i := range form.seeds {
					problems = append(problems, form.seeds[i].validate(want, old)...)
				}
				slices.Sort(problems)
				if len(problems) > 0 {
					rejected++
				}
				expected := canonical(want, kinds) + fmt.Sprintf(" %q", problems)
				if got := outcomeOf(t, form.server, object, old, kinds); got != expected {
					t.Fatalf("generated Go: %s on %s is %s, want %s", encoded(object), encoded(old), got, expected)
				}
				if got := untypedOutcome(shape, object, old, kinds); got != expected {
					t.Fatalf("runtime/union: %s on %s is %s, want %s", encoded(object), encoded(old), got, expected)
				}
			}
			if rejected < *pairs/10 || rejected > *pairs*9/10 {
				t.Errorf("%d of %d pairs are rejected", rejected, *pairs)
			}
		})
	}
}

func untypedOutcome(shape *union.Shape, object, old map[string]any, kinds map[string]string) string {
	out := copied(object)
	shape.Normalize(union.Request{}, out, copied(old))
	problems := []string{}
	for _, v := range shape.Validate(union.Request{}, out, old) {
		problems = append(problems, short(v.Type)+" "+v.Field)
	}
	slices.Sort(problems)
	return canonical(out, kinds) + fmt.Sprintf(" %q", problems)
}

func short(t field.ErrorType) string {
	return map[field.ErrorType]string{
		field.ErrorTypeRequired: "Required", field.ErrorTypeInvalid: "Invalid", field.ErrorTypeForbidden: "Forbidden", field.ErrorTypeNotSupported: "NotSupported",
	}[t]
}

// outcomeOf is what a server with generated Go does, apart from the errors of other rules.
func outcomeOf(t *testing.T, s server, object, old map[string]any, kinds map[string]string) string {
	t.Helper()
	out, errs := s.update(t, object, old)
	problems := []string{}
	for _, e := range errs {
		if e.Origin == "union" || e.Origin == "zeroOrOneOf" {
			problems = append(problems, short(e.Type)+" "+strings.TrimPrefix(e.Field, "<nil>"))
		}
	}
	slices.Sort(problems)
	return canonical(out, kinds) + fmt.Sprintf(" %q", problems)
}
