package rollout

import (
	"fmt"
	"strconv"
	"strings"
)

// The names of the gates, as they are written in --feature-gates.
const (
	DeclarativeValidation         = "DeclarativeValidation"
	DeclarativeValidationTakeover = "DeclarativeValidationTakeover"
	DeclarativeValidationBeta     = "DeclarativeValidationBeta"
)

// Gates says which switches are on. The zero value has all of them off;
// DefaultGates are the ones to begin with.
//
// *Gates is a flag.Value: it reads "DeclarativeValidation=true,DeclarativeValidationBeta=false".
type Gates struct {
	// DeclarativeValidation compares declarative with hand-written validation.
	DeclarativeValidation bool
	// DeclarativeValidationTakeover makes declarative validation the one that
	// decides. It has no effect while DeclarativeValidation is off.
	DeclarativeValidationTakeover bool
	// DeclarativeValidationBeta enforces beta rules.
	DeclarativeValidationBeta bool
}

// DefaultGates returns the gates as they are unless somebody switches them:
// everything is compared, nothing is taken over, beta rules are enforced.
func DefaultGates() Gates {
	return Gates{DeclarativeValidation: true, DeclarativeValidationBeta: true}
}

// Set switches the gates that s names and leaves the others as they are. It
// switches none when it returns an error, which says what is wrong with s.
func (g *Gates) Set(s string) error {
	set := *g
	for item := range strings.SplitSeq(s, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		name, value, ok := strings.Cut(item, "=")
		if !ok {
			return fmt.Errorf("%q: write %s=true or %s=false", item, item, item)
		}
		gate := set.gate(strings.TrimSpace(name))
		if gate == nil {
			return fmt.Errorf("there is no gate %q; there are %s, %s and %s", name,
				DeclarativeValidation, DeclarativeValidationTakeover, DeclarativeValidationBeta)
		}
		on, err := strconv.ParseBool(strings.TrimSpace(value))
		if err != nil {
			return fmt.Errorf("%s is true or false, not %q", name, value)
		}
		*gate = on
	}
	*g = set
	return nil
}

// String returns all gates in the form that Set reads.
func (g *Gates) String() string {
	return fmt.Sprintf("%s=%t,%s=%t,%s=%t",
		DeclarativeValidation, g.DeclarativeValidation,
		DeclarativeValidationTakeover, g.DeclarativeValidationTakeover,
		DeclarativeValidationBeta, g.DeclarativeValidationBeta)
}

func (g *Gates) gate(name string) *bool {
	switch name {
	case DeclarativeValidation:
		return &g.DeclarativeValidation
	case DeclarativeValidationTakeover:
		return &g.DeclarativeValidationTakeover
	case DeclarativeValidationBeta:
		return &g.DeclarativeValidationBeta
	}
	return nil
}
