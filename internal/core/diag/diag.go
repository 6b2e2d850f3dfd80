// Package diag collects and renders diagnostics.
//
// A user's mistake is never a Go error: the stage calls [Bag.Errorf], [Bag.Warnf] or [Bag.Hintf] and continues, so that one run
// reports all mistakes. Each returns the [Diagnostic], for notes ([Diagnostic.Note]) and a fix ([Diagnostic.Suggest]). At the
// end, [Render] writes them in a [Format].
//
// # How to write a message
//
// People read messages when something is in their way. They want to know where, what, and what to do now; they have not read
// this code, and do not care how it found out.
//
//   - The span is the smallest text with the mistake: the wrong argument, not the field. Editors underline it.
//   - The message names the thing as the author wrote it, says what is wrong, and then what to write: it has no final period.
//   - The words are those of the documentation: tag, field, version. An internal name is a bug, and so is an error text of a library.
//   - One mistake is one diagnostic. What follows from it is not reported, or is a note.
//   - A fix is offered only if it is certain. One that loses what the author meant is worse than none.
//
// Two messages that were not good enough, and why:
//
//	quantity is gone                      where to? The author renamed it and needs the marker for that:
//	                                      "spec.quantity is gone; if it is now called qty, add +versioned:changed(…) to Qty"
//	did not find expected key             the words of the YAML library, at the line after the mistake:
//	                                      "this line is indented more than the one before it; align it with spec"
//
// # Codes
//
// A code is a declared value with its page: codes.New("maxlength/negative", "…"). The bag accepts only such
// values, so an undeclared code does not compile. Each tag, convention, emitter and stage has one set of
// Codes; package explain prints their pages. A set declares which parts of the output it protects,
// Protect(Rules): an error about parts a run does not write is a warning, or nothing if the project lacks
// these parts. Firm codes cannot become warnings by kindsmith.yaml.
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Severity is the severity of a diagnostic.
type Severity int

const (
	// Error is a mistake: the run writes no files that may have it; see Scope.Blocked.
	Error Severity = iota
	// Warning does not prevent writing files.
	Warning
	// Hint says what kindsmith can do besides. Nothing is wrong.
	Hint
)

// String returns "error", "warning" or "hint".
func (s Severity) String() string {
	switch s {
	case Warning:
		return "warning"
	case Hint:
		return "hint"
	}
	return "error"
}

// Diagnostic is one message about source.
type Diagnostic struct {
	Severity Severity
	// Code identifies the kind of diagnostic. `kindsmith explain` prints its page.
	Code Code
	// Span is the smallest text with the mistake.
	Span source.Span
	// Message says what is wrong and what to write instead, without a final period.
	Message string
	// Notes have more information.
	Notes []Note
	// Fix is the change that fixes the mistake, nil if none is certain.
	Fix *Fix
	// Properties are for programs that read JSON or SARIF. They repeat information from the message
	// and the notes.
	Properties []Property

	voids, rests []Fact
}

// Property is a name with a value.
type Property struct{ Name, Value string }

// Note is additional information, with or without a position.
type Note struct {
	Span    source.Span
	Message string
}

// Fix is a set of edits that fixes one mistake.
type Fix struct {
	// Message describes the fix, in the imperative.
	Message string
	Edits   []Edit
}

// Edit replaces the text of a span.
type Edit struct {
	Span    source.Span
	NewText string
}

// Note adds a note and returns d.
func (d *Diagnostic) Note(span source.Span, format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, Note{Span: span, Message: fmt.Sprintf(format, short(args)...)})
	return d
}

// Suggest attaches a fix that replaces one span, and returns d.
func (d *Diagnostic) Suggest(span source.Span, newText, format string, args ...any) *Diagnostic {
	d.Fix = &Fix{Message: fmt.Sprintf(format, short(args)...), Edits: []Edit{{Span: span, NewText: newText}}}
	return d
}

// Bag collects the diagnostics of a run. It is not safe for concurrent use.
type Bag struct {
	list   []*Diagnostic
	errors int
}

