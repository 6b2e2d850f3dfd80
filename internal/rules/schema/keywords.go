package schema

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// required requires the key and, for types whose zero value counts as unset, a non-zero value: an
// API server would otherwise accept `name: ""`. For a field with a default, it does the same for
// lists and maps, because defaulting does not change empty ones.
func (p *projector) required(at target, must *rule.Required) {
	m := p.b.model
	if at.parent != nil && !must.Defaulted && !slices.Contains(at.parent.Required, at.name) {
		at.parent.Required = append(at.parent.Required, at.name)
	}
	if at.place.IsPointer(m) {
		return
	}
	switch u := m.Underlying(at.place.Type); {
	case u.Kind == model.KindSlice && !u.IsBytes():
		atLeastOne(&at.props.MinItems)
	case u.Kind == model.KindMap:
		atLeastOne(&at.props.MinProperties)
	case must.Defaulted:
	case u.IsString():
		if len(at.props.Enum) == 0 || p.b.options.ControllerGen {
			atLeastOne(&at.props.MinLength)
		}
	default:
		set := p.b.rulesOf.NotZero(at.place.Type, expr.Self())
		if set == nil {
			return
		}
		if at.place.Type.ID() == model.Quantity {
			longest := int64(longestQuantity)
			lower(&at.props.MaxLength, &longest)
		}
		p.add(at.props, []clause{{holds: set, message: "Required value", kind: apiextensionsv1.FieldValueRequired, span: p.rule.Span}})
	}
}

func atLeastOne(keyword **int64) {
	if *keyword == nil {
		one := int64(1)
		*keyword = &one
	}
}

// limit sets the keyword of a limit if the server supports its exact value, else a rule. The
// stricter of two limits applies.
func (p *projector) limit(at target, l *rule.Limit) {
	if l.Of != rule.Number {
		p.measured(at, l)
		return
	}
	n := rule.IntOf(l.Value)
	sizes := map[rule.Keyword]**int64{
		rule.MinLength: &at.props.MinLength, rule.MinItems: &at.props.MinItems, rule.MinProperties: &at.props.MinProperties,
		rule.MaxLength: &at.props.MaxLength, rule.MaxItems: &at.props.MaxItems, rule.MaxProperties: &at.props.MaxProperties,
		rule.MaxBytes: &at.props.MaxLength,
	}
	if keyword := sizes[l.Keyword]; keyword != nil {
		if v := n.Int64(); isLowerSize(l.Keyword) {
			higher(keyword, &v)
		} else {
			lower(keyword, &v)
		}
		if l.Keyword != rule.MaxBytes {
			return
		}
	} else if f, exact := rule.AsFloat(l.Value); exact {
		if l.Keyword == rule.MultipleOf {
			at.props.MultipleOf = multipleOfBoth(at.props, n)
		} else {
			bound(at.props, rule.Comparisons[l.Keyword], f)
		}
		return
	}
	p.add(at.props, p.clauses(p.rule, &loc{place: at.place, x: expr.Self()}))
}

// longestQuantity is the maximum length of the text of a quantity with a bound. A quantity of 64
// bits and nine decimal places has 30 characters; longer ones have superfluous zeros. Without a
// limit, a server assumes that the text fills a request, and rejects the rule on list items.
const longestQuantity = 64

// measured compares durations and quantities in a rule.
func (p *projector) measured(at target, l *rule.Limit) {
	if l.Of == rule.Duration && at.props.Type != String || l.Of == rule.Quantity && !at.props.XIntOrString && at.props.Type != String {
		p.cannot(rule.Reason("in the schema, the value is not a " + string(l.Of)))
		return
	}
	if l.Of == rule.Quantity {
		longest := int64(longestQuantity)
		lower(&at.props.MaxLength, &longest)
	}
	clauses := p.clauses(p.rule, &loc{place: at.place, x: expr.Self()})
	if at.props.Type == String {
		for i := range clauses {
			clauses[i].holds = l.HoldsOfText(expr.Self())
		}
	}
	p.add(at.props, clauses)
}

func isLowerSize(k rule.Keyword) bool {
	return k == rule.MinLength || k == rule.MinItems || k == rule.MinProperties
}

// bound sets a bound on numbers, unless there is a stricter one.
func bound(s *props, how rule.Comparison, f float64) {
	keyword, exclusive := &s.Maximum, &s.ExclusiveMaximum
	if how.Lower {
		keyword, exclusive = &s.Minimum, &s.ExclusiveMinimum
	}
	switch old := *keyword; {
	case old == nil || how.Lower && *old < f || !how.Lower && *old > f:
		*keyword, *exclusive = &f, how.Exclusive
	case *old == f:
		*exclusive = *exclusive || how.Exclusive
	}
}

// multipleOfBoth returns the least common multiple of a schema's factor and another.
func multipleOfBoth(s *props, n *big.Int) *float64 {
	f := float64(n.Int64())
	if s.MultipleOf == nil {
		return &f
	}
	if old := big.NewInt(int64(*s.MultipleOf)); old.Sign() > 0 && float64(old.Int64()) == *s.MultipleOf {
		both := new(big.Int).Mul(n, old)
		both.Div(both, new(big.Int).GCD(nil, nil, n, old))
		if exact, ok := rule.AsFloat(both.String()); ok {
			return &exact
		}
	}
	s.AllOf = append(s.AllOf, props{MultipleOf: &f})
	return s.MultipleOf
}

