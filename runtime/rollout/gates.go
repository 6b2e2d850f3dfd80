package rollout

import (
	"fmt"
	"strconv"
	"strings"
)

// The names of the gates in --feature-gates.
const (
	DeclarativeValidation         = "DeclarativeValidation"
	DeclarativeValidationTakeover = "DeclarativeValidationTakeover"
	DeclarativeValidationBeta     = "DeclarativeValidationBeta"
	DeclarativeDefaults           = "DeclarativeDefaults"
	APIUnions                     = "APIUnions"
)

// Gates are the feature gates of a rollout. In the zero value all gates are
// disabled; DefaultGates returns the defaults. A gate that is disabled skips a step
// of requests. No stored object changes, so gates can be disabled and enabled at any time.
//
// *Gates is a flag.Value: it parses
// "DeclarativeValidation=true,DeclarativeValidationBeta=false".
type Gates struct {
	// DeclarativeValidation compares declarative with hand-written validation.
	DeclarativeValidation bool
	// DeclarativeValidationTakeover makes declarative validation authoritative. It
	// has no effect if DeclarativeValidation is disabled.
	DeclarativeValidationTakeover bool
	// DeclarativeValidationBeta enforces beta rules.
	DeclarativeValidationBeta bool
	// DeclarativeDefaults sets the defaults that are registered with the scheme, which
	// include hand-written SetDefaults_ functions. [Strategy.Default] depends on it.
	DeclarativeDefaults bool
	// APIUnions normalises unions ([Strategy.Normalize]), and enforces their rules, whose
	// errors have the origin "union" or "zeroOrOneOf".
	APIUnions bool
}

// DefaultGates returns the default gates: rules are compared, declarative
// validation is not authoritative, and all other gates are enabled.
func DefaultGates() Gates {
	return Gates{DeclarativeValidation: true, DeclarativeValidationBeta: true, DeclarativeDefaults: true, APIUnions: true}
}

// Set sets the gates that s names and leaves the others unchanged. If it returns an
// error, it has not changed any gate.
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
			return fmt.Errorf("unknown gate %q; the gates are %s", name, strings.Join(names(), ", "))
		}
		on, err := strconv.ParseBool(strings.TrimSpace(value))
		if err != nil {
			return fmt.Errorf("%s: invalid value %q; write true or false", name, value)
		}
		*gate = on
	}
	*g = set
	return nil
}

// String returns all gates in the format that Set parses.
func (g *Gates) String() string {
	list := names()
	for i, name := range list {
		list[i] = fmt.Sprintf("%s=%t", name, *g.gate(name))
	}
	return strings.Join(list, ",")
}

// names returns the names of all gates.
func names() []string {
	return []string{DeclarativeValidation, DeclarativeValidationTakeover, DeclarativeValidationBeta, DeclarativeDefaults, APIUnions}
}

func (g *Gates) gate(name string) *bool {
	switch name {
	case DeclarativeValidation:
		return &g.DeclarativeValidation
	case DeclarativeValidationTakeover:
		return &g.DeclarativeValidationTakeover
	case DeclarativeValidationBeta:
		return &g.DeclarativeValidationBeta
	case DeclarativeDefaults:
		return &g.DeclarativeDefaults
	case APIUnions:
		return &g.APIUnions
	}
	return nil
}
