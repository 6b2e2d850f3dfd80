package golang

import (
	"go/token"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/modeltype"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Unequal returns why Go cannot tell whether an API server, which sees JSON as a type, finds two values of a Go type equal;
// "" if it can.
func Unequal(m *model.Model, types *modeltype.Builder, t *model.Ref, sees *expr.Type) string {
	c := comparability{m: m, types: types, seen: map[model.Name]bool{}}
	return c.of(t, sees, "self")
}

type comparability struct {
	m     *model.Model
	types *modeltype.Builder
	// seen are the visited structs.
	seen map[model.Name]bool
}

// of returns the reason for a value of a type at a path.
func (c *comparability) of(t *model.Ref, sees *expr.Type, path string) string {
	u := c.m.Underlying(t)
	switch {
	case sees == nil || sees.Kind == expr.UnknownKind:
		return "the JSON of " + path + " has no schema"
	case u.Kind == model.KindPointer:
		return c.of(u.Elem, sees, path)
	case sees.ListType == "set" && (!c.m.Underlying(u.Elem).IsScalar() || sees.Elem == nil || kindOf(c.m.Underlying(u.Elem)) != sees.Elem.Kind):
		return "API servers compare only scalars in the set " + path
	case sees.ListType == "map" && keysOf(c.m, u.Elem, sees) == nil:
		return "Go does not find the items of " + path + " by their keys"
	case sees.Kind == expr.TimestampKind && isTime(t), t.ID() == model.IntOrString && sees.Kind == expr.IntOrStringKind:
		return ""
	case modeltype.Known(t.ID()) != nil:
		return "API servers compare the text of " + path + ", and Go the value"
	}
	switch u.Kind {
	case model.KindStruct:
		if st := c.m.Struct(t); st != nil {
			return c.fields(st, sees, path)
		}
	case model.KindSlice, model.KindArray, model.KindMap:
		if u.IsBytes() {
			return ""
		}
		return c.of(u.Elem, sees.Elem, path+"[*]")
	case model.KindBuiltin:
		if kindOf(u) != sees.Kind {
			return "API servers compare the " + string(sees.Kind) + " of " + path + ", and Go the text"
		}
		return ""
	}
	return "Go does not compare the values of " + path
}

// fields returns the reason for the members of a struct.
func (c *comparability) fields(t *model.Type, sees *expr.Type, path string) string {
	if c.seen[t.ID()] {
		return ""
	}
	c.seen[t.ID()] = true
	for _, member := range c.m.Object(t).Members {
		for _, in := range member.Through {
			if !token.IsExported(in.Name) {
				return "Go may not have access to " + path + "." + member.Name
			}
		}
		if reason := c.of(member.Type, c.types.Objects[sees.Name][member.Name], path+"."+member.Name); reason != "" {
			return reason
		}
	}
	return ""
}
