// Package runner is the part of the conformance program that is the same for all cases.
// The program imports the generated packages of the cases, reads requests from its
// input, and writes verdicts.
package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Request asks for one validation.
type Request struct {
	// Type is the name of a registered type.
	Type string `json:"type"`
	// Object is the object; Old, if set, makes it an update.
	Object json.RawMessage `json:"object"`
	Old    json.RawMessage `json:"old,omitempty"`
	// Subresource is the path of the request; empty to call the validator directly.
	Subresource string `json:"subresource,omitempty"`
	// Options are the options of the operation, by name.
	Options map[string]bool `json:"options,omitempty"`
	// Unmeasured asks for no count of allocations.
	Unmeasured bool `json:"unmeasured,omitempty"`
}

// Verdict is the answer to a request.
type Verdict struct {
	// Failure is the reason why there is no result.
	Failure string  `json:"failure,omitempty"`
	Errors  []Error `json:"errors,omitempty"`
	// Object and Old are the objects as Go writes them, if the request is Unmeasured.
	Object json.RawMessage `json:"object,omitempty"`
	Old    json.RawMessage `json:"old,omitempty"`
	// Allocs is the number of allocations of the validation; Unchanged is that of an
	// update to an equal copy. They are measured for valid objects.
	Allocs    float64 `json:"allocs,omitempty"`
	Unchanged float64 `json:"unchanged,omitempty"`
}

// Error is a validation error. Field is "." for the object itself.
type Error struct {
	Type   string `json:"type"`
	Field  string `json:"field"`
	Origin string `json:"origin"`
	Level  string `json:"level,omitempty"`
	Short  bool   `json:"short,omitempty"`
	Text   string `json:"text"`
}

// Type is a registered type.
type Type struct {
	name string
	run  func(Request) (Verdict, error)
}

// Defaulted registers a type like Of, without a package's RegisterValidations. Its generated defaults are set before it is
// validated; setDefaults is nil if the type has none.
func Defaulted[T any](
	name string,
	validate func(ctx context.Context, op operation.Operation, fldPath *field.Path, obj, oldObj *T) field.ErrorList,
	setDefaults func(*T),
) Type {
	return of(name, validate, nil, setDefaults)
}

// Of registers a type with its generated validator, which is nil if the type has no
// rules. register is the package's RegisterValidations, nil if the package has none.
func Of[T any](
	name string,
	validate func(ctx context.Context, op operation.Operation, fldPath *field.Path, obj, oldObj *T) field.ErrorList,
	register func(*runtime.Scheme) error,
) Type {
	return of(name, validate, register, nil)
}

func of[T any](
	name string,
	validate func(ctx context.Context, op operation.Operation, fldPath *field.Path, obj, oldObj *T) field.ErrorList,
	register func(*runtime.Scheme) error,
	setDefaults func(*T),
) Type {
	if setDefaults == nil {
		setDefaults = func(*T) {}
	}
	if validate == nil {
		validate = func(context.Context, operation.Operation, *field.Path, *T, *T) field.ErrorList { return nil }
	}
	return Type{name: name, run: func(r Request) (Verdict, error) {
		obj, old, copied := new(T), (*T)(nil), new(T)
		if err := decode(r.Object, obj); err != nil {
			return Verdict{}, err
		}
		if err := decode(r.Object, copied); err != nil {
			return Verdict{}, err
		}
		if r.Old != nil {
			old = new(T)
			if err := decode(r.Old, old); err != nil {
				return Verdict{}, err
			}
		}
		if r.Subresource != "" {
			return requested(r, register, obj, old)
		}
		setDefaults(obj)
		if old != nil {
			setDefaults(old)
		}
		ctx, op := context.Background(), operation.Operation{Type: operation.Create, Options: r.Options}
		if old != nil {
			op.Type = operation.Update
		}
		v := Verdict{Errors: describe(validate(ctx, op, nil, obj, old))}
		if r.Unmeasured {
			return v, v.encode(obj, old)
		}
		if len(v.Errors) > 0 {
			return v, nil
		}
		v.Allocs = testing.AllocsPerRun(20, func() { validate(ctx, op, nil, obj, old) })
		op.Type = operation.Update
		v.Unchanged = testing.AllocsPerRun(20, func() { validate(ctx, op, nil, obj, copied) })
		return v, nil
	}}
}

func (v *Verdict) encode(obj, old any) (err error) {
	if v.Object, err = json.Marshal(obj); err != nil {
		return err
	}
	v.Old, err = json.Marshal(old)
	return err
}

// requested validates through a scheme, like an API server.
func requested[T any](r Request, register func(*runtime.Scheme) error, obj, old *T) (Verdict, error) {
	scheme := runtime.NewScheme()
	if register == nil {
		return Verdict{}, fmt.Errorf("%s has no RegisterValidations", r.Type)
	}
	if err := register(scheme); err != nil {
		return Verdict{}, err
	}
	object, ok := any(obj).(runtime.Object)
	if !ok {
		return Verdict{}, fmt.Errorf("%s is not a runtime.Object", r.Type)
	}
	if !scheme.HasValidationFunc(object) {
		return Verdict{}, fmt.Errorf("%s is not registered", r.Type)
	}
	var subresources []string
	if path := strings.Trim(r.Subresource, "/"); path != "" {
		subresources = strings.Split(path, "/")
	}
	if old == nil {
		return Verdict{Errors: describe(scheme.Validate(context.Background(), r.Options, object, subresources...))}, nil
	}
	return Verdict{Errors: describe(scheme.ValidateUpdate(context.Background(), r.Options, object, any(old).(runtime.Object), subresources...))}, nil
}

func decode(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

func describe(errs field.ErrorList) []Error {
	var out []Error
	for _, err := range errs {
		e := Error{
			Type:  strings.TrimPrefix(string(err.Type), "FieldValue"),
			Field: err.Field, Origin: err.Origin, Short: err.ShortCircuit, Text: err.Error(),
		}
		switch {
		case err.IsAlpha():
			e.Level = "alpha"
		case err.IsBeta():
			e.Level = "beta"
		}
		if e.Field == "<nil>" {
			e.Field = "."
		}
		out = append(out, e)
	}
	return out
}

// Main reads a JSON list of requests from standard input and writes a list of verdicts
// in the same order.
func Main(types ...Type) {
	if err := serve(os.Stdin, os.Stdout, types); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(in io.Reader, out io.Writer, types []Type) error {
	byName := map[string]Type{}
	for _, t := range types {
		byName[t.name] = t
	}
	var requests []Request
	if err := json.NewDecoder(in).Decode(&requests); err != nil {
		return err
	}
	verdicts := make([]Verdict, len(requests))
	for i, r := range requests {
		verdicts[i] = answer(byName, r)
	}
	return json.NewEncoder(out).Encode(verdicts)
}

// answer turns every error, including a panic, into a failure, so that one case does
// not hide the others.
func answer(byName map[string]Type, r Request) (v Verdict) {
	defer func() {
		if p := recover(); p != nil {
			v = Verdict{Failure: fmt.Sprintf("panic: %v", p)}
		}
	}()
	t, ok := byName[r.Type]
	if !ok {
		return Verdict{Failure: "unknown type " + r.Type}
	}
	v, err := t.run(r)
	if err != nil {
		return Verdict{Failure: err.Error()}
	}
	return v
}
