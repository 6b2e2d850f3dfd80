package conformance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/conformance/runner"
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// server compares an API server's validation by the published schema with generated Go on
// requests made at random. It ignores the differences that follow from what a schema is;
// all others are listed, by case and path.
type server struct {
	set    *eval.Set
	listed unequals
	// types and requests count what was compared.
	types    map[string]bool
	requests int
	// cut is how many of these requests have more errors than are listed.
	cut int
}

func newServer(t *testing.T, set *eval.Set) *server {
	t.Helper()
	return &server{set: set, listed: readUnequals(t), types: map[string]bool{}}
}

// request is a request that Go can decode, with what the comparison depends on.
type request struct {
	runner.Request
	typ eval.TypeName
	// written are the objects as Go writes them.
	written runner.Verdict
	// now are the errors of the request, alone those of creating the new object.
	now, alone *eval.Result
	// repeated are the patterns of repeated items in the new and the old object.
	repeated []string
	// reported are the paths of all errors of generated Go.
	reported []string
}

// differ returns what Go and the schema report differently, "" for nothing.
func (s *server) differ(t *testing.T, c *loadedCase, r *request) string {
	t.Helper()
	if len(schemaOf(t, c, nil).refused) > 0 || !s.comparable(t, c, r) {
		return ""
	}
	schemas := schemaOf(t, c, enabled(r.Options))
	s.types[r.typ.String()] = true
	s.requests++
	if isCut(r.now) || isCut(r.alone) {
		s.cut++
	}
	// Go does not distinguish a zero value from an absent field, so the schema also gets the
	// objects as Go writes them.
	onlyGo, onlySchema := schemas.unlike(t, r, r.Object, r.Old)
	if len(onlyGo)+len(onlySchema) > 0 {
		againGo, againSchema := schemas.unlike(t, r, r.written.Object, r.written.Old)
		maps.DeleteFunc(onlyGo, func(path, _ string) bool { return againGo[path] == "" })
		maps.DeleteFunc(onlySchema, func(path, _ string) bool { return againSchema[path] == "" })
	}
	for _, u := range s.listed {
		if u.Case == c.Name {
			u.explain(onlyGo, u.Go)
			u.explain(onlySchema, u.Schema)
		}
	}
	var b strings.Builder
	for _, path := range sortedKeys(onlyGo) {
		fmt.Fprintf(&b, "only Go rejects %q: %s\n", path, onlyGo[path])
	}
	for _, path := range sortedKeys(onlySchema) {
		fmt.Fprintf(&b, "only the schema rejects %q: %s\n", path, onlySchema[path])
	}
	return b.String()
}

// comparable reports whether a server sees the same request as Go: it sets defaults, has
// no integers beyond int64, and options are either enabled or not.
func (s *server) comparable(t *testing.T, c *loadedCase, r *request) bool {
	t.Helper()
	for _, o := range c.Objects {
		for name := range o.Options {
			if _, ok := r.Options[name]; !ok {
				return false
			}
		}
	}
	for _, text := range []json.RawMessage{r.Object, r.Old} {
		if text == nil {
			continue
		}
		object := decodedText(t, text)
		defaulted, _, err := s.set.Default(r.typ, object)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(object, defaulted) || hasLarge(object) {
			return false
		}
	}
	return true
}

// hasLarge reports whether a value has an integer beyond int64.
func hasLarge(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, value := range v {
			if hasLarge(value) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, hasLarge)
	case json.Number:
		_, err := v.Int64()
		return err != nil && !strings.ContainsAny(v.String(), ".eE")
	}
	return false
}

