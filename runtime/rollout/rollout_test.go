package rollout_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
	. "github.com/kindsmith/kindsmith/runtime/rollout"
)

var kind = schema.GroupVersionKind{Group: "db.example.com", Version: "v1", Kind: "Database"}

// counters implements Metrics.
type counters struct {
	mu                 sync.Mutex
	mismatches, panics map[string]int
}

func newCounters() *counters {
	return &counters{mismatches: map[string]int{}, panics: map[string]int{}}
}

func (c *counters) Mismatch(identifier string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mismatches[identifier]++
}

func (c *counters) Panic(identifier string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.panics[identifier]++
}

// Errors of both sides with the same type, path and origin.
func byHand() *field.Error {
	return field.Invalid(field.NewPath("spec", "replicas"), 16, "too big").WithOrigin("maximum").MarkCoveredByDeclarative()
}

func declared() *field.Error {
	return field.Invalid(field.NewPath("spec", "replicas"), 16, "must be less than or equal to 15").WithOrigin("maximum")
}

// TestGates tests every combination of gates. A cell has the returned errors: h is the
// hand-written one, d the declarative one, i an InternalError, and - none. !2 means two
// counted mismatches, and p a panic. V is DeclarativeValidation, T is ...Takeover, B is
// ...Beta.
func TestGates(t *testing.T) {
	// V is DeclarativeValidation, T is ...Takeover, B is ...Beta.
	combinations := strings.Fields("- B T TB V VB VT VTB")
	for _, tc := range []struct {
		name               string
		byHand, declared   *field.Error
		panics             bool
		migrating, byLevel string
	}{
		{
			name:      "nothing is wrong",
			migrating: "-    -    -    -    -     -     -     -",
			byLevel:   "-    -    -    -    -     -     -     -",
		}, {
			name:   "both agree",
			byHand: byHand(), declared: declared(),
			migrating: "h    h    h    h    h     h     d     d",
			byLevel:   "d    d    d    d    d     d     d     d",
		}, {
			name:   "both agree, beta",
			byHand: byHand(), declared: skew.Marked(declared(), skew.Beta),
			migrating: "h    h    h    h    h     h     h     d",
			byLevel:   "h    d    h    d    h     d     h     d",
		}, {
			name:   "both agree, alpha",
			byHand: byHand(), declared: skew.Marked(declared(), skew.Alpha),
			migrating: "h    h    h    h    h     h     h     h",
			byLevel:   "h    h    h    h    h     h     h     h",
		}, {
			name:      "hand-written only",
			byHand:    byHand(),
			migrating: "h    h    h    h    h!1   h!1   -!1   -!1",
			byLevel:   "h    h    h    h    h!1   h!1   -!1   -!1",
		}, {
			name:      "hand-written only, of a beta rule",
			byHand:    skew.Marked(byHand(), skew.Beta),
			migrating: "h    h    h    h    h!1   h!1   h!1   -!1",
			byLevel:   "h    h    h    h    h!1   h!1   h!1   -!1",
		}, {
			name:      "hand-written only, of an alpha rule",
			byHand:    skew.Marked(byHand(), skew.Alpha),
			migrating: "h    h    h    h    h!1   h!1   h!1   h!1",
			byLevel:   "h    h    h    h    h!1   h!1   h!1   h!1",
		}, {
			name:      "hand-written only, not covered",
			byHand:    field.Forbidden(field.NewPath("spec"), "not today"),
			migrating: "h    h    h    h    h     h     h     h",
			byLevel:   "h    h    h    h    h     h     h     h",
		}, {
			name:      "declarative only",
			declared:  declared(),
			migrating: "-    -    -    -    -!1   -!1   d!1   d!1",
			byLevel:   "d    d    d    d    d     d     d     d",
		}, {
			name:      "declarative only, beta",
			declared:  skew.Marked(declared(), skew.Beta),
			migrating: "-    -    -    -    -!1   -!1   -!1   d!1",
			byLevel:   "-    d    -    d    -!1   d!1   -!1   d!1",
		}, {
			name:      "declarative only, alpha",
			declared:  skew.Marked(declared(), skew.Alpha),
			migrating: "-    -    -    -    -!1   -!1   -!1   -!1",
			byLevel:   "-    -    -    -    -!1   -!1   -!1   -!1",
		}, {
			name:   "different origins",
			byHand: byHand(), declared: declared().WithOrigin("minimum"),
			migrating: "h    h    h    h    h!2   h!2   d!2   d!2",
			byLevel:   "hd   hd   hd   hd   hd!1  hd!1  d!1   d!1",
		}, {
			name:   "declarative panics",
			byHand: byHand(), panics: true,
			migrating: "h    h    h    h    hp    hp    hip   hip",
			byLevel:   "hip  hip  hip  hip  hip   hip   hip   hip",
		}, {
			name:      "declarative panics where nothing is wrong",
			panics:    true,
			migrating: "-    -    -    -    -p    -p    ip    ip",
			byLevel:   "ip   ip   ip   ip   ip    ip    ip    ip",
		}, {
			name:   "declarative cannot finish",
			byHand: byHand(), declared: field.InternalError(nil, errors.New("no such option")),
			migrating: "h    h    h    h    h!2   h!2   hi!2  hi!2",
			byLevel:   "hi   hi   hi   hi   hi!1  hi!1  hi!1  hi!1",
		},
	} {
		for mode, row := range map[bool]string{true: tc.migrating, false: tc.byLevel} {
			for i, want := range strings.Fields(row) {
				on := combinations[i]
				t.Run(fmt.Sprintf("%s/migrating=%t/%s", tc.name, mode, on), func(t *testing.T) {
					gates := Gates{
						DeclarativeValidation:         strings.Contains(on, "V"),
						DeclarativeValidationTakeover: strings.Contains(on, "T"),
						DeclarativeValidationBeta:     strings.Contains(on, "B"),
					}
					if got := cell(gates, Config{Migrating: mode}, tc.byHand, tc.declared, tc.panics); got != want {
						t.Errorf("%s, want %s", got, want)
					}
				})
			}
		}
	}
}

func cell(gates Gates, config Config, byHand, declared *field.Error, panics bool) string {
	counted := newCounters()
	r := Rollout{Gates: Fixed(gates), Metrics: counted, Log: discard}
	var handWritten, declarative field.ErrorList
	if byHand != nil {
		handWritten = field.ErrorList{byHand}
	}
	if declared != nil {
		declarative = field.ErrorList{declared}
	}
	errs := r.Run(context.Background(), Attempt{Kind: kind, Config: config, HandWritten: handWritten,
		Declarative: func(context.Context) field.ErrorList {
			if panics {
				panic("oh no")
			}
			return declarative
		}})

	var got strings.Builder
	for _, err := range errs {
		switch {
		case err == byHand:
			got.WriteByte('h')
		case err.Type == field.ErrorTypeInternal:
			got.WriteByte('i')
		case err == declared:
			got.WriteByte('d')
		default:
			fmt.Fprintf(&got, "(%v)", err)
		}
	}
	if len(errs) == 0 {
		got.WriteByte('-')
	}
	if n := counted.mismatches["database_create"]; n > 0 {
		fmt.Fprintf(&got, "!%d", n)
	}
	got.WriteString(strings.Repeat("p", counted.panics["database_create"]))
	return got.String()
}
