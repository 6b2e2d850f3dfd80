package rollouttest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
	"github.com/kindsmith/kindsmith/runtime/rollout"
)

func TestEquivalent(t *testing.T) {
	for name, change := range map[string]func(*Equivalence[*widget]){
		"as it is":    func(*Equivalence[*widget]) {},
		"only update": func(e *Equivalence[*widget]) { e.OnlyUpdates = true },
		"invalid old": func(e *Equivalence[*widget]) { e.InvalidOld = true },
		"wording":     func(e *Equivalence[*widget]) { e.Wording = true },
	} {
		t.Run(name, func(t *testing.T) {
			e := equivalence(nil)
			change(&e)
			e.Run(t)
		})
	}
}

// TestDifferences tests one difference per case: the declarative side differs from the
// hand-written one in one rule. The test expects the smallest object with the
// difference.
func TestDifferences(t *testing.T) {
	for _, tc := range []struct {
		name   string
		plant  func(*rules)
		change func(*Equivalence[*widget])
		want   string
	}{
		{
			name:  "looser bound",
			plant: func(r *rules) { r.maxSize = 16 },
			want: `on create, only hand-written validation reported FieldValueInvalid at spec.size, origin maximum
object:
    spec:
      size: 16
hand-written:
    spec.size: Invalid value: 16: must be at most 15  [FieldValueInvalid, origin maximum]
declarative:
    (no errors)
`,
		}, {
			name:  "stricter bound",
			plant: func(r *rules) { r.maxSize = 14 },
			want: `on create, only declarative validation reported FieldValueInvalid at spec.size, origin maximum
object:
    spec:
      size: 15
hand-written:
    (no errors)
declarative:
    spec.size: Invalid value: 15: must be at most 14  [FieldValueInvalid, origin maximum]
`,
		}, {
			name:  "length",
			plant: func(r *rules) { r.maxName = 31 },
			want: `object:
    spec:
      name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
hand-written:
    (no errors)
`,
		}, {
			name:  "bytes for characters",
			plant: func(r *rules) { r.byBytes = true },
			want: `object:
    spec:
      name: aéééééééééééééééé
hand-written:
    (no errors)
`,
		}, {
			name:  "a value more",
			plant: func(r *rules) { r.colors = []string{"Red", "Green", "Blue"} },
			want: `object:
    spec:
      color: Blue
hand-written:
    spec.color: Unsupported value: "Blue": supported values: "Red", "Green"  [FieldValueNotSupported]
`,
		}, {
			name:  "a value less",
			plant: func(r *rules) { r.colors = []string{"Red"} },
			want: `object:
    spec:
      color: Green
hand-written:
    (no errors)
`,
		}, {
			name:  "keys",
			plant: func(r *rules) { r.keyLength = 9 },
			want: `object:
    spec:
      labels:
        aaaaaaaaaa: ""
hand-written:
    (no errors)
`,
		}, {
			name:  "items",
			plant: func(r *rules) { r.maxParts = 3 },
			want: `on create, only declarative validation reported FieldValueTooMany at spec.parts, origin maxItems
object:
    spec:
      parts:
      - {}
      - {}
      - {}
      - {}
hand-written:
    spec.parts[1]: Duplicate value: ""  [FieldValueDuplicate]
`,
		}, {
			name:  "duplicates",
			plant: func(r *rules) { r.unique = false },
			want: `object:
    spec:
      parts:
      - {}
      - {}
hand-written:
    spec.parts[1]: Duplicate value: ""  [FieldValueDuplicate]
`,
		}, {
			name:  "deep inside",
			plant: func(r *rules) { r.innerNames = false },
			want: `object:
    spec:
      parts:
      - inner: {}
hand-written:
    spec.parts[0].inner.name: Required value  [FieldValueRequired]
`,
		}, {
			name:  "a type that reads JSON by itself",
			plant: func(r *rules) { r.memory = false },
			want: `object:
    spec:
      memory: -1
hand-written:
    spec.memory: Invalid value: "-1": is negative  [FieldValueInvalid, origin minimum]
`,
		}, {
			name:  "immutable",
			plant: func(r *rules) { r.immutableName = false },
			want: `on update, only hand-written validation reported FieldValueInvalid at spec.name, origin immutable
old object:
    spec:
      name: a
new object:
    {}
hand-written:
    spec.name: Invalid value: "": is immutable  [FieldValueInvalid, origin immutable]
declarative:
    (no errors)
`,
		}, {
			name:   "ratcheting",
			plant:  func(r *rules) { r.ratchets = false },
			change: func(e *Equivalence[*widget]) { e.InvalidOld = true },
			want: `on update, only declarative validation reported FieldValueInvalid at spec.size, origin maximum
old object:
    spec:
      size: 16
new object:
    spec:
      size: 16
hand-written:
    (no errors)
`,
		}, {
			name:   "only updates",
			plant:  func(r *rules) { r.maxSize = 16 },
			change: func(e *Equivalence[*widget]) { e.OnlyUpdates = true },
			want: `on update, only hand-written validation reported FieldValueInvalid at spec.size, origin maximum
old object:
    {}
new object:
    spec:
      size: 16
`,
		}, {
			name:  "panic",
			plant: func(r *rules) { r.panicsOnSpare = true },
			want: `on create, declarative validation panicked: runtime error: invalid memory address or nil pointer dereference
object:
    spec:
      spare:
      - null
hand-written:
    (no errors)
`,
		}, {
			name:   "wording",
			plant:  func(r *rules) { r.sizeText = "is larger than %d" },
			change: func(e *Equivalence[*widget]) { e.Wording = true },
			want: `on create, messages differ for FieldValueInvalid at spec.size, origin maximum
object:
    spec:
      size: 16
hand-written:
    spec.size: Invalid value: 16: must be at most 15  [FieldValueInvalid, origin maximum]
declarative:
    spec.size: Invalid value: 16: is larger than 15  [FieldValueInvalid, origin maximum]
`,
		}, {
			name:   "after preparation",
			plant:  func(r *rules) { r.maxSize = 16 },
			change: func(e *Equivalence[*widget]) { e.Prepare = twice },
			want: `object:
    spec:
      size: 8
hand-written:
    spec.size: Invalid value: 16: must be at most 15  [FieldValueInvalid, origin maximum]
`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := equivalence(tc.plant)
			if tc.change != nil {
				tc.change(&e)
			}
			var r recorder
			e.Run(&r)
			if !slices.ContainsFunc(r.errors, func(s string) bool { return strings.Contains(s, tc.want) }) {
				t.Errorf("found:\n%s\nwant:\n%s", &r, tc.want)
			}
		})
	}
}

