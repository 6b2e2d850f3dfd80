package validate_test

import (
	"fmt"
	"regexp"
	"runtime/debug"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

var (
	lower  = regexp.MustCompile("^[a-z]+$")
	colors = []text{"blue", "green", "red"}
	except = []EnumExclusion[text]{{Value: "red", Option: "off", ExcludeWhen: true}}
	fields = []string{"a", "b", "c"}

	fieldPtrs = []*string{&fields[0], &fields[1]}

	gibi, tenGiga = resource.MustParse("1.5Gi"), resource.MustParse("10G")
	milli, nano   = resource.MustParse("-1234500m"), resource.MustParse("-1234500000001n")
	tenth         = resource.MustParse("100m")
)

// valid has a call of each check with a value that satisfies it.
var valid = map[string]func(r *Run, at *Path) bool{
	"Required":           func(r *Run, at *Path) bool { return Required(r, at, true) },
	"NoNilItems":         func(r *Run, at *Path) bool { return NoNilItems(r, at, fieldPtrs) },
	"Forbidden":          func(r *Run, at *Path) bool { return Forbidden(r, at, false) },
	"DependentRequired":  func(r *Run, at *Path) bool { return DependentRequired(r, at, "a", "b", true, true) },
	"DependentForbidden": func(r *Run, at *Path) bool { return DependentForbidden(r, at, "a", "b", true, false) },
	"MinLength":          func(r *Run, at *Path) bool { return MinLength(r, at, text("ab"), 2) },
	"MinLength, counted": func(r *Run, at *Path) bool { return MinLength(r, at, text("éé"), 2) },
	"MaxLength":          func(r *Run, at *Path) bool { return MaxLength(r, at, text("ab"), 2) },
	"MaxLength, counted": func(r *Run, at *Path) bool { return MaxLength(r, at, text("éé"), 2) },
	"MaxBytes":           func(r *Run, at *Path) bool { return MaxBytes(r, at, text("ab"), 2) },
	"Minimum":            func(r *Run, at *Path) bool { return Minimum(r, at, number(2), 2) },
	"Maximum":            func(r *Run, at *Path) bool { return Maximum(r, at, number(2), 2) },
	"ExclusiveMinimum":   func(r *Run, at *Path) bool { return ExclusiveMinimum(r, at, number(3), 2) },
	"ExclusiveMaximum":   func(r *Run, at *Path) bool { return ExclusiveMaximum(r, at, number(1), 2) },
	"MultipleOf":         func(r *Run, at *Path) bool { return MultipleOf(r, at, number(4), 2) },
	"MinimumDuration":    func(r *Run, at *Path) bool { return MinimumDuration(r, at, time.Minute, time.Second) },
	"MaximumQuantity":    func(r *Run, at *Path) bool { return MaximumQuantity(r, at, &gibi, &tenGiga) },
	"MinimumQuantity, fractions": func(r *Run, at *Path) bool {
		return MinimumQuantity(r, at, &milli, &nano) && ExclusiveMaximumQuantity(r, at, &nano, &milli) && MinimumQuantity(r, at, &gibi, &tenth)
	},
	"NEQ":              func(r *Run, at *Path) bool { return NEQ(r, at, text("a"), "b") },
	"MinItems":         func(r *Run, at *Path) bool { return MinItems(r, at, 2, 2) },
	"MaxItems":         func(r *Run, at *Path) bool { return MaxItems(r, at, 2, 2) },
	"MinProperties":    func(r *Run, at *Path) bool { return MinProperties(r, at, 2, 2) },
	"MaxProperties":    func(r *Run, at *Path) bool { return MaxProperties(r, at, 2, 2) },
	"Pattern":          func(r *Run, at *Path) bool { return Pattern(r, at, text("abc"), lower) },
	"Enum":             func(r *Run, at *Path) bool { return Enum(r, at, "green", colors) },
	"Enum, literal":    func(r *Run, at *Path) bool { return Enum(r, at, "b", []text{"a", "b"}) },
	"EnumExcept":       func(r *Run, at *Path) bool { return EnumExcept(r, at, "red", colors, except) },
	"Immutable":        Immutable,
	"Monotonic":        func(r *Run, at *Path) bool { return Monotonic(r, at, number(2), 2) },
	"UpdateNoSet":      func(r *Run, at *Path) bool { return UpdateNoSet(r, at, true, true) },
	"UpdateNoUnset":    func(r *Run, at *Path) bool { return UpdateNoUnset(r, at, true, true) },
	"UpdateNoModify":   func(r *Run, at *Path) bool { return UpdateNoModify(r, at, true, false) },
	"FixedResult":      func(r *Run, at *Path) bool { return FixedResult(r, at, number(1), true, "a") },
	"IfEnabled":        func(r *Run, at *Path) bool { return IfEnabled(r, at, "on") && !IfEnabled(r, at, "off") },
	"IfDisabled":       func(r *Run, at *Path) bool { return IfDisabled(r, at, "off") && !IfDisabled(r, at, "on") },
	"ExactlyOneOf":     func(r *Run, at *Path) bool { return ExactlyOneOf(r, at, fields, false, true, false) },
	"AtMostOneOf":      func(r *Run, at *Path) bool { return AtMostOneOf(r, at, []string{"a", "b"}, false, r == nil) },
	"UnionMember":      func(r *Run, at *Path) bool { return UnionMember(r, at, true, true, "a", "type", "A") },
	"ShortName":        func(r *Run, at *Path) bool { return ShortName(r, at, text("my-name")) },
	"LongName":         func(r *Run, at *Path) bool { return LongName(r, at, text("my.name")) },
	"LongNameCaseless": func(r *Run, at *Path) bool { return LongNameCaseless(r, at, text("My.Name")) },
	"LabelKey":         func(r *Run, at *Path) bool { return LabelKey(r, at, text("example.com/name")) },
	"PrefixedLabelKey": func(r *Run, at *Path) bool { return PrefixedLabelKey(r, at, text("example.com/name")) },
	"LabelValue":       func(r *Run, at *Path) bool { return LabelValue(r, at, text("value")) },
	"PathSegmentName":  func(r *Run, at *Path) bool { return PathSegmentName(r, at, text("segment")) },
	"UUID":             func(r *Run, at *Path) bool { return UUID(r, at, text("123e4567-e89b-12d3-a456-426614174000")) },
	"ResourcePoolName": func(r *Run, at *Path) bool { return ResourcePoolName(r, at, text("pool/one")) },
	"ExtendedResourceName": func(r *Run, at *Path) bool {
		return ExtendedResourceName(r, at, text("example.com/gpu"))
	},
	"ResourceFullyQualifiedName": func(r *Run, at *Path) bool {
		return ResourceFullyQualifiedName(r, at, text("example.com/size"))
	},
	"IP": func(r *Run, at *Path) bool { return IP(r, at, text("10.9.8.7")) && IP(r, at, text("::1")) },
	"Marks": func(r *Run, _ *Path) bool {
		mark := r.Mark()
		r.UnmarkShortCircuit(mark)
		return r.Report(nil) && Alpha(r, mark, true) && Beta(r, mark, true) && ShortCircuit(r, mark, true)
	},
}

func TestValidDoesNotAllocate(t *testing.T) {
	optimised(t)
	// Arguments of a call through a variable escape to the heap, so they are created
	// first. See TestGeneratedDoesNotAllocate for the paths.
	r := NewRun(ctx, create, base)
	var root Path
	at := root.Child("a")
	for name, check := range valid {
		ok := true
		if n := testing.AllocsPerRun(100, func() { ok = ok && check(&r, &at) }); n != 0 || !ok {
			t.Errorf("%s: %v allocations, ok is %v", name, n, ok)
		}
	}
}

func TestUpdateOfShapeDoesNotAllocate(t *testing.T) {
	optimised(t)
	items, m := []port{{Number: 1}, {Number: 2}}, map[text]int{"a": 1, "b": 2}
	pointers := allPtrs(items)
	ok := true
	run := func() {
		r := NewRun(ctx, update, base)
		var root Path
		at := root.Child("a")
		ok = ok && UpdateNoAddItem(&r, &at, items, items, hashPort, samePort) && UpdateNoRemoveItem(&r, &at, items, items, hashPort, samePort) &&
			UpdateNoAddItemPtr(&r, &at, pointers, pointers, hashPort, samePort) && UpdateNoRemoveItemPtr(&r, &at, pointers, pointers, hashPort, samePort) &&
			UpdateNoAddKey(&r, &at, m, m) && UpdateNoRemoveKey(&r, &at, m, m) && Silently(&r, r.Mark(), true)
	}
	if n := testing.AllocsPerRun(100, run); n != 0 || !ok {
		t.Errorf("%v allocations, ok is %v", n, ok)
	}
}

func TestUniqueDoesNotAllocate(t *testing.T) {
	optimised(t)
	for _, n := range []int{2, 8, 9, 100, 5000} {
		words, items := make([]text, n), make([]port, n)
		for i := range n {
			words[i], items[i] = text(fmt.Sprint("word", i)), port{Protocol: "TCP", Number: number(i)}
		}
		pointers := allPtrs(items)
		ok := true
		run := func() {
			r := NewRun(ctx, create, base)
			var root Path
			at := root.Child("a")
			ok = ok && UniqueValues(&r, &at, words) && UniqueFunc(&r, &at, items, hashPort, samePort) &&
				UniquePtrFunc(&r, &at, pointers, hashPort, samePort)
		}
		run() // makes the table
		if allocs := testing.AllocsPerRun(20, run); allocs != 0 || !ok {
			t.Errorf("%d items: %v allocations, ok is %v", n, allocs, ok)
		}
	}
}

// optimised skips allocation tests in builds in which the compiler inlines less or
// sync.Pool drops items on purpose.
func optimised(t *testing.T) {
	t.Helper()
	if testing.CoverMode() != "" {
		t.Skip("built for coverage")
	}
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		if s.Key == "-race" || s.Key == "-gcflags" {
			t.Skip("built with " + s.Key)
		}
	}
}
