package eval

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/order"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// operand is the parsed operand of a predicate.
type operand struct {
	signed   int64
	unsigned uint64
	quantity resource.Quantity
	pattern  *regexp.Regexp
	format   *format
	sorted   []string
	excluded []validate.EnumExclusion[string]
	authored *authored
}

// operand returns the parsed operand of a rule.
func (s *Set) operand(c *order.Check) *operand {
	o := s.operands[c]
	if o != nil {
		return o
	}
	o = &operand{}
	s.operands[c] = o
	switch m := c.Must.(type) {
	case *rule.Limit:
		o.limit(m)
	case *rule.NotEqual:
		o.number(m.Value.Text)
	case *rule.Pattern:
		o.pattern, _ = regexp.Compile(m.Regexp)
	case *rule.Format:
		if f, ok := formats[m.Name]; ok {
			o.format = &f
		}
	case *rule.Enum:
		o.enum(m)
	case *rule.CEL:
		o.authored = s.authoredOf(c.Place, m)
	}
	return o
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

// format is the check of a format, for strings and for declared types: some checks convert the value in
// their errors to a string, which is formatted differently.
type format struct {
	plain    func(r *validate.Run, at *validate.Path, value string) bool
	declared func(r *validate.Run, at *validate.Path, value word) bool
}

// formats are the checks by the names of formats.
var formats = map[string]format{
	"k8s-short-name":                    {validate.ShortName[string], validate.ShortName[word]},
	"k8s-long-name":                     {validate.LongName[string], validate.LongName[word]},
	"k8s-long-name-caseless":            {validate.LongNameCaseless[string], validate.LongNameCaseless[word]},
	"k8s-label-key":                     {validate.LabelKey[string], validate.LabelKey[word]},
	"k8s-prefixed-label-key":            {validate.PrefixedLabelKey[string], validate.PrefixedLabelKey[word]},
	"k8s-label-value":                   {validate.LabelValue[string], validate.LabelValue[word]},
	"k8s-path-segment-name":             {validate.PathSegmentName[string], validate.PathSegmentName[word]},
	"k8s-uuid":                          {validate.UUID[string], validate.UUID[word]},
	"k8s-resource-pool-name":            {validate.ResourcePoolName[string], validate.ResourcePoolName[word]},
	"k8s-extended-resource-name":        {validate.ExtendedResourceName[string], validate.ExtendedResourceName[word]},
	"k8s-resource-fully-qualified-name": {validate.ResourceFullyQualifiedName[string], validate.ResourceFullyQualifiedName[word]},
	"k8s-ip":                            {validate.IP[string], validate.IP[word]},
}
