package rollouttest

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"
)

// exception is a known and accepted difference: both sides reject the same objects,
// but with different errors. An exceptions file is a list of exceptions:
//
//	# Both refuse an empty name.
//	- field: spec.users[*].name
//	  handWritten: {type: FieldValueInvalid, origin: format=k8s-short-name}
//	  declarative: {type: FieldValueRequired}
//	  reason: Hand-written validation never asked whether there is a name.
//
// An entry with both sides accepts one error of each side, reported together. An
// entry with one side accepts an additional error of that side. An object that only
// one side rejects is never accepted.
type exception struct {
	// Field is the path, with [*] for every index and key.
	Field string `json:"field"`
	// HandWritten and Declarative are the errors, at least one of them.
	HandWritten *errorPattern `json:"handWritten,omitempty"`
	Declarative *errorPattern `json:"declarative,omitempty"`
	// Reason says why the difference is accepted.
	Reason string `json:"reason"`
}

type errorPattern struct {
	Type   field.ErrorType `json:"type"`
	Origin string          `json:"origin,omitempty"`
	// Detail is the error's message; if empty, any message matches.
	Detail string `json:"detail,omitempty"`
}

func (p *errorPattern) matches(err *field.Error) bool {
	return p.Type == err.Type && p.Origin == err.Origin && (p.Detail == "" || p.Detail == err.Detail)
}

// exceptions has the entries of a file and records which of them were used.
type exceptions struct {
	file string
	list []exception
	used []bool
}

// readExceptions reads a file; "" means no file.
func readExceptions(file string) (*exceptions, error) {
	if file == "" {
		return &exceptions{}, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	e := &exceptions{file: file}
	if err := yaml.UnmarshalStrict(data, &e.list); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var problems []error
	for i, x := range e.list {
		if problem := x.problem(); problem != "" {
			problems = append(problems, fmt.Errorf("%s: %s", e.name(i), problem))
		}
	}
	e.used = make([]bool, len(e.list))
	return e, errors.Join(problems...)
}

var errorTypes = []field.ErrorType{
	field.ErrorTypeNotFound, field.ErrorTypeRequired, field.ErrorTypeDuplicate, field.ErrorTypeInvalid,
	field.ErrorTypeNotSupported, field.ErrorTypeForbidden, field.ErrorTypeTooLong, "FieldValueTooShort",
	field.ErrorTypeTooMany, "FieldValueTooFew", field.ErrorTypeInternal, field.ErrorTypeTypeInvalid,
}

// problem returns the problem of an entry, or "".
func (x exception) problem() string {
	if strings.TrimSpace(x.Reason) == "" {
		return "missing reason"
	}
	if generic(x.Field) != x.Field {
		return fmt.Sprintf("write %s: the field of an entry matches all items", generic(x.Field))
	}
	if x.HandWritten == nil && x.Declarative == nil {
		return "missing handWritten or declarative"
	}
	for _, p := range []*errorPattern{x.HandWritten, x.Declarative} {
		if p != nil && !slices.Contains(errorTypes, p.Type) {
			return fmt.Sprintf("unknown type %q; the types are %s", string(p.Type), typeNames())
		}
	}
	return ""
}

// typeNames returns the types as entries and the causes of a Status spell them.
func typeNames() string {
	var names []string
	for _, t := range errorTypes {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}

func (e *exceptions) name(i int) string {
	return fmt.Sprintf("%s: entry %d (%s)", e.file, i+1, place(e.list[i].Field))
}

// excuse removes known differences from an outcome.
func (e *exceptions) excuse(o *outcome) {
	covered := func(err *field.Error) bool { return err.CoveredByDeclarative }
	if !slices.ContainsFunc(o.handWritten, covered) || len(o.declarative) == 0 {
		return
	}
	for i, x := range e.list {
		for {
			rest, found := x.excuse(o.differences)
			if !found {
				break
			}
			o.differences, e.used[i] = rest, true
		}
	}
}

// excuse removes the differences that an entry accepts, once.
func (x exception) excuse(list []difference) (rest []difference, found bool) {
	for i, d := range list {
		if d.panicked != "" || !x.covers(d.handWritten, x.HandWritten) || !x.covers(d.declarative, x.Declarative) {
			continue
		}
		if x.HandWritten != nil && x.Declarative != nil && (d.handWritten == nil || d.declarative == nil) {
			// Keep this half: the other half has the same path.
			j := slices.IndexFunc(list, func(other difference) bool { return x.completes(d, other) })
			if j < 0 {
				continue
			}
			return without(list, i, j), true
		}
		return without(list, i), true
	}
	return list, false
}

// covers reports whether an error, if set, matches a pattern.
func (x exception) covers(err *field.Error, pattern *errorPattern) bool {
	return err == nil || pattern != nil && generic(err.Field) == x.Field && pattern.matches(err)
}

func (x exception) completes(d, other difference) bool {
	if d.handWritten == nil {
		d, other = other, d
	}
	return d.handWritten != nil && d.declarative == nil && other.handWritten == nil && other.declarative != nil &&
		d.handWritten.Field == other.declarative.Field &&
		x.covers(d.handWritten, x.HandWritten) && x.covers(other.declarative, x.Declarative)
}

func without(list []difference, indices ...int) []difference {
	var rest []difference
	for i, d := range list {
		if !slices.Contains(indices, i) {
			rest = append(rest, d)
		}
	}
	return rest
}

// stale returns the unused entries.
func (e *exceptions) stale() []string {
	var names []string
	for i, used := range e.used {
		if !used {
			names = append(names, e.name(i))
		}
	}
	return names
}
