package differ

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/bench/internal/pair"
	samplev1 "github.com/kindsmith/kindsmith/bench/internal/sample/v1"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// ports is a validator of workloads that requires port numbers below limit.
func ports(limit int32, mark func(*field.Error) *field.Error) pair.Validator {
	return func(_ context.Context, _ operation.Operation, obj, _ any) (errs field.ErrorList) {
		for i, p := range obj.(*samplev1.Workload).Spec.Ports {
			if p.Number >= limit {
				errs = append(errs, mark(field.Invalid(field.NewPath("spec", "ports").Index(i).Child("number"), p.Number, fmt.Sprintf("must be less than %d", limit))))
			}
		}
		return errs
	}
}

func plain(e *field.Error) *field.Error { return e }

func kind(ours, theirs pair.Validator) pair.Kind {
	return pair.Kind{Package: "sample/v1", Name: "Workload", Type: reflect.TypeFor[samplev1.Workload](), Ours: ours, Theirs: theirs}
}

// search returns the first difference of some hundred seeds.
func search(s *Search) *Difference {
	for seed := range uint64(300) {
		if d := s.Request(rand.NewPCG(1, seed)); d != nil {
			return d
		}
	}
	return nil
}

func TestSearchFindsTheSmallest(t *testing.T) {
	d := search(&Search{Kind: kind(ports(101, plain), ports(100, plain))})
	if d == nil {
		t.Fatal("no difference was found, and there is one")
	}
	if len(d.Ours) != 0 || len(d.Theirs) != 1 || d.Theirs[0] != (Key{Type: "FieldValueInvalid", Path: "spec.ports[0].number"}) {
		t.Errorf("only ours %v, only theirs %v", d.Ours, d.Theirs)
	}
	want := &samplev1.Workload{Spec: samplev1.WorkloadSpec{Ports: []samplev1.Port{{Number: 100}}}}
	if !reflect.DeepEqual(d.Input.Object, want) {
		t.Errorf("not the smallest object:\n%s", d)
	}
	for _, text := range []string{"sample/v1.Workload\n", "only theirs: spec.ports[0].number: FieldValueInvalid\n", "number: 100\n"} {
		if !strings.Contains(d.String(), text) {
			t.Errorf("the report lacks %q:\n%s", text, d)
		}
	}
}

func TestWhatCounts(t *testing.T) {
	wants := map[string]struct {
		mark    func(*field.Error) *field.Error
		differs bool
	}{
		"nothing": {plain, false},
		"wording": {func(e *field.Error) *field.Error { e.Detail, e.BadValue = "another", nil; return e }, false},
		"origin":  {func(e *field.Error) *field.Error { return e.WithOrigin("maximum") }, true},
		"type":    {func(e *field.Error) *field.Error { e.Type = field.ErrorTypeForbidden; return e }, true},
		"alpha":   {(*field.Error).MarkAlpha, true},
		"beta":    {(*field.Error).MarkBeta, true},
		"short":   {func(e *field.Error) *field.Error { e.ShortCircuit = true; return e }, true},
		"path":    {func(e *field.Error) *field.Error { e.Field += "x"; return e }, true},
	}
	in := Input{Object: &samplev1.Workload{Spec: samplev1.WorkloadSpec{Ports: []samplev1.Port{{Number: 7}}}}}
	for name, want := range wants {
		if got := Compare(kind(ports(5, want.mark), ports(5, plain)), in, nil).Differs(); got != want.differs {
			t.Errorf("%s: differs is %v", name, got)
		}
	}
}

func TestTwoErrorsAlikeAreTwo(t *testing.T) {
	twice := func(ctx context.Context, op operation.Operation, obj, old any) field.ErrorList {
		errs := ports(5, plain)(ctx, op, obj, old)
		return append(errs, errs...)
	}
	in := Input{Object: &samplev1.Workload{Spec: samplev1.WorkloadSpec{Ports: []samplev1.Port{{Number: 7}}}}}
	if d := Compare(kind(twice, ports(5, plain)), in, nil); len(d.Ours) != 1 || len(d.Theirs) != 0 {
		t.Errorf("only ours %v, only theirs %v", d.Ours, d.Theirs)
	}
}

