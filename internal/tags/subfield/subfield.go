// Package subfield is the tag +k8s:subfield.
package subfield

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeNoField   = codes.New("subfield/no-field", "The struct has no field of that JSON name, of its own or of a struct that is inlined in it.")
	codeForbidden = codes.New("subfield/forbidden", "The struct's own declaration forbids the field, so a tag for it says nothing. Drop the tag, or make the place +k8s:opaqueType.")
	codeInlined   = codes.New("subfield/inlined", "A relation between fields can be said of the struct's own fields only. Say it where the inlined struct is declared.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:subfield", Role: model.RoleSubfield, Stability: tag.Stable, Scopes: tag.Anywhere &^ tag.OnKey, Shapes: tag.Structs,
		Args:       []tag.Arg{{Kinds: []model.ValueKind{model.StringValue, model.IdentValue}, Required: true, Refers: tag.ValueField, Doc: "the JSON name of a field of the struct"}},
		Payload:    tag.Payload{Tag: true, Applies: model.AtField, Doc: "the tag that holds for the field"},
		Repeatable: true,
		Summary:    "A tag that holds for a field of the struct, only where the struct is used here.",
		Doc: "The field may be one of an inlined struct. Tags nest to any depth: `+k8s:subfield(spec)=+k8s:subfield(replicas)=+k8s:minimum=1`. " +
			"What the struct's own declaration says of the field still holds (unless the place is `+k8s:opaqueType`), and comes first: where it finds an optional field unset, or a required one missing, these tags are not looked at.\n\n" +
			"Tags about the relation of fields (`+k8s:unionMember`, `+k8s:dependentRequired`, `+k8s:ifMode`) relate fields of the struct.",
		Good:  "// +k8s:subfield(name)=+k8s:format=k8s-short-name\nmetav1.ObjectMeta `json:\"metadata,omitempty\"`",
		Bad:   "// +k8s:subfield(Name)=+k8s:format=k8s-short-name\nmetav1.ObjectMeta `json:\"metadata,omitempty\"` // the name is the JSON name, name",
		Codes: codes.All(),
		Check: check,
		Lower: rules,
	}
}

func check(n *tag.Node, c *model.Constraint, bag *diag.Bag) {
	inner := n.Inner(c)
	switch {
	case inner == nil:
		tag.ReportNoField(codeNoField, n.Model.Struct(n.Value()), c.Arg(""), bag)
	case forbidden(declared(n, inner)):
		bag.Warnf(c.Span, codeForbidden, "%s forbids field %s, so %s says nothing; drop it, or add +k8s:opaqueType here", inner.Owner.Name, inner.Field.Name, c.Inner.Describe())
	case len(inner.Through) > 0 && relates(inner, c.Inner):
		bag.Errorf(c.Span, codeInlined, "field %s is one of the inlined %s, and only a struct's own fields can be related; say so in %s", inner.Field.Name, inner.Owner.Name, inner.Owner.Name)
	}
}

// relates reports whether a tag has rules about the struct around a field.
func relates(inner *tag.Node, c *model.Constraint) bool {
	return slices.ContainsFunc(tag.Rules(inner, c), func(r rule.Rule) bool { return r.Around })
}

// rules returns the field's rules for a part of the struct, and those about the
// struct for the struct itself.
func rules(n *tag.Node, c *model.Constraint) []rule.Rule {
	inner := n.Inner(c)
	if inner == nil {
		return nil
	}
	before := declared(n, inner)
	if forbidden(before) {
		return nil
	}
	own, out := tag.Lifted(tag.Rules(inner, c.Inner))
	if len(own) > 0 {
		part := &rule.Part{Field: inner.Path(), Place: inner.Place(), Rules: own, Unless: before}
		out = append(out, rule.Rule{Tag: "subfield", Cohort: inner.Field.JSON, Must: part})
	}
	return out
}

// declared returns what stops the rules of the field where it is declared, unless
// the place is opaque.
func declared(n, inner *tag.Node) []rule.Rule {
	for at := n; at != nil; at = at.Parent {
		if model.Says(at.AllConstraints(), model.RoleOpaque) {
			return nil
		}
	}
	own := tag.FieldNode(n.Model, n.Tags, inner.Owner, inner.Field)
	var found []rule.Rule
	for _, c := range inner.Field.Constraints {
		found = append(found, tag.Rules(own, c)...)
	}
	return rule.Silently(found)
}

func forbidden(rules []rule.Rule) bool {
	return slices.ContainsFunc(rules, func(r rule.Rule) bool {
		_, is := r.Must.(*rule.Forbidden)
		return is && r.Tag == "forbidden" && len(r.Under) == 0
	})
}
