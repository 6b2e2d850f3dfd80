package enforced

import (
	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/modeltype"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Unequal returns why Go values of a type can be equal by meaning while an API server, which sees their JSON as a type, does
// not find them equal, or the other way round; "" if that cannot be.
func Unequal(rules *rule.Programs, t *model.Ref, sees *expr.Type) string {
	c := comparison{rules: rules, seen: map[model.Name]bool{}}
	return c.of(t, sees, "self")
}

type comparison struct {
	rules *rule.Programs
	// seen are the visited structs.
	seen map[model.Name]bool
}

// of returns the reason for a value of a type at a path.
func (c *comparison) of(t *model.Ref, sees *expr.Type, path string) string {
	m := c.rules.Model
	switch {
	case sees == nil || sees.Kind == expr.UnknownKind:
		return "the JSON of " + path + " has no schema"
	case sees.ListType != "":
		return path + " is a list of type " + sees.ListType + ", whose order does not matter"
	case sees.Kind == expr.TimestampKind && (t.ID() == model.Time || t.ID() == model.MicroTime):
		return ""
	case modeltype.Known(t.ID()) != nil:
		return "API servers compare the text of " + path + ", and Go the value"
	}
	if st := m.Struct(t); st != nil {
		return c.fields(st, sees, path)
	}
	switch u := m.Underlying(t); u.Kind {
	case model.KindPointer:
		return c.of(u.Elem, sees, path)
	case model.KindSlice, model.KindArray, model.KindMap:
		if u.IsBytes() {
			return ""
		}
		return c.of(u.Elem, sees.Elem, path+"[*]")
	case model.KindBuiltin:
		return ""
	}
	return "Go does not compare the values of " + path
}

// fields returns the reason for the members of a struct.
func (c *comparison) fields(t *model.Type, sees *expr.Type, path string) string {
	if c.seen[t.ID()] {
		return ""
	}
	c.seen[t.ID()] = true
	o := c.rules.Model.Object(t)
	if len(o.Hidden) > 0 {
		return "JSON does not have " + path + "." + o.Hidden[0].Name
	}
	for _, f := range t.Fields {
		if f.Skipped {
			return "JSON does not have " + path + "." + f.Name
		}
	}
	for _, member := range o.Members {
		if reason := c.of(member.Type, c.rules.Types().Objects[sees.Name][member.Name], path+"."+member.Name); reason != "" {
			return reason
		}
	}
	return ""
}
