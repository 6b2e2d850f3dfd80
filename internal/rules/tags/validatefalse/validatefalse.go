// Package validatefalse is the tag +k8s:validateFalse.
package validatefalse

import (
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	d := tag.FixedResult("k8s:validateFalse", tag.Alpha, false)
	d.Good = "// +k8s:validateFalse(flags: \"ShortCircuit\")=\"field Name\"\nName string `json:\"name\"`"
	d.Bad = "// +k8s:validateFalse(flags: \"Short\")\nName string `json:\"name\"` // write ShortCircuit"
	return d
}
