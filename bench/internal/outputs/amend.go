package outputs

import (
	"cmp"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"sigs.k8s.io/yaml"
)

//go:embed amended.yaml
var amendedYAML []byte

// amendment changes the expectation of an upstream test for an intended difference.
// The changed test must pass, so a stale amendment fails.
type amendment struct {
	// Tool is the generator of the suite; "" is validation-gen.
	Tool    string `json:"tool"`
	File    string `json:"file"`
	Reason  string `json:"reason"`
	Replace []struct {
		// Pattern is a regular expression; With replaces each match.
		Pattern string `json:"pattern"`
		With    string `json:"with"`
	} `json:"replace"`
}

// amend applies amendments to the copied tests. An amendment without a match is an
// error.
func (s Suite) amend(root string) error {
	var list []amendment
	if err := yaml.UnmarshalStrict(amendedYAML, &list); err != nil {
		return fmt.Errorf("amended.yaml: %w", err)
	}
	for _, a := range list {
		if cmp.Or(a.Tool, "validation-gen") != s.Tool {
			continue
		}
		if a.Reason == "" {
			return fmt.Errorf("amended.yaml: %s: why?", a.File)
		}
		name := filepath.Join(root, s.cased(filepath.FromSlash(a.File)))
		content, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("amended.yaml: %w", err)
		}
		for _, r := range a.Replace {
			pattern, err := regexp.Compile(r.Pattern)
			if err != nil {
				return fmt.Errorf("amended.yaml: %s: %w", a.File, err)
			}
			if !pattern.Match(content) {
				return fmt.Errorf("amended.yaml: %s has no match of %s", a.File, r.Pattern)
			}
			content = pattern.ReplaceAll(content, []byte(r.With))
		}
		if err := os.WriteFile(name, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
