// Package defaulttag is the tag +default.
package defaulttag

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeUnknownConstant = codes.New("default/unknown-constant", "`ref(...)` does not name a constant. Write a constant of this package, or `package.Constant`.")
	codeStruct          = codes.For(diag.Defaults).New("default/struct", "A non-pointer struct is always set, so its only possible default is `{}`. Use a pointer, or put defaults on the fields of the struct. For `+kubebuilder:default` this is a warning: the schema has the default, but generated Go does not apply it.")
	codeArray           = codes.For(diag.Defaults).New("default/array", "An array is always set, so its default would never apply. Use a slice.")
	codeNull            = codes.New("default/null", "A field that is null is unset, so null as a default changes nothing. Remove the tag, or write a value.")
	codeNeedsOmitempty  = codes.For(diag.Defaults|diag.OpenAPI).New("default/needs-omitempty", "A string, bool or number without `omitempty` is always sent, so a default other than its zero value would never apply. Add `omitempty`, or use a pointer. On a `+k8s:optional` field this is a warning: generated Go replaces a zero value that clients send with the default, but API servers do not. For `+kubebuilder:default` it is also a warning: the schema has the default, but generated Go does not apply it.")
	codeNeedsOmitzero   = codes.For(diag.Defaults).New("default/needs-omitzero", "The type is a struct, on which `omitempty` has no effect: its zero value is always sent. Use `omitzero` or a pointer.")
	codeZeroNotSettable = codes.For(diag.Defaults).New("default/zero-not-settable", "A non-pointer bool or number cannot be set to false or 0, since that means unset. Use a pointer. A list, a map or bytes with `omitempty` cannot be set to an empty value, since Go clients leave it out. Use `omitzero`.")
	codeZeroElement     = codes.For(diag.Defaults).New("default/zero-element", "List items and map values are never left out, so a client can send the zero value. Generated Go cannot distinguish it from null and sets the default of the type; API servers replace only null. Use pointers.")
	codeViolatesRule    = codes.New("default/violates-rule", "The default breaks a rule on the field, on its type or on a value in it, so objects that omit the field would be invalid. Change the default or the rule.")
	codeNotListed       = codes.New("default/not-listed", "The type has `+enum`, and no constant of it has the default's value. Published schemas list the constants, so use one of them.")
	codeEndless         = codes.New("default/endless", "The default contains a value with the same default, so defaulting would never end. Remove the default.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "default", Role: model.RoleDefault, Aliases: []string{"k8s:default", "kubebuilder:default"},
		Stability: tag.Stable, Scopes: tag.OnType | tag.OnField, Shapes: tag.AnyShape,
		Payload: tag.Payload{
			Kinds: []model.ValueKind{
				model.StringValue, model.IntValue, model.BoolValue, model.JSONValue, model.IdentValue, model.RawValue,
			},
			Doc: "the value as JSON, or ref(Constant) or ref(package.Constant)",
		},
		Summary: "The value of a field that is unset.",
		Doc:     doc,
		Good:    good,
		Bad:     bad,
		Codes:   slices.Concat(defaulting.Codes(), codes.All()),
		Check:   check,
		Go:      tag.Elsewhere("the defaults emitter writes SetObjectDefaults_ functions"),
		Schema:  tag.Elsewhere("the schema emitter publishes the effective default of each field"),
	}
}

const doc = "The value is JSON on one line, or `ref(Constant)` for the value of a constant; `ref(corev1.ProtocolTCP)` is a constant of an imported package. " +
	"`+default`, `+k8s:default` and `+kubebuilder:default` are three spellings of one tag.\n\n" +
	"On a named type, the tag applies to all fields, list items and map values of the type, including pointers to it; a tag on the field itself takes precedence. " +
	"The default of a struct is set first, then the defaults of the fields that it omits.\n\n" +
	"In Go, some unset fields cannot be distinguished from zero values. Therefore:\n\n" +
	"* A non-pointer struct is always set. Its default is `{}`, without a tag; no other default is possible.\n" +
	"* `omitempty` has no effect on such a struct.\n" +
	"* A string, bool or number whose default is not its zero value needs `omitempty` or `omitzero`. Otherwise, clients send the zero value.\n" +
	"* Without these, the default is the zero value.\n\n" +
	"A non-pointer bool or number that is false or 0 cannot be distinguished from an unset one. Use a pointer if the default is another value.\n\n" +
	"A default must satisfy the rules on its field, on the field's type, and on all values in it. kindsmith checks bounds, lengths, counts, formats, patterns, enums, presence, unique items and unions. " +
	"It does not check update rules, hand-written rules, CEL rules, and values or unions that depend on an option."

const good = `type WorkerSpec struct {
	// +default=3
	// +optional
	Replicas *int32 ` + "`json:\"replicas,omitempty\"`" + `
	// +default=ref(ModeRolling)
	// +optional
	Mode Mode ` + "`json:\"mode,omitempty\"`" + `
	// +default={"name":"http","port":80}
	// +optional
	Probe *Port ` + "`json:\"probe,omitempty\"`" + `
}`

const bad = `type WorkerSpec struct {
	// +default=3
	Replicas int32 ` + "`json:\"replicas\"`" + ` // 0 is always sent: add omitempty, or use *int32
	// +default={"name":"http"}
	Probe Port ` + "`json:\"probe\"`" + ` // the struct is always set: use *Port
}`

// effective returns the default that applies at the tag's place.
func effective(n *tag.Node) (defaulting.Effective, bool) {
	if n.Field != nil {
		return defaulting.OfField(n.Model, n.Owner, n.Field)
	}
	return defaulting.OfType(n.Model, n.Owner)
}
