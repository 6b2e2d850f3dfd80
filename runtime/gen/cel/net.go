package cel

import (
	"net/netip"
	"net/url"
)

// IsIP reports whether IP succeeds: addresses with zones and IPv4-mapped IPv6 addresses are
// invalid.
func IsIP(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Zone() == "" && !a.Is4In6()
}

// IP is ip(s).
func IP(s string) netip.Addr {
	a, _ := netip.ParseAddr(s)
	return a
}

// IPIsCanonical is ip.isCanonical(s).
func IPIsCanonical(s string) bool { return IP(s).String() == s }

// IPText is string(a).
func IPText(a netip.Addr) string { return a.String() }

// IPFamily is a.family().
func IPFamily(a netip.Addr) int64 {
	if a.Is4() {
		return 4
	}
	return 6
}

// IPIsUnspecified is a.isUnspecified().
func IPIsUnspecified(a netip.Addr) bool { return a.IsUnspecified() }

// IPIsLoopback is a.isLoopback().
func IPIsLoopback(a netip.Addr) bool { return a.IsLoopback() }

// IPIsLinkLocalMulticast is a.isLinkLocalMulticast().
func IPIsLinkLocalMulticast(a netip.Addr) bool { return a.IsLinkLocalMulticast() }

// IPIsLinkLocalUnicast is a.isLinkLocalUnicast().
func IPIsLinkLocalUnicast(a netip.Addr) bool { return a.IsLinkLocalUnicast() }

// IPIsGlobalUnicast is a.isGlobalUnicast().
func IPIsGlobalUnicast(a netip.Addr) bool { return a.IsGlobalUnicast() }

// IsCIDR reports whether CIDR succeeds.
func IsCIDR(s string) bool {
	p, err := netip.ParsePrefix(s)
	return err == nil && !p.Addr().Is4In6()
}

// CIDR is cidr(s).
func CIDR(s string) netip.Prefix {
	p, _ := netip.ParsePrefix(s)
	return p
}

// CIDRText is string(p).
func CIDRText(p netip.Prefix) string { return p.String() }

// CIDRAddr is p.ip().
func CIDRAddr(p netip.Prefix) netip.Addr { return p.Addr() }

// CIDRMasked is p.masked().
func CIDRMasked(p netip.Prefix) netip.Prefix { return p.Masked() }

// CIDRBits is p.prefixLength().
func CIDRBits(p netip.Prefix) int64 { return int64(p.Bits()) }

// CIDRContainsIP is p.containsIP(a).
func CIDRContainsIP(p netip.Prefix, a netip.Addr) bool { return p.Contains(a) }

// CIDRContains is p.containsCIDR(q).
func CIDRContains(p, q netip.Prefix) bool { return p.Overlaps(q) && p.Bits() <= q.Bits() }

// CIDRAndIP reports whether CIDRContainsIPText succeeds.
func CIDRAndIP(_ netip.Prefix, s string) bool { return IsIP(s) }

// CIDRContainsIPText is p.containsIP(s).
func CIDRContainsIPText(p netip.Prefix, s string) bool { return p.Contains(IP(s)) }

// CIDRAndCIDR reports whether CIDRContainsText succeeds.
func CIDRAndCIDR(_ netip.Prefix, s string) bool { return IsCIDR(s) }

// CIDRContainsText is p.containsCIDR(s).
func CIDRContainsText(p netip.Prefix, s string) bool { return CIDRContains(p, CIDR(s)) }

// IsURI is isURL(s), and the format uri: an absolute URI or an absolute path.
func IsURI(s string) bool {
	_, err := url.ParseRequestURI(s)
	return err == nil
}

// IsURL reports whether URL succeeds.
func IsURL(s string) bool {
	_, err := url.Parse(s)
	return err == nil && IsURI(s)
}

// URL is url(s).
func URL(s string) *url.URL {
	u, err := url.Parse(s)
	if err != nil {
		return &url.URL{}
	}
	return u
}

// URLScheme is u.getScheme().
func URLScheme(u *url.URL) string { return u.Scheme }

// URLHost is u.getHost().
func URLHost(u *url.URL) string { return u.Host }

// URLHostname is u.getHostname().
func URLHostname(u *url.URL) string { return u.Hostname() }

// URLPort is u.getPort().
func URLPort(u *url.URL) string { return u.Port() }

// URLPath is u.getEscapedPath().
func URLPath(u *url.URL) string { return u.EscapedPath() }
