package rollout_test

import (
	"flag"
	"io"
	"testing"

	. "github.com/kindsmith/kindsmith/runtime/rollout"
)

func TestGatesSet(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want Gates
		fail bool
	}{
		{in: "", want: DefaultGates()},
		{in: "DeclarativeValidation=false", want: Gates{DeclarativeValidationBeta: true, DeclarativeDefaults: true, APIUnions: true}},
		{in: " DeclarativeValidationTakeover = true , DeclarativeValidationBeta=0,APIUnions=false,DeclarativeDefaults=f",
			want: Gates{DeclarativeValidation: true, DeclarativeValidationTakeover: true}},
		{in: "DeclarativeValidationBeta=false,DeclarativeValidationBeta=true", want: DefaultGates()},
		{in: "DeclarativeValidation=false,declarativeValidationBeta=false", want: DefaultGates(), fail: true},
		{in: "DeclarativeValidation=false,DeclarativeValidationBeta", want: DefaultGates(), fail: true},
		{in: "DeclarativeValidation=off", want: DefaultGates(), fail: true},
	} {
		got := DefaultGates()
		flags := flag.NewFlagSet("", flag.ContinueOnError)
		flags.SetOutput(io.Discard)
		flags.Var(&got, "feature-gates", "")
		if err := flags.Parse([]string{"--feature-gates", tc.in}); (err != nil) != tc.fail {
			t.Errorf("%q: error %v", tc.in, err)
		}
		if got != tc.want {
			t.Errorf("%q: %v", tc.in, &got)
		}
		var again Gates
		if err := again.Set(got.String()); err != nil || again != got {
			t.Errorf("%q does not read as itself: %v, %v", got.String(), &again, err)
		}
	}
}
