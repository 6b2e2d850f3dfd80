package validate

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
)

// codeOf has the codes of validation errors by type.
var codeOf = map[field.ErrorType]diag.Code{
	field.ErrorTypeRequired:     codeRequired,
	field.ErrorTypeDuplicate:    codeDuplicate,
	field.ErrorTypeNotSupported: codeNotSupported,
	field.ErrorTypeForbidden:    codeForbidden,
	field.ErrorTypeTooLong:      codeTooLong,
	field.ErrorTypeTooMany:      codeTooMany,
	field.ErrorTypeTooShort:     codeTooShort,
	field.ErrorTypeTooFew:       codeTooFew,
	field.ErrorTypeTypeInvalid:  codeType,
	field.ErrorTypeInternal:     codeInternal,
}

// report reports a validation error at its position in the manifest.
func (r *run) report(o *manifest.Object, err verdict.Error) *diag.Diagnostic {
	code, ok := codeOf[err.Type]
	if !ok {
		code = codeInvalid
	}
	path := Path(err.Error)
	where := o.String()
	if path != "" {
		where += ": " + path
	}
	place := o.Root.Locate(path)
	d := r.bag.Errorf(place.Span, code, "%s: %s", where, err.ErrorBody())
	if !place.Anchor.IsZero() {
		d.Note(place.Anchor, "the anchor of the alias")
	}
	if !place.Found && err.Type != field.ErrorTypeRequired {
		d.Notes = append(d.Notes, diag.Note{Message: "the manifest does not set " + path})
	}
	d.Properties = objectProperties(o, path)
	if err.Rule != nil {
		d.Note(err.Rule.Span, "declared as %s", err.Rule.Text)
		d.Properties = append(d.Properties, diag.Property{Name: "rule", Value: err.Rule.Text}, diag.Property{Name: "declaration", Value: err.Rule.Span.String()})
	}
	return d
}

// Path returns the field of a validation error, empty for the object itself.
func Path(err *field.Error) string {
	if err.Field == "<nil>" {
		return ""
	}
	return err.Field
}

func objectProperties(o *manifest.Object, path string) []diag.Property {
	name := o.Name
	if o.Namespace != "" {
		name = o.Namespace + "/" + name
	}
	return []diag.Property{
		{Name: "apiVersion", Value: o.Kind.GroupVersion().String()},
		{Name: "kind", Value: o.Kind.Kind},
		{Name: "name", Value: name},
		{Name: "path", Value: path},
	}
}

// Skip counts objects that were not validated.
type Skip struct {
	// Reason describes the objects: "of built-in kinds".
	Reason  string
	Objects int
	// Kinds are the kinds of the objects.
	Kinds []string
}

// Summary summarises a run.
type Summary struct {
	Documents, Objects int
	// Invalid counts the objects with errors.
	Invalid int
	Skipped []*Skip
	// Update is set if there are old objects.
	Update  bool
	Updates int
	// Creates are the objects that were validated as creates.
	Creates []string
	// Unmatched are the old objects without a new object.
	Unmatched []string
	// NotRun are the rules that apply but that the engine cannot run.
	NotRun []verdict.NotRun
	// Assumed are the kinds with rules under options that the run does not have.
	Assumed []Assumed
}

// Assumed are the options that rules of a kind depend on. They were disabled.
type Assumed struct {
	Kind    string
	Options []string
}

// Lines returns the summary as text.
func (s *Summary) Lines() []string {
	skipped := 0
	for _, skip := range s.Skipped {
		skipped += skip.Objects
	}
	lines := []string{fmt.Sprintf("%s, %s: %d valid, %d invalid, %d skipped",
		diag.Count(s.Documents, "document", "documents"), diag.Count(s.Objects, "object", "objects"), s.Objects-s.Invalid-skipped, s.Invalid, skipped)}
	for _, skip := range s.Skipped {
		lines = append(lines, fmt.Sprintf("skipped %s %s: %s", diag.Count(skip.Objects, "object", "objects"), skip.Reason, list(skip.Kinds)))
	}
	for _, a := range s.Assumed {
		lines = append(lines, fmt.Sprintf("rules of %s depend on options, which are disabled: %s; name those that are enabled with --enable-options", a.Kind, list(a.Options)))
	}
	if s.Update {
		line := diag.Count(s.Updates, "update", "updates")
		if len(s.Creates) > 0 {
			line += fmt.Sprintf("; not in --old, validated as creates: %s", list(s.Creates))
		}
		if len(s.Unmatched) > 0 {
			line += fmt.Sprintf("; in --old only: %s", list(s.Unmatched))
		}
		lines = append(lines, line)
	}
	for _, rule := range s.NotRun {
		lines = append(lines, "not run: "+rule.String())
	}
	return lines
}
