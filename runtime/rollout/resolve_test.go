package rollout_test

import (
	"context"
	"math/rand/v2"
	"regexp"
	"testing"

	"k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/validation/field"

	. "github.com/kindsmith/kindsmith/runtime/rollout"
)

func run(ctx context.Context, gates Gates, config Config, handWritten, declarative field.ErrorList) field.ErrorList {
	r := Rollout{Gates: Fixed(gates), Log: discard}
	return r.Run(ctx, Attempt{Kind: kind, Config: config, HandWritten: handWritten,
		Declarative: func(context.Context) field.ErrorList { return declarative }})
}

// TestLikeUpstream compares the outcome with that of apimachinery's filters, which
// support neither a takeover nor hand-written errors for rules without a level.
func TestLikeUpstream(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	different := 0
	for range 3000 {
		gates := Gates{DeclarativeValidation: rng.IntN(2) == 0, DeclarativeValidationBeta: rng.IntN(2) == 0}
		ctx := context.Background()
		if rng.IntN(4) == 0 {
			ctx = validate.WithAllDeclarativeEnforcedForTest(ctx)
		}
		var handWritten, declarative field.ErrorList
		for range rng.IntN(5) {
			err := randomError(rng, "ab")
			err.CoveredByDeclarative = rng.IntN(3) > 0
			handWritten = append(handWritten, err)
		}
		for range rng.IntN(5) {
			switch err := randomError(rng, "abc"); rng.IntN(3) {
			case 0:
				declarative = append(declarative, err.MarkAlpha())
			case 1:
				declarative = append(declarative, err.MarkBeta())
			default:
				err.Field = "native"
				declarative = append(declarative, err)
			}
		}
		enforced := validate.FilterEnforcedDeclarativeErrors(ctx, declarative, gates.DeclarativeValidationBeta)
		want := append(validate.FilterCoveredHandwrittenErrors(ctx, handWritten, enforced, gates.DeclarativeValidationBeta), enforced...)
		got := run(ctx, gates, Config{}, handWritten, declarative)
		if !same(got, want) {
			t.Fatalf("hand-written %v, declarative %v, gates %v:\n got %v\nwant %v", handWritten, declarative, &gates, got, want)
		}
		if len(want) != len(handWritten)+len(declarative) {
			different++
		}
	}
	if different < 1000 {
		t.Errorf("only in %d runs was there anything to filter", different)
	}
}

// same compares the messages of errors: upstream's filters remove repeated ones.
func same(a, b field.ErrorList) bool {
	texts := func(list field.ErrorList) []string {
		seen := map[string]bool{}
		var texts []string
		for _, e := range list {
			if text := e.Error() + e.Origin + e.ValidationStabilityLevel.String(); !seen[text] {
				seen[text] = true
				texts = append(texts, text)
			}
		}
		return texts
	}
	x, y := texts(a), texts(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}

func randomError(rng *rand.Rand, places string) *field.Error {
	path := field.NewPath(string(places[rng.IntN(len(places))]))
	var err *field.Error
	switch rng.IntN(3) {
	case 0:
		err = field.Required(path, "")
	case 1:
		err = field.Invalid(path, 1, "").WithOrigin([]string{"", "minimum", "maximum"}[rng.IntN(3)])
	default:
		err = field.Forbidden(path, "")
	}
	// Every error has a different message, because upstream's filters remove duplicates.
	err.Detail = string(rune('a'+rng.IntN(26))) + string(rune('a'+rng.IntN(26))) + string(rune('a'+rng.IntN(26)))
	return err
}

func TestCoveredErrorsBesideUnfinishedRulesAreKept(t *testing.T) {
	gates := Gates{DeclarativeValidation: true, DeclarativeValidationTakeover: true}
	covered := field.Required(field.NewPath("spec", "a"), "").MarkCoveredByDeclarative()
	shadowed := byHand()
	errs := run(context.Background(), gates, Config{Migrating: true},
		field.ErrorList{covered, shadowed},
		field.ErrorList{field.Required(field.NewPath("spec", "a"), "declared"), declared().MarkBeta()})
	if len(errs) != 2 || errs[0] != shadowed || errs[1].Detail != "declared" {
		t.Errorf("the beta rule is switched off, so its hand-written counterpart decides: %v", errs)
	}
}

func TestPathsOfOtherVersions(t *testing.T) {
	config := Config{Migrating: true, Paths: []field.NormalizationRule{
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
		return field.ErrorList{field.TooMany(list, 9, 8).WithOrigin("maxItems")}.MarkShortCircuit()[0]
	}
	handWritten := field.ErrorList{
		field.TooMany(list, 9, 8).WithOrigin("maxItems").MarkCoveredByDeclarative(),
		field.Required(list.Index(3).Child("name"), "").MarkCoveredByDeclarative(),
	}
	elsewhere := field.Required(field.NewPath("spec", "usersList"), "").MarkCoveredByDeclarative()
	known := field.Required(field.NewPath("spec", "other"), "").MarkCoveredByDeclarative().MarkShortCircuitedInDV()

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
			Declarative: func(context.Context) field.ErrorList { return field.ErrorList{declared().MarkBeta()} }})
		if len(errs) != 1 || !errs[0].IsBeta() {
			t.Errorf("by default beta rules are enforced: %v", errs)
		}
	}
}
