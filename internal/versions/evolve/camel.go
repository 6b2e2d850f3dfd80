package evolve

import (
	"strings"
	"unicode"
)

// upperFirst returns the name as an exported Go identifier: "prevBar" →
// "PrevBar", "prev-bar" → "PrevBar".
func upperFirst(name string) string {
	var b strings.Builder
	up := true
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			up = true
		case up:
			b.WriteRune(unicode.ToUpper(r))
			up = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// initialisms are the words that Go names keep in capitals.
var initialisms = map[string]bool{
	"acl": true, "api": true, "ca": true, "cpu": true, "dns": true, "gpu": true, "http": true, "https": true, "id": true,
	"ip": true, "json": true, "os": true, "qps": true, "sql": true, "ssh": true, "tcp": true, "tls": true, "ttl": true,
	"udp": true, "uid": true, "uri": true, "url": true, "uuid": true, "vm": true, "xml": true, "yaml": true,
}

// GoName returns the Go name of a field that follows from its JSON name.
func GoName(jsonName string) string { return goName(jsonName) }

// goName returns the Go name of a field with a JSON name: "prevBar" →
// "PrevBar", "url" → "URL", "ipAddress" → "IPAddress".
func goName(jsonName string) string {
	n := strings.IndexFunc(jsonName, func(r rune) bool { return !unicode.IsLower(r) })
	if n < 0 {
		n = len(jsonName)
	}
	if initialisms[jsonName[:n]] {
		jsonName = strings.ToUpper(jsonName[:n]) + jsonName[n:]
	}
	return upperFirst(jsonName)
}

// lowerFirst returns the name in the spelling of JSON fields: "Bar" → "bar", "URL" →
// "url", "APIVersion" → "apiVersion".
func lowerFirst(name string) string {
	runes := []rune(name)
	n := 0
	for n < len(runes) && unicode.IsUpper(runes[n]) {
		n++
	}
	if n > 1 && n < len(runes) && unicode.IsLower(runes[n]) {
		n-- // the last capital begins the next word
	}
	for i := range n {
		runes[i] = unicode.ToLower(runes[i])
	}
	return string(runes)
}

// cutDeprecated removes the prefix of deprecated items: "DeprecatedBar" → "Bar" and "deprecatedBar"
// → "bar". A word must follow the prefix.
func cutDeprecated(name string) (plain string, ok bool) {
	for _, prefix := range []string{"Deprecated", "deprecated"} {
		rest, found := strings.CutPrefix(name, prefix)
		if !found || rest == "" || !unicode.IsUpper([]rune(rest)[0]) {
			continue
		}
		if prefix == "deprecated" {
			rest = lowerFirst(rest)
		}
		return rest, true
	}
	return name, false
}
