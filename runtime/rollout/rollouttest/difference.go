package rollouttest

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/rollout"
)

// difference is what the two sides do not agree on: an error that only one of
// them has, an error that they word differently (both are set), or a panic.
type difference struct {
	handWritten, declarative *field.Error
	panicked                 string
}

// outcome is what the two sides say about a subject.
type outcome struct {
	handWritten, declarative field.ErrorList
	differences              []difference
}

// valid returns whether neither side has anything to say.
func (o outcome) valid() bool {
	return len(o.handWritten) == 0 && len(o.declarative) == 0 && len(o.differences) == 0
}

// key says what a difference is about: two with the same key have the same cause,
// as far as can be told. Where in a list or map it is does not matter.
func (d difference) key() string {
	switch {
	case d.panicked != "":
		return d.panicked
	case d.declarative == nil:
		return "only hand-written validation found " + describe(d.handWritten)
	case d.handWritten == nil:
		return "only declarative validation found " + describe(d.declarative)
	}
	return "wording differs for " + describe(d.handWritten)
}

func describe(err *field.Error) string {
	text := fmt.Sprintf("%s at %s", string(err.Type), place(generic(err.Field)))
	if err.Origin != "" {
		text += ", origin " + err.Origin
	}
	return text
}

// place names the path of the object itself, which is "" or "<nil>".
func place(path string) string {
	if path == "" || path == "<nil>" {
		return "the object"
	}
	return path
}

func (o outcome) has(key string) bool {
	return slices.ContainsFunc(o.differences, func(d difference) bool { return d.key() == key })
}

// judge compares what the two sides say.
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

// worded returns the errors that match, without one that has the same text.
func worded(handWritten, declarative field.ErrorList, config rollout.Config) []difference {
	same := field.ErrorMatcher{}.ByType().ByOrigin().RequireOriginWhenInvalid().ByFieldNormalized(config.Paths)
	exactly := same.ByDetailExact()
	var found []difference
	for _, h := range handWritten {
		var match *field.Error
		equal := !h.CoveredByDeclarative
		for _, d := range declarative {
			equal = equal || exactly.Matches(h, d)
			if match == nil && same.Matches(h, d) {
				match = d
			}
		}
		if match != nil && !equal {
			found = append(found, difference{handWritten: h, declarative: match})
		}
	}
	return found
}

// safely runs one side. A panic is not the end of the test, but a difference.
func safely(ctx context.Context, side string, run func(context.Context) field.ErrorList) (errs field.ErrorList, panicked string) {
	defer func() {
		if value := recover(); value != nil {
			errs, panicked = nil, fmt.Sprintf("%s validation panicked: %v", side, value)
		}
	}()
	return run(ctx), ""
}
