package driver

import (
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/tag"
)

//go:generate go run ./lists

// Tags returns the tags that kindsmith knows.
func Tags() *tag.Set { return tag.NewSet(tagDefinitions(), plannedTags()) }

// Emitters returns the emitters in the order in which they run.
func Emitters() []*emit.Emitter { return emitters() }
