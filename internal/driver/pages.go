package driver

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/baseline"
	"github.com/kindsmith/kindsmith/internal/breaking"
	"github.com/kindsmith/kindsmith/internal/check"
	"github.com/kindsmith/kindsmith/internal/controllergen"
	"github.com/kindsmith/kindsmith/internal/deploy"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/evolve"
	"github.com/kindsmith/kindsmith/internal/load"
	"github.com/kindsmith/kindsmith/internal/marker"
	"github.com/kindsmith/kindsmith/internal/steps"
)

// Codes returns the codes of all diagnostics: those of the stages, tags,
// conventions and emitters, which declare them.
func Codes() []diag.Code {
	all := slices.Concat(load.Codes(), marker.Codes(), evolve.Codes(), controllergen.Codes(), check.Codes(), steps.Codes(), baseline.Codes(), breaking.Codes(), deploy.Codes(), codes.All())
	for _, d := range Tags().All() {
		all = append(all, d.AllCodes()...)
	}
	for _, l := range Lints() {
		all = append(all, l.Codes...)
	}
	for _, e := range Emitters() {
		all = append(all, e.Codes...)
	}
	return all
}
