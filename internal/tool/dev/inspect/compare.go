package inspect

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// compare finds where the API server and the rules disagree. Rules that only Go code runs are no reason.
func (d *Detail) compare(status *metav1.Status, answer map[string]any) {
	if d.Code == 0 || d.Subresource != "" {
		return
	}
	broken := false
	for _, p := range d.Verdict.Problems {
		broken = broken || p.Rules
	}
	switch {
	case d.Code < http.StatusBadRequest && broken:
		for _, p := range d.Verdict.Problems {
			if p.Rules && !unknownField(p) { // a server drops these
				d.differ("the API server accepts the object, and the rules refuse %s: %s", path(p), p.Message)
			}
		}
	case d.Code < http.StatusBadRequest:
		d.compareObject(answer)
	case d.Code == http.StatusUnprocessableEntity && status.Details != nil && len(d.Verdict.NotChecked) == 0:
		for _, p := range d.Verdict.Problems {
			found := func(other Problem) bool { return other.Rules && near(other.Path, p.Path) }
			if !p.Rules && p.Path != "" && !near(p.Path, "metadata") && !slices.ContainsFunc(d.Verdict.Problems, found) {
				d.differ("the API server refuses %s, and the rules accept it: %s", path(p), p.Message)
			}
		}
	}
}

// compareObject compares the object of an answer with that after the last step of the same version.
func (d *Detail) compareObject(answer map[string]any) {
	var mine map[string]any
	for _, s := range d.Verdict.Steps {
		if s.value != nil && s.value["apiVersion"] == answer["apiVersion"] {
			mine = s.value
		}
	}
	if mine == nil || answer["kind"] != mine["kind"] {
		return
	}
	d.Verdict.Steps = append(d.Verdict.Steps, step("As answered", Server, answer))
	if len(d.Verdict.NotChecked) > 0 { // functions may change the object
		return
	}
	for name, value := range mine {
		if name == "apiVersion" || name == "kind" || name == "metadata" || name == "status" {
			continue
		}
		differences(name, value, answer[name], func(path string, mine, server any) {
			d.differ("%s is %s at the API server, and %s by the rules", path, short(server), short(mine))
		})
	}
}

func (d *Detail) differ(format string, args ...any) {
	d.Differences = append(d.Differences, fmt.Sprintf(format, args...))
}

// differences calls report with the innermost values that differ.
func differences(path string, a, b any, report func(path string, a, b any)) {
	left, isObject := a.(map[string]any)
	right, both := b.(map[string]any)
	if !isObject || !both {
		if !equal(a, b) {
			report(path, a, b)
		}
		return
	}
	for name := range merge(left, right) {
		differences(path+"."+name, left[name], right[name], report)
	}
}

func unknownField(p Problem) bool { return strings.HasPrefix(p.Message, "unknown field") }

func path(p Problem) string {
	if p.Path == "" {
		return "the object"
	}
	return p.Path
}

// short returns a value for a sentence.
func short(value any) string {
	if value == nil {
		return "not set"
	}
	text := strings.TrimSpace(YAML(map[string]any{"v": value}))
	text = strings.TrimSpace(strings.TrimPrefix(text, "v:"))
	if strings.Contains(text, "\n") || len(text) > 60 {
		return "another value"
	}
	return text
}
