package coverage

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// exception lists rules that tests do not have to break, with the reason.
type exception struct {
	Kind string `json:"kind"`
	// Path is as in Rule; spec.template.* matches all paths below spec.template.
	Path string `json:"path"`
	// Type and Origin are those of the error. Without a type, the exception
	// applies to all rules of the path.
	Type   field.ErrorType `json:"type,omitempty"`
	Origin string          `json:"origin,omitempty"`
	Reason string          `json:"reason"`
}

func (e exception) allows(r kindRule) bool {
	if e.Kind != r.Kind || e.Type != "" && (e.Type != r.Type || e.Origin != r.Origin) {
		return false
	}
	below, ok := strings.CutSuffix(e.Path, "*")
	if !ok || strings.HasSuffix(below, "[") { // [*] is an item
		return e.Path == r.Path
	}
	return strings.HasPrefix(r.Path, below)
}

func (e exception) String() string {
	if e.Type == "" {
		return e.Kind + " " + e.Path
	}
	return e.Kind + " " + Rule{Path: e.Path, Type: e.Type, Origin: e.Origin}.String()
}

// readExceptions reads a YAML list of exceptions. A missing file is an empty list.
func readExceptions(path string) ([]exception, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := yaml.ToJSON(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	var list []exception
	if err := dec.Decode(&list); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

// check returns the problems after all tests have run, one per line: rules that no
// test broke, unused exceptions, and exceptions without a reason.
func (c *Coverage) check(exceptions []exception) []string {
	var problems []string
	needed := make([]bool, len(exceptions))
	for _, r := range c.missing() {
		allowed := false
		for i, e := range exceptions {
			if e.allows(r) {
				allowed, needed[i] = true, true
			}
		}
		if !allowed {
			problems = append(problems, "no test breaks the rule "+r.String())
		}
	}
	for i, e := range exceptions {
		if !needed[i] {
			problems = append(problems, "the exception for "+e.String()+" is unused: tests break the rule, or the rule does not exist")
		}
		if strings.TrimSpace(e.Reason) == "" {
			problems = append(problems, "the exception for "+e.String()+" has no reason")
		}
	}
	return append(problems, c.strangers()...)
}

// strangers reports kinds without rules that tests have observed errors of.
func (c *Coverage) strangers() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var problems []string
	for _, kind := range slices.Sorted(maps.Keys(c.unknown)) {
		problems = append(problems, fmt.Sprintf("errors of kind %q were observed, but the kind has no rules here", kind))
	}
	return problems
}
