package marker

import "github.com/kindsmith/kindsmith/internal/core/diag"

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeArgComma      = codes.OfText().New("marker/arg-comma", "A comma between two arguments is missing, or there is one too many.")
	codeArgCount      = codes.OfText().New("marker/arg-count", "A tag has at most one argument without a name. Write several as `name: value, name: value`.")
	codeArgDuplicate  = codes.OfText().New("marker/arg-duplicate", "An argument is repeated. Remove one.")
	codeArgEquals     = codes.OfText().New("marker/arg-equals", "A named argument is written with a colon: `+k8s:unionMember(union: \"storage\")`.")
	codeArgMixed      = codes.OfText().New("marker/arg-mixed", "A tag has either named arguments or a single argument without a name.")
	codeArgName       = codes.OfText().New("marker/arg-name", "The text before the colon is not the name of an argument. Names are letters and digits.")
	codeBadEscape     = codes.OfText().New("marker/bad-escape", "A backslash in a double-quoted string begins an escape, as in Go. Write two backslashes, or put the string in backquotes.")
	codeBadInteger    = codes.OfText().New("marker/bad-integer", "Write integers in decimal, with an optional minus sign, without separators, fractions or units.")
	codeBadJSON       = codes.OfText().New("marker/bad-json", "The value begins like JSON but is not valid JSON. Use double quotes around keys and strings, and no comma before a closing bracket.")
	codeBadValue      = codes.OfText().New("marker/bad-value", "An argument is a string in quotes, an integer, `true`, `false` or a name.")
	codeDoubleEquals  = codes.OfText().New("marker/double-equals", "Write one `=` between a tag and its value.")
	codeLeftover      = codes.OfText().New("marker/leftover", "Text follows the complete tag. A comment after a tag begins with `#`.")
	codeMissingEquals = codes.OfText().New("marker/missing-equals", "Write a value or a chained tag after `=`: `+k8s:eachVal=+k8s:maxLength=63`.")
	codeMissingPlus   = codes.OfText().New("marker/missing-plus", "A chained tag begins with `+`: `+k8s:eachVal=+k8s:maxLength=63`.")
	codeNameColon     = codes.OfText().New("marker/name-colon", "The name ends in a colon. Write the value after `=`. Colons are part of names such as `k8s:maxLength` and follow argument names.")
	codeNoName        = codes.OfText().New("marker/no-name", "A name must follow the `+`.")
	// CodeAfterText is reported by package lower, which knows the names of tags.
	CodeAfterText = codes.OfText().New("marker/after-text", "A tag follows other text on its line, so no tool reads it. Write it on a separate line.")
	// CodeBlockComment is reported by package lower, which knows the markers of controller-gen.
	CodeBlockComment = codes.OfText().New("marker/block-comment", "A marker of controller-gen is in a `/* */` comment. controller-gen reads markers only in `//` comments, so kindsmith ignores this one, too. Tags that begin with `+k8s:` or `+versioned:` work in both forms.")
	// CodeNoPlus is reported by package lower, which knows the names of tags.
	CodeNoPlus = codes.OfText().New("marker/no-plus", "A comment line has the form of a marker, but does not begin with `+`, or has another character before it or in its place. No tool reads it.")

	codeNoValue        = codes.OfText().New("marker/no-value", "The value after `=`, or after the colon of an argument, is missing. Write the value, or remove the sign. An empty string is `\"\"`.")
	codeOctal          = codes.OfText().New("marker/octal", "An integer that begins with 0 is octal, as in Go and in upstream's parser. Write it in decimal to avoid confusion.")
	codeQuotes         = codes.OfText().New("marker/quotes", "Write strings in double quotes or backquotes, and names without quotes. Typographic quotes are not supported.")
	codeSlashComment   = codes.OfText().New("marker/slash-comment", "A comment after a tag begins with `#`. kindsmith also accepts `//`, but upstream's tools read it as part of the value.")
	codeSpace          = codes.OfText().New("marker/space", "White space splits the tag: other tools read only the first part. Remove it, or put the value in quotes.")
	codeUnclosedParen  = codes.OfText().New("marker/unclosed-paren", "The list of arguments has no closing parenthesis. A tag ends with its line.")
	codeUnclosedString = codes.OfText().New("marker/unclosed-string", "A string has no closing quote. A tag ends with its line.")
)

// Codes returns the codes of diagnostics about the syntax of markers.
func Codes() []diag.Code { return codes.All() }
