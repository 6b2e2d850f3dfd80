package driver

import (
	"maps"
	"strings"

	"github.com/kindsmith/kindsmith/internal/check"
	"github.com/kindsmith/kindsmith/internal/evolve"
	"github.com/kindsmith/kindsmith/internal/load"
	"github.com/kindsmith/kindsmith/internal/marker"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Codes returns the codes of all findings there are, with what each means and
// what to do. The pages stand where the findings are made: in the Errors of
// tags, conventions and emitters, and in the Codes of the stages.
func Codes() map[string]string {
	all := map[string]string{}
	for _, pages := range []map[string]string{load.Codes(), marker.Codes(), evolve.Codes(), check.Codes(), codes} {
		maps.Copy(all, pages)
	}
	for _, d := range Tags().All() {
		if d.Shapes != tag.AnyShape && d.Shapes != 0 {
			all[d.Folder()+"/wrong-type"] = "The tag is for " + strings.Join(d.Shapes.Names(), " and ") + ", and stands on something else."
		}
		maps.Copy(all, d.Errors)
	}
	for _, l := range Lints() {
		maps.Copy(all, l.Errors)
	}
	for _, e := range Emitters() {
		maps.Copy(all, e.Errors)
	}
	return all
}
