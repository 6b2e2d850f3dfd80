package schema

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// enumerate lists the constants of a type with +enum, the older form of +k8s:enum. It ignores +enum
// in other projects, where it is documentation and values may be added.
func (b *builder) enumerate(s *props, t *model.Type) {
	if len(s.Enum) > 0 || !hasMarker(t.Markers, foreign.Enum) || !b.ours(t.Package) {
		return
	}
	var values []string
	for _, c := range tag.EnumValues(t) {
		value := c.Value
		if c.IsString {
			quoted, err := json.Marshal(c.Value)
			if err != nil {
				continue // a Go string is always valid JSON
			}
			value = string(quoted)
		}
		values = append(values, value)
	}
	slices.SortFunc(values, strings.Compare)
	for _, v := range values {
		s.Enum = append(s.Enum, apiextensionsv1.JSON{Raw: []byte(v)})
	}
}
