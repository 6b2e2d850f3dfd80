// Package validatetruealpha is the tag +k8s:validateTrueAlpha.
package validatetruealpha

import (
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	d := tag.FixedResult("k8s:validateTrueAlpha", tag.Alpha, true)
	d.Good = "// +k8s:validateTrueAlpha=\"field Name\"\nName string `json:\"name\"`"
	d.Bad = "// +k8s:validateTrueAlpha(flags: \"Short\")\nName string `json:\"name\"` // write ShortCircuit"
	return d
}
