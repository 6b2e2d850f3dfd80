package unions_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/conformance/unions"
	"github.com/kindsmith/kindsmith/conformance/unions/shapes"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	plans "github.com/kindsmith/kindsmith/internal/rules/rule/unions"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/runtime/union"
)

var pairs = flag.Int("pairs", 1500, "pairs of objects that TestShapes makes of each shape")

const shapesPackage = "github.com/kindsmith/kindsmith/conformance/unions/shapes"

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
	server unions.GoServer
}{
	{"Optional", []seed{optional}, unions.GoServerOf(shapes.NormalizeUnions_Optional, shapes.Validate_Optional)},
	{"Required", []seed{required}, unions.GoServerOf(shapes.NormalizeUnions_Required, shapes.Validate_Required)},
	{"Strict", []seed{required.but(func(s *seed) { s.isStrict = true })}, unions.GoServerOf(shapes.NormalizeUnions_Strict, shapes.Validate_Strict)},
	{"Lenient", []seed{required.but(func(s *seed) { s.optional = "ab" })}, unions.GoServerOf(shapes.NormalizeUnions_Lenient, shapes.Validate_Lenient)},
	{"Kinds", []seed{optional.but(func(s *seed) { s.plain = "abc" })}, unions.GoServerOf(shapes.NormalizeUnions_Kinds, shapes.Validate_Kinds)},
	{"Measures", []seed{optional.but(func(s *seed) { s.plain = "abc" })}, unions.GoServerOf(shapes.NormalizeUnions_Measures, shapes.Validate_Measures)},
	{"Inlined", []seed{optional}, unions.GoServerOf(shapes.NormalizeUnions_Inlined, shapes.Validate_Inlined)},
	{"Pointer", []seed{optional}, unions.GoServerOf(shapes.NormalizeUnions_Pointer, shapes.Validate_Pointer)},
	{"Two", []seed{
		{d: "d", members: []string{"a", "b"}, selects: map[string]string{"A": "a", "B": "b", "C": "", "": "", "None": ""}},
		{d: "e", members: []string{"c"}, selects: map[string]string{"A": "", "B": "", "C": "c"}},
	}, unions.GoServerOf(shapes.NormalizeUnions_Two, shapes.Validate_Two)},
	{"Tagged", []seed{tagged}, unions.GoServerOf(shapes.NormalizeUnions_Tagged, shapes.Validate_Tagged)},
	{"TaggedOptional", []seed{newer(none).but(func(s *seed) { s.tagged, s.plain = true, "abc" })}, unions.GoServerOf(shapes.NormalizeUnions_TaggedOptional, shapes.Validate_TaggedOptional)},
	{"Open", []seed{newer(map[string]string{"": ""}).but(func(s *seed) { s.tagged, s.open = true, true })}, unions.GoServerOf(shapes.NormalizeUnions_Open, shapes.Validate_Open)},
	{"Exactly", []seed{exactly}, unions.GoServerOf(nil, shapes.Validate_Exactly)},
	{"ExactlyPointer", []seed{exactly}, unions.GoServerOf(nil, shapes.Validate_ExactlyPointer)},
	{"AtMost", []seed{counted.but(func(s *seed) { s.atMost, s.plain = true, "b" })}, unions.GoServerOf(nil, shapes.Validate_AtMost)},
	{"Older", []seed{newer(nil).but(func(s *seed) { s.older = true })}, unions.GoServerOf(shapes.NormalizeUnions_Older, shapes.Validate_Older)},
}

func (s *seed) value(object map[string]any) string {
	d, _ := object[s.d].(string)
	return d
}

func (s *seed) isSet(object map[string]any, member string) bool {
	v := object[member]
	if v == nil || !strings.Contains(s.plain, member) {
		return v != nil
	}
	switch v := v.(type) {
	case string:
		return !slices.Contains([]string{"", "0s", "0Mi"}, v)
	case int64:
		return v != 0
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
			if kinds[m] != "duration" { // Go refuses null
				object[m] = nil
			}
		case 1:
			object[m] = zeros[kinds[m]]
		case 2, 3:
			object[m] = ones[kinds[m]]
		}
	}
}

