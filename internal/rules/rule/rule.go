// Package rule represents the meaning of tags as data.
//
// [Programs] has the program of each type.
//
// A tag lowers to rules. A rule has a place, conditions, a predicate, and the errors that it can
// report. Rules contain no output code: the printers of Go, of schemas and CEL, of the coverage
// list, and the evaluator all read the same rules.
//
// A Program has the rules of one type. A Rule has conditions (options and levels), a moment (always, on an
// update, when its inputs change), a cohort, an effect (report, stop, guard), a predicate, its errors, and
// the position of its tag. Predicates are a closed set and know nothing of loops, paths or ratcheting, which
// belong to the printers. `kindsmith model --rules` prints the programs.
//
// The author's own CEL rule is a predicate, CEL: package kubebuilder reads it from a marker, Programs.Sees
// returns the type of its self, emit/validation prints it, and eval evaluates it. schema publishes the
// marker instead.
package rule

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Program has the rules of one declared type. The types of its fields have their own programs.
type Program struct {
	Type model.Name `json:"type"`
	// Place is a value of the type.
	Place *Place `json:"place"`
	// Rules are the rules of the type's own tags.
	Rules []Rule `json:"rules,omitempty"`
	// Fields are the fields of a struct with rules, in order of declaration; see Programs.Field.
	Fields []FieldRules `json:"fields,omitempty"`
}

// FieldRules has the rules of the tags on one field.
type FieldRules struct {
	// Field is the field's Go name.
	Field string `json:"field"`
	Place *Place `json:"place"`
	Rules []Rule `json:"rules,omitempty"`
	// Around are the rules of the field's tags on the enclosing struct, such as that of a union.
	// They run after those of the struct's own tags.
	Around []Rule `json:"around,omitempty"`
}

// Effect is the effect of a broken rule.
type Effect string

const (
	// Report reports the rule's errors.
	Report Effect = ""
	// Stop reports them, and the other rules of the cohort do not run.
	Stop Effect = "stop"
	// Guard reports nothing, and the other rules of the cohort do not run.
	Guard Effect = "guard"
)

// Moment is the kind of requests that a rule applies to.
type Moment string

const (
	// Always is on every request.
	Always Moment = ""
	// OnUpdate is when the place has an old value, set or not. A field of a new struct has none.
	OnUpdate Moment = "update"
	// OnUpdateOfValue is when the place has an old value that is not a nil pointer.
	OnUpdateOfValue Moment = "updateOfValue"
	// OnChange is when the object is new, or what the predicate reads has changed.
	OnChange Moment = "change"
)

// Rule is one rule on a place.
type Rule struct {
	// Tag is the name of the tag without its prefix. Rules of values and keys are sorted by it.
	Tag string `json:"tag"`
	// Text is the tag as written, Span its position.
	Text string      `json:"text,omitempty"`
	Span source.Span `json:"span,omitzero"`
	// Until is the last version in which the rule applies, "" for no limit.
	Until string `json:"until,omitempty"`

	// Around is set on a rule of a field's tag on the enclosing struct, and on a rule of an item's
	// tag on the list.
	Around bool `json:"-"`
	// Cohort groups rules: a broken rule stops only its cohort. "" is the default cohort, which
	// runs first; if it stops, no other cohort runs.
	Cohort string `json:"cohort,omitempty"`
	Effect Effect `json:"effect,omitempty"`

	// Under are the conditions on the rule, outermost first.
	Under []Condition `json:"under,omitempty"`
	// Unless are alternatives: the rule does not apply if all conditions of one of them are true.
	Unless [][]Condition `json:"unless,omitempty"`
	Moment Moment        `json:"moment,omitempty"`
	// Must is the predicate.
	Must Predicate `json:"-"`
	// Errors are the errors that the rule can report.
	Errors []Error `json:"errors,omitempty"`
}

