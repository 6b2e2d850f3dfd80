package validate_test

import (
	"fmt"
	"slices"
	"testing"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

func BenchmarkCheck(b *testing.B) {
	names := make([]string, 0, len(valid))
	for name := range valid {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			r := NewRun(ctx, create, base)
			var root Path
			check := valid[name]
			b.ReportAllocs()
			for b.Loop() {
				check(&r, &root)
			}
		})
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
		b.Run(fmt.Sprintf("values/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				UniqueValues(&r, &root, words)
			}
		})
		b.Run(fmt.Sprintf("keys/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				UniqueFunc(&r, &root, items, hashPort, samePort)
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
