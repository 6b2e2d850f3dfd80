package upstream_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	upstream "k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/scan"
)

// scanners pairs each scanner with its library function.
var scanners = map[string]struct {
	scan    func(string) bool
	library func(string) bool
}{
	"ShortName":                  {scan.ShortName, accepts(upstream.ShortName)},
	"LongName":                   {scan.LongName, accepts(upstream.LongName)},
	"LongNameCaseless":           {scan.LongNameCaseless, accepts(upstream.LongNameCaseless)},
	"LabelKey":                   {scan.LabelKey, accepts(upstream.LabelKey)},
	"PrefixedLabelKey":           {scan.PrefixedLabelKey, accepts(upstream.PrefixedLabelKey)},
	"LabelValue":                 {scan.LabelValue, accepts(upstream.LabelValue)},
	"PathSegmentName":            {scan.PathSegmentName, accepts(upstream.PathSegmentName)},
	"UUID":                       {scan.UUID, accepts(upstream.UUID)},
	"ResourcePoolName":           {scan.ResourcePoolName, accepts(upstream.ResourcePoolName)},
	"ExtendedResourceName":       {scan.ExtendedResourceName, accepts(upstream.ExtendedResourceName)},
	"ResourceFullyQualifiedName": {scan.ResourceFullyQualifiedName, accepts(upstream.ResourceFullyQualifiedName)},
	"IP": {scan.IP, func(s string) bool {
		return len(validation.IsValidIPForLegacyField(nil, s, false, nil)) == 0
	}},
}

func accepts(check upstream.ValidateFunc[*string]) func(string) bool {
	return func(s string) bool {
		return len(check(nil, operation.Operation{}, field.NewPath("f"), &s, nil)) == 0
	}
}

// corpus has strings at the boundaries of the formats. They are the seeds of the fuzz
// targets, and the test tries each on every scanner.
var corpus = func() []string {
	var (
		a32, a33   = strings.Repeat("a", 32), strings.Repeat("a", 33)
		a63, a64   = strings.Repeat("a", 63), strings.Repeat("a", 64)
		a244, a245 = strings.Repeat("a", 244), strings.Repeat("a", 245)
		a253, a254 = strings.Repeat("a", 253), strings.Repeat("a", 254)
	)
	all := []string{
		"", "a", "A", "0", "z", "Z", "9", "-", "_", ".", "..", "/", "//", "%", " ", "\x00", "\n", "a\n", "\na",
		"é", "ſ", "K", "aſb", "K.K", "ſ-ſ", "\xc5", "\xe2\x84", "a\xff", "a\xc5", "ａ",
		"my-name", "-name", "name-", "na--me", "na.me", ".name", "name.", "na..me", "na-.me", "na.-me", "My-Name", "my_name", "_my", "my_",
		a32, a33, a63, a64, a253, a254, a63 + ".", a253 + ".", strings.Repeat("a.", 126) + "a", strings.Repeat("a.", 127) + "a",
		"example.com/name", "example.com/", "/name", "example.com//name", "example.com/a/b", "example.com/a b", "Example.com/name",
		"example.com/" + a63, "example.com/" + a64, a253 + "/a", a254 + "/a", a244 + "/a", a245 + "/a", a63 + "/a", a64 + "/a",
		a63 + "." + a63 + "/" + a32, a63 + "/" + a32, a63 + "/" + a33, "example.com/" + a33, "example.com/_Name9", "example.com/9name", "example.com/my-name",
		"kubernetes.io/name", "x.kubernetes.io/name", "xkubernetes.io/name", "kubernetes.iox/name", "requests.example.com/name", "requests./name", "requests.", "x/kubernetes.io/",
		"a/b/c", "a//c", "///", "a/ \x00/", "pool/node-1/rack.2", "a/", "a/b/", "a/B", strings.Repeat("a/", 126) + "a", strings.Repeat("a/", 127),
		"123e4567-e89b-12d3-a456-426614174000", "123E4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-42661417400", "123e4567-e89b-12d3-a456-4266141740000",
		"123e4567ae89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-42661417400g", "123e4567-e89b-12d3-a456-4266141740é", strings.Repeat("-", 36),
		"1.2.3.4", "01.002.0003.000000000004", "255.255.255.255", "256.1.1.1", "1.2.3", "1.2.3.4.5", "1.2.3.4.", ".1.2.3.4", "1..2.3", "1.2.3.4/8", "1.2.3.x",
		"16777216.1.1.1", "18446744073709551617.1.1.1", "1.2.3.4:", "+1.2.3.4", "-1.2.3.4",
		"::", ":", ":::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:8::", "::2:3:4:5:6:7:8", "::1:2:3:4:5:6:7:8",
		"1::2::3", "1:2", "1:", ":1", "g::", "12345::", "00012345::", "0000000000001::", "FE80:0:0:0:0:0:0:0abc", "fe80::1%eth0", "1:2:3:4:5:6:7:",
		"::1.2.3.4", "::ffff:1.2.3.4", "::ffff:01.02.03.04", "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5:1.2.3.4", "1:2:3:4:5::1.2.3.4", "1:2:3:4:5:6::1.2.3.4",
		"::1.2.3", "::1.2.3.4.5", "::1.2.3.4:5", "::1.2.3.256", "::0fffff.1.1.1", "::99999.1.1.1", "::1.2.3.4::", "::.1.2.3",
	}
	for c := range 256 {
		s := string([]byte{byte(c)})
		all = append(all, s, "a"+s, s+"a", "a"+s+"a", "example.com/"+s, "example.com/a"+s, s+"/a", "1."+s+".1.1", "::"+s)
	}
	return all
}()

