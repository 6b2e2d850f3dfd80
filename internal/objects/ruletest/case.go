package ruletest

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
)

// defaultName is the name of objects that have none.
const defaultName = "test"

// readCase reads one case. It reports cases with mistakes and omits them.
func (r *reader) readCase(value any, at *manifest.Node, base *manifest.Object) {
	errors := r.bag.Errors()
	c := &Case{file: r.file, name: at.Place().Span}
	now, before := builder{r: r, base: base}, builder{r: r, base: base}
	var isUpdate, hasExpect bool
	entries := []entry{{"name", func(value any, place *manifest.Node) {
		c.name = place.Place().Span
		r.text(&c.Name, "a name")(value, place)
	}}}
	entries = append(entries, now.entries()...)
	entries = append(entries,
		entry{"old", func(value any, place *manifest.Node) {
			isUpdate = true
			// The old object starts from the base of the case.
			before.base = now.base
			r.fields(value, place, "old", before.entries())
		}},
		entry{"options", func(value any, place *manifest.Node) { c.Options = r.options(value, place) }},
		entry{"expect", func(value any, place *manifest.Node) {
			hasExpect = true
			c.Expect = r.expect(value, place)
		}},
	)
	r.fields(value, at, "a case", entries)
	if _, ok := value.(map[string]any); !ok {
		return
	}
	if first, ok := r.named[c.Name]; ok && c.Name != "" {
		r.bag.Errorf(c.name, codeMalformed, "two cases are named %q", c.Name).Note(first, "the other case")
	}
	r.named[c.Name] = c.name
	for _, missing := range []struct {
		is   bool
		name string
	}{{c.Name == "", "name"}, {!hasExpect, "expect"}} {
		if missing.is && at.Field(missing.name) == nil {
			r.malformed(at, "the case has no %s", missing.name).RestsOn(complete(at))
		}
	}
	c.Object = now.build(at)
	if isUpdate {
		c.Old = before.build(at.Field("old"))
	}
	c.changes, c.inline = now.changes, now.inline
	if r.bag.Errors() == errors && c.Object != nil {
		r.cases = append(r.cases, c)
	}
}

// builder builds the object of a case.
type builder struct {
	r       *reader
	base    *manifest.Object
	inline  *manifest.Node
	steps   []step
	changes []change
}

// step is one change of the base, with its position.
type step struct {
	at *manifest.Node
	do func(object any) (any, error)
}

// entries are the fields of a case that define its object.
func (b *builder) entries() []entry {
	return []entry{
		{"base", func(value any, at *manifest.Node) { b.base = b.r.base(value, at) }},
		{"object", func(value any, at *manifest.Node) {
			b.inline = at
			b.base = b.r.object(value, at)
		}},
		{"patch", func(value any, at *manifest.Node) {
			if _, ok := value.(map[string]any); !ok {
				b.r.malformed(at, "patch must be a mapping: a JSON merge patch")
				return
			}
			b.record("", value, at)
			b.step(at, func(object any) (any, error) { return merge(object, runtime.DeepCopyJSONValue(value)), nil })
		}},
		{"set", func(value any, at *manifest.Node) {
			changes, ok := value.(map[string]any)
			if !ok {
				b.r.malformed(at, "set must be a mapping of paths to values")
				return
			}
			for _, path := range at.Names() {
				place := at.Field(path)
				segments, err := parsePath(path)
				if err != nil {
					b.r.bag.Errorf(place.Key(), codeMalformed, "%v", err)
					continue
				}
				b.changes = append(b.changes, change{canonical(path), place.Place().Span})
				b.step(place, func(object any) (any, error) {
					return set(object, segments, runtime.DeepCopyJSONValue(changes[path]))
				})
			}
		}},
		{"unset", func(value any, at *manifest.Node) {
			paths, ok := value.([]any)
			if !ok {
				b.r.malformed(at, "unset must be a list of paths")
				return
			}
			for i, path := range paths {
				place := at.Item(i)
				text, _ := path.(string)
				segments, err := parsePath(text)
				if err != nil {
					b.r.malformed(place, "%v", err)
					continue
				}
				b.changes = append(b.changes, change{canonical(text), place.Place().Span})
				b.step(place, func(object any) (any, error) { return unset(object, segments) })
			}
		}},
	}
}

func (b *builder) step(at *manifest.Node, do func(any) (any, error)) {
	b.steps = append(b.steps, step{at, do})
}

// record stores the positions of the values that a patch sets.
func (b *builder) record(path string, value any, at *manifest.Node) {
	object, ok := value.(map[string]any)
	if !ok {
		b.changes = append(b.changes, change{path, at.Place().Span})
		return
	}
	for name, inner := range object {
		full := name
		if path != "" {
			full = path + "." + name
		}
		b.record(full, inner, at.Field(name))
	}
}

