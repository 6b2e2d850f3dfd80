package rollout_test

import (
	"context"
	"regexp"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
	. "github.com/kindsmith/kindsmith/runtime/rollout"
)

func run(ctx context.Context, gates Gates, config Config, handWritten, declarative field.ErrorList) field.ErrorList {
	r := Rollout{Gates: Fixed(gates), Log: discard}
	return r.Run(ctx, Attempt{Kind: kind, Config: config, HandWritten: handWritten,
		Declarative: func(context.Context) field.ErrorList { return declarative }})
}

func TestCoveredErrorsBesideUnfinishedRulesAreKept(t *testing.T) {
	gates := Gates{DeclarativeValidation: true, DeclarativeValidationTakeover: true}
	covered := field.Required(field.NewPath("spec", "a"), "").MarkCoveredByDeclarative()
	shadowed := byHand()
	errs := run(context.Background(), gates, Config{Migrating: true},
		field.ErrorList{covered, shadowed},
		field.ErrorList{field.Required(field.NewPath("spec", "a"), "declared"), skew.Marked(declared(), skew.Beta)})
	if len(errs) != 2 || errs[0] != shadowed || errs[1].Detail != "declared" {
		t.Errorf("the beta rule is switched off, so its hand-written counterpart decides: %v", errs)
	}
}

func TestPathsOfOtherVersions(t *testing.T) {
	config := Config{Migrating: true, Paths: []PathRule{
		{Regexp: regexp.MustCompile(`^spec\.instances$`), Replacement: "spec.replicas"},
	}}
	old := declared()
	old.Field = "spec.instances"
	if found := Compare(field.ErrorList{byHand()}, field.ErrorList{old}, config); len(found) != 0 {
		t.Errorf("mismatches: %v", found)
	}
	errs := run(context.Background(), Gates{DeclarativeValidation: true, DeclarativeValidationTakeover: true}, config,
		field.ErrorList{byHand()}, field.ErrorList{old})
	if len(errs) != 1 || errs[0].Field != "spec.instances" {
		t.Errorf("the client has no spec.replicas: %v", errs)
	}
	if found := Compare(field.ErrorList{byHand()}, field.ErrorList{old}, Config{Migrating: true}); len(found) != 2 {
		t.Errorf("without rules the paths differ: %v", found)
	}
}

func TestShortCircuits(t *testing.T) {
	list := field.NewPath("spec", "users")
	tooMany := func() *field.Error {
		return skew.Marked(field.TooMany(list, 9, 8).WithOrigin("maxItems"), skew.ShortCircuit)
	}
	handWritten := field.ErrorList{
		field.TooMany(list, 9, 8).WithOrigin("maxItems").MarkCoveredByDeclarative(),
		field.Required(list.Index(3).Child("name"), "").MarkCoveredByDeclarative(),
	}
	elsewhere := field.Required(field.NewPath("spec", "usersList"), "").MarkCoveredByDeclarative()
	known := skew.Marked(field.Required(field.NewPath("spec", "other"), "").MarkCoveredByDeclarative(), skew.ShortCircuitedInDeclarative)

	for _, tc := range []struct {
		name        string
		on          bool
		handWritten field.ErrorList
		want        int
	}{
		{"below", true, handWritten, 0},
		{"below, not allowed", false, handWritten, 1},
		{"beside", true, append(field.ErrorList{elsewhere}, handWritten...), 1},
		{"said so", true, append(field.ErrorList{known}, handWritten...), 0},
		{"said so, not allowed", false, append(field.ErrorList{known}, handWritten...), 2},
	} {
		found := Compare(tc.handWritten, field.ErrorList{tooMany()}, Config{Migrating: true, ShortCircuits: tc.on})
		if len(found) != tc.want {
			t.Errorf("%s: %v", tc.name, found)
		}
	}
}

func TestCompare(t *testing.T) {
	required := func(name string) *field.Error { return field.Required(field.NewPath(name), "") }
	for _, tc := range []struct {
		name                     string
		handWritten, declarative field.ErrorList
		want                     int
	}{
		{"the text is not compared", field.ErrorList{byHand()}, field.ErrorList{declared()}, 0},
		{"one matches several", field.ErrorList{byHand()}, field.ErrorList{declared(), declared()}, 0},
		{"several match one", field.ErrorList{byHand(), byHand()}, field.ErrorList{declared()}, 0},
		{"repeated ones count once", field.ErrorList{byHand(), byHand()}, field.ErrorList{required("a"), required("a")}, 2},
		{"other path", field.ErrorList{required("a").MarkCoveredByDeclarative()}, field.ErrorList{required("b")}, 2},
		{"other type", field.ErrorList{byHand()}, field.ErrorList{field.Forbidden(field.NewPath("spec", "replicas"), "").WithOrigin("maximum")}, 2},
		{"Invalid without origin", field.ErrorList{byHand().WithOrigin("")}, field.ErrorList{declared().WithOrigin("")}, 2},
		{"others without origin", field.ErrorList{required("a").MarkCoveredByDeclarative()}, field.ErrorList{required("a")}, 0},
		{"not marked as covered", field.ErrorList{required("a")}, field.ErrorList{required("a")}, 1},
	} {
		if found := Compare(tc.handWritten, tc.declarative, Config{Migrating: true}); len(found) != tc.want {
			t.Errorf("%s: %v", tc.name, found)
		}
	}
}

func TestZeroRollout(t *testing.T) {
	for _, r := range []*Rollout{nil, {}} {
		errs := r.Run(context.Background(), Attempt{Kind: kind, HandWritten: field.ErrorList{byHand()},
			Declarative: func(context.Context) field.ErrorList { return field.ErrorList{skew.Marked(declared(), skew.Beta)} }})
		if len(errs) != 1 || !skew.Has(errs[0], skew.Beta) {
			t.Errorf("by default beta rules are enforced: %v", errs)
		}
	}
}
