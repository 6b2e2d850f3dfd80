package model

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
)

// OneOf is a group of members of which objects have exactly one, at most one, or at least one.
type OneOf struct {
	// Kind is the last part of the marker's name.
	Kind string `json:"kind"`
	// Members are JSON names.
	Members []string `json:"members"`
	Marker  Marker   `json:"-"`
}

// The kinds of groups.
const (
	ExactlyOneOf = "ExactlyOneOf"
	AtMostOneOf  = "AtMostOneOf"
	AtLeastOneOf = "AtLeastOneOf"
)

// IsRequired reports whether objects must have a member of the group.
func (o *OneOf) IsRequired() bool { return o.Kind != AtMostOneOf }

// OneOfMarker returns the group that a marker of controller-gen on a type declares, nil for any other marker and for one
// without names. The names are a;b or {a,b}, each with or without quotes.
func OneOfMarker(m Marker) *OneOf {
	kind, ok := strings.CutPrefix(m.Name, foreign.KubebuilderValidation)
	if !ok || kind != ExactlyOneOf && kind != AtMostOneOf && kind != AtLeastOneOf {
		return nil
	}
	_, list, _ := strings.Cut(foreign.WithoutComment(m.Text), "=")
	list, separator := strings.TrimSpace(list), ";"
	if inner, ok := strings.CutPrefix(list, "{"); ok {
		list, separator = strings.TrimSuffix(inner, "}"), ","
	}
	group := &OneOf{Kind: kind, Marker: m}
	for name := range strings.SplitSeq(list, separator) {
		if name = strings.Trim(strings.TrimSpace(name), "\"'`"); name != "" {
			group.Members = append(group.Members, name)
		}
	}
	if len(group.Members) == 0 {
		return nil
	}
	return group
}