// twice is a visible default: it doubles a size.
func twice(obj, _ *widget) {
	if obj.Spec.Size != nil && *obj.Spec.Size < 100 {
		double := *obj.Spec.Size * 2
		obj.Spec.Size = &double
	}
}

func TestOneReportEachDifference(t *testing.T) {
	e := equivalence(func(r *rules) { r.maxSize, r.maxName, r.unique = 16, 31, false })
	var r recorder
	e.Run(&r)
	if len(r.errors) != 3 {
		t.Errorf("%d reports:\n%s", len(r.errors), &r)
	}
}

func TestSameSeedSameReport(t *testing.T) {
	report := func(seed uint64) (string, string) {
		e := equivalence(func(r *rules) { r.maxParts, r.byBytes, r.nameOrigin = 3, true, "maxBytes" })
		e.Seed = seed
		var r recorder
		e.Run(&r)
		return r.String(), strings.Join(r.logs, "\n")
	}
	first, log := report(7)
	for range 3 {
		if again, logAgain := report(7); again != first || logAgain != log {
			t.Fatalf("%s\n%s\nand with the same seed\n%s\n%s", first, log, again, logAgain)
		}
	}
	if _, other := report(8); other == log {
		t.Error("another seed tried the same")
	}
}

func TestNothingCompared(t *testing.T) {
	unmarked := equivalence(nil)
	marking := unmarked.Pair.HandWritten
	unmarked.Config.Migrating = false
	unmarked.Pair.HandWritten = func(ctx context.Context, op operation.Operation, obj, old *widget) field.ErrorList {
		errs := marking(ctx, op, obj, old)
		for _, err := range errs {
			err.CoveredByDeclarative = false
		}
		return errs
	}
	silent := equivalence(nil)
	silent.Pair.HandWritten = func(context.Context, operation.Operation, *widget, *widget) field.ErrorList { return nil }
	silent.Pair.Declarative = func(context.Context, operation.Operation, *field.Path, *widget, *widget) field.ErrorList {
		return nil
	}
	for name, e := range map[string]Equivalence[*widget]{"nothing is marked": unmarked, "nothing is validated": silent} {
		var r recorder
		e.Run(&r)
		if len(r.errors) != 1 || !strings.Contains(r.errors[0], "nothing to compare") {
			t.Errorf("%s: %s", name, &r)
		}
	}
}

