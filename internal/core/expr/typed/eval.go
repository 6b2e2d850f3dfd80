package typed

import (
	"errors"
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/kindsmith/kindsmith/internal/core/expr"
)

// Program is a prepared expression. It is safe for concurrent use.
type Program struct {
	env     *Env
	program cel.Program
	usesOld bool
}

// Program prepares the expression.
func (c *Checked) Program() (*Program, error) {
	p, err := c.env.env.Program(c.ast, programOptions()...)
	if err != nil {
		return nil, err
	}
	return &Program{env: c.env, program: p, usesOld: expr.Uses(c.Tree, expr.OldSelfName)}, nil
}

// UsesOldSelf reports whether the expression is a transition rule.
func (p *Program) UsesOldSelf() bool { return p.usesOld }

// Missing represents an old value that does not exist.
var Missing any = missing{}

type missing struct{}

// Bool evaluates a rule on JSON values as encoding/json decodes them, numbers as
// json.Number or int64. An error means that the evaluation failed, for which an API
// server rejects the object. The old value is Missing when there is none, which
// only optional ones can be.
func (p *Program) Bool(self, oldSelf any) (bool, error) {
	v, err := p.eval(self, oldSelf)
	if err != nil {
		return false, err
	}
	b, ok := v.(types.Bool)
	if !ok {
		return false, fmt.Errorf("the result is a %s, not a bool", v.Type().TypeName())
	}
	return bool(b), nil
}

// String evaluates an expression whose result is a string, such as a message.
func (p *Program) String(self, oldSelf any) (string, error) {
	v, err := p.eval(self, oldSelf)
	if err != nil {
		return "", err
	}
	s, ok := v.(types.String)
	if !ok {
		return "", fmt.Errorf("the result is a %s, not a string", v.Type().TypeName())
	}
	return string(s), nil
}

func (p *Program) eval(self, oldSelf any) (ref.Val, error) {
	vars := map[string]any{expr.SelfName: p.env.value(self, p.env.self)}
	switch {
	case !p.usesOld:
	case oldSelf == Missing && p.env.optionalOld:
		vars[expr.OldSelfName] = types.OptionalNone
	case oldSelf == Missing:
		return nil, errors.New("a transition rule needs an old value")
	case p.env.optionalOld:
		vars[expr.OldSelfName] = types.OptionalOf(p.env.value(oldSelf, p.env.self))
	default:
		vars[expr.OldSelfName] = p.env.value(oldSelf, p.env.self)
	}
	v, _, err := p.program.Eval(vars)
	return v, err
}

// Works reports whether the evaluation of an expression without variables succeeds.
func Works(e expr.Expr) bool {
	_, err := closed(e)
	return err == nil
}

// Constant evaluates an expression without variables. The value is one of a
// Literal's; isConstant is false when it is none, such as a list.
func Constant(e expr.Expr) (v any, isConstant bool, err error) {
	result, err := closed(e)
	if err != nil {
		return nil, true, err
	}
	switch result := result.(type) {
	case types.Bool, types.Int, types.Double, types.String:
		return result.Value(), true, nil
	}
	return nil, false, nil
}

func closed(e expr.Expr) (ref.Val, error) {
	a, issues := baseEnv().Compile(expr.CEL(e))
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	p, err := baseEnv().Program(a, programOptions()...)
	if err != nil {
		return nil, err
	}
	v, _, err := p.Eval(map[string]any{})
	return v, err
}
