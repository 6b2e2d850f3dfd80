package schema

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// limit is a bound of a schema: its keyword and value.
type limit struct {
	keyword   string
	value     float64
	exclusive bool
}

func (b *limit) String() string { return b.keyword + "=" + b.number() }

func (b *limit) number() string { return strconv.FormatFloat(b.value, 'f', -1, 64) }

// limits are the pairs of bounds that a schema may have. Each returns those of one schema; nil for none.
var limits = []func(*props) (lower, upper *limit){
	func(s *props) (lower, upper *limit) {
		return countOf("minLength", s.MinLength), countOf("maxLength", s.MaxLength)
	},
	func(s *props) (lower, upper *limit) {
		return countOf("minItems", s.MinItems), countOf("maxItems", s.MaxItems)
	},
	func(s *props) (lower, upper *limit) {
		return countOf("minProperties", s.MinProperties), countOf("maxProperties", s.MaxProperties)
	},
	func(s *props) (lower, upper *limit) {
		if s.Minimum != nil {
			lower = &limit{"minimum", *s.Minimum, s.ExclusiveMinimum}
		}
		if s.Maximum != nil {
			upper = &limit{"maximum", *s.Maximum, s.ExclusiveMaximum}
		}
		return lower, upper
	},
}

func countOf(keyword string, n *int64) *limit {
	if n == nil {
		return nil
	}
	return &limit{keyword: keyword, value: float64(*n)}
}

// checkBounds reports bounds that no value satisfies, in a schema and all schemas in it. They may be from different
// places: tags and markers, of a type and of a field.
func (b *Builder) checkBounds(t *model.Type, root, s *props, path []Step) {
	for _, of := range limits {
		lower, upper := strictest(s, of)
		if lower == nil || upper == nil || !excludeAll(lower, upper, s.Type == Integer) {
			continue
		}
		at := b.Locate(t, root, path)
		low, high := b.boundSpan(at, lower), b.boundSpan(at, upper)
		report := b.In(at.Owner.Package).Errorf
		if p := b.model.Package(at.Owner.Package); p != nil && p.IsDependency() {
			report = b.all.Warnf
		}
		words := "is above"
		if lower.value <= upper.value {
			words = "leaves nothing below"
		}
		report(low, codeBounds, "%s %s %s: no value can satisfy both", lower, words, upper).Note(high, "%s is here", upper.keyword)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		inner := s.Properties[name]
		b.checkBounds(t, root, &inner, append(slices.Clone(path), Step{Name: "properties"}, Step{Name: name, Index: true}))
	}
	if s.Items != nil && s.Items.Schema != nil {
		b.checkBounds(t, root, s.Items.Schema, append(slices.Clone(path), Step{Name: "items"}))
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		b.checkBounds(t, root, s.AdditionalProperties.Schema, append(slices.Clone(path), Step{Name: "additionalProperties"}))
	}
}

// strictest returns the strictest bounds of one kind that a schema has by itself and in allOf.
func strictest(s *props, of func(*props) (lower, upper *limit)) (lower, upper *limit) {
	lower, upper = of(s)
	for i := range s.AllOf {
		low, high := strictest(&s.AllOf[i], of)
		if low != nil && (lower == nil || cmp.Or(cmp.Compare(low.value, lower.value), weight(low)-weight(lower)) > 0) {
			lower = low
		}
		if high != nil && (upper == nil || cmp.Or(cmp.Compare(upper.value, high.value), weight(high)-weight(upper)) > 0) {
			upper = high
		}
	}
	return lower, upper
}

// weight is higher for the stricter of two bounds with one value.
func weight(b *limit) int {
	if b.exclusive {
		return 1
	}
	return 0
}

// excludeAll reports whether no number is within bounds.
func excludeAll(lower, upper *limit, integers bool) bool {
	between := upper.value - lower.value
	n := float64(weight(lower) + weight(upper))
	if integers {
		return between < n
	}
	return between < 0 || between == 0 && n > 0
}

// boundSpan returns the tag or marker of a limit, or else the field or the type.
func (b *Builder) boundSpan(at Place, of *limit) source.Span {
	found := source.Span{}
	for _, s := range b.Sources(at) {
		text := s.Span.Text()
		if !strings.Contains(strings.ToLower(text), strings.ToLower(of.keyword)) {
			continue
		}
		if strings.HasSuffix(strings.TrimRight(text, "\"'` "), of.number()) {
			return s.Span
		}
		if found.IsZero() {
			found = s.Span
		}
	}
	switch {
	case !found.IsZero():
		return found
	case at.Field != nil:
		return at.Field.Span
	}
	return at.Owner.Span
}
