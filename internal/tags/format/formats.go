package format

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/tag"
)

// A format is what a name stands for in each back-end. Where the API server has
// a format of the same meaning the schema names it, else patterns and rules say
// the same.
type format struct {
	// check is the function of the runtime's validate package.
	check string
	doc   string
	// tooLong is set where a value can also be reported as TooLong.
	tooLong bool

	name      string // the server's format
	pattern   string
	maxLength int64
	rules     []rule
}

type rule struct{ expr, message string }

const (
	label        = `[a-z0-9]([-a-z0-9]*[a-z0-9])?`
	subdomain    = label + `(\.` + label + `)*`
	caseless     = `[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?`
	name         = `[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?`
	cIdentifier  = `[A-Za-z_][A-Za-z0-9_]{0,31}`
	longestName  = 253
	longestLabel = 63
	longestKey   = longestName + 1 + longestLabel
)

func formats() map[string]format {
	prefixLength := rule{"self.indexOf('/') <= 253", "the prefix must be no more than 253 characters"}
	return map[string]format{
		"k8s-short-name": {
			check: "ShortName", name: "k8s-short-name",
			doc: "a DNS label: at most 63 lower-case letters, digits and `-`, with a letter or digit at both ends",
		},
		"k8s-long-name": {
			check: "LongName", name: "k8s-long-name",
			doc: "a DNS subdomain: DNS labels joined by `.`, at most 253 characters",
		},
		"k8s-long-name-caseless": {
			check: "LongNameCaseless", pattern: `^` + caseless + `(\.` + caseless + `)*$`, maxLength: longestName,
			doc: "as k8s-long-name, with upper-case letters allowed",
		},
		"k8s-label-key": {
			check: "LabelKey", pattern: `^(` + subdomain + `/)?` + name + `$`, maxLength: longestKey, rules: []rule{prefixLength},
			doc: "a label key: a name of at most 63 characters with an optional DNS subdomain and `/` before it",
		},
		"k8s-prefixed-label-key": {
			check: "PrefixedLabelKey", pattern: `^` + subdomain + `/` + name + `$`, maxLength: longestKey, rules: []rule{prefixLength},
			doc: "a label key with its prefix",
		},
		"k8s-label-value": {
			check: "LabelValue", pattern: `^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`, maxLength: longestLabel,
			doc: "a label value: empty, or at most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends",
		},
		"k8s-path-segment-name": {
			check: "PathSegmentName", pattern: `^([^./%][^/%]*|\.[^./%][^/%]*|\.\.[^/%]+)?$`,
			doc: "a name that can stand in a URL path: without `/` and `%`, and neither `.` nor `..`",
		},
		"k8s-uuid": {
			check: "UUID", name: "uuid", pattern: `^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`,
			doc: "a lower-case UUID in 8-4-4-4-12 form",
		},
		"k8s-resource-pool-name": {
			tooLong: true, check: "ResourcePoolName", pattern: `^` + subdomain + `(/` + subdomain + `)*$`, maxLength: longestName,
			doc: "DNS subdomains joined by `/`, at most 253 characters",
		},
		"k8s-extended-resource-name": {
			check: "ExtendedResourceName", pattern: `^` + subdomain + `/` + name + `$`, maxLength: longestKey,
			rules: []rule{
				{"!self.contains('kubernetes.io/')", `must not have "kubernetes.io/" domain`},
				{"!self.startsWith('requests.')", `must not have "requests." prefix`},
				{"self.indexOf('/') <= 244", "the prefix must be no more than 244 characters"},
			},
			doc: "a resource name with a domain of its own, such as `example.com/gpu`",
		},
		"k8s-resource-fully-qualified-name": {
			tooLong: true, check: "ResourceFullyQualifiedName", pattern: `^` + subdomain + `/` + cIdentifier + `$`, maxLength: longestLabel + 1 + 32,
			rules: []rule{{"self.indexOf('/') <= 63", "the prefix must be no more than 63 characters"}},
			doc:   "a DNS subdomain of at most 63 characters, `/`, and a C identifier of at most 32",
		},
		"k8s-ip": {
			check: "IP", maxLength: 45, rules: []rule{{"isIP(self)", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"}},
			doc: "an IPv4 or IPv6 address; generated Go allows leading zeros in IPv4, as older API servers did, and the schema does not",
		},
	}
}

// reports are the errors that a value without the format gives.
func (f format) reports(name string) []tag.Report {
	all := []tag.Report{{Type: "Invalid", Origin: "format=" + name}}
	if f.tooLong {
		all = append(all, tag.Report{Type: "TooLong", Origin: "format=" + name})
	}
	return all
}

func (f format) apply(s *tag.Schema) {
	if f.name != "" {
		s.Props.Format = f.name
	}
	switch {
	case f.pattern == "":
	case s.Props.Pattern == "":
		s.Props.Pattern = f.pattern
	case s.Props.Pattern != f.pattern:
		s.Props.AllOf = append(s.Props.AllOf, apiextensionsv1.JSONSchemaProps{Pattern: f.pattern})
	}
	if f.maxLength > 0 && (s.Props.MaxLength == nil || *s.Props.MaxLength > f.maxLength) {
		n := f.maxLength
		s.Props.MaxLength = &n
	}
	for _, r := range f.rules {
		s.Rule(tag.CELRule(r.expr, r.message, tag.ReasonInvalid, ""))
	}
}
