package validate

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/scan"
)

// The functions of this file say what is wrong with a value that does not have a
// format, in the words of apimachinery's newest version.

// syntax is what the errors of a format say about its characters.
type syntax struct {
	matches  func(string) bool
	meaning  string
	examples []string
	pattern  string
}

const (
	labelPattern     = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
	subdomainPattern = labelPattern + "(\\." + labelPattern + ")*"
	namePattern      = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
	alphanumerics    = "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
)

var (
	label = syntax{scan.Label,
		"a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
		[]string{"my-name", "123-abc"}, labelPattern}
	subdomain = syntax{scan.Subdomain,
		"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
		[]string{"example.com"}, subdomainPattern}
	subdomainCaseless = syntax{scan.SubdomainCaseless,
		"an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
		[]string{"Example.com"}, subdomainPattern}
	name      = syntax{scan.Name, "must consist of " + alphanumerics, []string{"MyName", "my.name", "123-abc"}, namePattern}
	labelText = syntax{func(s string) bool { return s == "" || scan.Name(s) },
		"a valid label must be an empty string or consist of " + alphanumerics,
		[]string{"MyValue", "my_value", "12345"}, "(" + namePattern + ")?"}
	identifier = syntax{scan.Identifier,
		"a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
		[]string{"my_name", "MY_NAME", "MyName"}, "[A-Za-z_][A-Za-z0-9_]*"}
)

func (s syntax) String() string {
	return s.meaning + " (e.g. '" + strings.Join(s.examples, "',  or '") + "', regex used for validation is '" + s.pattern + "')"
}

// wrong says what is wrong with a value of at most limit bytes.
func (s syntax) wrong(value string, limit int) []string {
	var words []string
	if len(value) > limit {
		words = append(words, fmt.Sprintf("must be no more than %d bytes", limit))
	}
	if !s.matches(value) {
		words = append(words, s.String())
	}
	return words
}

func shortName(value string) []string {
	words := label.wrong(value, scan.MaxLabel)
	if !scan.Label(value) && scan.Subdomain(value) {
		words[len(words)-1] = "must not contain dots"
	}
	return words
}

func longName(value string) []string { return subdomain.wrong(value, scan.MaxSubdomain) }
func longNameCaseless(value string) []string {
	return subdomainCaseless.wrong(value, scan.MaxSubdomain)
}
func labelValue(value string) []string { return labelText.wrong(value, scan.MaxLabel) }

func labelKey(value string) []string {
	var words []string
	prefix, rest, prefixed := strings.Cut(value, "/")
	if strings.Contains(rest, "/") {
		return []string{"a valid label key " + name.String() + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"}
	}
	if !prefixed {
		prefix, rest = "", value
	}
	if prefixed && prefix == "" {
		words = append(words, "prefix part must be non-empty")
	} else if prefixed {
		words = append(words, each("prefix part ", longName(prefix))...)
	}
	if rest == "" {
		words = append(words, "name part must be non-empty")
	}
	return append(words, each("name part ", name.wrong(rest, scan.MaxLabel))...)
}

func prefixedLabelKey(value string) []string {
	if words := labelKey(value); len(words) > 0 {
		return words
	}
	return []string{"must include a prefix (e.g. 'example.com/key')"}
}

func each(prefix string, words []string) []string {
	for i := range words {
		words[i] = prefix + words[i]
	}
	return words
}

func pathSegmentName(value string) []string {
	if value == "." || value == ".." {
		return []string{"may not be '" + value + "'"}
	}
	var words []string
	for _, part := range []string{"/", "%"} {
		if strings.Contains(value, part) {
			words = append(words, "may not contain '"+part+"'")
		}
	}
	return words
}

func uuid(string) []string { return []string{"must be a lowercase UUID in 8-4-4-4-12 format"} }
func ip(string) []string {
	return []string{"must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"}
}

func invalids(at *field.Path, value string, words []string) field.ErrorList {
	errs := make(field.ErrorList, len(words))
	for i, detail := range words {
		errs[i] = field.Invalid(at, value, detail)
	}
	return errs
}

func resourcePoolName(at *field.Path, value string) field.ErrorList {
	var errs field.ErrorList
	if len(value) > scan.MaxSubdomain {
		errs = append(errs, field.TooLong(at, value, scan.MaxSubdomain))
	}
	for i, part := range strings.Split(value, "/") {
		segment := fmt.Sprintf("segment %d: ", i)
		if part == "" {
			errs = append(errs, field.Invalid(at, value, segment+"must not be empty"))
			continue
		}
		errs = append(errs, invalids(at, part, each(segment, longName(part)))...)
	}
	return errs
}

func extendedResourceName(at *field.Path, value string) field.ErrorList {
	const domain, quota = "kubernetes.io/", "requests."
	var words []string
	if !strings.Contains(value, "/") {
		words = append(words, "a name must be a domain-prefixed path, such as 'example.com/my-prop'")
	} else if strings.Contains(value, domain) {
		words = append(words, fmt.Sprintf("must not have %q domain", domain))
	}
	if strings.HasPrefix(value, quota) {
		words = append(words, fmt.Sprintf("must not have %q prefix", quota))
	}
	return invalids(at, value, append(words, labelKey(quota+value)...))
}

func resourceFullyQualifiedName(at *field.Path, value string) field.ErrorList {
	domain, rest, qualified := strings.Cut(value, "/")
	if !qualified {
		return append(resourceIdentifier(at, value), field.Invalid(at, value, "a fully qualified name must be a domain and a name separated by a slash"))
	}
	var errs field.ErrorList
	if domain == "" {
		errs = append(errs, field.Invalid(at, "", "prefix must not be empty"))
	} else {
		if len(domain) > scan.MaxLabel {
			errs = append(errs, field.TooLong(at, domain, scan.MaxLabel))
		}
		errs = append(errs, invalids(at, domain, each("prefix: ", longName(domain)))...)
	}
	if rest == "" {
		return append(errs, field.Invalid(at, "", "name must not be empty"))
	}
	return append(errs, resourceIdentifier(at, rest)...)
}

func resourceIdentifier(at *field.Path, value string) field.ErrorList {
	var errs field.ErrorList
	if len(value) > scan.MaxIdentifier {
		errs = append(errs, field.TooLong(at, value, scan.MaxIdentifier))
	}
	if !scan.Identifier(value) {
		errs = append(errs, field.Invalid(at, value, identifier.String()))
	}
	return errs
}
