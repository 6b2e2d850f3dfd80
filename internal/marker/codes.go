package marker

import "github.com/kindsmith/kindsmith/internal/diag"

// Diagnostic codes.
var (
	codes diag.Codes

	codeArgComma       = codes.New("marker/arg-comma", "A comma between two arguments is missing, or there is one too many.")
	codeArgCount       = codes.New("marker/arg-count", "A tag takes at most one argument without a name. Several are written `name: value, name: value`.")
	codeArgDuplicate   = codes.New("marker/arg-duplicate", "An argument is given twice. Keep one.")
	codeArgEquals      = codes.New("marker/arg-equals", "A named argument is written with a colon: `+k8s:unionMember(union: \"storage\")`.")
	codeArgMixed       = codes.New("marker/arg-mixed", "Either all arguments of a tag have names, or there is one without.")
	codeArgName        = codes.New("marker/arg-name", "What stands before the colon is not the name of an argument. Names are letters and digits.")
	codeBadEscape      = codes.New("marker/bad-escape", "A backslash in a double-quoted string begins an escape as in Go. Write two, or put the string in backquotes.")
	codeBadInteger     = codes.New("marker/bad-integer", "Integers are written in decimal, with a minus sign if need be: no separators, fractions or units.")
	codeBadJSON        = codes.New("marker/bad-json", "The value begins like JSON and is not. Mind double quotes around keys and strings, and that there is no comma before a closing bracket.")
	codeBadValue       = codes.New("marker/bad-value", "An argument is a string in quotes, an integer, `true`, `false` or a name.")
	codeDoubleEquals   = codes.New("marker/double-equals", "One `=` stands between a tag and its value.")
	codeLeftover       = codes.New("marker/leftover", "The tag is complete, and text follows. A comment behind a tag begins with `#`.")
	codeMissingEquals  = codes.New("marker/missing-equals", "A value, or the tag that another one applies, follows behind `=`: `+k8s:eachVal=+k8s:maxLength=63`.")
	codeMissingPlus    = codes.New("marker/missing-plus", "A tag that another one applies has its own `+`: `+k8s:eachVal=+k8s:maxLength=63`.")
	codeNameColon      = codes.New("marker/name-colon", "The name ends in a colon. A value follows behind `=`; the colon stands inside names such as `k8s:maxLength` and behind names of arguments.")
	codeNoName         = codes.New("marker/no-name", "A name must follow the `+`.")
	codeNoValue        = codes.New("marker/no-value", "Nothing follows the `=`, or the colon of an argument. Write the value, or leave the sign out. An empty string is `\"\"`.")
	codeOctal          = codes.New("marker/octal", "An integer that begins with 0 is read as octal, as Go and upstream's parser do. Write it in decimal, so that nobody has to wonder.")
	codeQuotes         = codes.New("marker/quotes", "Strings are in double quotes or backquotes, and names in none. Quotes of a word processor are no quotes.")
	codeSlashComment   = codes.New("marker/slash-comment", "A comment behind a tag begins with `#`. `//` is taken for one here, but upstream's tools read it as part of the value.")
	codeSpace          = codes.New("marker/space", "White space cuts the tag in two: other tools would read the first part only. Take it out, or put the value in quotes.")
	codeUnclosedParen  = codes.New("marker/unclosed-paren", "The list of arguments has no closing parenthesis. A tag ends with its line.")
	codeUnclosedString = codes.New("marker/unclosed-string", "A string has no closing quote. A tag ends with its line.")
)

// Codes returns the codes of the diagnostics about a marker's syntax.
func Codes() []diag.Code { return codes.All() }
