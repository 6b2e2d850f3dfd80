package check

import "github.com/kindsmith/kindsmith/internal/core/diag"

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeAlias           = codes.New("check/alias", "An alias of a declared type is another name of that type, so tags on the alias have no effect. Declare a type, `type A B` instead of `type A = B`, or put the tags on fields.")
	codeAnonymousStruct = codes.For(diag.Shapes&^(diag.Definitions|diag.Policies|diag.OpenAPI)).Firm().New("check/anonymous-struct", "Generated code cannot refer to an anonymous struct type. Declare a named type.")
	codeInline          = codes.New("check/inline", "The json tag has the option `inline`, but the field is not embedded. encoding/json ignores the option and writes a field with the Go name, and schemas say the same. Embed the struct, or write a name in the json tag.")
	codeMissingArgument = codes.OfText().New("check/missing-argument", "A required argument is missing. `kindsmith explain <tag>` lists them.")
	codeMissingValue    = codes.OfText().New("check/missing-value", "The tag needs a value after `=`.")
	codeNamedPointer    = codes.New("check/named-pointer", "A declared type that is a pointer cannot have tags. Put the tags on the fields, or declare the type that is pointed to: `type Size int32`, with fields of type `*Size`.")
	codeNoDeclaration   = codes.OfText().New("check/no-declaration", "The tag is in a comment that belongs to no declaration, so it has no effect. Tags are in the comment directly above a type, a field, or a constant of a declared type, and above the package clause.")
	codeNotAConstant    = codes.New("check/not-a-constant", "The enum has no constant with this value, so the tag has no effect. Write one of the enum's values.")
	codeNotATag         = codes.OfText().New("check/not-a-tag", "The tag applies another tag. Write that tag after `=`, with its `+`: `+k8s:eachVal=+k8s:maxLength=63`.")
	codeOffTheWire      = codes.New("check/off-the-wire", "The field is unexported or its json tag is `-`. Clients cannot send it, so rules on it have no effect.")
	codeOpenapiTag      = codes.OfText().New("check/openapi-tag", "Markers that begin with `k8s:validation:` set what openapi-gen publishes for native types. They are not enforced. Add the tag with the same meaning, such as `+k8s:maxLength`, or replace the marker with it.")
	codeProse           = codes.OfText().New("check/prose", "A comment line begins with `+` and the name of a tag, but continues like prose. It is not enforced. To use the tag, write it on a separate line. Otherwise, wrap the sentence so that the line begins with another word.")
	codeRepeated        = codes.OfText().New("check/repeated", "The tag is repeated. Only tags that apply other tags, and tags whose argument names a key, a field or a union, can be repeated. If the repeated tags are equal, this is a warning.")
	codeSpellings       = codes.New("check/spellings", "A marker of another tool and a tag on the same declaration contradict each other, such as `+kubebuilder:validation:Maximum=3` and `+k8s:maximum=5`, so published schemas and generated Go would enforce different rules. Remove one of them, or give both the same value.")
	codeTypeMeta        = codes.New("check/type-meta", "The json tag of a kind's `metav1.TypeMeta` has a name, so encoding/json writes `apiVersion` and `kind` below that name, or not at all. API servers refuse such objects, and clients cannot tell their kind. Write `json:\",inline\"`.")
	codeUnknownArgument = codes.OfText().New("check/unknown-argument", "The tag has no argument of that name, or takes none. `kindsmith explain <tag>` lists them.")
	codeUnknownMarker   = codes.OfText().New("check/unknown-marker", "No tool that kindsmith knows reads the marker, and its name is almost that of a tag or of another marker, so it is probably misspelt or lacks its prefix.")
	codeUnknownTag      = codes.OfText().New("check/unknown-tag", "kindsmith defines all tags that begin with `k8s:` or `versioned:`; `kindsmith tags` lists them. An unknown tag is usually misspelt and would have no effect. In packages of other modules this is a warning.")
	codeUnknownValue    = codes.OfText().New("check/unknown-value", "The value is not one of those that the tag accepts.")
	codeUnwantedValue   = codes.OfText().New("check/unwanted-value", "The tag takes no value. Remove the text from `=` on.")
	codeWrongArgument   = codes.OfText().New("check/wrong-argument", "The argument has the wrong type, such as a string for an integer.")
	codeWrongPlace      = codes.OfText().New("check/wrong-place", "The tag cannot be used here. Some tags are only for fields, some only for types, some only for values of lists (`+k8s:eachVal`). `kindsmith explain <tag>` lists where the tag can be used.")
	codeWrongValue      = codes.New("check/wrong-value", "The value has the wrong type, such as a string for an integer.")
)

// Codes returns the codes of the diagnostics about the use of tags.
func Codes() []diag.Code { return codes.All() }

// Malformed returns the codes of tags that cannot be read, whatever they mean.
func Malformed() []diag.Code {
	return []diag.Code{codeMissingArgument, codeMissingValue, codeUnknownArgument, codeUnknownValue, codeUnwantedValue, codeWrongArgument, codeWrongValue}
}
