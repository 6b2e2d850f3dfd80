package model_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

func TestOneOfMarker(t *testing.T) {
	for text, want := range map[string][]string{
		"ExactlyOneOf=a;b":                     {"a", "b"},
		"AtMostOneOf={a,b}":                    {"a", "b"},
		"AtLeastOneOf={\"a\", \"b\"} # either": {"a", "b"},
		"ExactlyOneOf=\"a\";`b`;c.d":           {"a", "b", "c.d"},
		"ExactlyOneOf":                         nil,
		"ExactlyOneOf={}":                      nil,
		"OneOf=a;b":                            nil,
		"MaxLength=3":                          nil,
	} {
		name, _, _ := strings.Cut("kubebuilder:validation:"+text, "=")
		var got []string
		if group := model.OneOfMarker(model.Marker{Name: name, Text: "kubebuilder:validation:" + text}); group != nil {
			got = group.Members
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
