package eval

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// operand is what a predicate compares values with, read once.
type operand struct {
	signed   int64
	unsigned uint64
	quantity resource.Quantity
	pattern  *regexp.Regexp
	format   func(r *validate.Run, at *validate.Path, value string) bool
	sorted   []string
	excluded []validate.EnumExclusion[string]
	authored *authored
}

// checkOf makes a rule ready to run at a place.
func (s *Set) checkOf(p *rule.Place, r rule.Rule) *check {
	c := &check{Rule: r, place: p, level: rule.LevelOf(r.Under)}
	switch m := r.Must.(type) {
	case *rule.Limit:
		c.limit(m)
		c.reads = true
	case *rule.NotEqual:
		c.number(m.Value.Text)
	case *rule.Pattern:
		c.pattern, _ = regexp.Compile(m.Regexp)
	case *rule.Format:
		c.format = formats[m.Name]
	case *rule.Enum:
		c.enum(m)
	case *rule.NoNils:
		c.reads = true
	case *rule.Update:
		c.reads = m.Forbids == rule.NoAddItem || m.Forbids == rule.NoRemoveItem
	case *rule.CEL:
		c.authored = s.authoredOf(p, m)
	case *rule.Call, *rule.Fixed:
		c.takesNil = r.Effect == rule.Report
	case *rule.Part:
		c.field = s.typeOf(m.Field.Type)
		c.inside = s.bodyOf(m.Place, slices.Concat(m.Rules, m.Unless), nil, false)
	case *rule.Item:
		c.inside = s.bodyOf(s.behind(m.Place), m.Rules, nil, false)
	case *rule.Modes:
		c.field = s.typeOf(m.Field.Type)
		for _, mode := range m.Cases {
			c.modes = append(c.modes, s.bodyOf(m.Place, mode.Rules, nil, false))
		}
		c.otherwise = s.bodyOf(m.Place, m.Otherwise, nil, false)
	}
	return c
}

func (o *operand) limit(m *rule.Limit) {
	switch m.Of {
	case rule.Duration:
		d, _ := time.ParseDuration(m.Value)
		o.signed = int64(d)
	case rule.Quantity:
		o.quantity, _ = resource.ParseQuantity(m.Value)
	default:
		o.number(m.Value)
	}
}

func (o *operand) number(text string) {
	o.signed, _ = strconv.ParseInt(text, 10, 64)
	o.unsigned, _ = strconv.ParseUint(text, 10, 64)
}

func (o *operand) enum(m *rule.Enum) {
	for _, v := range m.Values {
		o.sorted = append(o.sorted, v.Value)
		for _, c := range v.Excluded {
			o.excluded = append(o.excluded, validate.EnumExclusion[string]{Value: v.Value, Option: c.Option, ExcludeWhen: !c.Off})
		}
	}
	slices.SortFunc(o.sorted, strings.Compare)
}

// formats are the checks of formats by their names.
var formats = map[string]func(r *validate.Run, at *validate.Path, value string) bool{
	"k8s-short-name":                    validate.ShortName[string],
	"k8s-long-name":                     validate.LongName[string],
	"k8s-long-name-caseless":            validate.LongNameCaseless[string],
	"k8s-label-key":                     validate.LabelKey[string],
	"k8s-prefixed-label-key":            validate.PrefixedLabelKey[string],
	"k8s-label-value":                   validate.LabelValue[string],
	"k8s-path-segment-name":             validate.PathSegmentName[string],
	"k8s-uuid":                          validate.UUID[string],
	"k8s-resource-pool-name":            validate.ResourcePoolName[string],
	"k8s-extended-resource-name":        validate.ExtendedResourceName[string],
	"k8s-resource-fully-qualified-name": validate.ResourceFullyQualifiedName[string],
	"k8s-ip":                            validate.IP[string],
}
