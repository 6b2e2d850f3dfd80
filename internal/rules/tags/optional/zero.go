package optional

import (
	"encoding/json"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// checkZero warns of a field whose zero value clients send although the field is unset, and that API servers refuse.
func checkZero(n *tag.Node, bag *diag.Bag) {
	f := n.Field
	if f == nil || n.Model.Absent(f) != model.LackNever || f.Skipped || n.IsPart() || n.EffectiveDefault() != nil ||
		tag.ShapeOf(n.Model, n.Type)&(tag.Strings|tag.Integers|tag.Floats|tag.Bools) == 0 || n.IsPointer() {
		return
	}
	zero := value.Zero(n.Model, n.Type)
	// API servers have no guard that takes the zero value as unset.
	programs := tag.Programs(n.Model, n.Tags).Rewritten(func(_ *rule.Place, rules []rule.Rule) []rule.Rule {
		var out []rule.Rule
		for _, r := range rules {
			if r.Effect != rule.Guard {
				out = append(out, r)
			}
		}
		return out
	})
	_, errors := eval.New(programs).Constant(n.Owner, f, plain(zero))
	for _, e := range errors {
		if e.Rule == "" {
			continue
		}
		d := bag.Warnf(f.TagSpan, codeNeedsOmitempty, "%s is sent as %s if it is unset, and API servers refuse %[2]s (%s); add omitempty, or make it *%s",
			f.Name, zero.JSON(), e.Rule, value.TypeName(n.Type)).Note(e.Declared, "the rule").RestsOn(diag.Meaning(e.Declared))
		if name := tag.JSONName(f); !name.IsZero() {
			d.Suggest(name, name.Text()+",omitempty", "add omitempty")
		}
		return
	}
}

// plain returns a zero value as decoded JSON.
func plain(v *value.Value) any {
	switch v.Kind {
	case value.Bool:
		return false
	case value.Number:
		return json.Number(v.Text)
	}
	return ""
}