// also adds a keyword that a schema can have only once. If the schema has another value, it adds to
// allOf.
func also(s *props, keyword func(*props) *string, value string) {
	switch now := keyword(s); *now {
	case "":
		*now = value
	case value:
	default:
		more := props{}
		*keyword(&more) = value
		s.AllOf = append(s.AllOf, more)
	}
}

func (p *projector) pattern(at target, regexp string) {
	also(at.props, func(s *props) *string { return &s.Pattern }, regexp)
}

// format sets the server's format with the same meaning, or else other keywords and rules.
func (p *projector) format(at target, f rule.FormatSpec) {
	if f.OpenAPI != "" {
		also(at.props, func(s *props) *string { return &s.Format }, f.OpenAPI)
	}
	if f.Pattern != "" {
		p.pattern(at, f.Pattern)
	}
	if f.MaxLength > 0 {
		lower(&at.props.MaxLength, &f.MaxLength)
	}
	for _, r := range f.Rules {
		p.say(at.props, r.Holds(expr.Self()), r.Message)
	}
}

// enum lists the values of an enum under the projection, in controller-gen's order. The author's list
// in another marker takes precedence.
func (p *projector) enum(at target, e *rule.Enum) {
	if len(at.props.Enum) > 0 {
		return
	}
	if len(e.Values) == 0 {
		p.add(at.props, p.clauses(p.rule, &loc{place: at.place, x: expr.Self()}))
	}
	for _, v := range p.enumValues(e.Values) {
		raw, err := json.Marshal(v.Value)
		if err == nil {
			at.props.Enum = append(at.props.Enum, apiextensionsv1.JSON{Raw: raw})
		}
	}
	slices.SortFunc(at.props.Enum, func(a, b apiextensionsv1.JSON) int { return bytes.Compare(a.Raw, b.Raw) })
}

// enumValues returns the values of an enum under the projection.
func (p *projector) enumValues(values []rule.EnumValue) []rule.EnumValue {
	return slices.DeleteFunc(slices.Clone(values), func(v rule.EnumValue) bool {
		return slices.ContainsFunc(v.Excluded, func(c rule.Condition) bool {
			return slices.Contains(p.b.projectionOf(p.owner.Package).Options, c.Option) != c.Off
		})
	})
}

// listType sets the list type, by which the server checks that items of sets and maps are unique.
// Structs and lists as items of a set must be atomic.
func (p *projector) listType(at target, must *rule.ListType) {
	kind := string(must.Type)
	at.props.XListType = &kind
	if must.Type == rule.Map {
		at.props.XListMapKeys = nil
		for _, k := range must.Keys {
			at.props.XListMapKeys = append(at.props.XListMapKeys, k.JSON)
		}
	}
	if items := at.props.Items; must.Type == rule.Set && items != nil && items.Schema != nil {
		atomic := string(rule.Atomic)
		switch items.Schema.Type {
		case Object:
			items.Schema.XMapType = &atomic
		case Array:
			items.Schema.XListType = &atomic
		}
	}
}

// unique compares all pairs of items in a rule on the list, unless that costs more than a server
// allows.
func (p *projector) unique(at target, u *rule.Unique) {
	if !rule.Checks(u) || at.props.Items == nil || at.props.Items.Schema == nil {
		return
	}
	if pkg := p.b.model.Package(p.owner.Package); pkg == nil || !pkg.Root && !pkg.Generated {
		p.cannot("the type is in another module")
		return
	}
	items := at.props.Items.Schema
	compared := []props{*items}
	if u.By == rule.Map {
		compared = nil
		for _, k := range u.Keys {
			compared = append(compared, items.Properties[k.JSON])
		}
	}
	if reason := tooDear(at.props, compared); reason != "" {
		p.cannot(reason)
		return
	}
	holds := p.b.rulesOf.UniqueItems(u, expr.Self(), items.Required)
	p.add(at.props, []clause{{holds: holds, message: "items must be unique", kind: apiextensionsv1.FieldValueDuplicate, span: p.rule.Span}})
}

// The server's cost estimate: a constant for each pair of items, and a tenth for each compared
// character. It assumes that a string without a limit is as long as a request.
const (
	budget         = 10_000_000
	perPair        = 9
	longestRequest = 3 << 20
)

// tooDear returns the reason why the rule would be rejected, and advice; "" if it would not.
func tooDear(list *props, compared []props) rule.Reason {
	const why = "comparing all pairs of items may cost more than API servers allow; "
	if list.MaxItems == nil {
		return why + "limit the list with maxItems"
	}
	pairs, each := float64(*list.MaxItems)*float64(*list.MaxItems), float64(perPair)
	unbounded := false
	for _, s := range compared {
		switch {
		case s.Type != String:
		case s.MaxLength != nil:
			each += float64(*s.MaxLength) / 10
		case len(s.Enum) == 0:
			unbounded = true
			each += longestRequest / 10
		}
	}
	switch {
	case pairs*each <= budget:
		return ""
	case unbounded:
		return why + "limit the compared strings with maxLength"
	}
	return why + "lower the maxItems of the list"
}
