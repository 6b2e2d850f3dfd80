// Package rule is what tags mean, as data.
//
// A tag lowers to rules. A rule says where it applies, when, what must be true
// there, and which errors it can report. Nothing in a rule is code or text of
// an output: the printers of Go, of schemas and CEL, of the coverage list, and
// the evaluator all read the same rules.
package rule

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
)

// Program is the rules of one declared type. The values below it have the
// programs of their own types.
type Program struct {
	Type model.Name `json:"type"`
	// Place is a value of the type.
	Place *Place `json:"place"`
	// Rules are the rules of the type's own tags.
	Rules []Rule `json:"rules,omitempty"`
	// Fields are the fields of a struct that tags say something of, in order of
	// declaration; see Programs.Field.
	Fields []FieldRules `json:"fields,omitempty"`
}

// FieldRules is the rules of the tags on one field.
type FieldRules struct {
	// Field is the field's Go name.
	Field string `json:"field"`
	Place *Place `json:"place"`
	Rules []Rule `json:"rules,omitempty"`
	// Around are the rules that the field's tags put on the struct around it, such
	// as that of a union. They run after those of the struct's own tags.
	Around []Rule `json:"around,omitempty"`
}

// Effect says what a rule that does not hold does.
type Effect string

const (
	// Report reports the rule's errors.
	Report Effect = ""
	// Stop reports them, and the other rules of the cohort do not run.
	Stop Effect = "stop"
	// Guard reports nothing, and the other rules of the cohort do not run.
	Guard Effect = "guard"
)

// Moment says when a rule applies, apart from its conditions.
type Moment string

const (
	// Always is on every request.
	Always Moment = ""
	// OnUpdate is when the place has an old value, set or not. A field of a struct
	// that is new has none.
	OnUpdate Moment = "update"
	// OnUpdateOfValue is when the place has an old value that is not a nil pointer.
	OnUpdateOfValue Moment = "updateOfValue"
	// OnChange is when the object is new, or what the predicate reads has changed.
	OnChange Moment = "change"
)

// Rule is one thing that must hold at a place.
type Rule struct {
	// Tag is the name of the tag without its prefix. Rules of values and keys are
	// in the order of it.
	Tag string `json:"tag"`
	// Text is the tag as its author wrote it, Span where.
	Text string      `json:"text,omitempty"`
	Span source.Span `json:"span,omitzero"`
	// Until is the last version in which the rule holds, where newer ones lack it.
	Until string `json:"until,omitempty"`

	// Around is set on a rule of a field's tag that is about the struct around the
	// field, and on one of an item's that is about the list.
	Around bool `json:"-"`
	// Cohort groups rules: what stops, stops its cohort. "" is the default cohort,
	// which runs first; when it is stopped no other cohort runs.
	Cohort string `json:"cohort,omitempty"`
	Effect Effect `json:"effect,omitempty"`

	// Under are the conditions on the rule, outermost first.
	Under []Condition `json:"under,omitempty"`
	// Unless are alternatives: the rule does not apply where all conditions of one
	// of them hold.
	Unless [][]Condition `json:"unless,omitempty"`
	Moment Moment        `json:"moment,omitempty"`
	// Must is what must hold.
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
	// At is where, seen from the rule's place: "[*]" for an item, the JSON name of
	// a field of the struct there, "" for the place itself.
	At string `json:"at,omitempty"`
}

// Level says how firmly a rule holds.
type Level string

// The levels below stable ones.
const (
	Alpha Level = "alpha"
	Beta  Level = "beta"
)

// Stable is the level of rules without one, for a Projection.
const Stable Level = "stable"

// Projection is what is known of the API server that a schema is for.
type Projection struct {
	// Options are those that are on there; all others are off.
	Options []string
	// Level is the least stable level of rules that it enforces; "" is Beta.
	Level Level
}

// Holds reports whether rules under all of the conditions hold. When they do not,
// the reason says which flag would make them; it is empty where it is right that
// the schema has nothing of the rules.
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

// Condition says when, or how firmly, a rule holds. Either Option or Level is set.
type Condition struct {
	// Option is the option that must be on, or off.
	Option string `json:"option,omitempty"`
	Off    bool   `json:"off,omitempty"`
	Level  Level  `json:"level,omitempty"`
}

// IsOption reports whether the condition asks for an option.
func (c Condition) IsOption() bool { return c.Level == "" }

// Options returns the conditions of a list that ask for an option.
func Options(list []Condition) []Condition {
	var options []Condition
	for _, c := range list {
		if c.IsOption() {
			options = append(options, c)
		}
	}
	return options
}

// LevelOf returns the level of what is under conditions: the outermost one
// counts, "" is stable.
func LevelOf(list []Condition) Level {
	for _, c := range list {
		if c.Level != "" {
			return c.Level
		}
	}
	return ""
}

// Weakest returns, of two levels, the one at which less is certain.
func Weakest(a, b Level) Level {
	if b == "" || a == Alpha {
		return a
	}
	return b
}

// Under returns the rules under further conditions, which are outermost first
// and around those that the rules have. A union and the modes of a field have
// conditions of their own: their parts can be under different ones.
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

// Outermost returns the conditions of a rule or, where its parts have conditions
// of their own, those of the first of these.
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
