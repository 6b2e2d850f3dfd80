//go:build js && !cel

package eval

import (
	"errors"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Without the build tag cel, a browser has no CEL, which would double the size of the program. Its rules are not run, which results say.

// celProgram is a compiled expression, which there never is.
type celProgram struct{}

// errNoCEL is the reason why an expression has no value.
var errNoCEL = errors.New("CEL does not run in this page")

func (*celProgram) Bool(any, any) (bool, error)     { return false, errNoCEL }
func (*celProgram) String(any, any) (string, error) { return "", errNoCEL }

func noOldSelf() any { return nil }

func (*Set) compile(*expr.Type, *rule.CEL) (holds, message *celProgram, reason string) {
	return nil, nil, errNoCEL.Error()
}
