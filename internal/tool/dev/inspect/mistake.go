package inspect

import "github.com/kindsmith/kindsmith/internal/core/diag"

// Mistake is a diagnostic about the source of the API.
type Mistake struct {
	Severity string   `json:"severity"`
	Message  string   `json:"message"`
	Code     string   `json:"code"`
	At       *Place   `json:"at"`
	Notes    []string `json:"notes"`
	// EndColumn is the end of the text with the mistake, if it is in the line.
	EndColumn int `json:"endColumn"`
}

// MistakeOf returns a diagnostic with the lines around it.
func MistakeOf(d *diag.Diagnostic) Mistake {
	m := Mistake{Severity: d.Severity.String(), Message: d.Message, Code: d.Code.String(), At: placeOf(d.Span), Notes: []string{}}
	if m.At != nil {
		if end := d.Span.EndPosition(); end.Line == m.At.Line {
			m.EndColumn = end.Column
		}
	}
	for _, n := range d.Notes {
		text := n.Message
		if !n.Span.IsZero() {
			text += " (" + n.Span.String() + ")"
		}
		m.Notes = append(m.Notes, text)
	}
	if d.Fix != nil {
		m.Notes = append(m.Notes, d.Fix.Message)
	}
	return m
}