// unlike returns the errors, by path, that only one side reports. These differences follow from what a schema is:
//
//   - The server runs CEL rules only on objects that satisfy all keywords, and rules on
//     updates only on values that have an old one.
//   - Go validates the zero value of a field that is not marked as optional, and a server has
//     no value to validate.
//   - CEL rules report lists and maps instead of their items and values.
//   - The server reports a CEL rule whose evaluation fails, as for a key that a map lacks, at the
//     value that has the rule, and Go at the rule's fieldPath.
//   - A schema has no rules that stop others, and takes no nulls in lists.
//   - A schema that lacks members of a union reports the others apart, and Go the union.
//   - A rule that reads several fields belongs to their struct, and one about the keys of a
//     map or about a set to the whole. The server runs it if anything in there changes; Go
//     knows what the rule is about and accepts what an update does not touch. Rules of unions
//     and dependent fields compare that themselves.
//   - The server reports a repeated item once, and none if the old object has some. It does
//     not correlate the items of a list with repeated ones, or without their keys, and takes
//     all values around such a list to have changed. Go looks at the first.
func (s *schemas) unlike(t *testing.T, r *request, object, old json.RawMessage) (onlyGo, onlySchema map[string]string) {
	t.Helper()
	now, before := jsonObject(t, object), jsonObject(t, old)
	crd := s.crds[r.typ.Name]
	root := crd.Definition.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
	// The errors by path. Those in either may be missing on one side.
	goes, schemas, either := map[string]string{}, map[string]string{}, map[string]bool{}
	omitted := map[string]string{}
	complete, stops := true, false
	for _, e := range crd.Validate("v1", wrapped(t, now), wrapped(t, before)) {
		paths, ran, _ := corpus.PathsOf(field.ErrorList{e})
		complete = complete && ran
		_, failed, fails := strings.Cut(e.Detail, " evaluating rule: ")
		for _, path := range paths {
			schemas[path] = e.ErrorBody()
			for _, other := range r.now.Errors {
				if fails && strings.HasSuffix(other.Detail, failed) {
					either[path], either[pathOf(other)] = true, true
				}
			}
			was, _ := at(strings.TrimPrefix(e.Field, "spec"), before).([]any)
			if slices.Contains(was, nil) || e.Type == field.ErrorTypeTypeInvalid && e.BadValue == "null" || strings.Contains(e.Detail, "got null for schema with nullable=false") {
				either[path] = true
			}
		}
	}
	for _, e := range r.now.Errors {
		stops = stops || e.ShortCircuit
		path := pathOf(e)
		switch {
		case e.Level() == rule.Alpha:
		case s.omits(e):
			either[path], omitted[path] = true, ""
		case r.isTransition(e) && !correlated(&root, e.Field, now, before), ofZero(e) && at(e.Field, now) == nil:
			either[path] = true
		default:
			goes[path] = e.ErrorBody()
		}
	}
	if len(r.now.NotRun) > 0 {
		for _, path := range r.reported {
			either[path] = true
		}
	}
	// Go runs the rules of the type itself, which is not the value of a field here, whether
	// or not anything changes.
	unchanged := r.Old != nil && bytes.Equal(r.written.Object, r.written.Old)
	ratchets := map[string]string{}
	if r.Old != nil && (!unchanged || !pairs(&root, now)) {
		for _, e := range r.alone.Errors {
			if !relates(e) || s.isCheaper(e) || !correlated(&root, e.Field, now, before) {
				ratchets[pathOf(e)] = ""
			}
			stops = stops || e.ShortCircuit
		}
	}
	onlyGo, onlySchema = minus(goes, schemas), minus(schemas, goes)
	maps.DeleteFunc(onlyGo, func(path, _ string) bool {
		return unchanged || !complete && len(schemas) > 0 || either[path] || isInside(path, schemas) || r.inRepeated(path, schemas)
	})
	maps.DeleteFunc(onlySchema, func(path, _ string) bool {
		_, ratcheted := ratchets[path]
		return stops || either[path] || isInside(path, omitted) || hasInside(path, goes) || r.inRepeated(path, goes) || ratcheted || hasInside(path, ratchets)
	})
	if isCut(r.now) || isCut(r.alone) {
		// Without all errors, only the verdicts are comparable. Go accepts what an update does not
		// change, also if creating it has errors that are not listed.
		if len(schemas) > 0 {
			clear(onlyGo)
		}
		if len(goes)+len(either) > 0 || len(ratchets) > 0 {
			clear(onlySchema)
		}
	}
	return onlyGo, onlySchema
}

// isCut reports whether a result lists only the first errors.
func isCut(r *eval.Result) bool { return len(r.Errors) > validate.MaxErrors }

// minus returns the errors at paths that have none among others.
func minus(errs, others map[string]string) map[string]string {
	out := maps.Clone(errs)
	maps.DeleteFunc(out, func(path, _ string) bool { _, ok := others[path]; return ok })
	return out
}

// isInside reports whether a path leads into the value of a field with an error.
func isInside(path string, errs map[string]string) bool {
	for of := range errs {
		if of != "" && strings.HasPrefix(path, of+".") {
			return true
		}
	}
	return false
}

