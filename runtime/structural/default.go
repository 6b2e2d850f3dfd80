package structural

import "k8s.io/apimachinery/pkg/runtime"

// Default removes nulls and sets defaults: DropNulls and SetDefaults in one pass. A null without a
// default is
//
//   - removed if it is the value of a property or of additionalProperties,
//   - kept if it is an item of a list, where validation rejects it,
//   - kept if the schema is nullable, or if it has no schema.
//
// A null with a default is replaced by it, unless the schema is nullable. The default of a missing
// object is set first, then the defaults of the properties that it omits. The value itself is never
// replaced: servers reject null as an object, whatever the default.
func (s *Schema) Default(value any) { s.walk(value, changes{drop: true, set: true}) }

// DropNulls removes the nulls that have no default. Nulls in lists are kept.
func (s *Schema) DropNulls(value any) { s.walk(value, changes{drop: true}) }

// OmitNulls removes the nulls that the schema does not allow, also those with a default. Nulls in
// lists are kept. In a configuration that is applied, such a null is a field that is not applied.
func (s *Schema) OmitNulls(value any) { s.walk(value, changes{drop: true, dropDefaulted: true}) }

// SetDefaults sets the defaults of missing properties and of nulls.
func (s *Schema) SetDefaults(value any) { s.walk(value, changes{set: true}) }

// changes are those that a walk makes: it drops nulls without and with a default, and sets defaults.
type changes struct{ drop, dropDefaulted, set bool }

func (s *Schema) walk(value any, do changes) {
	if s == nil {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			c := s.child(key)
			switch {
			case !c.rejects(v):
				c.walk(v, do)
			case c.def == nil && do.drop, c.def != nil && do.dropDefaulted:
				delete(value, key)
			case c.def != nil && do.set:
				value[key] = c.defaults()
			}
		}
		if !do.set {
			return
		}
		for _, p := range s.defaulted {
			if _, ok := value[p.name]; !ok {
				value[p.name] = p.schema.defaults()
			}
		}
	case []any:
		for i, v := range value {
			switch {
			case !s.items.rejects(v):
				s.items.walk(v, do)
			case do.set && s.items.def != nil:
				value[i] = s.items.defaults()
			}
		}
	}
}

// rejects reports whether a value is a null that the schema does not allow.
func (s *Schema) rejects(value any) bool { return value == nil && s != nil && !s.nullable }

// defaults returns a new copy of the schema's default, completed by the defaults of the properties
// that it omits. Nulls in it are kept: a server refuses schemas with such defaults.
func (s *Schema) defaults() any {
	v := runtime.DeepCopyJSONValue(s.def)
	s.walk(v, changes{set: true})
	return v
}
