package verdict

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/kindsmith/kindsmith/internal/core/spell"
)

// Undefined says that a kind, or its version, is not among the known ones, and which one it misspells.
func Undefined(kind schema.GroupVersionKind, known []schema.GroupVersionKind) string {
	var versions, groups, kinds, all []string
	for _, k := range known {
		switch {
		case k.GroupKind() == kind.GroupKind():
			versions = append(versions, k.Version)
		case k.Kind == kind.Kind:
			groups = append(groups, k.GroupVersion().String())
		case k.Group == kind.Group:
			kinds = append(kinds, k.Kind)
		}
		if text := k.Group + " " + k.Kind; !slices.Contains(all, text) {
			all = append(all, strings.TrimSpace(text))
		}
	}
	if len(versions) > 0 {
		slices.SortFunc(versions, func(a, b string) int { return version.CompareKubeAwareVersionStrings(b, a) })
		return fmt.Sprintf("%s has no version %q; its versions are: %s", kind.Kind, kind.Version, strings.Join(versions, ", "))
	}
	message := KindText(kind) + " is not defined"
	if near := spell.DidYouMean(kind.Kind, kinds); near != "" {
		return message + near
	}
	if near := spell.DidYouMean(kind.GroupVersion().String(), groups); near != "" {
		return message + near
	}
	const most = 8 // a folder may have hundreds
	switch {
	case len(all) == 0:
		return message
	case len(all) > most:
		return message + "; the defined kinds are: " + strings.Join(all[:most], ", ") + fmt.Sprintf(" and %d more", len(all)-most)
	}
	return message + "; the defined kinds are: " + strings.Join(all, ", ")
}
