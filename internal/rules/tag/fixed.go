package tag

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Flags of tags with a fixed result.
const (
	flagShort    = "ShortCircuit"
	flagNonError = "NonError"
)

// FixedResult returns the definition of a tag that always passes or always fails, for tests of
// where rules apply.
func FixedResult(name string, stability Stability, passes bool) *Definition {
	short := shortName(name)
	codes := diag.Protect(diag.Rules)
	unknownFlag := codes.New(strings.ToLower(short)+"/unknown-flag", "The flags are ShortCircuit and NonError.")
	d := &Definition{
		Name: name, Stability: stability, Scopes: Anywhere, Shapes: AnyShape,
		Args: []Arg{
			{Name: "flags", Kinds: []model.ValueKind{model.StringValue}, Doc: "comma-separated flags: ShortCircuit skips the rules after it, NonError reports no error"},
			{Name: "typeArg", Kinds: []model.ValueKind{model.StringValue}, Doc: "the type of the value; accepted for compatibility with upstream and ignored"},
			{Name: "cohort", Kinds: []model.ValueKind{model.StringValue}, Doc: "the cohort of the rule"},
		},
		Payload:    Payload{Kinds: []model.ValueKind{model.StringValue}, Optional: true, Doc: "a text for the generated code"},
		Repeatable: true,
		Codes:      codes.All(),
		Check: func(_ *Node, c *model.Tag, bag *diag.Bag) {
			for _, flag := range flags(c) {
				if flag != flagShort && flag != flagNonError {
					bag.Errorf(c.Arg("flags").Span, unknownFlag, "unknown flag %q; the flags are ShortCircuit and NonError", flag)
				}
			}
		},
		Lower: func(_ *Node, c *model.Tag) []rule.Rule { return fixedRules(short, c, passes) },
	}
	if passes {
		d.Summary = "Always passes."
		d.Doc = "For tests of generators and of where rules apply."
		return d
	}
	d.Summary = "Always fails."
	d.Doc = "For tests of generators and of where rules apply. No value is valid."
	d.ErrorType, d.Origin = "Invalid", "validateFalse"
	return d
}

func fixedRules(short string, c *model.Tag, passes bool) []rule.Rule {
	r := rule.Rule{Tag: short, Cohort: c.ArgText("cohort"), Must: &rule.Fixed{Passes: passes, Text: c.Text()}}
	silent := false
	for _, flag := range flags(c) {
		if flag == flagShort {
			r.Effect = rule.Stop
		}
		silent = silent || flag == flagNonError
	}
	if silent {
		return rule.Silently([]rule.Rule{r})
	}
	return []rule.Rule{r}
}

func flags(c *model.Tag) []string {
	var list []string
	for flag := range strings.SplitSeq(c.ArgText("flags"), ",") {
		if flag = strings.TrimSpace(flag); flag != "" {
			list = append(list, flag)
		}
	}
	return list
}
