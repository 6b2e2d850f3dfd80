package rollouttest

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/rollout"
)

// difference is a disagreement of the two sides: an error that only one of them
// reports, an error with different messages (both fields are set), or a panic.
type difference struct {
	handWritten, declarative *field.Error
	panicked                 string
}

// outcome has the errors of both sides for a subject.
type outcome struct {
	handWritten, declarative field.ErrorList
	differences              []difference
}

// valid reports whether neither side reported an error.
func (o outcome) valid() bool {
	return len(o.handWritten) == 0 && len(o.declarative) == 0 && len(o.differences) == 0
}

// key identifies a difference: two differences with the same key probably have the
// same cause. Indices and map keys are ignored.
func (d difference) key() string {
	switch {
	case d.panicked != "":
		return d.panicked
	case d.declarative == nil:
		return "only hand-written validation reported " + describe(d.handWritten)
	case d.handWritten == nil:
		return "only declarative validation reported " + describe(d.declarative)
	}
	return "messages differ for " + describe(d.handWritten)
}

func describe(err *field.Error) string {
	text := fmt.Sprintf("%s at %s", string(err.Type), place(generic(err.Field)))
	if err.Origin != "" {
		text += ", origin " + err.Origin
	}
	return text
}

// place returns the path in words; that of the object itself is "" or "<nil>".
func place(path string) string {
	if path == "" || path == "<nil>" {
		return "the object"
	}
	return path
}

func (o outcome) has(key string) bool {
	return slices.ContainsFunc(o.differences, func(d difference) bool { return d.key() == key })
}

// judge compares the errors of the two sides.
func judge(handWritten, declarative field.ErrorList, config rollout.Config, wording bool) outcome {
	o := outcome{handWritten: handWritten, declarative: declarative}
	for _, m := range rollout.Compare(handWritten, declarative, config) {
		o.differences = append(o.differences, difference{handWritten: m.HandWritten, declarative: m.Declarative})
	}
	if wording {
		o.differences = append(o.differences, worded(handWritten, declarative, config)...)
	}
	return o
}

// worded returns the matching errors, except those with the same message.
func worded(handWritten, declarative field.ErrorList, config rollout.Config) []difference {
	var found []difference
	for _, h := range handWritten {
		var match *field.Error
		equal := !h.CoveredByDeclarative
		for _, d := range declarative {
			equal = equal || config.Matches(h, d) && h.Detail == d.Detail
			if match == nil && config.Matches(h, d) {
				match = d
			}
		}
		if match != nil && !equal {
			found = append(found, difference{handWritten: h, declarative: match})
		}
	}
	return found
}

// safely runs one side. A panic is a difference and does not end the test.
func safely(ctx context.Context, side string, run func(context.Context) field.ErrorList) (errs field.ErrorList, panicked string) {
	defer func() {
		if value := recover(); value != nil {
			errs, panicked = nil, fmt.Sprintf("%s validation panicked: %v", side, value)
		}
	}()
	return run(ctx), ""
}
