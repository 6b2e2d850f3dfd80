package kubebuilder

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Unenforced returns the markers on a type or a field that are rules for API servers and not for generated Go: those
// without a tag for the same keyword there.
func Unenforced(tags *tag.Set, n *tag.Node, markers []model.Marker) []model.Marker {
	var found []model.Marker
	for _, m := range markers {
		if IsUnique(m) {
			if !n.HasBare(model.RoleListType, model.RoleUnique, model.RoleCustomUnique) {
				found = append(found, m)
			}
			continue
		}
		if foreign.IsRule(m.Name) && !foreign.IsCEL(m.Name) && !hasTag(tags, n, m) && IsKnown(m, n.Field != nil) {
			found = append(found, m)
		}
	}
	return found
}

// IsUnique reports whether API servers reject repeated items because of a marker. Go uses it only to pair
// items with old ones: the lists of native types have markers although their items may repeat.
func IsUnique(m model.Marker) bool {
	_, value, _ := strings.Cut(foreign.WithoutComment(m.Text), "=")
	return m.Name == foreign.ListType && strings.Trim(strings.TrimSpace(value), "\"`") != model.ListAtomic
}

// hasTag reports whether the tag for a marker's keyword is on the node too: with the same value, or
// another, which is reported as a contradiction.
func hasTag(tags *tag.Set, n *tag.Node, m model.Marker) bool {
	prefix, keyword := SplitName(m.Name)
	def := tags.ForKeyword(keyword)
	return def != nil && slices.ContainsFunc(n.Siblings, func(use *model.Tag) bool {
		if prefix == foreign.KubebuilderItems {
			return use.Inner != nil && use.Inner.Name == def.Name
		}
		return use.Name == def.Name
	})
}

// SplitName returns the prefix and the keyword of a marker.
func SplitName(name string) (prefix, keyword string) {
	prefix = foreign.KubebuilderValidation
	if strings.HasPrefix(name, foreign.KubebuilderItems) {
		prefix = foreign.KubebuilderItems
	}
	return prefix, strings.TrimPrefix(name, prefix)
}
