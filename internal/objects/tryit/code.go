package tryit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/objects/gotypes"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
)

// Run makes the judge run generated code, too.
func (j *Judge) Run(code Code) { j.engine, j.code = &coded{j.types, code}, &coded{j.types, code} }

// Code runs the generated code of kinds, and the functions that it calls, on a JSON request. Package program builds it.
type Code func(request []byte) (answer []byte, err error)

// codeRequest is an object for Code. Options are those that rules depend on; all are disabled.
type codeRequest struct {
	Object  map[string]any `json:"object"`
	Options []string       `json:"options"`
}

// codeAnswer is the object as a server stores it, with its errors.
type codeAnswer struct {
	Object json.RawMessage `json:"object"`
	Errors []codeError     `json:"errors"`
	// Failed says why the code did not run.
	Failed string `json:"failed"`
}

// codeError is a field.Error. Value is missing for an error that shows none.
type codeError struct {
	Type   field.ErrorType `json:"type"`
	Field  string          `json:"field"`
	Value  json.RawMessage `json:"value"`
	Detail string          `json:"detail"`
	Origin string          `json:"origin"`
}

// coded is the engine of Go types, together with generated code. The code runs functions of the author; the engine knows where rules are
// declared, and runs the rules that generated code lacks.
type coded struct {
	*gotypes.Engine
	run Code
}

// Validate runs the code, and then all rules on the returned object, which has the defaults of functions.
func (e *coded) Validate(ctx context.Context, request verdict.Request) verdict.Result {
	result := e.Engine.Validate(ctx, request)
	if result.Blocked || result.Refused != "" {
		return result // Go cannot decode it
	}
	answer, err := e.ask(request.Object, result.Assumed)
	if err != nil {
		result.NotRun = append(result.NotRun, verdict.NotRun{Text: "the generated code", Reason: err.Error()})
		return result
	}
	request.Object = answer.object
	judged := e.Engine.Validate(ctx, request)
	result.Errors = judged.Errors
	for _, err := range answer.errors {
		if !slices.ContainsFunc(result.Errors, func(known verdict.Error) bool { return same(known.Error, err) }) {
			result.Errors = append(result.Errors, verdict.Error{Error: err})
		}
	}
	result.NotRun = slices.DeleteFunc(judged.NotRun, func(n verdict.NotRun) bool { return n.InGo })
	return result
}

func same(a, b *field.Error) bool {
	return a.Type == b.Type && a.Field == b.Field && a.Detail == b.Detail
}

type answered struct {
	object map[string]any
	errors field.ErrorList
}

// ask runs the code on an object.
func (e *coded) ask(object map[string]any, options []string) (*answered, error) {
	request, err := json.Marshal(codeRequest{Object: object, Options: options})
	if err != nil {
		return nil, err
	}
	text, err := e.run(request)
	if err != nil {
		return nil, err
	}
	var answer codeAnswer
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, fmt.Errorf("it returns no JSON: %w", err)
	}
	if answer.Failed != "" {
		return nil, errors.New(answer.Failed)
	}
	out := &answered{}
	if out.object, err = eval.Decode(answer.Object); err != nil {
		return nil, err
	}
	for _, err := range answer.Errors {
		out.errors = append(out.errors, &field.Error{Type: err.Type, Field: err.Field, BadValue: err.value(), Detail: err.Detail, Origin: err.Origin})
	}
	return out, nil
}

// value returns the value of an error, so that it is printed as in Go.
func (e *codeError) value() any {
	if len(e.Value) == 0 {
		return field.OmitValueType{}
	}
	var v any
	if err := json.Unmarshal(e.Value, &v); err != nil {
		return e.Value
	}
	switch v.(type) {
	case string, bool:
		return v
	}
	return e.Value
}
