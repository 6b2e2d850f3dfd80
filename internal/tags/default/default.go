// Package defaulttag is the tag +default.
package defaulttag

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/defaulting"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeUnknownConstant = codes.New("default/unknown-constant", "`ref(...)` names no constant of the package. Write the constant's name, with its package's name if it is another's.")
	codeStruct          = codes.New("default/struct", "A struct that is not behind a pointer is always there, so it can have no default but `{}`. Use a pointer, or put defaults on the struct's fields. For `+kubebuilder:default` this is a warning: the default is in the schema, and generated Go leaves the field alone.")
	codeArray           = codes.New("default/array", "An array is always there, so a default would never apply. Use a slice.")
	codeNeedsOmitempty  = codes.New("default/needs-omitempty", "A string, bool or number without `omitempty` is always sent, so a default other than its zero value would never apply. Add `omitempty`, or use a pointer. On a field that is `+k8s:optional` this is a warning: clients that send the zero value get the default of generated Go, and not that of a schema. For `+kubebuilder:default` it is one too: the default is in the schema, and generated Go leaves the field alone.")
	codeNeedsOmitzero   = codes.New("default/needs-omitzero", "The type is a struct, on which `omitempty` does nothing: its zero value is always sent. Use `omitzero` or a pointer.")
	codeZeroNotSettable = codes.New("default/zero-not-settable", "A bool or number that is not behind a pointer cannot be set to false or 0, since that looks absent. Use a pointer.")
	codeViolatesRule    = codes.New("default/violates-rule", "An object that leaves the field out would be rejected for a value that nobody wrote: the default, or something in it, breaks a rule on the field, on its type or below. Change the default or the rule.")
	codeEndless         = codes.New("default/endless", "The default makes a value in which the same default applies again, without end.")
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
		Summary: "The value of a field that is absent.",
		Doc:     doc,
		Good:    good,
		Bad:     bad,
		Codes:   slices.Concat(defaulting.Codes(), codes.All()),
		Check:   check,
		Go:      tag.Elsewhere("the defaults emitter writes SetObjectDefaults_ functions"),
		Schema:  tag.Elsewhere("the schema emitter publishes the effective default of each field"),
	}
}

const doc = "The value is JSON on one line, or `ref(Constant)` for the value of a constant; `ref(corev1.ProtocolTCP)` names one of an imported package. " +
	"`+default`, `+k8s:default` and `+kubebuilder:default` are one tag in three spellings.\n\n" +
	"On a named type the tag holds for all fields, list items and map values of the type, pointers to it included; a tag on the field itself wins. " +
	"A value for a struct is filled in first, then the defaults of the fields that it leaves out.\n\n" +
	"Four rules follow from what Go can tell apart:\n\n" +
	"* A struct that is not behind a pointer is always there. Its default is `{}` without a tag, and no other is possible.\n" +
	"* `omitempty` does nothing on such a struct.\n" +
	"* A string, bool or number whose default is not its zero value needs `omitempty` or `omitzero`, or clients would send the zero value as if it were meant.\n" +
	"* Without these, its default is its zero value.\n\n" +
	"A bool or number that is not behind a pointer cannot be told from an absent one when it is false or 0: give it a pointer if its default is another value.\n\n" +
	"A default satisfies the rules on its field, on the field's type, and on everything in it, as far as they can be judged without an object: bounds, lengths, counts, formats, patterns, enums, presence, unique items and unions can. " +
	"Rules on updates, hand-written ones, CEL rules, and values or unions that depend on an option are left to validation."

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
	Probe Port ` + "`json:\"probe\"`" + ` // the struct is always there: use *Port
}`

// effective returns the default that applies at the tag's place.
func effective(n *tag.Node) (defaulting.Effective, bool) {
	if n.Field != nil {
		return defaulting.OfField(n.Model, n.Owner, n.Field)
	}
	return defaulting.OfType(n.Model, n.Owner)
}
