// Package validatetruebeta is the tag +k8s:validateTrueBeta.
package validatetruebeta

import (
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	d := tag.FixedResult("k8s:validateTrueBeta", tag.Beta, true)
	d.Good = "// +k8s:validateTrueBeta=\"field Name\"\nName string `json:\"name\"`"
	d.Bad = "// +k8s:validateTrueBeta(flags: \"Short\")\nName string `json:\"name\"` // write ShortCircuit"
	return d
}
