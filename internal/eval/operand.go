package eval

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/internal/rule/order"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// operand is the parsed operand of a predicate.
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
		o.format = formats[m.Name]
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