// hasInside reports whether there is an error inside of the value of a field.
func hasInside(path string, errs map[string]string) bool {
	for inside := range errs {
		if path != "" && strings.HasPrefix(inside, path+".") {
			return true
		}
	}
	return false
}

// isTransition reports whether the error is that of a rule on updates.
func (r *request) isTransition(e eval.Error) bool {
	return r.Old != nil && !slices.ContainsFunc(r.alone.Errors, func(other eval.Error) bool { return other.Field == e.Field && other.Rule == e.Rule })
}

// relates reports whether the error is that of a rule that relates fields or items of a list.
func relates(e eval.Error) bool {
	return slices.Contains([]string{"union", "zeroOrOneOf", "dependentRequired", "dependentForbidden"}, e.Origin)
}

// isCheaper reports whether the schemas have a rule that does not compare old and new values,
// because that costs too much; a warning says so.
func (s *schemas) isCheaper(e eval.Error) bool { return s.hasWarning("crd/ratcheting", e) }

// ofZero reports whether an error can be one of a zero value, by a rule on values alone.
func ofZero(e eval.Error) bool {
	switch e.Type {
	case field.ErrorTypeTooShort, field.ErrorTypeTooFew, field.ErrorTypeNotSupported:
		return true
	}
	return slices.Contains([]string{"minimum", "maximum", "pattern", "validateFalse"}, e.Origin)
}

// at returns the value at a path, nil if there is none.
func at(path string, object map[string]any) any {
	v := any(object)
	for _, step := range steps.FindAllStringSubmatch(path, -1) {
		list, isList := v.([]any)
		if i, err := strconv.Atoi(step[2]); isList && err == nil && i < len(list) {
			v = list[i]
		} else {
			v = valueAt(v, step[1]+step[2])
		}
	}
	return v
}

// inRepeated reports whether a path is about a list that has repeated items, so that one
// side reports them once, or does not report what is in them.
func (r *request) inRepeated(path string, others map[string]string) bool {
	path = pattern(path)
	return slices.ContainsFunc(r.repeated, func(item string) bool {
		if strings.HasPrefix(path, item+".") || r.Old != nil && (path == item || path+".*" == item) {
			return true
		}
		for other := range others {
			if path == item && pattern(other) == item {
				return true
			}
		}
		return false
	})
}

// correlated reports whether a server finds a new and an old value for each value around a
// field, and for the field itself if it is an item or a value of a map.
func correlated(s *apiextensionsv1.JSONSchemaProps, path string, object, old map[string]any) bool {
	now, before := any(object), any(old)
	for _, step := range steps.FindAllStringSubmatch(path, -1) {
		if now == nil || before == nil {
			return false
		}
		if s == nil {
			return true
		}
		name, key := step[1], step[2]
		switch nowList, isList := now.([]any); {
		case name != "":
			next := s.Properties[name]
			s, now, before = &next, valueAt(now, name), valueAt(before, name)
		case isList || s.Items != nil:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(nowList) || s.Items == nil {
				return false
			}
			beforeList, _ := before.([]any)
			k := slices.IndexFunc(beforeList, func(item any) bool { return sameItem(s, nowList[i], item) })
			if k < 0 || *s.XListType == "set" {
				return false
			}
			s, now, before = s.Items.Schema, nowList[i], beforeList[k]
		case s.AdditionalProperties != nil:
			s, now, before = s.AdditionalProperties.Schema, valueAt(now, key), valueAt(before, key)
			if now == nil || before == nil {
				return false
			}
		}
	}
	return true
}

// steps matches a step of a path: a field, or an index or key.
var steps = regexp.MustCompile(`([^.\[]+)|\[([^\]]*)\]`)

// pairs reports whether a server pairs all items of the lists in a value with themselves.
func pairs(s *apiextensionsv1.JSONSchemaProps, v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case map[string]any:
		for name, value := range v {
			if property, ok := s.Properties[name]; ok && value != nil && !pairs(&property, value) {
				return false
			}
			if s.AdditionalProperties != nil && !pairs(s.AdditionalProperties.Schema, value) {
				return false
			}
		}
	case []any:
		for i, item := range v {
			if s.Items == nil || !pairs(s.Items.Schema, item) {
				return false
			}
			for _, key := range s.XListMapKeys {
				if valueAt(item, key) == nil {
					return false
				}
			}
			if slices.ContainsFunc(v[:i], func(other any) bool { return sameItem(s, item, other) }) {
				return false
			}
		}
	}
	return true
}

