package driver

// plannedTags are the tags of the catalogue that have no folder yet, with what
// happens meanwhile. A planned tag is a warning where it is used.
func plannedTags() map[string]string {
	const unchecked = "generated Go does not check it, and it is not in the schema"
	planned := map[string]string{}
	for _, name := range []string{
		"dependentRequired", "dependentForbidden", "maxBytes", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "neq",
		"pattern", "minProperties", "maxProperties", "unique", "customUnique", "item", "update", "monotonic",
		"zeroOrOneOfMember", "modeDiscriminator", "ifMode", "subfield", "customValidation",
		"ifEnabled", "ifDisabled", "ifOptionEnabled", "ifOptionDisabled", "alpha", "beta", "declarativeValidationNative",
		"validateTrue", "validateFalse", "validateError", "validateTrueAlpha", "validateTrueBeta",
	} {
		planned["k8s:"+name] = unchecked
	}
	return planned
}
