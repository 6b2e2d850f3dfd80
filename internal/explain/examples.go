package explain

import (
	_ "embed"
	"strings"
)

// examplesText has an example for each code that belongs to no tag and no convention: after the
// code, lines with the mistake begin with "-" and lines without it with "+". An empty line ends an
// example.
//
//go:embed examples.txt
var examplesText string

// sample is what a code is reported for, and what to write instead.
type sample struct{ bad, good string }

// examples returns the examples by code.
func examples() map[string]sample {
	all := map[string]sample{}
	for block := range strings.SplitSeq(strings.TrimSpace(examplesText), "\n\n") {
		code, lines, _ := strings.Cut(block, "\n")
		var e sample
		for line := range strings.Lines(lines + "\n") {
			if rest, ok := strings.CutPrefix(line, "-"); ok {
				e.bad += rest
			} else if rest, ok := strings.CutPrefix(line, "+"); ok {
				e.good += rest
			}
		}
		all[code] = e
	}
	return all
}
