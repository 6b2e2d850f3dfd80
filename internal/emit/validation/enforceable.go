package validation

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/enforced"
)

// enforceable returns the rules that Go enforces, and warns of gaps in the package's
// own types.
func enforceable(c *emit.Context) *rule.Programs {
	return enforced.Programs(c.Rules, func(gap enforced.Gap) {
		if gap.Owner.Package == c.Package.Path || slices.Contains(c.Package.Inputs, gap.Owner.Package) {
			c.Diags.Warnf(gap.Span, codeNotInGo, "generated Go does not %s", gap.Text).RestsOn(emit.KindOf(gap.Owner))
		}
	})
}
