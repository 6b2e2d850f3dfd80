package rollouttest

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
)

// counterexample is a difference and the smallest subject that shows it.
type counterexample struct {
	key     string
	subject subject
	outcome outcome
}

// String returns the message of the test.
func (f counterexample) String() string {
	var b strings.Builder
	verb := "create"
	if f.subject.update {
		verb = "update"
	}
	fmt.Fprintf(&b, "on %s, %s\n", verb, f.key)
	if f.subject.update {
		section(&b, "old object", treeYAML(f.subject.old))
		section(&b, "new object", treeYAML(f.subject.obj))
	} else {
		section(&b, "object", treeYAML(f.subject.obj))
	}
	section(&b, "hand-written", errorLines(f.outcome.handWritten, true))
	section(&b, "declarative", errorLines(f.outcome.declarative, false))
	return b.String()
}

func section(b *strings.Builder, title, body string) {
	fmt.Fprintf(b, "%s:\n", title)
	for line := range strings.SplitSeq(strings.TrimSuffix(body, "\n"), "\n") {
		fmt.Fprintf(b, "    %s\n", line)
	}
}

func treeYAML(tree any) string {
	out, err := yaml.Marshal(tree)
	if err != nil { // impossible: trees come from JSON
		return err.Error()
	}
	return string(out)
}

var levels = []struct {
	mark skew.Mark
	name string
}{{skew.Alpha, "alpha"}, {skew.Beta, "beta"}}

func errorLines(errs field.ErrorList, handWritten bool) string {
	if len(errs) == 0 {
		return "(no errors)"
	}
	var b strings.Builder
	for _, e := range errs {
		notes := []string{string(e.Type)}
		if e.Origin != "" {
			notes = append(notes, "origin "+e.Origin)
		}
		for _, level := range levels {
			if skew.Has(e, level.mark) {
				notes = append(notes, level.name)
			}
		}
		if handWritten && !e.CoveredByDeclarative {
			notes = append(notes, "not marked as covered")
		}
		fmt.Fprintf(&b, "%s: %s  [%s]\n", place(e.Field), e.ErrorBody(), strings.Join(notes, ", "))
	}
	return b.String()
}
