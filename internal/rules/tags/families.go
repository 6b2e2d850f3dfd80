// Package tags has one folder a tag, and what tags of one prefix share.
package tags

import "github.com/kindsmith/kindsmith/internal/rules/tag"

// Families returns the families of tags, in the order of the catalogue.
func Families() []tag.Family {
	return []tag.Family{
		{Title: "Defaults and unions of KEP-1027"},
		{
			Prefix: "k8s:", Title: "Validation", Words: true,
			Intro: "Tags that begin with `k8s:` are validation rules. Generated Go enforces them, and schemas publish them.",
		},
		{
			Prefix: "versioned:", Title: "Versions",
			Intro: "Tags that begin with `versioned:` describe the changes between versions of an API.",
		},
	}
}
