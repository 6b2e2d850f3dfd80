package scan

// IP reports whether s is an IPv4 or IPv6 address. Numbers may have any number of
// leading zeros. Zones are not accepted.
func IP(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case '.':
			return ipv4(s)
		case ':':
			return ipv6(s)
		}
	}
	return false
}

func ipv4(s string) bool {
	for part := range 4 {
		if part > 0 {
			if s == "" || s[0] != '.' {
				return false
			}
			s = s[1:]
		}
		n := decimal(s)
		if n == 0 {
			return false
		}
		s = s[n:]
	}
	return s == ""
}

// ipv6 implements the grammar of RFC 4291: eight groups of hexadecimal digits. The
// last two may be an IPv4 address, and "::" replaces one or more groups.
func ipv6(s string) bool {
	const groups = 8
	elided := false
	if len(s) >= 2 && s[0] == ':' && s[1] == ':' {
		elided, s = true, s[2:]
		if s == "" {
			return true
		}
	}
	for seen := 0; seen < groups; {
		n := hexadecimal(s)
		if n == 0 {
			return false
		}
		if n < len(s) && s[n] == '.' {
			fits := seen == groups-2 || elided && seen < groups-2
			full := seen == groups-2 && elided
			return fits && !full && ipv4(s)
		}
		seen++
		s = s[n:]
		if s == "" {
			return (seen == groups) != elided
		}
		if s[0] != ':' || len(s) == 1 {
			return false
		}
		s = s[1:]
		if s[0] == ':' {
			if elided {
				return false
			}
			elided, s = true, s[1:]
			if s == "" {
				return seen < groups
			}
		}
	}
	return false
}

// decimal returns the number of leading digits of s if they are a number up to
// 255, else 0.
func decimal(s string) int {
	value, i := 0, 0
	for ; i < len(s) && is(s[i], digit); i++ {
		if value = value*10 + int(s[i]-'0'); value > 255 {
			return 0
		}
	}
	return i
}

// hexadecimal returns the number of leading hexadecimal digits of s if they are a
// 16-bit number, else 0.
func hexadecimal(s string) int {
	value, i := 0, 0
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case '0' <= c && c <= '9':
			value = value<<4 | int(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			value = value<<4 | int(c|0x20-'a'+10)
		default:
			return i
		}
		if value > 0xffff {
			return 0
		}
	}
	return i
}
