package diag

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Fact is something that diagnostics conclude from: the meaning of a text, or another property of the API that stages read,
// such as the versions of a package. Facts are comparable.
type Fact struct {
	what, of string
	text     source.Span
}

// Meaning is the fact that a text means what it says. Every diagnostic rests on the text of its span.
func Meaning(span source.Span) Fact { return Fact{text: span} }

// About is any other fact, such as About("versions", "example.com/api/v1").
func About(what, of string) Fact { return Fact{what: what, of: of} }

// Voids says that a fact is unknown until the author corrects the mistake. Diagnostics that rest on the fact are not
// reported. It returns d.
func (d *Diagnostic) Voids(facts ...Fact) *Diagnostic {
	d.voids = append(d.voids, facts...)
	return d
}

// RestsOn says from which facts the diagnostic concludes. It is not reported if another one voids a fact, or if there is an
// error in the text of one. It returns d.
func (d *Diagnostic) RestsOn(facts ...Fact) *Diagnostic {
	d.rests = append(d.rests, facts...)
	return d
}

// causes finds the cause of diagnostics in a list.
type causes struct {
	errors map[*source.File][]*Diagnostic
	voids  []*Diagnostic
	// index has the positions in the list, which causes of each other are ordered by.
	index map[*Diagnostic]int
}

// withoutConsequences returns the diagnostics without those that follow from others. An error only follows from an error,
// so that a run with errors reports one.
func withoutConsequences(list []*Diagnostic) []*Diagnostic {
	c := &causes{errors: map[*source.File][]*Diagnostic{}, index: map[*Diagnostic]int{}}
	for i, d := range list {
		c.index[d] = i
		if d.Severity == Error && !d.Span.IsZero() {
			c.errors[d.Span.File] = append(c.errors[d.Span.File], d)
		}
		if len(d.voids) > 0 {
			c.voids = append(c.voids, d)
		}
	}
	return slices.DeleteFunc(list, c.explain)
}

// explain reports whether a diagnostic is the consequence of another one. Of two that are the causes of each other, the
// first remains.
func (c *causes) explain(d *Diagnostic) bool {
	for _, list := range [][]*Diagnostic{c.errors[d.Span.File], c.voids} {
		for _, other := range list {
			if other.Severity > d.Severity || !explains(other, d) {
				continue
			}
			if d.Severity != other.Severity || c.index[other] < c.index[d] || !explains(d, other) {
				return true
			}
		}
	}
	return false
}

// explains reports whether a diagnostic is a consequence of another one.
func explains(cause, d *Diagnostic) bool {
	if cause == d || cause.Code == d.Code && cause.Span == d.Span && cause.Message == d.Message {
		return false
	}
	for _, f := range cause.voids {
		if contains(f.text, d.Span) || slices.Contains(d.rests, f) {
			return true
		}
	}
	return cause.Severity == Error && slices.ContainsFunc(d.rests, func(f Fact) bool { return contains(f.text, cause.Span) })
}

// contains reports whether a text contains another one.
func contains(text, other source.Span) bool {
	return text.File != nil && text.File == other.File && text.Start <= other.Start && other.End <= text.End
}
