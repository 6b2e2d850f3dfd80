package validate_test

import (
	"fmt"
	"slices"
	"testing"

	upstream "k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

var (
	colorSet = sets.New(colors...)
	abc      = upstream.NewUnionMembership(upstream.NewUnionMember("a"), upstream.NewUnionMember("b"), upstream.NewUnionMember("c"))
	no       = func(*node) bool { return false }
	yes      = func(*node) bool { return true }
)

// theirs has upstream's calls for those of valid that upstream has a check for.
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
	"ExactlyOneOf":     func() field.ErrorList { return upstream.Union(ctx, create, where, &node{}, nil, abc, no, yes, no) },
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
	names := make([]string, 0, len(valid))
	for name := range valid {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		b.Run(name+"/ours", func(b *testing.B) {
			r := NewRun(ctx, create, base)
			var root Path
			check := valid[name]
			b.ReportAllocs()
			for b.Loop() {
				check(&r, &root)
			}
		})
		if check := theirs[name]; check != nil {
			b.Run(name+"/upstream", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					check()
				}
			})
		}
	}
}

func BenchmarkUnique(b *testing.B) {
	for _, n := range []int{2, 4, 8, 12, 16, 17, 24, 32, 64, 4000} {
		words, items := make([]text, n), make([]port, n)
		for i := range n {
			words[i], items[i] = text(fmt.Sprintf("container-%05d", i)), port{Protocol: "TCP", Number: number(i)}
		}
		var r Run
		var root Path
		b.Run(fmt.Sprintf("values/%d/ours", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				UniqueValues(&r, &root, words)
			}
		})
		b.Run(fmt.Sprintf("keys/%d/ours", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				UniqueFunc(&r, &root, items, hashPort, samePort)
			}
		})
		b.Run(fmt.Sprintf("keys/%d/upstream", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				upstream.ValSliceUnique(ctx, create, where, items, nil, samePort)
			}
		})
	}
}

func BenchmarkLookup(b *testing.B) {
	items := make([]port, 4000)
	for i := range items {
		items[i].Number = number(i)
	}
	b.ReportAllocs()
	for b.Loop() {
		var cursor Cursor
		for i := range items {
			Lookup(items, &cursor, &items[i], hashPort, samePort)
		}
	}
}

func BenchmarkGenerated(b *testing.B) {
	obj := newNode(0)
	b.ReportAllocs()
	for b.Loop() {
		r := NewRun(ctx, create, base)
		var root Path
		validateNode(&r, &root, obj, nil)
	}
}
