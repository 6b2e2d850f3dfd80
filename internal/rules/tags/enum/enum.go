// Package enum is the tag +k8s:enum.
package enum

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNoConstants = codes.New("enum/no-constants", "An enum without constants has no valid value. Declare its constants with the type: const EngineX Engine = \"X\".")
	codeOneValue    = codes.New("enum/one-value", "Two constants of an enum have the same value, so one of them is probably miswritten. To give a value a second name, declare it as the other constant: `Azure = Blue`.")
	codeUntyped     = codes.New("enum/untyped", "A constant in a block of an enum's constants has no type, so it is not a value of the enum. Write the type of the enum: `Slow Mode = \"Slow\"`.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:enum", Role: model.RoleEnum, Stability: tag.Stable, Scopes: tag.OnType, Shapes: tag.Strings,
		Summary: "The valid values of a string type are its constants.",
		Doc:     "These are all constants of the type in its package, however their values are written: as conversions, concatenations or implicit repetitions. `+k8s:enumExclude` excludes a constant.",
		Good: tag.Code(`
			// +k8s:enum
			type Engine string

			const (
				EnginePostgres Engine = "Postgres"
				EngineMySQL    Engine = "MySQL"
			)`),
		Bad: tag.Code(`
			// +k8s:enum
			type Engine string // no constants of type Engine: no value is valid`),
		ErrorType: "NotSupported",
		Codes:     codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			if len(tag.EnumValues(n.Owner)) == 0 {
				bag.Warnf(c.Span, codeNoConstants, "type %s has no constants, so no value is valid; declare them in this package as `const %sSomething %s = \"Something\"`", n.Owner.Name, n.Owner.Name, n.Owner.Name)
			}
			oneValue(n.Owner, bag)
			if p := n.Model.Package(n.Owner.Package); p != nil {
				for _, k := range p.Consts {
					if k.Among == n.Owner.Name {
						bag.Warnf(k.Span, codeUntyped, "constant %s has no type, so it is not a value of %s; write %[1]s %[2]s = %[3]q, or move it out of the block", k.Name, n.Owner.Name, k.Value)
					}
				}
			}
		},
		Lower: rules,
	}
}

// oneValue warns about constants with the same value.
func oneValue(t *model.Type, bag *diag.Bag) {
	first := map[string]*model.Const{}
	for _, k := range t.Consts {
		switch other := first[k.Value]; {
		case other == nil:
			first[k.Value] = k
		case !k.Alias && !other.Alias && !model.IsDeprecated(k.Doc) && !model.IsDeprecated(other.Doc):
			bag.Warnf(k.Span, codeOneValue, "%s has the value of %s, %q; change one of them, or write %[1]s = %[2]s", k.Name, other.Name, k.Value).
				Note(other.Span, "%s is here", other.Name)
		}
	}
}

func rules(n *tag.Node, _ *model.Tag) []rule.Rule {
	enum := &rule.Enum{Type: n.Owner.ID(), Values: tag.EnumConstants(n.Owner)}
	return []rule.Rule{{Tag: "enum", Must: enum}}
}
