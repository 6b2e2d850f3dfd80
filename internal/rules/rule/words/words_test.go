package words_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/words"
)

func TestOf(t *testing.T) {
	path := func(name string) rule.FieldPath { return rule.FieldPath{JSON: name} }
	text := func(s string) rule.Constant { return rule.Constant{Kind: model.StringValue, Text: s} }
	limit := func(k rule.Keyword, v string) rule.Predicate { return &rule.Limit{Keyword: k, Value: v} }
	items := &rule.Place{Scope: rule.OnValue}
	for _, test := range []struct {
		name string
		rule rule.Rule
		want []string
	}{
		{"one character", rule.Rule{Must: limit(rule.MinLength, "1")}, []string{"at least 1 character"}},
		{"characters", rule.Rule{Must: limit(rule.MaxLength, "63")}, []string{"at most 63 characters"}},
		{"no characters", rule.Rule{Must: limit(rule.MinLength, "0")}, nil},
		{"number", rule.Rule{Must: limit(rule.ExclusiveMaximum, "9")}, []string{"less than 9"}},
		{"enum with options", rule.Rule{Must: &rule.Enum{Values: []rule.EnumValue{{Value: "A"}, {Value: "B", Excluded: []rule.Condition{{Option: "X"}}}}}}, []string{"one of `A`, `B` (not if the option X is enabled)"}},
		{"enum without values", rule.Rule{Must: &rule.Enum{}}, []string{"no value is allowed"}},
		{"keys of items", rule.Rule{Must: &rule.ListType{Type: rule.Map, Keys: []rule.FieldPath{path("name"), path("port")}}}, []string{"items have different `name` and `port`"}},
		{"an atomic list has no rule", rule.Rule{Must: &rule.ListType{Type: rule.Atomic}}, nil},
		{"a guard has no words", rule.Rule{Must: &rule.IsSet{}, Effect: rule.Guard}, nil},
		{"items", rule.Rule{Must: &rule.Each{Place: items, Rules: []rule.Rule{{Must: limit(rule.Minimum, "0")}, {Must: limit(rule.Maximum, "9")}}}}, []string{"each item: at least 0", "each item: at most 9"}},
		{"keys of a map", rule.Rule{Must: &rule.Each{Keys: true, Place: items, Rules: []rule.Rule{{Must: limit(rule.MaxBytes, "1")}}}}, []string{"each key: at most 1 byte"}},
		{"a subfield", rule.Rule{Must: &rule.Part{Field: path("name"), Rules: []rule.Rule{{Must: &rule.Immutable{}}}}}, []string{"`name`: cannot change after the object is created"}},
		{"an item", rule.Rule{Must: &rule.Item{Keys: []rule.KeyValue{{Key: path("type"), Value: text("Ready")}}, Rules: []rule.Rule{{Must: &rule.Forbidden{}}}}}, []string{"the item with `type` `Ready`: cannot be set"}},
		{"modes", rule.Rule{Must: &rule.Modes{Field: path("size"), Discriminator: path("mode"), Cases: []rule.Mode{{Value: text("Big"), Rules: []rule.Rule{{Must: &rule.Required{}}}}}, Otherwise: []rule.Rule{{Must: &rule.Forbidden{}}}}}, []string{"`size` if `mode` is `Big`: must be set", "`size` if `mode` has another value: cannot be set"}},
		{"dependent", rule.Rule{Must: &rule.Dependent{When: path("tls"), Then: path("key")}}, []string{"`key` must be set if `tls` is set"}},
		{"CEL with a message", rule.Rule{Must: &rule.CEL{Rule: "self.a < self.b", Message: "a is less than b"}}, []string{"a is less than b"}},
		{"CEL", rule.Rule{Must: &rule.CEL{Rule: " self.a < self.b "}}, []string{"satisfies `self.a < self.b`"}},
		{"conditions", rule.Rule{Must: &rule.Required{}, Under: []rule.Condition{{Option: "X", Off: true}, {Level: rule.Alpha}}}, []string{"must be set if the option X is disabled (alpha: not enforced)"}},
		{"quotes in code", rule.Rule{Must: &rule.Pattern{Regexp: "^`+$"}}, []string{"matches the regular expression `` ^`+$ ``"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, words.Of(test.rule)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestFormats checks that each format has words for users.
func TestFormats(t *testing.T) {
	for name, f := range rule.Formats {
		if f.Doc == "" || f.Example == "" {
			t.Errorf("%s has no words or no example", name)
		}
		if got := words.Of(rule.Rule{Must: &rule.Format{Name: name}}); len(got) != 1 || got[0] != f.Doc {
			t.Errorf("%s: %q", name, got)
		}
	}
}