func TestScanners(t *testing.T) {
	for name, f := range scanners {
		t.Run(name, func(t *testing.T) {
			accepted := 0
			for _, s := range corpus {
				got, want := f.scan(s), f.library(s)
				if got != want {
					t.Errorf("%q: the scanner says %v, the library %v", s, got, want)
				}
				if got {
					accepted++
				}
			}
			if accepted == 0 || accepted == len(corpus) {
				t.Errorf("%d of %d strings accepted: the corpus tells nothing", accepted, len(corpus))
			}
		})
	}
}

func TestScannersDoNotAllocate(t *testing.T) {
	for name, f := range scanners {
		if n := testing.AllocsPerRun(1, func() {
			for _, s := range corpus {
				f.scan(s)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func fuzz(f *testing.F, name string) {
	for _, s := range corpus {
		f.Add(s)
	}
	scanner := scanners[name]
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := scanner.scan(s), scanner.library(s); got != want {
			t.Errorf("%q: the scanner says %v, the library %v", s, got, want)
		}
	})
}

func FuzzShortName(f *testing.F)                  { fuzz(f, "ShortName") }
func FuzzLongName(f *testing.F)                   { fuzz(f, "LongName") }
func FuzzLongNameCaseless(f *testing.F)           { fuzz(f, "LongNameCaseless") }
func FuzzLabelKey(f *testing.F)                   { fuzz(f, "LabelKey") }
func FuzzPrefixedLabelKey(f *testing.F)           { fuzz(f, "PrefixedLabelKey") }
func FuzzLabelValue(f *testing.F)                 { fuzz(f, "LabelValue") }
func FuzzPathSegmentName(f *testing.F)            { fuzz(f, "PathSegmentName") }
func FuzzUUID(f *testing.F)                       { fuzz(f, "UUID") }
func FuzzResourcePoolName(f *testing.F)           { fuzz(f, "ResourcePoolName") }
func FuzzExtendedResourceName(f *testing.F)       { fuzz(f, "ExtendedResourceName") }
func FuzzResourceFullyQualifiedName(f *testing.F) { fuzz(f, "ResourceFullyQualifiedName") }
func FuzzIP(f *testing.F)                         { fuzz(f, "IP") }