func TestUnlistedErrors(t *testing.T) {
	wrong := func(n int, origin string) field.ErrorList {
		var errs field.ErrorList
		for i := range n {
			errs = append(errs, field.Invalid(field.NewPath("spec", "ports").Index(i), nil, "").WithOrigin(origin))
		}
		return errs
	}
	constant := func(errs field.ErrorList) pair.Validator {
		return func(context.Context, operation.Operation, any, any) field.ErrorList { return errs }
	}
	const most = validate.MaxErrors
	rest := field.ErrorList{field.Invalid(nil, field.OmitValueType{}, "9 more errors are not listed")}
	for name, test := range map[string]struct {
		ours, theirs field.ErrorList
		differs      bool
	}{
		"as many as are listed": {wrong(most, ""), wrong(most, ""), false},
		"more":                  {append(wrong(most, ""), rest...), wrong(most+9, ""), false},
		"more on one side":      {append(wrong(most, ""), rest...), wrong(most, ""), true},
		"listed ones differ":    {append(wrong(most, "x"), rest...), wrong(most+9, ""), true},
	} {
		d := Compare(kind(constant(test.ours), constant(test.theirs)), Input{Object: &samplev1.Workload{}}, nil)
		if d.Differs() != test.differs {
			t.Errorf("%s: only ours %v, only theirs %v", name, d.Ours, d.Theirs)
		}
	}
}

func TestPanicIsADifference(t *testing.T) {
	panics := func(context.Context, operation.Operation, any, any) field.ErrorList { panic("no") }
	d := Compare(kind(ports(5, plain), panics), Input{Object: &samplev1.Workload{}}, nil)
	if len(d.Theirs) != 1 || d.Theirs[0].Type != "Panic" {
		t.Errorf("only theirs %v", d.Theirs)
	}
}

func TestSearchReachesUpdates(t *testing.T) {
	always := func(context.Context, operation.Operation, any, any) field.ErrorList { return nil }
	onUpdate := func(_ context.Context, op operation.Operation, obj, old any) field.ErrorList {
		if op.Type != operation.Update || obj.(*samplev1.Workload).Spec.Class == old.(*samplev1.Workload).Spec.Class {
			return nil
		}
		return field.ErrorList{field.Invalid(field.NewPath("spec", "class"), nil, "field is immutable").WithOrigin("immutable")}
	}
	d := search(&Search{Kind: kind(always, onUpdate)})
	if d == nil || d.Input.Old == nil {
		t.Fatalf("found %v", d)
	}
}

func known(mutate func(*Known)) *Known {
	k := &Known{
		Kinds: "sample/v1.*", Path: `spec\.ports\[\d+\]\.number`, Side: "theirs", Reason: "a test",
		Example: Example{Kind: "sample/v1.Workload", Object: []byte(`{"spec": {"ports": [{"number": 100}]}}`)},
	}
	mutate(k)
	return k
}

func TestKnown(t *testing.T) {
	k := kind(ports(101, plain), ports(100, plain))
	tests := map[string]struct {
		mutate func(*Known)
		covers bool
	}{
		"all":            {func(*Known) {}, true},
		"its type":       {func(k *Known) { k.Type = "FieldValueInvalid" }, true},
		"another side":   {func(k *Known) { k.Side = "ours" }, false},
		"another kind":   {func(k *Known) { k.Kinds = "core/*" }, false},
		"another type":   {func(k *Known) { k.Type = "FieldValueRequired" }, false},
		"another origin": {func(k *Known) { k.Origin = "maximum" }, false},
		"part of a path": {func(k *Known) { k.Path = `spec` }, false},
	}
	for name, test := range tests {
		entry := known(test.mutate)
		if found := search(&Search{Kind: k, Known: []*Known{entry}}) == nil; found != test.covers {
			t.Errorf("%s: covers is %v", name, found)
		}
		if stale := entry.Stale([]pair.Kind{k}); (stale == nil) != test.covers {
			t.Errorf("%s: stale says %v", name, stale)
		}
	}
	if err := known(func(*Known) {}).Stale([]pair.Kind{kind(ports(100, plain), ports(100, plain))}); err == nil {
		t.Error("an entry whose difference is gone is not stale")
	}
	if err := known(func(*Known) {}).Stale(nil); err == nil {
		t.Error("an entry about a kind that is gone is not stale")
	}
}

func TestKnownFile(t *testing.T) {
	if _, err := ReadKnown(); err != nil {
		t.Error(err)
	}
}
