package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// Kind is the aspect of a rule that an object tests. It is the first part of the
// object's name.
type Kind string

// The kinds. Every tag has objects of each kind, or a reason why not.
const (
	Valid    Kind = "valid"    // the rule accepts the object
	Invalid  Kind = "invalid"  // the rule rejects it
	Boundary Kind = "boundary" // on either side of a boundary of the rule
	Update   Kind = "update"   // has an old object
	Nested   Kind = "nested"   // the rule is below a list, map, pointer, embedded struct or typedef
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Valid, Invalid, Boundary, Update, Nested} }

// Object is an object, or an old and a new object, and the expected errors.
type Object struct {
	// Name is kind/what: "boundary/63 characters".
	Name string `json:"name"`
	// Type is the struct type of the object; by default the first of types.go.
	Type string `json:"type,omitempty"`
	// Object is the object. Long values may use short forms; see expand.
	Object map[string]any `json:"object"`
	// Old makes it an update. OldInvalid means that the old object breaks rules itself,
	// to test ratcheting.
	Old        map[string]any `json:"old,omitempty"`
	OldInvalid bool           `json:"oldInvalid,omitempty"`
	// Subresource is the path of the request, such as /status, by which a scheme looks
	// up the validator. "/" is the object itself; without a path the test calls the
	// validator directly.
	Subresource string `json:"subresource,omitempty"`
	// Options are the options of the operation, by name.
	Options map[string]bool `json:"options,omitempty"`
	// Errors are the expected errors, in order; none if the object is valid.
	Errors []Error `json:"errors,omitempty"`
}

// Error identifies one validation error.
type Error struct {
	// Type is the name of the field package's function: Invalid, TooLong.
	Type string `json:"type"`
	// Field is the path from the object on; "." is the object itself.
	Field string `json:"field"`
	// Origin is the rule of the error; empty for rules without an origin.
	Origin string `json:"origin,omitempty"`
	// Level is the level of an alpha or beta rule; otherwise empty.
	Level string `json:"level,omitempty"`
	// Short, if set, is whether the error has the short-circuit mark.
	Short *bool `json:"short,omitempty"`
	// Detail, if set, is a part of the error's message.
	Detail string `json:"detail,omitempty"`
}

// String formats an error on one line.
func (e Error) String() string {
	s := e.Type + " at " + e.Field
	if e.Origin != "" {
		s += " (" + e.Origin + ")"
	}
	if e.Level != "" {
		s += " [" + e.Level + "]"
	}
	if e.Short != nil {
		s += map[bool]string{true: ", and stops", false: ", and goes on"}[*e.Short]
	}
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

// Kind returns the kind at the beginning of the object's name.
func (o *Object) Kind() Kind {
	kind, _, _ := strings.Cut(o.Name, "/")
	return Kind(kind)
}

// Enabled returns the enabled options, sorted.
func (o *Object) Enabled() []string {
	var on []string
	for _, name := range slices.Sorted(maps.Keys(o.Options)) {
		if o.Options[name] {
			on = append(on, name)
		}
	}
	return on
}

// IsUpdate reports whether the object has an old object.
func (o *Object) IsUpdate() bool { return o.Old != nil }

func parseObjects(text []byte) ([]*Object, error) {
	var objects []*Object
	seen := map[string]bool{}
	for i, doc := range documents(text) {
		o, err := parseObject(doc)
		if err == nil {
			err = o.check()
		}
		if err == nil && seen[o.Name] {
			err = fmt.Errorf("duplicate object name: %s", o.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("object %d: %w\n%s", i+1, err, doc)
		}
		seen[o.Name] = true
		objects = append(objects, o)
	}
	return objects, nil
}

// documents splits a stream of YAML documents and skips those with only comments.
func documents(text []byte) [][]byte {
	var docs [][]byte
	for _, doc := range bytes.Split(append([]byte("\n"), text...), []byte("\n---\n")) {
		if v, err := yaml.YAMLToJSON(doc); err != nil || string(v) != "null" {
			docs = append(docs, doc)
		}
	}
	return docs
}

func parseObject(doc []byte) (*Object, error) {
	text, err := yaml.YAMLToJSONStrict(doc)
	if err != nil {
		return nil, err
	}
	o := &Object{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(o); err != nil {
		return nil, err
	}
	// Decode again: integers in values must stay exact.
	var values map[string]any
	decoder = json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&values); err != nil {
		return nil, err
	}
	if o.Object, err = object(values["object"]); err != nil {
		return nil, err
	}
	if values["old"] != nil {
		o.Old, err = object(values["old"])
	}
	return o, err
}

func object(v any) (map[string]any, error) {
	v, err := expand(numbers(v))
	if err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("an object is a map, not %v", v)
	}
	return m, nil
}

// numbers converts the numbers of a decoded value to Go's: int64, uint64 if that is too
// small, else float64. It changes maps and lists in place.
func numbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case json.Number:
		if i, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return i
		}
		if u, err := strconv.ParseUint(v.String(), 10, 64); err == nil {
			return u
		}
		f, err := v.Float64()
		if err != nil {
			return v.String()
		}
		return f
	}
	return v
}

// check checks that an object fits its kind.
func (o *Object) check() error {
	switch kind := o.Kind(); {
	case !slices.Contains(Kinds(), kind) || !strings.Contains(o.Name, "/"):
		return fmt.Errorf("the name %q does not begin with a kind: %v", o.Name, Kinds())
	case kind == Valid && len(o.Errors) > 0:
		return fmt.Errorf("%s has errors", o.Name)
	case kind == Invalid && len(o.Errors) == 0:
		return fmt.Errorf("%s has no errors", o.Name)
	case kind == Update && !o.IsUpdate():
		return fmt.Errorf("%s has no old object", o.Name)
	case o.OldInvalid && !o.IsUpdate():
		return fmt.Errorf("%s sets oldInvalid, but has no old object", o.Name)
	}
	for _, e := range o.Errors {
		if e.Type == "" || e.Field == "" {
			return fmt.Errorf("%s has an error without type or field", o.Name)
		}
	}
	return nil
}
