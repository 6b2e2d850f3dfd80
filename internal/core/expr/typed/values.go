package typed

import (
	"encoding/base64"
	"fmt"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

// opaque is a value of a type that API servers add to CEL.
type opaque[T any] struct {
	value T
	t     *cel.Type
	equal func(a, b T) bool
	text  func(T) string
}

func (o opaque[T]) ConvertToNative(reflect.Type) (any, error) {
	return nil, fmt.Errorf("values of type %s stay in CEL", o.t)
}

func (o opaque[T]) ConvertToType(t ref.Type) ref.Val {
	switch {
	case t.TypeName() == o.t.TypeName():
		return o
	case t == types.TypeType:
		return o.t
	case t == types.StringType && o.text != nil:
		return types.String(o.text(o.value))
	}
	return types.NewErr("type conversion error from '%s' to '%s'", o.t, t.TypeName())
}

func (o opaque[T]) Equal(other ref.Val) ref.Val {
	x, ok := other.(opaque[T])
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return types.Bool(o.equal(o.value, x.value))
}

func (o opaque[T]) Type() ref.Type { return o.t }

func (o opaque[T]) Value() any { return o.value }

// ofText converts a function on a string.
func ofText(f func(string) ref.Val) func(...ref.Val) ref.Val {
	return func(args ...ref.Val) ref.Val {
		s, ok := args[0].(types.String)
		if !ok {
			return types.MaybeNoSuchOverloadErr(args[0])
		}
		return f(string(s))
	}
}

// of converts a function on a Go value.
func of[T any](f func(T) ref.Val) func(...ref.Val) ref.Val {
	return func(args ...ref.Val) ref.Val {
		x, ok := args[0].(opaque[T])
		if !ok {
			return types.MaybeNoSuchOverloadErr(args[0])
		}
		return f(x.value)
	}
}

// Quantities.

func quantity(q resource.Quantity) ref.Val {
	return opaque[resource.Quantity]{value: q, t: quantityType, equal: func(a, b resource.Quantity) bool { return a.Equal(b) }}
}

func toQuantity(s string) ref.Val {
	q, failure := resource.ParseQuantity(s)
	if failure != nil {
		return types.WrapErr(failure)
	}
	return quantity(q)
}

// asQuantity returns the quantity of an argument, which may be an integer.
func asQuantity(v ref.Val) (resource.Quantity, ref.Val) {
	switch v := v.(type) {
	case opaque[resource.Quantity]:
		return v.value, nil
	case types.Int:
		return *resource.NewQuantity(int64(v), resource.DecimalExponent), nil
	}
	return resource.Quantity{}, types.MaybeNoSuchOverloadErr(v)
}

// ofQuantities converts a function on two quantities.
func ofQuantities(f func(a, b resource.Quantity) ref.Val) func(...ref.Val) ref.Val {
	return func(args ...ref.Val) ref.Val {
		a, err := asQuantity(args[0])
		if err != nil {
			return err
		}
		b, err := asQuantity(args[1])
		if err != nil {
			return err
		}
		return f(a, b)
	}
}

func quantitySign(q resource.Quantity) ref.Val { return types.Int(q.Sign()) }

func quantityIsInteger(q resource.Quantity) ref.Val {
	_, ok := q.AsInt64()
	return types.Bool(ok)
}

func quantityAsInteger(q resource.Quantity) ref.Val {
	i, ok := q.AsInt64()
	if !ok {
		return types.NewErr("cannot convert value to integer")
	}
	return types.Int(i)
}

func quantityAsFloat(q resource.Quantity) ref.Val { return types.Double(q.AsApproximateFloat64()) }

func quantityAdd(a, b resource.Quantity) ref.Val {
	c := a.DeepCopy()
	c.Add(b)
	return quantity(c)
}

func quantitySub(a, b resource.Quantity) ref.Val {
	c := a.DeepCopy()
	c.Sub(b)
	return quantity(c)
}

func compareTo(a, b resource.Quantity) ref.Val     { return types.Int(a.Cmp(b)) }
func isGreaterThan(a, b resource.Quantity) ref.Val { return types.Bool(a.Cmp(b) > 0) }
func isLessThan(a, b resource.Quantity) ref.Val    { return types.Bool(a.Cmp(b) < 0) }

// URLs.

func toURI(s string) ref.Val {
	if _, failure := url.ParseRequestURI(s); failure != nil {
		return types.NewErr("URL parse error during conversion from string: %v", failure)
	}
	return types.String(s)
}

func toURL(s string) ref.Val {
	if v := toURI(s); types.IsError(v) {
		return v
	}
	// ParseRequestURI does not parse fragments.
	u, failure := url.Parse(s)
	if failure != nil {
		return types.NewErr("URL parse error during conversion from string: %v", failure)
	}
	return opaque[*url.URL]{value: u, t: urlType, equal: func(a, b *url.URL) bool { return a.String() == b.String() }}
}

func urlScheme(u *url.URL) ref.Val   { return types.String(u.Scheme) }
func urlHost(u *url.URL) ref.Val     { return types.String(u.Host) }
func urlHostname(u *url.URL) ref.Val { return types.String(u.Hostname()) }
func urlPort(u *url.URL) ref.Val     { return types.String(u.Port()) }
func urlPath(u *url.URL) ref.Val     { return types.String(u.EscapedPath()) }

func urlQuery(u *url.URL) ref.Val {
	query := map[ref.Val]ref.Val{}
	for k, v := range u.Query() {
		query[types.String(k)] = types.NewStringList(types.DefaultTypeAdapter, v)
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, query)
}

// IP addresses and CIDRs.

func ipOf(addr netip.Addr) ref.Val {
	return opaque[netip.Addr]{value: addr, t: ipType, equal: func(a, b netip.Addr) bool { return a == b }, text: netip.Addr.String}
}

func toIP(s string) ref.Val {
	addr, failure := netip.ParseAddr(s)
	switch {
	case failure != nil:
		return types.NewErr("IP Address %q parse error during conversion from string: %v", s, failure)
	case addr.Zone() != "":
		return types.NewErr("IP address %q with zone value is not allowed", s)
	case addr.Is4In6():
		return types.NewErr("IPv4-mapped IPv6 address %q is not allowed", s)
	}
	return ipOf(addr)
}

func ipFamily(a netip.Addr) ref.Val {
	if a.Is4() {
		return types.Int(4)
	}
	return types.Int(6)
}

func ipUnspecified(a netip.Addr) ref.Val        { return types.Bool(a.IsUnspecified()) }
func ipLoopback(a netip.Addr) ref.Val           { return types.Bool(a.IsLoopback()) }
func ipLinkLocalMulticast(a netip.Addr) ref.Val { return types.Bool(a.IsLinkLocalMulticast()) }
func ipLinkLocalUnicast(a netip.Addr) ref.Val   { return types.Bool(a.IsLinkLocalUnicast()) }
func ipGlobalUnicast(a netip.Addr) ref.Val      { return types.Bool(a.IsGlobalUnicast()) }
func ipString(a netip.Addr) ref.Val             { return types.String(a.String()) }

func ipIsCanonical(s string) ref.Val {
	v := toIP(s)
	if types.IsError(v) {
		return v
	}
	return types.Bool(v.(opaque[netip.Addr]).value.String() == s)
}

func cidrOf(p netip.Prefix) ref.Val {
	return opaque[netip.Prefix]{value: p, t: cidrType, equal: func(a, b netip.Prefix) bool { return a == b }, text: netip.Prefix.String}
}

func toCIDR(s string) ref.Val {
	p, failure := netip.ParsePrefix(s)
	switch {
	case failure != nil:
		return types.NewErr("network address parse error during conversion from string: %v", failure)
	case p.Addr().Is4In6():
		return types.NewErr("IPv4-mapped IPv6 address %q is not allowed", s)
	}
	return cidrOf(p)
}

func cidrAddr(p netip.Prefix) ref.Val   { return ipOf(p.Addr()) }
func cidrString(p netip.Prefix) ref.Val { return types.String(p.String()) }
func cidrBits(p netip.Prefix) ref.Val   { return types.Int(p.Bits()) }
func cidrMasked(p netip.Prefix) ref.Val { return cidrOf(p.Masked()) }

// ofCIDRAnd converts a function on a CIDR and another value, or the text of one.
func ofCIDRAnd[T any](parse func(string) ref.Val, f func(netip.Prefix, T) bool) func(...ref.Val) ref.Val {
	return func(args ...ref.Val) ref.Val {
		p, ok := args[0].(opaque[netip.Prefix])
		if !ok {
			return types.MaybeNoSuchOverloadErr(args[0])
		}
		other := args[1]
		if s, ok := other.(types.String); ok {
			other = parse(string(s))
		}
		x, ok := other.(opaque[T])
		if !ok {
			return types.MaybeNoSuchOverloadErr(other)
		}
		return types.Bool(f(p.value, x.value))
	}
}

func cidrContains(p, q netip.Prefix) bool { return p.Overlaps(q) && p.Bits() <= q.Bits() }

// Formats.

// formats are the named formats, with the messages for strings that do not have them.
var formats = map[string]func(string) []string{
	"dns1123Label":           validation.IsDNS1123Label,
	"dns1123Subdomain":       validation.IsDNS1123Subdomain,
	"dns1035Label":           validation.IsDNS1035Label,
	"dns1123LabelPrefix":     func(s string) []string { return validation.IsDNS1123Label(prefixed(s)) },
	"dns1123SubdomainPrefix": func(s string) []string { return validation.IsDNS1123Subdomain(prefixed(s)) },
	"dns1035LabelPrefix":     func(s string) []string { return validation.IsDNS1035Label(prefixed(s)) },
	"qualifiedName":          validation.IsQualifiedName,
	"labelValue":             validation.IsValidLabelValue,
	"uri": func(s string) []string {
		if _, err := url.ParseRequestURI(s); err != nil {
			return []string{err.Error()}
		}
		return nil
	},
	"uuid":     openAPIFormat("uuid", "does not match the UUID format"),
	"byte":     openAPIFormat("byte", "invalid base64"),
	"date":     openAPIFormat("date", "invalid date"),
	"datetime": openAPIFormat("datetime", "invalid datetime"),
}

// prefixed returns a name that is valid if a text is the beginning of one: something may follow a dash. API servers have the same
// function in a package with an HTTP server.
func prefixed(s string) string {
	if len(s) > 1 && strings.HasSuffix(s, "-") {
		return s[:len(s)-2] + "a"
	}
	return s
}

func openAPIFormat(name, message string) func(string) []string {
	return func(s string) []string {
		if strfmt.Default.Validates(name, s) {
			return nil
		}
		return []string{message}
	}
}

// format is a named format.
type format string

func formatOf(name string) ref.Val {
	return opaque[format]{value: format(name), t: formatType, equal: func(a, b format) bool { return a == b }}
}

func namedFormat(name string) ref.Val {
	if formats[name] == nil {
		return types.OptionalNone
	}
	return types.OptionalOf(formatOf(name))
}

func formatValidate(args ...ref.Val) ref.Val {
	return of(func(f format) ref.Val {
		return ofText(func(s string) ref.Val {
			if messages := formats[string(f)](s); len(messages) > 0 {
				return types.OptionalOf(types.NewStringList(types.DefaultTypeAdapter, messages))
			}
			return types.OptionalNone
		})(args[1])
	})(args[0])
}

// Strings with a format in a schema.

func durationOf(s string) ref.Val {
	d, err := strfmt.ParseDuration(s)
	if err != nil {
		return types.NewErr("invalid duration %s: %v", s, err)
	}
	return types.Duration{Duration: d}
}

func timestampOf(s, format string) ref.Val {
	var t time.Time
	var err error
	if format == "date" {
		t, err = time.Parse(time.DateOnly, s)
	} else {
		var at strfmt.DateTime
		at, err = strfmt.ParseDateTime(s)
		t = time.Time(at)
	}
	if err != nil {
		return types.NewErr("invalid time %s: %v", s, err)
	}
	return types.Timestamp{Time: t}
}

// bytesOf decodes as API servers do: with the alphabet of URLs.
func bytesOf(s string) ref.Val {
	b, err := base64.URLEncoding.DecodeString(s)
	if err != nil {
		return types.NewErr("invalid base64 %s: %v", s, err)
	}
	return types.Bytes(b)
}
