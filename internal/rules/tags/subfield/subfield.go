// Package subfield is the tag +k8s:subfield.
package subfield

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNoField   = codes.New("subfield/no-field", "Neither the struct nor its inlined structs have a field with this JSON name.")
	codeForbidden = codes.New("subfield/forbidden", "The declaration of the struct forbids the field, so the tag has no effect. Remove the tag, or add `+k8s:opaqueType`.")
	codeInlined   = codes.New("subfield/inlined", "The tag relates fields of the struct itself, but the field is in an inlined struct. Add the tag to the declaration of the inlined struct.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:subfield", Role: model.RoleSubfield, Stability: tag.Stable, Scopes: tag.Anywhere &^ tag.OnKey, Shapes: tag.Structs,
		Args:       []tag.Arg{{Kinds: []model.ValueKind{model.StringValue, model.IdentValue}, Required: true, Refers: tag.ValueField, Doc: "the JSON name of a field of the struct"}},
		Payload:    tag.Payload{Tag: true, Applies: model.AtField, Doc: "the tag for the field"},
		Repeatable: true,
		Summary:    "A tag applies to a field of the struct, only for this use of the struct.",
		Doc: "The field may be in an inlined struct. Tags can be nested: `+k8s:subfield(spec)=+k8s:subfield(replicas)=+k8s:minimum=1`. " +
			"The tags in the declaration of the struct apply too (unless `+k8s:opaqueType` disables them), and apply first: if they find an optional field unset or a required field missing, this tag does not apply.\n\n" +
			"Tags that relate fields (`+k8s:unionMember`, `+k8s:dependentRequired`, `+k8s:ifMode`) relate fields of the struct.",
		Good: tag.Code(`
			// +k8s:subfield(name)=+k8s:format=k8s-short-name
			metav1.ObjectMeta \'json:"metadata,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:subfield(Name)=+k8s:format=k8s-short-name
			metav1.ObjectMeta \'json:"metadata,omitempty"\' // write the JSON name: name`),
		Codes: codes.All(),
		Check: check,
		Lower: rules,
	}
}

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	inner := n.Inner(c)
	switch {
	case inner == nil:
		tag.ReportNoField(codeNoField, n.Model.Struct(n.Value()), c.Arg(""), bag)
	case forbidden(declared(n, inner)):
		bag.Warnf(c.Span, codeForbidden, "%s forbids field %s, so %s has no effect; remove it, or add +k8s:opaqueType here", inner.Owner.Name, inner.Field.Name, c.Inner.Describe())
	case len(inner.Through) > 0 && relates(inner, c.Inner):
		bag.Errorf(c.Span, codeInlined, "field %s is in the inlined %s, but only fields of the struct itself can be related; add the tag in %s", inner.Field.Name, inner.Owner.Name, inner.Owner.Name)
	}
}

// relates reports whether a tag relates fields of the enclosing struct.
func relates(inner *tag.Node, c *model.Tag) bool {
	return slices.ContainsFunc(tag.Rules(inner, c), func(r rule.Rule) bool { return r.Around })
}

// rules returns the subfield's own rules, and the rules that relate fields as rules of the struct.
func rules(n *tag.Node, c *model.Tag) []rule.Rule {
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

// declared returns the tags on the field's declaration that stop its rules, unless the node is
// opaque.
func declared(n, inner *tag.Node) []rule.Rule {
	for at := n; at != nil; at = at.Parent {
		if model.HasBare(at.AllTags(), model.RoleOpaque) {
			return nil
		}
	}
	own := tag.FieldNode(n.Model, n.Tags, inner.Owner, inner.Field)
	var found []rule.Rule
	for _, c := range inner.Field.Tags {
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
