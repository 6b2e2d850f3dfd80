package driver

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit/deploy"
	"github.com/kindsmith/kindsmith/internal/front/load"
	"github.com/kindsmith/kindsmith/internal/front/marker"
	"github.com/kindsmith/kindsmith/internal/rules/check"
	"github.com/kindsmith/kindsmith/internal/tool/baseline"
	"github.com/kindsmith/kindsmith/internal/tool/controllergen"
	"github.com/kindsmith/kindsmith/internal/versions/breaking"
	"github.com/kindsmith/kindsmith/internal/versions/evolve"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
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
