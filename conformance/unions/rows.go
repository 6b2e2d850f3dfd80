// Package unions has what requests mean for unions as tables, which the tests of generated Go, of
// runtime/union and of a real API server read.
package unions

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed *.txt
var tables embed.FS

// Row is a request and its outcome. Objects are YAML in flow style; "-" is none.
type Row struct {
	Name string
	// Type is a type of package skew. With +k8s:unionStrict, it is the one with the suffix Strict.
	Type string
	// Live is the stored object, Sent that of the request.
	Live, Sent string
	// Verb is PUT, POST, MP for a JSON merge patch, or one of server.txt.
	Verb string
	// Added is what other admission plugins add to the object.
	Added string
	// Older is the object after the older algorithm; Invalid is set if several members remain.
	Older   string
	Invalid bool
	// Outcome is the stored object, or the rules that the request breaks. Strict is that with
	// +k8s:unionStrict.
	Outcome, Strict string
}

// Conformance returns the rows of conformance.txt, which are updates.
func Conformance() ([]Row, error) {
	return read("conformance.txt", func(r *Row, cell []string) {
		r.Type, r.Verb, r.Live, r.Sent = "Conformance", "PUT", cell[1], cell[2]
		r.Older, r.Invalid = strings.CutSuffix(cell[3], " invalid")
		r.Outcome, r.Strict = cell[4], cell[5]
	})
}

// Skew returns the rows of skew.txt.
func Skew() ([]Row, error) {
	return read("skew.txt", func(r *Row, cell []string) {
		r.Type, r.Live, r.Verb, r.Sent, r.Outcome, r.Strict = cell[1], cell[2], cell[3], cell[4], cell[5], cell[6]
	})
}

// Server returns the rows of server.txt.
func Server() ([]Row, error) {
	return read("server.txt", func(r *Row, cell []string) {
		r.Type, r.Live, r.Verb, r.Sent, r.Outcome, r.Added = cell[1], cell[2], cell[3], cell[4], cell[5], cell[6]
	})
}

func read(file string, fill func(r *Row, cell []string)) ([]Row, error) {
	text, err := tables.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "|")
		if len(cells) < 5 || len(cells) > 8 {
			return nil, fmt.Errorf("%s: %q has %d cells", file, line, len(cells))
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		r := Row{Name: cells[0]}
		fill(&r, append(cells, "", "", ""))
		if r.Strict == "" {
			r.Strict = r.Outcome
		}
		rows = append(rows, r)
	}
	return rows, nil
}