// build builds the object: the base, then patch, set and unset, each in source order.
func (b *builder) build(at *manifest.Node) *manifest.Object {
	if b.base == nil {
		if !b.r.bag.HasErrors() {
			b.r.malformed(at, "the case has no object; write object or base, or a base for all cases of the file")
		}
		return nil
	}
	var value any = runtime.DeepCopyJSON(b.base.Value)
	for _, step := range b.steps {
		changed, err := step.do(value)
		if err != nil {
			b.r.bag.Errorf(step.at.Key(), codeMalformed, "%v", err)
			return nil
		}
		value = changed
	}
	object, ok := value.(map[string]any)
	if !ok {
		b.r.malformed(at, "the changes leave no object")
		return nil
	}
	built := &manifest.Object{Value: object, Kind: b.base.Kind}
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	if gv, err := schema.ParseGroupVersion(apiVersion); err == nil {
		built.Kind = gv.WithKind(kind)
	}
	nameObject(object)
	return built
}

// nameObject sets the name of an object without one, so that cases need only a spec.
func nameObject(object map[string]any) {
	metadata, ok := object["metadata"].(map[string]any)
	if object["metadata"] == nil {
		metadata, ok = map[string]any{}, true
		object["metadata"] = metadata
	}
	if ok && metadata["name"] == nil && metadata["generateName"] == nil {
		metadata["name"] = defaultName
	}
}

// errorTypes are the types of errors by their names in cases.
var errorTypes = map[string]field.ErrorType{
	"Required": field.ErrorTypeRequired, "Invalid": field.ErrorTypeInvalid, "Duplicate": field.ErrorTypeDuplicate,
	"NotSupported": field.ErrorTypeNotSupported, "Forbidden": field.ErrorTypeForbidden, "TooLong": field.ErrorTypeTooLong,
	"TooMany": field.ErrorTypeTooMany, "TooShort": field.ErrorTypeTooShort, "TooFew": field.ErrorTypeTooFew, "TypeInvalid": field.ErrorTypeTypeInvalid, "NotFound": field.ErrorTypeNotFound,
	"InternalError": field.ErrorTypeInternal,
}

// options reads the options of a case: a list of those that are enabled, or a mapping that says it of each.
func (r *reader) options(value any, at *manifest.Node) map[string]bool {
	options := map[string]bool{}
	switch value := value.(type) {
	case []any:
		for i, name := range value {
			var text string
			r.text(&text, "an option")(name, at.Item(i))
			options[text] = true
		}
	case map[string]any:
		for name, enabled := range value {
			on, ok := enabled.(bool)
			if !ok {
				r.malformed(at.Field(name), "the option %s must be true or false", name)
			}
			options[name] = on
		}
	default:
		r.malformed(at, "options must be a list of enabled options, or a mapping of options to true and false")
	}
	return options
}

// expect reads the expected errors: the word valid, or a list.
func (r *reader) expect(value any, at *manifest.Node) []Expected {
	if value == "valid" {
		return nil
	}
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		r.malformed(at, "expect must be valid or a list of errors")
		return nil
	}
	var expected []Expected
	for i, value := range list {
		expected = append(expected, r.expected(value, at.Item(i)))
	}
	return expected
}

// expected reads one error: its path, "path: part of the message", or a mapping.
func (r *reader) expected(value any, at *manifest.Node) Expected {
	e := Expected{span: at.Place().Span}
	var path, errorType string
	entries := []entry{
		{"path", r.path(&path)},
		{"type", r.text(&errorType, "a type")},
		{"message", r.text(&e.Message, "a message")},
		{"engine", r.text(&e.Engine, "an engine")},
	}
	object, isObject := value.(map[string]any)
	short := len(object) == 1 && !slices.ContainsFunc(entries, func(e entry) bool { return e.name == at.Names()[0] })
	switch {
	case short:
		path = at.Names()[0]
		e.span = at.LocateKey(path)
		r.text(&e.Message, "a message")(object[path], at.Field(path))
	case isObject:
		r.fields(value, at, "an expected error", entries)
		if at.Field("path") == nil {
			r.malformed(at, "an expected error must have a path; the path of the object itself is empty")
		} else {
			e.span = at.Field("path").Place().Span
		}
	default:
		r.text(&path, "an expected error")(value, at)
	}
	if errorType != "" {
		known, ok := errorTypes[strings.TrimPrefix(errorType, "FieldValue")]
		if !ok {
			r.malformed(at.Field("type"), "%v", spell.Unknown("type", errorType, sortedTypes()))
		}
		e.Type = known
	}
	if known := []string{verdict.Schema, verdict.Types, verdict.Go}; e.Engine != "" && !slices.Contains(known, e.Engine) {
		r.malformed(at.Field("engine"), "unknown engine %q; the engines are: %s", e.Engine, strings.Join(known, ", "))
	}
	e.Path = canonical(path)
	return e
}

// path reads a path, which may be empty.
func (r *reader) path(into *string) func(value any, at *manifest.Node) {
	return func(value any, at *manifest.Node) {
		text, ok := value.(string)
		if !ok {
			r.malformed(at, "a path must be a string")
		}
		*into = text
	}
}

func sortedTypes() []string {
	var list []string
	for name := range errorTypes {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}
