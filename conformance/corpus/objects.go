package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	Name string `json:"-"`
	// Type is the struct type of the object; by default the first of types.go.
	Type string `json:"type,omitempty"`
	// Object is the object. Long values may use short forms; see expand.
	Object map[string]any `json:"object"`
	// Each has values of one field instead: an object for each of them, whose names get
	// numbers from 1.
	Each map[string][]any `json:"each,omitempty"`
	// Old makes it an update. InvalidOld does so with an old object that breaks rules
	// itself, to test ratcheting.
	Old        map[string]any `json:"old,omitempty"`
	InvalidOld map[string]any `json:"invalidOld,omitempty"`
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

// IsUpdate reports whether the object has an old object.
func (o *Object) IsUpdate() bool { return o.Old != nil }

// parseObjects reads a YAML map from names to objects, in order.
func parseObjects(text []byte) ([]*Object, error) {
	var objects []*Object
	seen := map[string]bool{}
	for _, entry := range entries(text) {
		list, err := parseEntry(entry)
		if err != nil {
			return nil, fmt.Errorf("%w\n%s", err, entry)
		}
		for _, o := range list {
			if err := o.check(); err != nil {
				return nil, err
			}
			if seen[o.Name] {
				return nil, fmt.Errorf("duplicate object name: %s", o.Name)
			}
			seen[o.Name] = true
			objects = append(objects, o)
		}
	}
	return objects, nil
}

// entries splits a YAML map: an entry begins with a line that is not indented.
func entries(text []byte) [][]byte {
	var list [][]byte
	var entry []byte
	for line := range bytes.Lines(text) {
		if !bytes.ContainsAny(line[:1], " #\n") && len(entry) > 0 {
			list, entry = append(list, entry), nil
		}
		entry = append(entry, line...)
	}
	return append(list, entry)
}

// parseEntry reads one entry of the map.
func parseEntry(entry []byte) ([]*Object, error) {
	text, err := yaml.YAMLToJSONStrict(entry)
	if err != nil {
		return nil, err
	}
	var named map[string]*Object
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&named); err != nil {
		return nil, err
	}
	// Decode again: integers in values must stay exact.
	var exact map[string]map[string]any
	decoder = json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&exact); err != nil {
		return nil, err
	}
	for name, o := range named {
		if o == nil {
			return nil, fmt.Errorf("%s is empty", name)
		}
		o.Name = name
		return o.fill(exact[name])
	}
	return nil, nil // nothing but a comment
}

// fill sets the values of an object, and returns the objects that it is.
func (o *Object) fill(values map[string]any) ([]*Object, error) {
	var err error
	if values["invalidOld"] != nil {
		values["old"] = values["invalidOld"]
	}
	if values["old"] != nil {
		if o.Old, err = object(values["old"]); err != nil {
			return nil, err
		}
	}
	each, _ := values["each"].(map[string]any)
	if each == nil {
		o.Object, err = object(values["object"])
		return []*Object{o}, err
	}
	var all []*Object
	for field, list := range each {
		list, _ := list.([]any)
		for i, v := range list {
			one := *o
			one.Name = fmt.Sprintf("%s %d", o.Name, i+1)
			if one.Object, err = object(map[string]any{field: v}); err != nil {
				return nil, err
			}
			all = append(all, &one)
		}
	}
	if len(each) != 1 || len(all) == 0 || o.Object != nil {
		return nil, fmt.Errorf("%s: each takes values of one field, and there is no object beside it", o.Name)
	}
	return all, nil
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
	}
	for _, e := range o.Errors {
		if e.Type == "" || e.Field == "" {
			return fmt.Errorf("%s has an error without type or field", o.Name)
		}
	}
	return nil
}
