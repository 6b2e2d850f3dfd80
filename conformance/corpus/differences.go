package corpus

import (
	"fmt"
	"os"
	"slices"

	"sigs.k8s.io/yaml"
)

// Difference lists objects of a case on which the published schema and generated Go
// intentionally differ.
type Difference struct {
	// Case is the case's name.
	Case string `json:"case"`
	// Objects are the names of the objects; none means that no API server accepts the
	// case's schema.
	Objects []string `json:"objects,omitempty"`
	// Reason explains the difference.
	Reason string `json:"reason"`

	used map[string]bool
}

// Differences is the list of differences.
type Differences struct{ list []*Difference }

// LoadDifferences reads the list from a YAML file.
func LoadDifferences(path string) (*Differences, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := &Differences{}
	if err := yaml.UnmarshalStrict(text, &d.list); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, e := range d.list {
		e.used = map[string]bool{}
		if e.Case == "" || e.Reason == "" {
			return nil, fmt.Errorf("%s: an entry without case or reason", path)
		}
	}
	return d, nil
}

// Expected returns the listed difference for an object of a case, or for the case's
// schema if object is "", and marks it as used.
func (d *Differences) Expected(name, object string) *Difference {
	for _, e := range d.list {
		if e.Case == name && (object == "" && len(e.Objects) == 0 || slices.Contains(e.Objects, object)) {
			e.used[object] = true
			return e
		}
	}
	return nil
}

// Stale returns the unused entries, as case and object.
func (d *Differences) Stale() []string {
	var stale []string
	for _, e := range d.list {
		if len(e.Objects) == 0 && !e.used[""] {
			stale = append(stale, e.Case)
		}
		for _, o := range e.Objects {
			if !e.used[o] {
				stale = append(stale, e.Case+": "+o)
			}
		}
	}
	return stale
}
