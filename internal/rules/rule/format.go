package rule

import "github.com/kindsmith/kindsmith/internal/core/expr"

// FormatSpec is a format for each printer. Schemas have the API server's format with the same
// meaning, or else patterns and CEL rules.
type FormatSpec struct {
	// Check is the function of the runtime's validate package.
	Check string
	// Doc says what has the format; Note is about how it is checked, for authors of types.
	Doc  string
	Note string
	// Example is a value that has the format.
	Example string
	// TooLong is set if a value can also be reported as TooLong.
	TooLong bool

	// OpenAPI is the API server's name of the format.
	OpenAPI   string
	Pattern   string
	MaxLength int64
	Rules     []FormatRule
}

// FormatRule is an additional condition on a string, with its message.
type FormatRule struct {
	Holds   func(x expr.Expr) expr.Expr
	Message string
}

// before is true if the string does not have a character, or has it among the first ones.
func before(character string, limit int64) func(x expr.Expr) expr.Expr {
	return func(x expr.Expr) expr.Expr {
		return expr.Le(expr.Method(x, "indexOf", expr.Str(character)), expr.Int(limit))
	}
}

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

// Formats are the formats by name.
var Formats = func() map[string]FormatSpec {
	prefixLength := FormatRule{before("/", 253), "the prefix must be no more than 253 characters"}
	return map[string]FormatSpec{
		"k8s-short-name": {
			Check: "ShortName", OpenAPI: "k8s-short-name",
			Example: "my-name",
			Doc:     "a DNS label: at most 63 lower-case letters, digits and `-`, with a letter or digit at both ends",
		},
		"k8s-long-name": {
			Check: "LongName", OpenAPI: "k8s-long-name",
			Example: "my-name.example.com",
			Doc:     "a DNS subdomain: DNS labels joined by `.`, at most 253 characters",
		},
		"k8s-long-name-caseless": {
			Check: "LongNameCaseless", Pattern: `^` + caseless + `(\.` + caseless + `)*$`, MaxLength: longestName,
			Example: "My-Name.example.com",
			Doc:     "a DNS subdomain in which upper-case letters are allowed, at most 253 characters",
		},
		"k8s-label-key": {
			Check: "LabelKey", Pattern: `^(` + subdomain + `/)?` + name + `$`, MaxLength: longestKey, Rules: []FormatRule{prefixLength},
			Example: "example.com/my-label",
			Doc:     "a label key: a name of at most 63 characters with an optional DNS subdomain and `/` before it",
		},
		"k8s-prefixed-label-key": {
			Check: "PrefixedLabelKey", Pattern: `^` + subdomain + `/` + name + `$`, MaxLength: longestKey, Rules: []FormatRule{prefixLength},
			Example: "example.com/my-label",
			Doc:     "a label key with its prefix",
		},
		"k8s-label-value": {
			Check: "LabelValue", Pattern: `^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`, MaxLength: longestLabel,
			Example: "my-value",
			Doc:     "a label value: empty, or at most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends",
		},
		"k8s-path-segment-name": {
			Check: "PathSegmentName", Pattern: `^([^./%][^/%]*|\.[^./%][^/%]*|\.\.[^/%]+)?$`,
			Example: "my-name",
			Doc:     "a segment of a URL path: without `/` and `%`, and neither `.` nor `..`",
		},
		"k8s-uuid": {
			Check: "UUID", OpenAPI: "uuid", Pattern: `^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`,
			Example: "123e4567-e89b-12d3-a456-426614174000",
			Doc:     "a lower-case UUID in 8-4-4-4-12 form",
		},
		"k8s-resource-pool-name": {
			TooLong: true, Check: "ResourcePoolName", Pattern: `^` + subdomain + `(/` + subdomain + `)*$`, MaxLength: longestName,
			Example: "example.com/my-pool",
			Doc:     "DNS subdomains joined by `/`, at most 253 characters",
		},
		"k8s-extended-resource-name": {
			Check: "ExtendedResourceName", Pattern: `^` + subdomain + `/` + name + `$`, MaxLength: longestKey,
			Rules: []FormatRule{
				{func(x expr.Expr) expr.Expr { return expr.Not(expr.Method(x, "contains", expr.Str("kubernetes.io/"))) }, `must not have "kubernetes.io/" domain`},
				{func(x expr.Expr) expr.Expr { return expr.Not(expr.StartsWith(x, "requests.")) }, `must not have "requests." prefix`},
				{before("/", 244), "the prefix must be no more than 244 characters"},
			},
			Example: "example.com/gpu",
			Doc:     "a resource name outside kubernetes.io, such as `example.com/gpu`",
		},
		"k8s-resource-fully-qualified-name": {
			TooLong: true, Check: "ResourceFullyQualifiedName", Pattern: `^` + subdomain + `/` + cIdentifier + `$`, MaxLength: longestLabel + 1 + 32,
			Rules:   []FormatRule{{before("/", 63), "the prefix must be no more than 63 characters"}},
			Example: "example.com/my_name",
			Doc:     "a DNS subdomain of at most 63 characters, `/`, and a C identifier of at most 32",
		},
		"k8s-ip": {
			Check: "IP", MaxLength: 45, Rules: []FormatRule{{func(x expr.Expr) expr.Expr { return expr.Function("isIP", x) }, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"}},
			Example: "192.0.2.1",
			Doc:     "an IPv4 or IPv6 address", Note: "generated Go allows leading zeros in IPv4, as older API servers did, and the schema does not",
		},
	}
}()
