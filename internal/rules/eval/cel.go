//go:build !js || cel

package eval

import (
	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/typed"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// celProgram is a compiled expression.
type celProgram = typed.Program

// noOldSelf is the old value where there is none.
func noOldSelf() any { return typed.Missing }

// compile compiles a CEL rule that sees a value, and its message, which is nil for a fixed one. Without a rule it returns the
// reason.
func (s *Set) compile(sees *expr.Type, c *rule.CEL) (holds, message *celProgram, reason string) {
	env, err := typed.NewEnv(s.programs.Types().Objects, sees, c.OptionalOldSelf)
	if err != nil {
		return nil, nil, err.Error()
	}
	if holds, reason = program(env, c.Rule); holds != nil && c.MessageExpression != "" {
		message, _ = program(env, c.MessageExpression)
	}
	return holds, message, reason
}

// program prepares an expression, or returns the reason why it cannot be evaluated.
func program(env *typed.Env, source string) (*typed.Program, string) {
	checked, problems := env.Read(source)
	if len(problems) > 0 {
		return nil, problems[0].Message
	}
	p, err := checked.Program()
	if err != nil {
		return nil, err.Error()
	}
	return p, ""
}
