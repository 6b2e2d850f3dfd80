// Package unionstrict is the tag +k8s:unionStrict.
package unionstrict

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeNoUnion = codes.New("unionstrict/no-union", "The struct has no union with a discriminator, so the tag has no effect.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:unionStrict", Role: model.RoleUnionStrict, Stability: tag.Stable, Scopes: tag.OnType, Shapes: tag.Structs,
		Summary: "The unions of the struct are checked on every update.",
		Doc: "Without the tag, an update of a stored object whose union is invalid is accepted if it changes neither the discriminator nor which members are set. " +
			"With it, every update of such an object fails until the union is corrected, as the alpha version of KEP-1027 has it.",
		Good: tag.Code(`
			// +k8s:unionStrict
			type Storage struct {
				// +k8s:required
				// +k8s:unionDiscriminator
				Type StorageType \'json:"type"\'
				// +k8s:optional
				// +k8s:unionMember
				Disk *Disk \'json:"disk,omitempty"\'
			}`),
		Bad: tag.Code(`
			// +k8s:unionStrict
			type Disk struct { // no union
				Size int64 \'json:"size"\'
			}`),
		Codes:  codes.All(),
		Check:  check,
		Go:     tag.Elsewhere("the members' tags check the unions"),
		Schema: tag.Elsewhere("the members' tags have the rules of the unions"),
	}
}

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	if n.Owner.IsStruct() && !n.HasUnions() {
		bag.Warnf(c.Span, codeNoUnion, "%s has no union, so +k8s:unionStrict has no effect; remove it, or add it to the struct of the union", n.Owner.Name)
	}
}
