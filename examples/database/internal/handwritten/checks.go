package handwritten

import (
	"fmt"
	"regexp"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/sets"
	apivalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validation collects the errors of one run. Checks that guard further checks
// return whether they passed.
type validation struct {
	update bool
	errs   field.ErrorList
}

func (v *validation) add(err *field.Error) { v.errs = append(v.errs, err) }

func (v *validation) required(at *field.Path, set bool) bool {
	if !set {
		v.add(field.Required(at, ""))
	}
	return set
}

func (v *validation) unchanged(at *field.Path, same bool) bool {
	if !v.update || same {
		return true
	}
	v.add(field.Invalid(at, nil, "cannot be changed").WithOrigin("immutable"))
	return false
}

func (v *validation) maxItems(at *field.Path, n, most int) bool {
	if n > most {
		v.add(field.TooMany(at, n, most).WithOrigin("maxItems"))
	}
	return n <= most
}

func (v *validation) maxProperties(at *field.Path, n, most int) bool {
	if n > most {
		v.add(field.TooMany(at, n, most).WithOrigin("maxProperties"))
	}
	return n <= most
}

func (v *validation) minLength(at *field.Path, s string, least int) {
	if utf8.RuneCountInString(s) < least {
		v.add(field.TooShort(at, s, least).WithOrigin("minLength"))
	}
}

func (v *validation) maxLength(at *field.Path, s string, most int) {
	if utf8.RuneCountInString(s) > most {
		v.add(field.TooLongCharacters(at, s, most).WithOrigin("maxLength"))
	}
}

func (v *validation) atLeast(at *field.Path, n, least int64) {
	if n < least {
		v.add(field.Invalid(at, n, fmt.Sprintf("must not be less than %d", least)).WithOrigin("minimum"))
	}
}

func (v *validation) between(at *field.Path, n *int32, least, most int32) {
	if !v.required(at, n != nil) {
		return
	}
	v.atLeast(at, int64(*n), int64(least))
	if *n > most {
		v.add(field.Invalid(at, *n, fmt.Sprintf("must not be more than %d", most)).WithOrigin("maximum"))
	}
}

func (v *validation) format(at *field.Path, s, name string, messages []string) {
	for _, message := range messages {
		v.add(field.Invalid(at, s, message).WithOrigin("format=" + name))
	}
}

func (v *validation) shortName(at *field.Path, s string) {
	v.format(at, s, "k8s-short-name", apivalidation.IsDNS1123Label(s))
}

func (v *validation) longName(at *field.Path, s string) {
	v.format(at, s, "k8s-long-name", apivalidation.IsDNS1123Subdomain(s))
}

func (v *validation) labelKey(at *field.Path, s string) {
	v.format(at, s, "k8s-label-key", apivalidation.IsQualifiedName(s))
}

func (v *validation) labelValue(at *field.Path, s string) {
	v.format(at, s, "k8s-label-value", apivalidation.IsValidLabelValue(s))
}

func (v *validation) ip(at *field.Path, s string) {
	v.errs = append(v.errs, apivalidation.IsValidIPForLegacyField(at, s, false, nil).WithOrigin("format=k8s-ip")...)
}

var uuid = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

func (v *validation) uuid(at *field.Path, s string) {
	if !uuid.MatchString(s) {
		v.format(at, s, "k8s-uuid", []string{"must be a lower-case UUID"})
	}
}

func oneOf[T ~string](v *validation, at *field.Path, s T, values ...T) {
	if !sets.New(values...).Has(s) {
		v.add(field.NotSupported(at, s, values))
	}
}

func unique[T any, K comparable](v *validation, at *field.Path, items []T, key func(T) K) {
	seen := sets.New[K]()
	for i, item := range items {
		if seen.Has(key(item)) {
			v.add(field.Duplicate(at.Index(i), key(item)))
		}
		seen.Insert(key(item))
	}
}

func equalPointers[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }
