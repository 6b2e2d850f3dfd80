package driver

import (
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/rules/tags"
)

//go:generate go run ./lists

// Tags returns the tags that kindsmith knows.
func Tags() *tag.Set {
	return tag.NewSet(tagDefinitions(), tags.Families()).ReadMarkers(kubebuilder.Rules)
}

// Emitters returns the emitters in the order in which they run.
func Emitters() []*emit.Emitter { return emitters() }
