package schema

import (
	"fmt"
	"regexp"

	"github.com/kindsmith/kindsmith/internal/diag"
)

// maxNotes is how many places without a bound one complaint names.
const maxNotes = 5

// noteUnbounded names what makes a rule cost more than it may: lists and maps
// without an upper bound around it, for each of whose elements it is run, and
// strings, lists and maps without one that it reads.
func (b *builder) noteUnbounded(d *diag.Diagnostic, at place) {
	notes := 0
	note := func(p place, format string) {
		if missing := missingBound(p.schema); missing != "" && p.field != nil && notes < maxNotes {
			notes++
			d.Note(p.field.Span, format, p.field.Name, missing)
		}
	}
	for _, p := range at.above {
		note(p, "the rule runs for each element of %s, which has no %s")
	}
	rule := ruleText(at)
	self := at
	self.keyword, self.rest = "", nil
	b.walk(self, func(p place) {
		if p.field != nil && (len(p.above) == len(at.above) || regexp.MustCompile(`\b`+regexp.QuoteMeta(p.field.JSON)+`\b`).MatchString(rule)) {
			note(p, "the rule reads %s, which has no %s")
		}
	})
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

// missingBound returns the keyword that would bound a value's size, if it lacks it.
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
