// Package words says in words what rules allow, for people who write manifests: "at most 63 characters".
//
// [Of] returns the phrases of a rule. A phrase has no subject, since the page with the field names it. Phrases
// name fields of the same object in backquotes. Errors of validators are longer, because they stand alone.
package words

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Of returns what a rule demands, one phrase for each demand; none for a rule that never fails, or only decides
// whether others apply.
func Of(r rule.Rule) []string {
	if r.Effect == rule.Guard || !rule.Checks(r.Must) {
		return nil
	}
	phrases := predicate(r.Must)
	suffix := conditions(r)
	for i := range phrases {
		phrases[i] += suffix
	}
	return phrases
}

// limits are the phrases of bounds, around the value.
var limits = map[rule.Keyword][2]string{
	rule.MinLength: {"at least ", " character"}, rule.MaxLength: {"at most ", " character"}, rule.MaxBytes: {"at most ", " byte"},
	rule.MinItems: {"at least ", " item"}, rule.MaxItems: {"at most ", " item"},
	rule.MinProperties: {"at least ", " key"}, rule.MaxProperties: {"at most ", " key"},
	rule.Minimum: {"at least ", ""}, rule.Maximum: {"at most ", ""},
	rule.ExclusiveMinimum: {"greater than ", ""}, rule.ExclusiveMaximum: {"less than ", ""}, rule.MultipleOf: {"a multiple of ", ""},
}

// updates are the phrases of changes that are not allowed.
var updates = map[rule.Forbids]string{
	rule.NoSet: "can only be set when the object is created", rule.NoUnset: "cannot be removed once set",
	rule.NoModify: "cannot change once set", rule.NoAddItem: "no items can be added", rule.NoRemoveItem: "no items can be removed",
}

func predicate(must rule.Predicate) []string {
	switch must := must.(type) {
	case *rule.Required:
		if must.Defaulted {
			return []string{"cannot be empty"}
		}
		return []string{"must be set"}
	case *rule.Forbidden:
		return []string{"cannot be set"}
	case *rule.Limit:
		if must.Value == "0" && slices.Contains([]rule.Keyword{rule.MinLength, rule.MinItems, rule.MinProperties}, must.Keyword) {
			return nil // true of every value
		}
		return []string{limit(must)}
	case *rule.NotEqual:
		return []string{"not " + constant(must.Value)}
	case *rule.Pattern:
		return []string{"matches the regular expression " + code(must.Regexp)}
	case *rule.Format:
		return []string{rule.Formats[must.Name].Doc}
	case *rule.Enum:
		return enum(must)
	case *rule.ListType:
		return []string{unique(must.Type, must.Keys)}
	case *rule.Unique:
		return []string{unique(must.By, must.Keys)}
	case *rule.NoNils:
		return []string{"no item can be null"}
	case *rule.Immutable:
		return []string{"cannot change after the object is created"}
	case *rule.Monotonic:
		return []string{"cannot decrease"}
	case *rule.Update:
		return []string{updates[must.Forbids]}
	case *rule.Call:
		return []string{"checked by the function " + code(must.Name) + " of the API"}
	case *rule.Fixed:
		if must.Passes {
			return nil
		}
		return []string{"always refused: " + must.Text}
	case *rule.Dependent:
		verb := " must be set if "
		if must.Forbidden {
			verb = " cannot be set if "
		}
		return []string{code(must.Then.JSON) + verb + code(must.When.JSON) + " is set"}
	case *rule.CEL:
		if must.Message == "" {
			return []string{"satisfies " + code(strings.TrimSpace(must.Rule))}
		}
		return []string{must.Text()}
	case *rule.Union:
		return union(must)
	}
	return nested(must)
}

// nested returns the phrases of rules on a part of the value, each after the part.
func nested(must rule.Predicate) []string {
	var phrases []string
	add := func(part string, rules []rule.Rule) {
		for _, r := range rules {
			for _, phrase := range Of(r) {
				phrases = append(phrases, part+": "+phrase)
			}
		}
	}
	switch must := must.(type) {
	case *rule.Each:
		part := map[rule.Scope]string{rule.OnMapValue: "each value"}[must.Place.Scope]
		switch {
		case must.Keys:
			part = "each key"
		case part == "":
			part = "each item"
		}
		add(part, must.Rules)
	case *rule.Part:
		add(code(must.Field.JSON), must.Rules)
	case *rule.Item:
		add("the item with "+Keys(must.Keys), must.Rules)
	case *rule.Modes:
		for _, c := range must.Cases {
			add(code(must.Field.JSON)+" if "+code(must.Discriminator.JSON)+" is "+constant(c.Value), c.Rules)
		}
		add(code(must.Field.JSON)+" if "+code(must.Discriminator.JSON)+" has another value", must.Otherwise)
	}
	return phrases
}

func limit(l *rule.Limit) string {
	form := limits[l.Keyword]
	text := form[0] + l.Value + form[1]
	if form[1] != "" && l.Value != "1" {
		text += "s"
	}
	return text
}

// enum returns the values, with the conditions of those that only some servers allow.
func enum(e *rule.Enum) []string {
	var values []string
	for _, v := range e.Values {
		values = append(values, code(v.Value)+Excluded(v))
	}
	if len(values) == 0 {
		return []string{"no value is allowed"}
	}
	return []string{"one of " + strings.Join(values, ", ")}
}

// Excluded returns when a value of an enum is not allowed, as the end of a phrase; "" for never.
func Excluded(v rule.EnumValue) string {
	text := ""
	for _, c := range v.Excluded {
		text += " (not" + condition(c) + ")"
	}
	return text
}

func unique(by rule.Semantics, keys []rule.FieldPath) string {
	if by != rule.Map || len(keys) == 0 {
		return "items are unique"
	}
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = code(k.JSON)
	}
	return "items have different " + strings.Join(names, " and ")
}

// union returns the phrases of a union. A page shows it as a choice besides.
func union(u *rule.Union) []string {
	names := make([]string, len(u.Members))
	for i, m := range u.Members {
		names[i] = code(m.Name)
	}
	list := strings.Join(names, ", ")
	switch {
	case u.Discriminator != nil:
		return []string{code(u.Discriminator.Field.JSON) + " selects one of " + list}
	case u.ZeroOrOne:
		return []string{"at most one of " + list}
	}
	return []string{"exactly one of " + list}
}

// Keys returns the keys that select an item of a list.
func Keys(keys []rule.KeyValue) string {
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = code(k.Key.JSON) + " " + constant(k.Value)
	}
	return strings.Join(parts, " and ")
}

// conditions returns when a rule applies, as the end of a phrase; "" for always.
func conditions(r rule.Rule) string {
	text := ""
	for _, c := range r.Under {
		text += condition(c)
	}
	for _, alternative := range r.Unless {
		var options []string
		for _, c := range alternative {
			options = append(options, strings.TrimPrefix(condition(c), " "))
		}
		text += ", except " + strings.Join(options, " and ")
	}
	return text
}

func condition(c rule.Condition) string {
	switch {
	case c.Level == rule.Alpha:
		return " (alpha: not enforced)"
	case c.Level != "":
		return " (" + string(c.Level) + ")"
	case c.Option == "":
		return ""
	case c.Off:
		return " if the option " + c.Option + " is disabled"
	}
	return " if the option " + c.Option + " is enabled"
}

func constant(c rule.Constant) string {
	if c.Kind == model.StringValue && c.Text == "" {
		return code(`""`)
	}
	return code(c.Text)
}

// code marks a text as code in Markdown.
func code(text string) string {
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}
