package schema

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/kindsmith/kindsmith/internal/diag"
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
		version, rest := versionAt(steps(e.Field), len(fam.versions))
		path := inSchema(rest)
		at := b.locate(fam.versions[version].typ, crd.Spec.Versions[version].Schema.OpenAPIV3Schema, path)
		rule := ruleText(at)
		cheaper, ok := b.cheaper[rule]
		if !ok {
			continue
		}
		found = true
		span := b.span(at)
		if owner := b.inherited[span]; owner == nil {
			d := b.diags.Warnf(span, codeRatcheting, "API servers apply this to every update that changes anything in the struct, and Go only to those that change which fields are set: comparing these with the old ones costs too much")
			if b.noteAround(d, at) == 0 {
				b.noteUnbounded(d, at)
			}
		}
		for _, d := range []*apiextensionsv1.CustomResourceDefinition{crd, in} {
			edit(d.Spec.Versions[version].Schema.OpenAPIV3Schema, path, func(s *props, _ []step) {
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
func (b *builder) noteUnbounded(d *diag.Diagnostic, at place) {
	notes := b.noteAround(d, at)
	rule := ruleText(at)
	self := at
	self.keyword, self.rest = "", nil
	b.walk(self, func(p place) {
		if p.field != nil && (len(p.above) == len(at.above) || regexp.MustCompile(`\b`+regexp.QuoteMeta(p.field.JSON)+`\b`).MatchString(rule)) {
			notes += noteBound(d, p, notes, "the rule reads %s, which has no %s")
		}
	})
}

// noteAround notes the enclosing lists and maps without an upper bound, and returns their number.
func (b *builder) noteAround(d *diag.Diagnostic, at place) (notes int) {
	for _, p := range at.above {
		notes += noteBound(d, p, notes, "the rule runs for each element of %s, which has no %s")
	}
	return notes
}

// noteBound notes a value without an upper bound, unless there are enough notes. It returns the
// number of new notes.
func noteBound(d *diag.Diagnostic, p place, notes int, format string) int {
	missing := missingBound(p.schema)
	if missing == "" || p.field == nil || notes >= maxNotes {
		return 0
	}
	if slices.ContainsFunc(p.schema.AllOf, func(s props) bool { return missingBound(bounded(p.schema, s)) == "" }) {
		missing += " outside of allOf, which the estimate ignores; --tight-bounds writes the strictest bound instead of allOf"
	}
	d.Note(p.field.Span, format, p.field.Name, missing)
	return 1
}

// walk calls f with a place and every place in it.
func (b *builder) walk(at place, f func(place)) {
	f(at)
	inner := func(path ...step) { b.walk(b.locateFrom(at, path), f) }
	for _, name := range sortedKeys(at.schema.Properties) {
		inner(step{name: "properties"}, step{name: name, index: true})
	}
	if at.schema.Items != nil && at.schema.Items.Schema != nil {
		inner(step{name: "items"})
	}
	if at.schema.AdditionalProperties != nil && at.schema.AdditionalProperties.Schema != nil {
		inner(step{name: "additionalProperties"})
	}
}

func ruleText(at place) string {
	var i int
	if len(at.rest) > 0 {
		if _, err := fmt.Sscan(at.rest[0].name, &i); err == nil && i < len(at.schema.XValidations) {
			return at.schema.XValidations[i].Rule
		}
	}
	return ""
}

// bounded returns the type of a schema with the bounds of a part of its allOf.
func bounded(s *props, part props) *props {
	part.Type, part.AdditionalProperties = s.Type, s.AdditionalProperties
	return &part
}

// missingBound returns the missing keyword that would limit a value's size, "" for none.
func missingBound(s *props) string {
	switch {
	case s.Type == typeArray && s.MaxItems == nil:
		return "maxItems"
	case s.Type == typeObject && s.AdditionalProperties != nil && s.MaxProperties == nil:
		return "maxProperties"
	case s.Type == typeString && s.MaxLength == nil && len(s.Enum) == 0 && s.Format == "":
		return "maxLength"
	}
	return ""
}
