package schema

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kindsmith/kindsmith/internal/core/model"
	controllergen "sigs.k8s.io/controller-tools/pkg/crd"
)

// Description converts a doc comment to a schema's description by the conventions of Kubernetes: it
// omits text below a line of dashes, and lines that begin with TODO. It preserves code blocks.
func Description(doc string) string {
	var kept []string
	fenced := false
	for line := range strings.SplitSeq(strings.TrimSuffix(doc, "\n"), "\n") {
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fenced = !fenced
		}
		if !fenced {
			if strings.HasPrefix(line, "---") {
				break
			}
			if strings.HasPrefix(line, "TODO") {
				continue
			}
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n")
}

// undescribed leaves out the descriptions of a value that a tag asks for: those of its fields, and
// also its own unless the tag is for nested ones only.
func undescribed(s *props, list []*model.Tag) {
	for _, use := range list {
		if use.Is(model.RoleNoDescription) {
			own := s.Description
			controllergen.TruncateDescription(s, 0)
			if use.Text() != "" {
				s.Description = own
			}
		}
	}
}

func lowerFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[size:]
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
