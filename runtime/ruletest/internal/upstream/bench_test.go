package upstream_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	upstream "k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var (
	colorSet = sets.New[text]("blue", "green", "red")
	except   = []upstream.EnumExclusion[text]{{Value: "red", Option: "off", ExcludeWhen: true}}
	abc      = upstream.NewUnionMembership(upstream.NewUnionMember("a"), upstream.NewUnionMember("b"), upstream.NewUnionMember("c"))
	no       = func(*struct{}) bool { return false }
	yes      = func(*struct{}) bool { return true }
)

// theirs has upstream's calls for the checks of BenchmarkCheck in package validate.
var theirs = map[string]func() field.ErrorList{
	"Required":           func() field.ErrorList { return upstream.RequiredPointer(ctx, create, where, new(int), nil) },
	"MinLength":          func() field.ErrorList { return upstream.MinLength(ctx, create, where, ptr(text("ab")), nil, 2) },
	"MinLength, counted": func() field.ErrorList { return upstream.MinLength(ctx, create, where, ptr(text("éé")), nil, 2) },
	"MaxLength":          func() field.ErrorList { return upstream.MaxLength(ctx, create, where, ptr(text("ab")), nil, 2) },
	"MaxLength, counted": func() field.ErrorList { return upstream.MaxLength(ctx, create, where, ptr(text("éé")), nil, 2) },
	"Minimum":            func() field.ErrorList { return upstream.Minimum(ctx, create, where, ptr(number(2)), nil, 2) },
	"NEQ":                func() field.ErrorList { return upstream.NEQ(ctx, create, where, ptr(text("a")), nil, "b") },
	"MaxItems":           func() field.ErrorList { return upstream.MaxItems(ctx, create, where, make([]int, 2), nil, 2) },
	"Enum": func() field.ErrorList {
		return upstream.Enum(ctx, create, where, ptr(text("green")), nil, colorSet, nil)
	},
	"EnumExcept": func() field.ErrorList {
		return upstream.Enum(ctx, create, where, ptr(text("red")), nil, colorSet, except)
	},
	"ExactlyOneOf":     func() field.ErrorList { return upstream.Union(ctx, create, where, &struct{}{}, nil, abc, no, yes, no) },
	"ShortName":        func() field.ErrorList { return upstream.ShortName(ctx, create, where, ptr("my-name"), nil) },
	"LongName":         func() field.ErrorList { return upstream.LongName(ctx, create, where, ptr("my.name"), nil) },
	"LongNameCaseless": func() field.ErrorList { return upstream.LongNameCaseless(ctx, create, where, ptr("My.Name"), nil) },
	"LabelKey":         func() field.ErrorList { return upstream.LabelKey(ctx, create, where, ptr("example.com/name"), nil) },
	"PrefixedLabelKey": func() field.ErrorList {
		return upstream.PrefixedLabelKey(ctx, create, where, ptr("example.com/name"), nil)
	},
	"LabelValue":      func() field.ErrorList { return upstream.LabelValue(ctx, create, where, ptr("value"), nil) },
	"PathSegmentName": func() field.ErrorList { return upstream.PathSegmentName(ctx, create, where, ptr("segment"), nil) },
	"UUID": func() field.ErrorList {
		return upstream.UUID(ctx, create, where, ptr("123e4567-e89b-12d3-a456-426614174000"), nil)
	},
	"ResourcePoolName": func() field.ErrorList { return upstream.ResourcePoolName(ctx, create, where, ptr("pool/one"), nil) },
	"ExtendedResourceName": func() field.ErrorList {
		return upstream.ExtendedResourceName(ctx, create, where, ptr("example.com/gpu"), nil)
	},
	"ResourceFullyQualifiedName": func() field.ErrorList {
		return upstream.ResourceFullyQualifiedName(ctx, create, where, ptr("example.com/size"), nil)
	},
	"IP": func() field.ErrorList {
		return append(validation.IsValidIPForLegacyField(where, "10.9.8.7", false, nil), validation.IsValidIPForLegacyField(where, "::1", false, nil)...)
	},
}

func BenchmarkCheck(b *testing.B) {
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		b.Run(name, func(b *testing.B) {
			check := theirs[name]
			b.ReportAllocs()
			for b.Loop() {
				check()
			}
		})
	}
}

func BenchmarkUnique(b *testing.B) {
	type port struct {
		Protocol text
		Number   number
	}
	for _, n := range []int{2, 4, 8, 12, 16, 17, 24, 32, 64, 4000} {
		items := make([]port, n)
		for i := range n {
			items[i] = port{Protocol: "TCP", Number: number(i)}
		}
		b.Run(fmt.Sprintf("keys/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				upstream.ValSliceUnique(ctx, create, where, items, nil, func(a, b *port) bool { return *a == *b })
			}
		})
	}
}
