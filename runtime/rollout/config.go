package rollout

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
)

// Config configures the comparison of a kind's two validations.
type Config struct {
	// Migrating means that every declarative rule has a hand-written counterpart,
	// not only alpha and beta rules. Rules without a level are then compared too,
	// and are enforced only under DeclarativeValidationTakeover.
	//
	// Otherwise, rules without a level have no counterpart and are always enforced,
	// whatever the gates are.
	Migrating bool

	// Paths rewrite the paths of declarative errors, which are those of the
	// request's version, to the paths of hand-written validation. The first match
	// is applied.
	Paths []PathRule

	// ShortCircuits makes a declarative error that stopped further checks match all
	// hand-written errors at or below its path.
	ShortCircuits bool
}

// PathRule rewrites paths. It has the fields of apimachinery's field.NormalizationRule
// and can be converted to and from it.
type PathRule struct {
	Regexp      *regexp.Regexp
	Replacement string
}

// Matches reports whether two errors are the same for both validations. It compares
// types, paths and origins, and requires an origin for Invalid, because that type is
// too general.
func (c Config) Matches(handWritten, declarative *field.Error) bool {
	return c.samePath(handWritten, declarative) && handWritten.Type == declarative.Type &&
		handWritten.Origin == declarative.Origin &&
		(handWritten.Type != field.ErrorTypeInvalid || handWritten.Origin != "")
}

func (c Config) samePath(handWritten, declarative *field.Error) bool {
	return handWritten.Field == declarative.Field || handWritten.Field == c.rewritten(declarative.Field)
}

// below reports whether a path of hand-written validation is below that of a
// declarative error. Nothing is below the empty path of an error of the whole object.
func (c Config) below(declarative *field.Error, path string) bool {
	for _, parent := range []string{declarative.Field, c.rewritten(declarative.Field)} {
		rest, ok := strings.CutPrefix(path, parent)
		if ok && parent != "" && rest != "" && (rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

// rewritten returns the path of hand-written validation.
func (c Config) rewritten(path string) string {
	for _, rule := range c.Paths {
		if rewritten := rule.Regexp.ReplaceAllString(path, rule.Replacement); rewritten != path {
			return rewritten
		}
	}
	return path
}

// compared reports whether an error's rule has a hand-written counterpart.
func (c Config) compared(declarative *field.Error) bool {
	return c.Migrating || skew.Has(declarative, skew.Alpha) || skew.Has(declarative, skew.Beta)
}

// runs reports whether to run declarative validation.
func (c Config) runs(gates Gates) bool { return gates.DeclarativeValidation || !c.Migrating }

// authoritative reports whether declarative errors are returned.
func (c Config) authoritative(gates Gates) bool { return !c.Migrating || gates.takeover() }

func (g Gates) takeover() bool { return g.DeclarativeValidation && g.DeclarativeValidationTakeover }
