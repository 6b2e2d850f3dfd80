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
func (s *Schema) Default(value any) { s.walk(value, true, true) }

// DropNulls removes the nulls that have no default. Nulls in lists are kept.
func (s *Schema) DropNulls(value any) { s.walk(value, true, false) }

// SetDefaults sets the defaults of missing properties and of nulls.
func (s *Schema) SetDefaults(value any) { s.walk(value, false, true) }

func (s *Schema) walk(value any, drop, set bool) {
	if s == nil {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			c := s.child(key)
			switch {
			case !c.rejects(v):
				c.walk(v, drop, set)
			case c.def == nil:
				if drop {
					delete(value, key)
				}
			case set:
				value[key] = c.defaults()
			}
		}
		if !set {
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
				s.items.walk(v, drop, set)
			case set && s.items.def != nil:
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
	s.walk(v, false, true)
	return v
}
