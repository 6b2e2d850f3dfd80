// Package validatetrue is the tag +k8s:validateTrue.
package validatetrue

import (
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	d := tag.FixedResult("k8s:validateTrue", tag.Alpha, true)
	d.Good = "// +k8s:validateTrue=\"field Name\"\nName string `json:\"name\"`"
	d.Bad = "// +k8s:validateTrue(flags: \"Short\")\nName string `json:\"name\"` // write ShortCircuit"
	return d
}
