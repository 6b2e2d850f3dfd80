// Package enum is the tag +k8s:enum.
package enum

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeNoConstants = codes.New("enum/no-constants", "An enum without constants has no valid value. Declare its constants with the type: const EngineX Engine = \"X\".")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:enum", Stability: tag.Stable, Scopes: tag.OnType, Shapes: tag.Strings,
		Summary:   "Values of the string type are the constants that are declared of it.",
		Doc:       "Constants count wherever in the type's package they are declared, and however their values are written: by conversion, concatenation or repetition. `+k8s:enumExclude` leaves one out.",
		Good:      "// +k8s:enum\ntype Engine string\n\nconst (\n\tEnginePostgres Engine = \"Postgres\"\n\tEngineMySQL    Engine = \"MySQL\"\n)",
		Bad:       "// +k8s:enum\ntype Engine string // no constants of type Engine: no value would be valid",
		ErrorType: "NotSupported",
		Codes:     codes.All(),
		Check: func(n *tag.Node, c *model.Constraint, bag *diag.Bag) {
			if len(tag.EnumValues(n.Owner)) == 0 {
				bag.Warnf(c.Span, codeNoConstants, "type %s has no constants, so no value would be valid; declare them in this package as `const %sSomething %s = \"Something\"`", n.Owner.Name, n.Owner.Name, n.Owner.Name)
			}
		},
		Judge:  judge,
		Go:     tag.GoRules(rules),
		Schema: tag.SchemaRules(schema),
	}
}

func rules(n *tag.Node, _ *model.Constraint) []tag.Rule {
	values := tag.EnumValues(n.Owner)
	slices.SortFunc(values, func(a, b *model.Const) int { return cmp.Compare(a.Value, b.Value) })
	exclusions := tag.EnumExclusions(n.Owner)
	return []tag.Rule{{Tag: "enum", Check: func(e *tag.Exprs) string {
		typ := e.File.Ident(n.Owner.Package, n.Owner.Name)
		names := make([]string, len(values))
		for i, c := range values {
			names[i] = spelled(e, n.Owner, c)
		}
		supported := e.Declare("supported"+n.Owner.Name, "[]"+typ+"{"+strings.Join(names, ", ")+"}")
		if len(exclusions) == 0 {
			return e.Call("Enum", e.Value, supported)
		}
		lines := make([]string, len(exclusions))
		for i, x := range exclusions {
			lines[i] = fmt.Sprintf("{Value: %s, Option: %q, ExcludeWhen: %v},\n", spelled(e, n.Owner, x.Const), x.Option, x.When)
		}
		excluded := e.Declare("excluded"+n.Owner.Name, "[]"+e.Validate("EnumExclusion")+"["+typ+"]{\n"+strings.Join(lines, "")+"}")
		return e.Call("EnumExcept", e.Value, supported, excluded)
	}}}
}

// spelled names the constant where the generated file can, else its value.
func spelled(e *tag.Exprs, t *model.Type, c *model.Const) string {
	if t.Package == e.Package || c.Name[0] >= 'A' && c.Name[0] <= 'Z' {
		return e.File.Ident(t.Package, c.Name)
	}
	return tag.Quote(c.Value)
}

func schema(n *tag.Node, _ *model.Constraint, s *tag.Schema) {
	if len(s.Props.Enum) > 0 {
		return // the author's own list wins
	}
	if len(tag.EnumValues(n.Owner)) == 0 {
		s.Rule(tag.CELRule("false", "no value of "+n.Owner.Name+" is valid: the type has no constants", tag.ReasonInvalid, ""))
		return
	}
	excluded := map[*model.Const]bool{}
	for _, x := range tag.EnumExclusions(n.Owner) {
		if slices.Contains(s.Projection.Options, x.Option) == x.When {
			excluded[x.Const] = true
		}
	}
	for _, c := range tag.EnumValues(n.Owner) {
		if excluded[c] {
			continue
		}
		raw, err := json.Marshal(c.Value)
		if err == nil {
			s.Props.Enum = append(s.Props.Enum, apiextensionsv1.JSON{Raw: raw})
		}
	}
}
