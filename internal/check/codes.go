package check

import "github.com/kindsmith/kindsmith/internal/diag"

// Diagnostic codes.
var (
	codes diag.Codes

	codeAnonymousStruct = codes.New("check/anonymous-struct", "A struct type that is written in place has no name by which generated code could speak of it. Declare it as a type of its own.")
	codeMissingArgument = codes.New("check/missing-argument", "The tag cannot do without an argument that is not there. `kindsmith explain <tag>` lists them.")
	codeMissingValue    = codes.New("check/missing-value", "The tag needs a value after `=`.")
	codeNotAConstant    = codes.New("check/not-a-constant", "The tag names a value of an enum, and the enum has no such constant: nothing is ever compared equal to it. Write one of the enum's values.")
	codeNotATag         = codes.New("check/not-a-tag", "The tag applies another tag, which follows `=` with its own `+`: `+k8s:eachVal=+k8s:maxLength=63`.")
	codeNotBuilt        = codes.New("check/not-built", "The tag is part of the catalogue, and kindsmith does not implement it yet. Until it does, the rule has no effect.")
	codeOffTheWire      = codes.New("check/off-the-wire", "The field is unexported, or its json tag is \"-\": clients never send it, and a rule on it has no effect.")
	codeOpenapiTag      = codes.New("check/openapi-tag", "Markers that begin with `k8s:validation:` say what openapi-gen publishes for native types. Nothing is validated by them. Write the tag of the same meaning, such as `+k8s:maxLength`, beside the marker or in place of it.")
	codeProse           = codes.New("check/prose", "A line of a comment begins with `+` and the name of a tag, and punctuation follows, as where a sentence was wrapped in front of the tag's name. The line is not enforced. If the tag is meant, write it alone on its line; if not, begin the line with another word.")
	codeRepeated        = codes.New("check/repeated", "An item has the tag at most once. Only tags that apply other tags, and those that name what they are about, can be repeated. Where both are equal this is a warning.")
	codeUnknownArgument = codes.New("check/unknown-argument", "The tag has no argument of that name, or takes none. `kindsmith explain <tag>` lists them.")
	codeUnknownTag      = codes.New("check/unknown-tag", "Every name that begins with `k8s:` or `versioned:` is a tag of kindsmith; `kindsmith tags` lists all. A misspelt tag would have no effect, and its author would not notice. In packages of other modules this is a warning.")
	codeUnknownValue    = codes.New("check/unknown-value", "The tag knows a few values only, and this is none of them.")
	codeUnwantedValue   = codes.New("check/unwanted-value", "The tag takes no value. Remove the text from `=` on.")
	codeWrongArgument   = codes.New("check/wrong-argument", "The argument is of another kind than the tag takes, such as a string for an integer.")
	codeWrongPlace      = codes.New("check/wrong-place", "The tag is not for this place: some are for fields only, some for types, some for values of lists through `+k8s:eachVal`. `kindsmith explain <tag>` says where.")
	codeWrongValue      = codes.New("check/wrong-value", "The value is of another kind than the tag takes, such as a string for an integer.")
)

// Codes returns the codes of the diagnostics about the use of tags.
func Codes() []diag.Code { return codes.All() }
