package kubebuilder

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// WithKeywords returns programs that also have what markers set as keywords of published schemas: limits, patterns, enums,
// and required fields. Generated Go does not enforce these. The rules see values as Go does: a required string cannot be
// empty, and an optional value is checked if it is set.
func WithKeywords(all *rule.Programs) *rule.Programs {
	k := &keyworder{all}
	return rule.NewPrograms(all.Model, func(t *model.Type, params map[string]*model.Ref) *rule.Program {
		p := *all.Instance(t, params)
		p.Rules = slices.Concat(p.Rules, k.rules(p.Place, t.Markers, false))
		if t.Generic || p.Place.Opaque || value.HasOwnJSON(all.Model, t.Ref()) {
			return &p
		}
		p.Fields = nil
		for _, f := range t.Fields {
			if f.Skipped {
				continue
			}
			of := all.FieldOf(all.Instance(t, params), f)
			added := k.field(t, f, of)
			if of.Rules = slices.Concat(added, of.Rules); len(of.Rules)+len(of.Around) > 0 {
				p.Fields = append(p.Fields, of)
			}
		}
		return &p
	})
}

type keyworder struct{ all *rule.Programs }

// field returns the rules of the markers on a field: first whether it is set, unless a tag says that.
func (k *keyworder) field(t *model.Type, f *model.Field, of rule.FieldRules) []rule.Rule {
	rules := k.rules(of.Place, f.Markers, true)
	if slices.ContainsFunc(of.Rules, decides) {
		return rules
	}
	member := k.all.Model.MemberOf(t, f)
	required := tag.IsRequired(k.all.Model, t, f, rule.Projection{})
	switch {
	case member == nil:
		return rules
	case required && member.Default == nil && k.tellsAbsent(of.Place):
		must := rule.Rule{Tag: "required", Text: member.By, Span: f.Span, Effect: rule.Stop, Must: &rule.Required{}, Errors: []rule.Error{{Type: "Required"}}}
		return append([]rule.Rule{must}, rules...)
	case (len(rules) > 0 || k.ofTypes(of.Place)) && of.Place.Unset != model.LackNever && !required:
		return append([]rule.Rule{{Tag: "optional", Effect: rule.Guard, Must: &rule.IsSet{}}}, rules...)
	}
	return rules
}

// ofTypes reports whether markers on the types of a value have keywords.
func (k *keyworder) ofTypes(p *rule.Place) bool {
	_, chain := k.all.Model.Resolve(p.Value(k.all.Model))
	return slices.ContainsFunc(chain, func(t *model.Type) bool { return len(k.rules(k.all.Of(t).Place, t.Markers, false)) > 0 })
}

// decides reports whether a rule says whether a value is set.
func decides(r rule.Rule) bool {
	switch r.Must.(type) {
	case *rule.Required, *rule.IsSet, *rule.Forbidden:
		return true
	}
	return false
}

// tellsAbsent reports whether Go can tell a missing value from most others: numbers and bools have a zero value that clients
// mean.
func (k *keyworder) tellsAbsent(p *rule.Place) bool {
	u := k.all.Model.Underlying(p.Type)
	return p.Unset == model.LackNil || p.Unset == model.LackEmpty || u.IsString()
}

// rules returns the rules of markers on a value, and on the items of a list.
func (k *keyworder) rules(p *rule.Place, markers []model.Marker, onField bool) []rule.Rule {
	own, items := keywords(markers, onField)
	own = slices.DeleteFunc(own, func(r rule.Rule) bool { return !k.fits(r.Must, p.Underlying(k.all.Model)) })
	if u := p.Underlying(k.all.Model); u.Kind == model.KindSlice && len(items) > 0 {
		elem := k.all.Elem(p)
		items = slices.DeleteFunc(items, func(r rule.Rule) bool { return !k.fits(r.Must, elem.Underlying(k.all.Model)) })
		own = append(own, rule.ForEach("", rule.Each{Place: elem, Rules: items})...)
	}
	return own
}

// fits reports whether a predicate is about values of a type. Schemas ignore others.
func (k *keyworder) fits(must rule.Predicate, u *model.Ref) bool {
	switch must := must.(type) {
	case *rule.Pattern:
		return u.IsString()
	case *rule.Enum:
		return u.IsString()
	case *rule.Unique:
		return u.Kind == model.KindSlice
	case *rule.Limit:
		switch must.Keyword {
		case rule.MinLength, rule.MaxLength:
			return u.IsString()
		case rule.MinItems, rule.MaxItems:
			return u.Kind == model.KindSlice && !u.IsBytes()
		case rule.MinProperties, rule.MaxProperties:
			return u.Kind == model.KindMap
		}
		return u.IsInteger() && rule.IntOf(must.Value).String() == must.Value
	}
	return true
}