// zeros and ones are values of members of each kind.
var (
	zeros = map[string]any{"": int64(0), "number": int64(0), "duration": "0s", "quantity": "0Mi", "list": []any{}, "string": "", "map": map[string]any{}}
	ones  = map[string]any{"": int64(1), "number": int64(1), "duration": "1s", "quantity": "1", "list": []any{int64(1)}, "string": "x", "map": map[string]any{"k": int64(1)}}
)

// kindsOf are the kinds of members that are no pointers.
var kindsOf = map[string]map[string]string{
	"Kinds": {"a": "list", "b": "string", "c": "map"}, "Measures": {"a": "number", "b": "duration", "c": "quantity"}, "TaggedOptional": {"a": "list", "b": "string", "c": "map"},
	"Exactly": {"a": "list", "b": "string"}, "ExactlyPointer": {"a": "list", "b": "string"}, "AtMost": {"b": "list"},
}

func copied(object map[string]any) map[string]any {
	if object == nil {
		return nil
	}
	return runtime.DeepCopyJSON(object)
}

// canonical removes what Go omits.
func canonical(object map[string]any, kinds map[string]string) string {
	out := map[string]any{}
	for k, v := range object {
		zero := k == "d" || k == "e"
		text := encoded(v)
		if kind := kinds[k]; kind != "" {
			zero = text == encoded(zeros[kind]) || text == `"0"`
		} else {
			zero = zero && text == `""`
		}
		if v != nil && !zero {
			out[k] = v
		}
	}
	return encoded(out)
}

// voice is one of those that say what a request stores.
type voice struct {
	name string
	// outcome returns the object and the errors of unions, as text.
	outcome func(object, old map[string]any) string
}

// TestShapes compares the rules of the texts with all that enforce them, on random pairs.
func TestShapes(t *testing.T) {
	m, _ := emittest.Model(t, "./shapes", "./shapes/kinds")
	programs := tag.Programs(m, driver.Tags())
	nodes, set, published := plans.NewPlans(programs, plans.All), eval.New(programs), publishedKinds(t, "./shapes/kinds")
	for _, form := range forms {
		t.Run(form.name, func(t *testing.T) {
			kinds, name := kindsOf[form.name], model.Name{Package: shapesPackage, Name: form.name}
			shape := nodes.Shape(m.Type(name))
			s := published[form.name].server(t, form.server, &union.Shape{Fields: []union.Field{{Name: "spec", Shape: shape}}})
			voices := []voice{
				{"generated Go", func(object, old map[string]any) string { return s.goes(t, object, old, kinds) }},
				{"runtime/union", func(object, old map[string]any) string { return untypedOutcome(shape, object, old, kinds) }},
				{"the evaluator", func(object, old map[string]any) string { return evaluated(t, set, name, object, old, kinds) }},
			}
			r := rand.New(rand.NewPCG(1, 2))
			rejected := 0
			for range *pairs {
				object, old := randomPair(r, form.seeds, kinds)
				want, problems := stored(form.seeds, object, old)
				if len(problems) > 0 {
					rejected++
				}
				expected := canonical(want, kinds) + fmt.Sprintf(" %q", problems)
				for _, v := range voices {
					if got := v.outcome(object, old); got != expected {
						t.Fatalf("%s: %s on %s is %s, want %s", v.name, encoded(object), encoded(old), got, expected)
					}
				}
				s.absent = absent(form.seeds, object)
				if diff := s.differs(t, want, object, old, len(problems) > 0); diff != "" {
					t.Fatalf("%s on %s is %s: %s", encoded(object), encoded(old), expected, diff)
				}
				want, problems = stored(form.seeds, merged(old, object), old)
				contradicts := slices.ContainsFunc(form.seeds, func(s seed) bool { return s.contradicts(object) })
				if diff := s.applies(want, object, old, len(problems) > 0 || contradicts); diff != "" {
					t.Fatalf("%s applied to %s is %s %q: %s", encoded(object), encoded(old), encoded(want), problems, diff)
				}
			}
			if rejected < *pairs/10 || rejected > *pairs*9/10 {
				t.Errorf("%d of %d pairs are rejected", rejected, *pairs)
			}
		})
	}
}

