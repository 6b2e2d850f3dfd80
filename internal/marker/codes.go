package marker

// The codes of the diagnostics that Parse reports.
const (
	// CodeNoName: no tag name follows '+'.
	CodeNoName = "marker/no-name"
	// CodeSpace: white space stands where it would cut the tag in two.
	CodeSpace = "marker/space"
	// CodeNameColon: a name ends in ':', as if a value came after it.
	CodeNameColon = "marker/name-colon"
	// CodeDoubleEquals: '=' is repeated.
	CodeDoubleEquals = "marker/double-equals"
	// CodeMissingEquals: a value or a chained tag follows without '='.
	CodeMissingEquals = "marker/missing-equals"
	// CodeMissingPlus: a chained tag is written without its '+'.
	CodeMissingPlus = "marker/missing-plus"
	// CodeNoValue: nothing follows '=' or the ':' of an argument.
	CodeNoValue = "marker/no-value"
	// CodeUnclosedParen: the argument list has no ')'.
	CodeUnclosedParen = "marker/unclosed-paren"
	// CodeUnclosedString: a string has no closing quote.
	CodeUnclosedString = "marker/unclosed-string"
	// CodeQuotes: a string is in single or typographic quotes, or a name is quoted.
	CodeQuotes = "marker/quotes"
	// CodeBadEscape: a backslash in a string begins no known escape.
	CodeBadEscape = "marker/bad-escape"
	// CodeBadInteger: digits that are not an integer.
	CodeBadInteger = "marker/bad-integer"
	// CodeOctal: an integer that begins with 0 is read as octal (a warning).
	CodeOctal = "marker/octal"
	// CodeBadJSON: a payload begins like JSON and is not.
	CodeBadJSON = "marker/bad-json"
	// CodeBadValue: an argument is nothing that a value can be.
	CodeBadValue = "marker/bad-value"
	// CodeArgEquals: a named argument is written with '=' for ':'.
	CodeArgEquals = "marker/arg-equals"
	// CodeArgName: the text before ':' is no argument name.
	CodeArgName = "marker/arg-name"
	// CodeArgComma: a comma between arguments is missing or doubled.
	CodeArgComma = "marker/arg-comma"
	// CodeArgMixed: named and positional arguments stand side by side.
	CodeArgMixed = "marker/arg-mixed"
	// CodeArgCount: more than one positional argument.
	CodeArgCount = "marker/arg-count"
	// CodeArgDuplicate: an argument is given twice.
	CodeArgDuplicate = "marker/arg-duplicate"
	// CodeSlashComment: a comment after the tag begins with "//" (a warning).
	CodeSlashComment = "marker/slash-comment"
	// CodeLeftover: text is left over after the tag.
	CodeLeftover = "marker/leftover"
)
