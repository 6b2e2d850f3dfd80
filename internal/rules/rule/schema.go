package rule

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/expr"
)

// Schema is what markers of other tools set in the published schema of a value, as far as it decides
// how CEL rules see the value.
type Schema struct {
	// Type and Format are those of JSON schemas, "" for those of the Go type.
	Type   string `json:"type,omitempty"`
	Format string `json:"format,omitempty"`
	// Hidden is set if the schema does not describe the value.
	Hidden bool `json:"hidden,omitempty"`
	// Items is the same of the items of a list; nil for those of the Go type.
	Items *Schema `json:"items,omitempty"`
}

// jsonTypes are the types in JSON schemas of what rules see.
var jsonTypes = map[expr.Kind]string{
	expr.BoolKind: "boolean", expr.IntKind: "integer", expr.DoubleKind: "number",
	expr.StringKind: "string", expr.BytesKind: "string", expr.TimestampKind: "string",
	expr.ListKind: "array", expr.MapKind: "object", expr.ObjectKind: "object",
}

// parsed are the formats of strings that API servers parse for rules.
var parsed = []string{"byte", "date", "date-time", "duration"}

// apply changes the type that rules see of the Go type.
func (s *Schema) apply(t *expr.Type) {
	if s == nil || t.Kind == expr.UnknownKind {
		return
	}
	switch {
	case s.Hidden, s.Type != "" && s.Type != jsonTypes[t.Kind], s.Items != nil && t.Kind != expr.ListKind:
		*t = expr.Type{Kind: expr.UnknownKind, Why: "a marker gives the value a schema that differs from its Go type"}
	case t.Kind == expr.StringKind && slices.Contains(parsed, s.Format):
		*t = expr.Type{Kind: expr.UnknownKind, Why: "rules see the format " + s.Format + " as a value that Go does not have"}
	case s.Items != nil:
		items := *t.Elem
		s.Items.apply(&items)
		t.Elem = &items
	}
}
