// Package marker reads marker comments: the lines of a Go comment that begin
// with '+'. It knows their grammar and nothing of what they mean.
//
// Reading is in two steps, because not every marker follows one grammar. Scan
// finds the markers of a comment, whoever they belong to. Parse reads one by the
// tag grammar, which is that of the markers that begin with "k8s:":
//
//	tag     = "+" name [ "(" [ args ] ")" ] [ "=" payload ] [ "#" comment ]
//	args    = value | named { "," named } [ "," ]
//	named   = identifier ":" value
//	value   = string | integer | "true" | "false" | identifier
//	payload = tag | value | JSON | raw
//	name    = letter { letter | digit | "_" | "-" | "." | ":" }
//	identifier = letter { letter | digit | "_" | "-" | "." | "/" }
//
// A letter is a Unicode letter or '_'. White space may stand around the
// parentheses' contents, colons and commas, and before a comment; nowhere else.
//
// A string is written in double quotes, with the escapes of Go and of JSON, or in
// backquotes, where nothing is an escape (upstream reads `\\` in backquotes as one
// backslash, and refuses any other). An integer has an optional sign and Go's
// prefixes 0x, 0o, 0b and 0. JSON is an array, an object, null, or a number with a
// fraction or an exponent. Raw is whatever else follows "=", up to " #" or the end
// of the line: "*", "a,b", "ref(pkg.Name)", "10Mi".
//
// The grammar takes all that k8s.io/gengo/v2/codetags takes, but for five slips
// which that reads as something else than what was written: a name that ends in
// ':', nothing after ")=" or after the ':' of an argument, two colons in an
// argument, and escapes in backquotes. Beyond it, it takes white space inside
// parentheses, '/' in identifiers, JSON, and raw text.
//
// Mistakes are reported to a diag.Bag with the codes of codes.go, and reading goes
// on with what can be made out, so that one run reports all mistakes of a marker.
package marker