func valueAt(v any, name string) any {
	object, _ := v.(map[string]any)
	return object[name]
}

// sameItem reports whether two items of a set, or of a list with keys, are the same one.
func sameItem(s *apiextensionsv1.JSONSchemaProps, a, b any) bool {
	if s.XListType != nil && *s.XListType == "set" {
		return reflect.DeepEqual(a, b)
	}
	return s.XListType != nil && *s.XListType == "map" && !slices.ContainsFunc(s.XListMapKeys, func(key string) bool {
		return valueAt(a, key) != valueAt(b, key)
	})
}

// omits reports whether the schemas do not have the rule of an error, or a rule around it; a warning says so.
func (s *schemas) omits(e eval.Error) bool { return s.hasWarning("crd/not-projected", e) }

// hasWarning reports whether there is a warning at the tag of an error, or at one around it.
func (s *schemas) hasWarning(code string, e eval.Error) bool {
	return slices.ContainsFunc(s.found, func(d *diag.Diagnostic) bool {
		return d.Code.String() == code && d.Span.File == e.Declared.File && d.Span.Start <= e.Declared.Start && e.Declared.End <= d.Span.End
	})
}

// pathOf returns the path of an error in the form of fields.
func pathOf(e eval.Error) string {
	if e.Field == "<nil>" {
		return ""
	}
	return corpus.Paths([]string{e.Field})[0]
}

// repeatedItems returns the patterns of repeated items.
func repeatedItems(results ...*eval.Result) []string {
	var found []string
	for _, r := range results {
		if r == nil {
			continue
		}
		for _, e := range r.Errors {
			if e.Type == field.ErrorTypeDuplicate {
				found = append(found, pattern(pathOf(e)))
			}
		}
	}
	return found
}

var index = regexp.MustCompile(`\b\d+\b`)

// pattern replaces the indexes in a path.
func pattern(path string) string { return index.ReplaceAllString(path, "*") }

func enabled(options map[string]bool) []string {
	var on []string
	for _, name := range sortedKeys(options) {
		if options[name] {
			on = append(on, name)
		}
	}
	return on
}

func jsonObject(t *testing.T, text json.RawMessage) map[string]any {
	t.Helper()
	var out map[string]any
	if text == nil {
		return nil
	}
	if err := utiljson.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// unequalsFile lists intended differences between generated Go and the schema.
const unequalsFile = "agree_differences.yaml"

// unequal is an intended difference of a case. Paths have dots before indexes and keys; *
// replaces any of these, and ** any fields around one.
type unequal struct {
	Case string `json:"case"`
	// Go and Schema are the paths of errors that only Go, or only the schema, reports.
	Go     []string `json:"go,omitempty"`
	Schema []string `json:"schema,omitempty"`
	Reason string   `json:"reason"`

	used bool
}

type unequals []*unequal

func readUnequals(t *testing.T) unequals {
	t.Helper()
	text, err := os.ReadFile(unequalsFile)
	if err != nil {
		t.Fatal(err)
	}
	var list unequals
	if err := yaml.UnmarshalStrict(text, &list); err != nil {
		t.Fatalf("%s: %v", unequalsFile, err)
	}
	for _, u := range list {
		if u.Case == "" || u.Reason == "" || len(u.Go)+len(u.Schema) == 0 {
			t.Fatalf("%s: an entry lacks its case, paths or the reason", unequalsFile)
		}
	}
	return list
}

// explain removes the errors that the entry lists.
func (u *unequal) explain(errs map[string]string, patterns []string) {
	for _, pattern := range patterns {
		maps.DeleteFunc(errs, func(path, _ string) bool {
			if matches(path, pattern) {
				u.used = true
			}
			return matches(path, pattern)
		})
	}
}

func matches(path, pattern string) bool {
	if name, ok := strings.CutPrefix(pattern, "**."); ok {
		return path == name || strings.HasSuffix(path, "."+name)
	}
	return slices.EqualFunc(strings.Split(path, "."), strings.Split(pattern, "."), func(part, want string) bool { return want == "*" || part == want })
}

func (list unequals) stale(t *testing.T) {
	t.Helper()
	for _, u := range list {
		if !u.used {
			t.Errorf("%s lists a difference that does not exist: %s, Go %q, schema %q", unequalsFile, u.Case, u.Go, u.Schema)
		}
	}
}
