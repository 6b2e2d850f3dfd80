// Package tags has one folder a tag, and what tags of one prefix share.
package tags

import "github.com/kindsmith/kindsmith/internal/tag"

// Families returns the families of tags, in the order of the catalogue.
func Families() []tag.Family {
	return []tag.Family{
		{Title: "Defaults"},
		{
			Prefix: "k8s:", Title: "Validation", Words: true,
			Intro: "Tags that begin with `k8s:` are rules on values, checked by generated Go and published in schemas.",
		},
		{
			Prefix: "versioned:", Title: "Versions",
			Intro: "Tags that begin with `versioned:` say what happened to an API from version to version.",
		},
	}
}
