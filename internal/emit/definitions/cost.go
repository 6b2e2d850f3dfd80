package definitions

import (
	"maps"
	"regexp"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/rules/schema"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// cheapen replaces rules that cost too much, in a definition and in its copy, by cheaper ones. It
// reports whether there were any.
func (b *builder) cheapen(crd, in *apiextensionsv1.CustomResourceDefinition, fam family, errs field.ErrorList) bool {
	found := false
	for _, e := range slices.Backward(errs) { // a removed rule changes the indexes of those after it
		if !complaintOf(e).cost {
			continue
		}
		version, rest := versionAt(schema.Steps(e.Field), len(fam.versions))
		path := inSchema(rest)
		at := b.schemas.Locate(fam.versions[version].typ, crd.Spec.Versions[version].Schema.OpenAPIV3Schema, path)
		rule := at.Rule()
		cheaper, ok := b.schemas.Cheaper(rule)
		if !ok {
			continue
		}
		found = true
		span := b.schemas.Span(at)
		if owner := b.schemas.InheritedFrom(span); owner == nil {
			d := b.diags.Warnf(span, codeRatcheting, "API servers apply this to every update that changes anything in the struct, and Go only to those that change which fields are set: comparing these with the old ones costs too much")
			if b.noteAround(d, at) == 0 {
				b.noteUnbounded(d, at)
			}
		}
		for _, d := range []*apiextensionsv1.CustomResourceDefinition{crd, in} {
			schema.Edit(d.Spec.Versions[version].Schema.OpenAPIV3Schema, path, func(s *props, _ []schema.Step) {
				i := slices.IndexFunc(s.XValidations, func(v apiextensionsv1.ValidationRule) bool { return v.Rule == rule })
				switch {
				case i < 0:
				case cheaper == nil:
					s.XValidations = slices.Delete(s.XValidations, i, i+1)
				default:
					s.XValidations[i] = *cheaper
				}
			})
		}
	}
	return found
}

// maxNotes is the maximum number of notes about missing bounds.
const maxNotes = 5

// noteUnbounded notes the causes of a rule's cost: enclosing lists and maps without an upper bound,
// and strings, lists and maps without one that the rule reads.
func (b *builder) noteUnbounded(d *diag.Diagnostic, at schema.Place) {
	notes := b.noteAround(d, at)
	rule := at.Rule()
	self := at
	self.Keyword, self.Rest = "", nil
	b.walk(self, func(p schema.Place) {
		if p.Field != nil && (len(p.Above) == len(at.Above) || regexp.MustCompile(`\b`+regexp.QuoteMeta(p.Field.JSON)+`\b`).MatchString(rule)) {
			notes += noteBound(d, p, notes, "the rule reads %s, which has no %s")
		}
	})
}

// noteAround notes the enclosing lists and maps without an upper bound, and returns their number.
func (b *builder) noteAround(d *diag.Diagnostic, at schema.Place) (notes int) {
	for _, p := range at.Above {
		notes += noteBound(d, p, notes, "the rule runs for each element of %s, which has no %s")
	}
	return notes
}

// noteBound notes a value without an upper bound, unless there are enough notes. It returns the
// number of new notes.
func noteBound(d *diag.Diagnostic, p schema.Place, notes int, format string) int {
	missing := missingBound(p.Schema)
	if missing == "" || p.Field == nil || notes >= maxNotes {
		return 0
	}
	if slices.ContainsFunc(p.Schema.AllOf, func(s props) bool { return missingBound(bounded(p.Schema, s)) == "" }) {
		missing += " outside of allOf, which the estimate ignores; --tight-bounds writes the strictest bound instead of allOf"
	}
	d.Note(p.Field.Span, format, p.Field.Name, missing)
	return 1
}

// walk calls f with a place and every place in it.
func (b *builder) walk(at schema.Place, f func(schema.Place)) {
	f(at)
	inner := func(path ...schema.Step) { b.walk(b.schemas.LocateFrom(at, path), f) }
	for _, name := range slices.Sorted(maps.Keys(at.Schema.Properties)) {
		inner(schema.Step{Name: "properties"}, schema.Step{Name: name, Index: true})
	}
	if at.Schema.Items != nil && at.Schema.Items.Schema != nil {
		inner(schema.Step{Name: "items"})
	}
	if at.Schema.AdditionalProperties != nil && at.Schema.AdditionalProperties.Schema != nil {
		inner(schema.Step{Name: "additionalProperties"})
	}
}

// bounded returns the type of a schema with the bounds of a part of its allOf.
func bounded(s *props, part props) *props {
	part.Type, part.AdditionalProperties = s.Type, s.AdditionalProperties
	return &part
}

// missingBound returns the missing keyword that would limit a value's size, "" for none.
func missingBound(s *props) string {
	switch {
	case s.Type == schema.Array && s.MaxItems == nil:
		return "maxItems"
	case s.Type == schema.Object && s.AdditionalProperties != nil && s.MaxProperties == nil:
		return "maxProperties"
	case s.Type == schema.String && s.MaxLength == nil && len(s.Enum) == 0 && s.Format == "":
		return "maxLength"
	}
	return ""
}