// Add adds a diagnostic. It panics if the diagnostic has no code.
func (b *Bag) Add(d *Diagnostic) {
	if d.Code == (Code{}) {
		panic("diag: a diagnostic without a declared code: " + d.Message)
	}
	b.list = append(b.list, d)
	if d.Severity == Error {
		b.errors++
	}
}

// Errorf adds an error and returns it for notes and a fix.
func (b *Bag) Errorf(span source.Span, code Code, format string, args ...any) *Diagnostic {
	return b.addf(Error, span, code, format, args...)
}

// Warnf adds a warning and returns it for notes and a fix.
func (b *Bag) Warnf(span source.Span, code Code, format string, args ...any) *Diagnostic {
	return b.addf(Warning, span, code, format, args...)
}

// Hintf adds a hint and returns it for notes.
func (b *Bag) Hintf(span source.Span, code Code, format string, args ...any) *Diagnostic {
	return b.addf(Hint, span, code, format, args...)
}

func (b *Bag) addf(severity Severity, span source.Span, code Code, format string, args ...any) *Diagnostic {
	if false {
		_ = fmt.Sprintf(format, args...) // go vet then checks the formats of all callers
	}
	d := &Diagnostic{Severity: severity, Code: code, Span: span, Message: fmt.Sprintf(format, short(args)...)}
	b.Add(d)
	return d
}

// Demote adds the errors of another bag as warnings, without fixes, and appends the consequence to
// each message. It is for source that the user cannot change.
func (b *Bag) Demote(other *Bag, consequence string) {
	for _, d := range other.list {
		if d.Severity != Error || b.Has(d.Span, d.Code) {
			continue
		}
		demoted := *d
		demoted.Severity, demoted.Fix = Warning, nil
		demoted.Message += "; " + consequence
		b.Add(&demoted)
	}
}

// Errors returns how many errors the bag holds.
func (b *Bag) Errors() int { return b.errors }

// HasErrors reports whether the bag has errors.
func (b *Bag) HasErrors() bool { return b.errors > 0 }

// Has reports whether there is a diagnostic with the code at the span.
func (b *Bag) Has(span source.Span, code Code) bool {
	return slices.ContainsFunc(b.list, func(d *Diagnostic) bool { return d.Code == code && d.Span.Compare(span) == 0 })
}

// HasAny reports whether there is an error with one of the codes.
func (b *Bag) HasAny(codes []Code) bool {
	return slices.ContainsFunc(b.list, func(d *Diagnostic) bool { return d.Severity == Error && slices.Contains(codes, d.Code) })
}

// All returns the diagnostics by position, code and message, without duplicates and without those that follow from others.
func (b *Bag) All() []*Diagnostic {
	list := withoutConsequences(slices.Clone(b.list))
	slices.SortStableFunc(list, func(x, y *Diagnostic) int {
		return cmp.Or(
			x.Span.Compare(y.Span),
			strings.Compare(x.Code.id, y.Code.id),
			strings.Compare(x.Message, y.Message),
		)
	})
	return slices.CompactFunc(list, func(x, y *Diagnostic) bool {
		return x.Span.Compare(y.Span) == 0 && x.Code == y.Code && x.Message == y.Message
	})
}

// propertyMap returns properties as a JSON object, nil if there are none.
func propertyMap(list []Property) map[string]string {
	if len(list) == 0 {
		return nil
	}
	m := make(map[string]string, len(list))
	for _, p := range list {
		m[p.Name] = p.Value
	}
	return m
}

// longest is the number of bytes of the longest text that a message repeats.
const longest = 1000

// short returns the arguments of a message with texts of any length cut: a message quotes source.
func short(args []any) []any {
	for i, a := range args {
		if text, ok := a.(string); ok && len(text) > longest {
			args = slices.Clone(args)
			args[i] = strings.ToValidUTF8(text[:longest/2], "") + "…"
		}
	}
	return args
}