func TestNotMarked(t *testing.T) {
	e := equivalence(nil)
	marking := e.Pair.HandWritten
	e.Pair.HandWritten = func(ctx context.Context, op operation.Operation, obj, old *widget) field.ErrorList {
		errs := marking(ctx, op, obj, old)
		for _, err := range errs {
			err.CoveredByDeclarative = err.CoveredByDeclarative && err.Origin != "immutable"
		}
		return errs
	}
	var r recorder
	e.Run(&r)
	if len(r.errors) != 1 || !strings.Contains(r.errors[0], "[FieldValueInvalid, origin immutable, not marked as covered]") {
		t.Errorf("%s", &r)
	}
}

func TestMisuse(t *testing.T) {
	noSide := equivalence(nil)
	noSide.Pair.Declarative = nil
	noCorpus := equivalence(nil)
	noCorpus.Corpus = nil
	for want, run := range map[string]func(testing.TB){
		"set both Pair.HandWritten": noSide.Run,
		"Corpus is empty":           noCorpus.Run,
		"not a pointer to a struct": Equivalence[string]{}.Run,
	} {
		var r recorder
		run(&r)
		if !r.fatal || !strings.Contains(r.String(), want) {
			t.Errorf("%s: %s", want, &r)
		}
	}
}

func TestCheck(t *testing.T) {
	e := equivalence(func(r *rules) { r.maxSize = 16 })
	e.Corpus = nil
	of := func(name string, size int32) *widget {
		return &widget{ObjectMeta: metav1.ObjectMeta{Name: "x"}, Spec: widgetSpec{Name: name, Size: &size}}
	}
	for _, tc := range []struct {
		name     string
		verb     operation.Type
		obj, old *widget
		differs  bool
	}{
		{"both accept", operation.Create, of("a", 15), nil, false},
		{"both reject", operation.Create, of("a", 17), nil, false},
		{"create", operation.Create, of("a", 16), nil, true},
		{"update", operation.Update, of("a", 16), of("a", 1), true},
		{"unchanged", operation.Update, of("a", 16), of("a", 16), false},
		{"update both reject", operation.Update, of("a", 1), of("b", 1), false},
	} {
		var r recorder
		e.Check(&r, tc.verb, tc.obj, tc.old)
		if differs := len(r.errors) > 0; differs != tc.differs {
			t.Errorf("%s: %s", tc.name, &r)
		}
	}
}

// TestLevels has a kind whose rules without a level are native.
func TestLevels(t *testing.T) {
	e := equivalence(func(r *rules) { r.maxSize, r.maxName = 14, 31 })
	declarative := e.Pair.Declarative
	e.Config = rollout.Config{}
	e.Pair.Declarative = func(ctx context.Context, op operation.Operation, path *field.Path, obj, old *widget) field.ErrorList {
		errs := declarative(ctx, op, path, obj, old)
		for i, err := range errs {
			if err.Field == "spec.size" {
				errs[i] = skew.Marked(err, skew.Alpha)
			}
		}
		return errs
	}
	var r recorder
	e.Run(&r)
	if len(r.errors) != 1 || !strings.Contains(r.errors[0], "must be at most 14  [FieldValueInvalid, origin maximum, alpha]") {
		t.Errorf("only the alpha rule has a counterpart: %s", &r)
	}
}