// Error identifies an error that a rule can report.
type Error struct {
	// Type is the name of a field.ErrorType without its prefix, Origin what
	// field.Error.Origin has.
	Type   string `json:"type"`
	Origin string `json:"origin,omitempty"`
	// At is the path from the rule's place: "[*]" for an item, the JSON name of a field, "" for the
	// place itself.
	At string `json:"at,omitempty"`
}

// Level is the stability level of a rule.
type Level string

// The levels below stable ones.
const (
	Alpha Level = "alpha"
	Beta  Level = "beta"
)

// Stable is the level of rules without one, for a Projection.
const Stable Level = "stable"

// Levels returns the names of the levels, from the least stable.
func Levels() []string { return []string{string(Alpha), string(Beta), string(Stable)} }

// Projection describes the API servers that a schema is for.
type Projection struct {
	// Options are the enabled options; all others are disabled.
	Options []string
	// Level is the least stable level of enforced rules; "" is Beta.
	Level Level
}

// Holds reports whether all of the conditions are true. If not, the reason names the flag that
// would change this; it is empty if the schema should not have the rules.
func (p Projection) Holds(under []Condition) (holds bool, reason Reason) {
	for _, c := range under {
		switch {
		case c.Level == Alpha && p.Level != Alpha, c.Level == Beta && p.Level == Stable:
			return false, Reason(string(c.Level) + " rules are published with --level " + string(c.Level))
		case !c.IsOption() || slices.Contains(p.Options, c.Option) != c.Off:
		case c.Off:
			return false, ""
		default:
			return false, Reason("option " + c.Option + " is not among those of --enable-options")
		}
	}
	return true, ""
}

// Condition is an option or a stability level. Either Option or Level is set.
type Condition struct {
	// Option is the option that must be enabled or disabled.
	Option string `json:"option,omitempty"`
	Off    bool   `json:"off,omitempty"`
	Level  Level  `json:"level,omitempty"`
}

// IsOption reports whether the condition is an option.
func (c Condition) IsOption() bool { return c.Level == "" }

// Options returns the conditions that are options.
func Options(list []Condition) []Condition {
	var options []Condition
	for _, c := range list {
		if c.IsOption() {
			options = append(options, c)
		}
	}
	return options
}

// LevelOf returns the outermost level of conditions; "" is stable.
func LevelOf(list []Condition) Level {
	for _, c := range list {
		if c.Level != "" {
			return c.Level
		}
	}
	return ""
}

// Weakest returns the less stable of two levels.
func Weakest(a, b Level) Level {
	if b == "" || a == Alpha {
		return a
	}
	return b
}

// Under returns the rules with additional outer conditions, outermost first. The members of a union
// and the modes of a field have their own conditions.
func Under(conditions []Condition, rules []Rule) []Rule {
	if len(conditions) == 0 {
		return rules
	}
	out := make([]Rule, len(rules))
	for i, r := range rules {
		if !r.conditioned() {
			r.Under = slices.Concat(conditions, r.Under)
		}
		out[i] = r
	}
	return out
}

// conditioned reports whether the parts of the predicate have the conditions.
func (r *Rule) conditioned() bool {
	switch p := r.Must.(type) {
	case *Union:
		return p.Mixed
	case *Modes:
		return true
	}
	return false
}

// Stops reports whether the rule, or one below it, stops others with an error.
func (r *Rule) Stops() bool {
	switch p := r.Must.(type) {
	case *Each, *Part, *Item:
		return slices.ContainsFunc(Below(p), func(r Rule) bool { return r.Stops() })
	}
	return r.Effect == Stop
}

// Outermost returns the conditions of a rule or, if its parts have their own conditions, those of
// the first part.
func Outermost(r Rule) []Condition {
	switch p := r.Must.(type) {
	case *Union:
		if p.Mixed {
			return p.Members[0].Under
		}
	case *Modes:
		for _, c := range p.Cases {
			for _, in := range c.Rules {
				return in.Under
			}
		}
	}
	return r.Under
}
