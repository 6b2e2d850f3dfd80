package inspect

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// compare finds where the API server and the rules disagree. Rules that only Go code runs are no reason. Server is what the
// API server has reported of admission; nil for nothing.
func (d *Detail) compare(status *metav1.Status, answer map[string]any, server *admitted, before map[string]any) {
	if d.Code == 0 || d.Subresource != "" {
		return
	}
	if server != nil {
		d.compareAdmitted(server, before)
	}
	isKnown := server != nil || !d.partial(before)
	problems := d.Verdict.Problems
	broken := func(p Problem) bool { return isKnown && p.Rules && !unknownField(p) } // a server drops unknown fields
	switch {
	case d.Code < http.StatusBadRequest:
		mine := d.answered(answer)
		for _, p := range problems {
			if broken(p) {
				d.differ("the API server accepts the object, and the rules refuse %s: %s", path(p), p.Message)
			}
		}
		if mine != nil && server == nil && isKnown && len(d.Verdict.NotChecked) == 0 && !slices.ContainsFunc(problems, broken) {
			d.compareObjects(mine, answer, "")
		}
	case d.Code == http.StatusUnprocessableEntity && status.Details != nil && len(d.Verdict.NotChecked) == 0 && isKnown:
		for _, p := range problems {
			found := func(other Problem) bool { return other.Rules && near(other.Path, p.Path) }
			if !p.Rules && p.Path != "" && !near(p.Path, "metadata") && !slices.ContainsFunc(problems, found) {
				d.differ("the API server refuses %s, and the rules accept it: %s", path(p), p.Message)
			}
		}
	}
}

// compareAdmitted compares the objects of the API server before and after mutation with those of the rules.
func (d *Detail) compareAdmitted(server *admitted, before map[string]any) {
	if len(d.Verdict.NotChecked) > 0 { // functions may change the object
		return
	}
	if server.defaulted != nil && !d.partial(before) {
		d.compareObjects(server.defaulted, server.before, " before admission")
	}
	if server.normalized != nil {
		d.compareObjects(server.normalized, server.validated, " at validation")
	}
}

// partial reports whether the request sends some fields of an object, and the others are not known here.
func (d *Detail) partial(before map[string]any) bool {
	return d.Sent.Type == applyPatch && before != nil || d.Sent.Type == mergePatch && before == nil
}

// answered adds the object of an answer to the steps. It returns that after the last step in the same version; nil for none.
func (d *Detail) answered(answer map[string]any) (mine map[string]any) {
	for _, s := range d.Verdict.Steps {
		if s.value != nil && s.value["apiVersion"] == answer["apiVersion"] {
			mine = s.value
		}
	}
	if mine == nil || answer["kind"] != mine["kind"] {
		return nil
	}
	d.Verdict.Steps = append(d.Verdict.Steps, step("As answered", Server, answer))
	return mine
}

// compareObjects compares all but the metadata and the status, which API servers set. When says of which moment the objects are.
func (d *Detail) compareObjects(mine, server map[string]any, when string) {
	both := maps.Clone(server)
	maps.Copy(both, mine)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		if name == "apiVersion" || name == "kind" || name == "metadata" || name == "status" {
			continue
		}
		differences(name, mine[name], server[name], func(path string, mine, server any) {
			d.differ("%s is %s at the API server%s, and %s by the rules", path, short(server), when, short(mine))
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
