package check

// Codes returns the codes of the findings of this package, with what each
// means and what to do.
func Codes() map[string]string {
	return map[string]string{
		"check/anonymous-struct": "A struct type that is written in place has no name by which generated code could speak of it. Declare it as a type of its own.",
		"check/missing-argument": "The tag cannot do without an argument that is not there. `kindsmith explain <tag>` lists them.",
		"check/missing-value":    "The tag needs a value behind `=`.",
		"check/not-a-tag":        "The tag applies another tag, which follows behind `=` with its own `+`: `+k8s:eachVal=+k8s:maxLength=63`.",
		"check/not-built":        "The tag is part of the catalogue, and kindsmith does not know yet what to make of it. Until it does, the rule holds nowhere.",
		"check/off-the-wire":     "The field is unexported, or its json tag is \"-\": clients never send it, and a rule on it holds nowhere.",
		"check/openapi-tag":      "Markers that begin with `k8s:validation:` say what openapi-gen publishes for native types. Nothing is validated by them. Write the tag of the same meaning, such as `+k8s:maxLength`, beside the marker or in place of it.",
		"check/prose":            "A line of a comment begins with `+` and the name of a tag, and punctuation follows, as where a sentence was wrapped in front of the tag's name. No rule is made of it. If the tag is meant, it stands alone on its line; if not, begin the line with another word.",
		"check/repeated":         "The tag can stand on an item once. Only tags that apply other tags, and those that name what they are about, can stand there several times. Where both say the same this is a warning.",
		"check/unknown-argument": "The tag has no argument of that name, or takes none. `kindsmith explain <tag>` lists them.",
		"check/unknown-tag":      "Every name that begins with `k8s:` or `versioned:` is kindsmith's to know, since a misspelt tag would hold nowhere and nobody would notice. `kindsmith tags` lists all.",
		"check/unknown-value":    "The tag knows a few values only, and this is none of them.",
		"check/unwanted-value":   "The tag takes no value. Remove what stands behind `=`.",
		"check/wrong-argument":   "The argument is of another kind than the tag takes, such as a string for an integer.",
		"check/wrong-place":      "The tag cannot stand here: some are for fields only, some for types, some for values of lists through `+k8s:eachVal`. `kindsmith explain <tag>` says where.",
		"check/wrong-value":      "The value is of another kind than the tag takes, such as a string for an integer.",
	}
}