// stored returns what a request with an object stores, and which rules it breaks.
func stored(seeds []seed, object, old map[string]any) (want map[string]any, problems []string) {
	want, problems = copied(object), []string{}
	for i := range seeds {
		seeds[i].normalize(want, old)
	}
	for i := range seeds {
		problems = append(problems, seeds[i].validate(want, old)...)
	}
	slices.Sort(problems)
	return want, problems
}

// merged returns an old object with the values of a configuration.
func merged(old, config map[string]any) map[string]any {
	out := copied(old)
	if out == nil {
		out = map[string]any{}
	}
	for k, v := range withoutNulls(config) {
		before, isMap := out[k].(map[string]any)
		if entries, ok := v.(map[string]any); ok && isMap {
			maps.Copy(before, entries)
			continue
		}
		out[k] = v
	}
	return out
}

// contradicts reports whether a configuration sets a member that its own discriminator does not select.
func (s *seed) contradicts(config map[string]any) bool {
	member, known := s.selects[s.value(config)]
	if s.d == "" || config[s.d] == nil || !known && !s.open && !s.older {
		return false
	}
	return slices.ContainsFunc(s.set(config), func(m string) bool { return m != member })
}

// absent are the discriminators that an object must have and lacks.
func absent(seeds []seed, object map[string]any) (names []string) {
	for _, s := range seeds {
		if _, optional := s.selects[""]; !optional && s.d != "" && !s.older && s.value(object) == "" {
			names = append(names, s.d)
		}
	}
	return names
}

// randomPair returns an object and its old version, which is nil on creates.
func randomPair(r *rand.Rand, seeds []seed, kinds map[string]string) (object, old map[string]any) {
	object = map[string]any{}
	if r.IntN(5) > 0 {
		old = map[string]any{}
	}
	for i := range seeds {
		seeds[i].randomInto(r, object, kinds)
		if old != nil {
			seeds[i].randomInto(r, old, kinds)
		}
	}
	if old != nil && r.IntN(3) == 0 { // a small change
		object = copied(old)
		seeds[r.IntN(len(seeds))].randomInto(r, object, kinds)
	}
	return object, old
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

// outcomeOf returns an object and those errors that are about unions.
func outcomeOf(out map[string]any, errs field.ErrorList, kinds map[string]string) string {
	problems := []string{}
	for _, e := range errs {
		if e.Origin == "union" || e.Origin == "zeroOrOneOf" {
			problems = append(problems, short(e.Type)+" "+strings.TrimPrefix(e.Field, "<nil>"))
		}
	}
	slices.Sort(problems)
	return canonical(out, kinds) + fmt.Sprintf(" %q", problems)
}

func evaluated(t *testing.T, set *eval.Set, name model.Name, object, old map[string]any, kinds map[string]string) string {
	t.Helper()
	out, _, err := set.Normalize(name, union.Request{}, copied(object), copied(old))
	if err != nil {
		t.Fatal(err)
	}
	result, err := set.Validate(eval.Request{Type: name, Object: copied(out), Old: copied(old)})
	if err != nil || len(result.Malformed) > 0 {
		t.Fatal(err, result.Malformed)
	}
	var errs field.ErrorList
	for _, e := range result.Errors {
		errs = append(errs, e.Error)
	}
	return outcomeOf(out, errs, kinds)
}
