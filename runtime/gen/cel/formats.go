package cel

import (
	"regexp"
	"strings"
	"time"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"
)

// The functions of this file report whether a string has a format, like
// !format.<name>().validate(s).hasValue().

// IsDNS1123Label is the format dns1123Label.
func IsDNS1123Label(s string) bool { return len(apivalidation.NameIsDNSLabel(s, false)) == 0 }

// IsDNS1123LabelPrefix is the format dns1123LabelPrefix.
func IsDNS1123LabelPrefix(s string) bool { return len(apivalidation.NameIsDNSLabel(s, true)) == 0 }

// IsDNS1123Subdomain is the format dns1123Subdomain.
func IsDNS1123Subdomain(s string) bool { return len(apivalidation.NameIsDNSSubdomain(s, false)) == 0 }

// IsDNS1123SubdomainPrefix is the format dns1123SubdomainPrefix.
func IsDNS1123SubdomainPrefix(s string) bool {
	return len(apivalidation.NameIsDNSSubdomain(s, true)) == 0
}

// IsDNS1035Label is the format dns1035Label.
func IsDNS1035Label(s string) bool { return len(apivalidation.NameIsDNS1035Label(s, false)) == 0 }

// IsDNS1035LabelPrefix is the format dns1035LabelPrefix.
func IsDNS1035LabelPrefix(s string) bool { return len(apivalidation.NameIsDNS1035Label(s, true)) == 0 }

// IsQualifiedName is the format qualifiedName.
func IsQualifiedName(s string) bool { return len(validation.IsQualifiedName(s)) == 0 }

// IsLabelValue is the format labelValue.
func IsLabelValue(s string) bool { return len(validation.IsValidLabelValue(s)) == 0 }

var (
	uuid      = regexp.MustCompile(`(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$`)
	base64    = regexp.MustCompile(`^([A-Za-z0-9+\\/]{4})*([A-Za-z0-9+\\/]{2}==|[A-Za-z0-9+\\/]{3}=|[A-Za-z0-9+\\/]{4})$`)
	timeOfDay = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})$`)
)

// IsUUID is the format uuid.
func IsUUID(s string) bool { return uuid.MatchString(s) }

// IsBase64 is the format byte.
func IsBase64(s string) bool { return base64.MatchString(s) }

// IsDate is the format date.
func IsDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// IsDateTime is the format datetime.
func IsDateTime(s string) bool {
	date, rest, ok := strings.Cut(strings.ToLower(s), "t")
	clock, _, _ := strings.Cut(rest, "t")
	return ok && IsDate(date) && timeOfDay.MatchString(clock)
}
