// Package differ searches for objects on which the two tools' validators disagree.
package differ

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/bench/internal/pair"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// Key identifies an error, without its message.
type Key struct {
	Type, Path, Origin string
	// Level is the level of an alpha or beta rule, else "".
	Level string
	// Short is whether the error has the short-circuit mark.
	Short bool
}

// String returns the key in readable form.
func (k Key) String() string {
	s := fmt.Sprintf("%s: %s", cmp.Or(k.Path, "<object>"), k.Type)
	if k.Origin != "" {
		s += ", origin " + k.Origin
	}
	if k.Level != "" {
		s += ", " + k.Level
	}
	if k.Short {
		s += ", short circuit"
	}
	return s
}

func compareKeys(a, b Key) int { return strings.Compare(a.String(), b.String()) }

// Keys returns the keys of errors, sorted, including duplicates.
func Keys(errs field.ErrorList) []Key {
	var keys []Key
	for _, e := range errs {
		k := Key{Type: string(e.Type), Path: e.Field, Origin: e.Origin, Short: e.ShortCircuit}
		if e.IsAlpha() || e.IsBeta() {
			k.Level = e.ValidationStabilityLevel.String()
		}
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compareKeys)
	return keys
}

// Input is one request.
type Input struct {
	// Object is a pointer to the new object; Old, to the old one, is nil on create.
	Object, Old any
	Options     map[string]bool
}

// Operation returns the operation for validators.
func (in Input) Operation() operation.Operation {
	op := operation.Operation{Type: operation.Create, Options: in.Options}
	if in.Old != nil {
		op.Type = operation.Update
	}
	return op
}

// Validate runs a validator. A panic becomes an error of a separate type.
func Validate(v pair.Validator, in Input) (errs field.ErrorList) {
	defer func() {
		if p := recover(); p != nil {
			errs = field.ErrorList{&field.Error{Type: "Panic", Detail: fmt.Sprint(p)}}
		}
	}()
	return v(context.Background(), in.Operation(), in.Object, in.Old)
}

// Difference has the errors that only one side reports for a request.
type Difference struct {
	Kind         pair.Kind
	Ours, Theirs []Key
	Input        Input
}

// Differs reports whether there is a difference.
func (d *Difference) Differs() bool { return len(d.Ours) > 0 || len(d.Theirs) > 0 }

// Compare runs both validators. If both is not nil, it is called with the errors. Ours list
// validate.MaxErrors errors and the number of the others, theirs all: of so many errors, only those
// that ours list are compared.
func Compare(k pair.Kind, in Input, both func(ours, theirs field.ErrorList)) *Difference {
	ours, theirs := Validate(k.Ours, in), Validate(k.Theirs, in)
	if both != nil {
		both(ours, theirs)
	}
	d := &Difference{Kind: k, Input: in}
	if len(ours) > validate.MaxErrors && len(theirs) > validate.MaxErrors {
		d.Ours, _ = subtract(Keys(ours[:validate.MaxErrors]), Keys(theirs))
		return d
	}
	d.Ours, d.Theirs = subtract(Keys(ours), Keys(theirs))
	return d
}

// subtract returns what is in only one of two sorted lists.
func subtract(a, b []Key) (onlyA, onlyB []Key) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && compareKeys(a[0], b[0]) < 0:
			onlyA, a = append(onlyA, a[0]), a[1:]
		case len(a) == 0 || compareKeys(b[0], a[0]) < 0:
			onlyB, b = append(onlyB, b[0]), b[1:]
		default:
			a, b = a[1:], b[1:]
		}
	}
	return onlyA, onlyB
}
