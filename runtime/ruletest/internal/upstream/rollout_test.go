package upstream_test

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	upstream "k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/rollout"
)

// TestRollout compares the outcome with that of apimachinery's filters, which
// support neither a takeover nor hand-written errors for rules without a level.
func TestRollout(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	different := 0
	for range 3000 {
		gates := rollout.Gates{DeclarativeValidation: rng.IntN(2) == 0, DeclarativeValidationBeta: rng.IntN(2) == 0}
		ctx := context.Background()
		if rng.IntN(4) == 0 {
			ctx = rollout.WithAllEnforcedForTest(upstream.WithAllDeclarativeEnforcedForTest(ctx))
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
		enforced := upstream.FilterEnforcedDeclarativeErrors(ctx, declarative, gates.DeclarativeValidationBeta)
		want := append(upstream.FilterCoveredHandwrittenErrors(ctx, handWritten, enforced, gates.DeclarativeValidationBeta), enforced...)
		r := rollout.Rollout{Gates: rollout.Fixed(gates), Log: slog.New(slog.DiscardHandler)}
		got := r.Run(ctx, rollout.Attempt{HandWritten: handWritten, Declarative: func(context.Context) field.ErrorList { return declarative }})
		if !sameTexts(got, want) {
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

// sameTexts compares the messages of errors: upstream's filters remove repeated ones.
func sameTexts(a, b field.ErrorList) bool {
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

// TestMatches compares how hand-written and declarative errors are matched.
func TestMatches(t *testing.T) {
	rule := field.NormalizationRule{Regexp: regexp.MustCompile(`^spec\.(a|b)\[(\d+)\]`), Replacement: "spec.list[$2].$1"}
	theirs := field.ErrorMatcher{}.ByType().ByOrigin().RequireOriginWhenInvalid().ByFieldNormalized([]field.NormalizationRule{rule})
	ours := rollout.Config{Migrating: true, Paths: []rollout.PathRule{rollout.PathRule(rule)}, ShortCircuits: true}
	var all []*field.Error
	for _, path := range []string{"", "spec", "spec.a", "spec.a[1]", "spec.list[1].a", "spec.list[1].a.x", "spec.list[1].ab", "spec.a[1].x"} {
		for _, of := range []field.ErrorType{field.ErrorTypeInvalid, field.ErrorTypeRequired} {
			for _, origin := range []string{"", "minimum"} {
				all = append(all, &field.Error{Type: of, Field: path, Origin: origin, CoveredByDeclarative: true})
			}
		}
	}
	matched := 0
	for _, h := range all {
		for _, d := range all {
			want := theirs.Matches(h, d)
			if got := ours.Matches(h, d); got != want {
				t.Errorf("%v and %v: %v, want %v", h, d, got, want)
			}
			if want {
				matched++
			}
			stopped := *d
			stopped.ShortCircuit = true
			missed := slices.ContainsFunc(rollout.Compare(field.ErrorList{h}, field.ErrorList{&stopped}, ours), func(m rollout.Mismatch) bool { return m.HandWritten != nil })
			if want := theirs.MatchAncestorShortCircuit().Matches(h, &stopped); missed == want {
				t.Errorf("%v, stopped by %v: missed is %v", h, d, missed)
			}
		}
	}
	if matched == 0 || matched == len(all)*len(all) {
		t.Errorf("%d of %d match", matched, len(all)*len(all))
	}
}
