package unions

import (
	"slices"

	"github.com/kindsmith/kindsmith/runtime/gen/validate"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// Check checks a union with a discriminator, or one of the older text. d is the discriminator;
// exists is set if the struct has an old version, modified if it has none or another discriminator;
// set says for each member whether it is set. The union has no conditions.
//
// Errors: those of union.Problem, origin "union".
func Check(r *validate.Run, at *validate.Path, u *union.Union, d string, exists, modified bool, set ...bool) bool {
	return valid(u, d, set) || report(r, at, u, d, exists, modified, set)
}

// valid reports whether exactly what the discriminator selects is set; it is false for some unions
// that are valid.
func valid(u *union.Union, d string, set []bool) bool {
	known := u.Open || u.Declarative
	for i := range u.Members {
		m := &u.Members[i]
		selected := m.Value == d
		known = known || selected
		if set[i] != selected && (set[i] || !m.Optional) {
			return false
		}
	}
	for i := range u.Values {
		known = known || u.Values[i].Value == d && len(u.Values[i].Excluded) == 0
	}
	return known && u.Algorithm != union.Older
}

// report is separate, so that the caller's variables stay on the stack.
func report(r *validate.Run, at *validate.Path, u *union.Union, d string, exists, modified bool, set []bool) bool {
	return u.Report(r, at, state{d, slices.Clone(set)}, exists, modified)
}

// state is a struct as Check sees it.
type state struct {
	d   string
	set []bool
}

func (s state) Discriminator() string { return s.d }
func (s state) IsSet(member int) bool { return s.set[member] }
