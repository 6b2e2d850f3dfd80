package upstream_test

import (
	"context"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	upstream "k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

var formats = map[string]struct {
	check   func(r *Run, at *Path, value text) bool
	library upstream.ValidateFunc[*text]
	origin  string
}{
	"ShortName":                  {ShortName[text], upstream.ShortName[text], "k8s-short-name"},
	"LongName":                   {LongName[text], upstream.LongName[text], "k8s-long-name"},
	"LongNameCaseless":           {LongNameCaseless[text], upstream.LongNameCaseless[text], "k8s-long-name-caseless"},
	"LabelKey":                   {LabelKey[text], upstream.LabelKey[text], "k8s-label-key"},
	"PrefixedLabelKey":           {PrefixedLabelKey[text], upstream.PrefixedLabelKey[text], "k8s-prefixed-label-key"},
	"LabelValue":                 {LabelValue[text], upstream.LabelValue[text], "k8s-label-value"},
	"PathSegmentName":            {PathSegmentName[text], upstream.PathSegmentName[text], "k8s-path-segment-name"},
	"UUID":                       {UUID[text], upstream.UUID[text], "k8s-uuid"},
	"ResourcePoolName":           {ResourcePoolName[text], upstream.ResourcePoolName[text], "k8s-resource-pool-name"},
	"ExtendedResourceName":       {ExtendedResourceName[text], upstream.ExtendedResourceName[text], "k8s-extended-resource-name"},
	"ResourceFullyQualifiedName": {ResourceFullyQualifiedName[text], upstream.ResourceFullyQualifiedName[text], "k8s-resource-fully-qualified-name"},
	"IP": {IP[text], func(_ context.Context, _ operation.Operation, at *field.Path, value, _ *text) field.ErrorList {
		return validation.IsValidIPForLegacyField(at, string(*value), false, nil).WithOrigin("format=k8s-ip")
	}, "k8s-ip"},
}

// samples has valid values for each format, and an invalid value for each error message.
// The tests of the scanners cover the details.
var samples = []text{
	"", "a", "A", ".", "..", "/", "%", "a/b%c", "é", "ſ", "\xff", "my-name", "my.name", "my_name", "-a", "a-",
	"example.com", "Example.COM", "example.com/name", "Example.com/name", "example.com/", "/name", "a/b/c", "a//b", "example.com/MyName_1",
	"kubernetes.io/name", "requests.example.com/name", "requests.kubernetes.io/name", "example.com/-x",
	"123e4567-e89b-12d3-a456-426614174000", "123E4567-e89b-12d3-a456-426614174000",
	"10.9.8.7", "010.009.008.007", "10.9.8", "2001:db8::ffff", "::ffff:1.2.3.4", "fe80::1%eth0",
	text(strings.Repeat("a", 64)), text(strings.Repeat("a", 254)), text(strings.Repeat("a", 64) + "/" + strings.Repeat("a", 64)),
	text(strings.Repeat("a", 64) + "/a"), text(strings.Repeat("a", 254) + "/a"), text(strings.Repeat("a/", 127)), text(strings.Repeat("-", 254) + "/-"),
}

func TestFormats(t *testing.T) {
	for name, f := range formats {
		t.Run(name, func(t *testing.T) {
			valid := 0
			for _, value := range samples {
				want := f.library(ctx, create, where, &value, nil)
				same(t, create, want, func(r *Run, at *Path) bool { return f.check(r, at, value) })
				if len(want) == 0 {
					valid++
				}
				for _, err := range want {
					if err.Origin != "format="+f.origin {
						t.Errorf("%q: origin %s", value, err.Origin)
					}
				}
			}
			if valid == 0 || valid == len(samples) {
				t.Errorf("%d of %d samples are valid", valid, len(samples))
			}
		})
	}
}

func FuzzFormats(f *testing.F) {
	for _, value := range samples {
		f.Add(string(value))
	}
	f.Fuzz(func(t *testing.T, value string) {
		v := text(value)
		for name, format := range formats {
			t.Log(name)
			same(t, create, format.library(ctx, create, where, &v, nil),
				func(r *Run, at *Path) bool { return format.check(r, at, v) })
		}
	})
}
