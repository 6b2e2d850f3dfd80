// Package marker parses marker comments: the lines of a Go comment that begin with
// '+'. It implements their grammar and does not interpret them.
//
// [Scan] and [Parse] are the steps below. [ReadOutline] reads a half-written tag, for editors, and [Prose] the comment
// without markers.
//
// Parsing has two steps, because not all markers have the same grammar. Scan finds
// all markers of a comment. Parse parses one with the tag grammar, which is that of
// the markers that begin with "k8s:":
//
//	tag     = "+" name [ "(" [ args ] ")" ] [ "=" payload ] [ "#" comment ]
//	args    = value | named { "," named } [ "," ]
//	named   = identifier ":" value
//	value   = string | integer | "true" | "false" | identifier
//	payload = tag | value | JSON | raw
//	name    = letter { letter | digit | "_" | "-" | "." | ":" }
//	identifier = letter { letter | digit | "_" | "-" | "." | "/" }
//
// A letter is a Unicode letter or '_'. White space is allowed around the contents of
// parentheses, around colons and commas, and before a comment; nowhere else.
//
// A string is written in double quotes, with the escapes of Go and JSON, or in
// backquotes, without escapes (upstream reads `\\` in backquotes as one backslash and
// rejects all other backslashes). An integer has an optional sign and Go's prefixes
// 0x, 0o, 0b and 0. JSON is an array, an object, null, or a number with a fraction or
// an exponent. Raw is any other text after "=", up to " #" or the end of the line:
// "*", "a,b", "ref(pkg.Name)", "10Mi".
//
// The grammar accepts everything that k8s.io/gengo/v2/codetags accepts, except for
// five mistakes that codetags misreads: a name that ends in ':', nothing after ")=" or
// after the ':' of an argument, two colons in an argument, and escapes in backquotes.
// In addition it accepts white space inside parentheses, '/' in identifiers, JSON, and
// raw text.
//
// Mistakes are reported to a diag.Bag with the codes of codes.go. Parsing continues
// after a mistake, so that one run reports all mistakes of a marker.
package marker
