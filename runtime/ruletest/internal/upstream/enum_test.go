package upstream_test

import (
	"fmt"
	"testing"

	upstream "k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/sets"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

func TestEnum(t *testing.T) {
	var long []text
	for i := range 40 {
		long = append(long, text(fmt.Sprintf("value-%02d", i)))
	}
	exclusions := [][]EnumExclusion[text]{
		nil,
		{{Value: "B", Option: "on", ExcludeWhen: true}},
		{{Value: "B", Option: "on", ExcludeWhen: false}},
		{{Value: "B", Option: "off", ExcludeWhen: true}},
		{{Value: "B", Option: "off", ExcludeWhen: false}, {Value: "value-03", Option: "on", ExcludeWhen: true}},
		{{Value: "A", Option: "on", ExcludeWhen: true}, {Value: "B", Option: "on", ExcludeWhen: true}, {Value: "C", Option: "off", ExcludeWhen: false}},
		{{Value: "B", Option: "no such"}},
		{{Value: "A", Option: "on", ExcludeWhen: true}, {Value: "B", Option: "no such"}},
	}
	for _, values := range [][]text{nil, {""}, {"A", "B", "C"}, {"B"}, long[:15], long[:16], long[:17], long} {
		for _, value := range []text{"", "A", "B", "C", "D", "b", "AB", "value-00", "value-03", "value-15", "value-39", "value-40", "value"} {
			same(t, create, upstream.Enum(ctx, create, where, &value, nil, sets.New(values...), nil),
				func(r *Run, at *Path) bool { return Enum(r, at, value, values) })
			for _, exclude := range exclusions {
				same(t, create, upstream.Enum(ctx, create, where, &value, nil, sets.New(values...), theirExclusions(exclude)),
					func(r *Run, at *Path) bool { return EnumExcept(r, at, value, values, exclude) })
			}
		}
	}
}

func theirExclusions(ours []EnumExclusion[text]) []upstream.EnumExclusion[text] {
	var theirs []upstream.EnumExclusion[text]
	for _, e := range ours {
		theirs = append(theirs, upstream.EnumExclusion[text](e))
	}
	return theirs
}
