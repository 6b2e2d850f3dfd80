package conformance_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/conformance/runner"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// TestEval compares the evaluator with the generated validators: they report equal errors in the
// same order.
func TestEval(t *testing.T) {
	set := evaluator(t)
	each(t, func(t *testing.T, c *loadedCase, o *corpus.Object, j *judgement) {
		evaluated(t, set, c, o, j)
	})
}

// TestSavedEval does the same with programs that were saved and loaded.
func TestSavedEval(t *testing.T) {
	w := load(t)
	var names []eval.TypeName
	for _, c := range w.cases {
		if c.ok() {
			for _, name := range c.judged {
				names = append(names, eval.TypeName{Package: c.pkg(), Name: name})
			}
		}
	}
	var text bytes.Buffer
	if err := evaluator(t).Save(&text, names...); err != nil {
		t.Fatal(err)
	}
	set, err := eval.Load(&text)
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, c *loadedCase, o *corpus.Object, j *judgement) {
		evaluated(t, set, c, o, j)
	})
}

var evaluatorOnce = sync.OnceValues(func() (*eval.Set, error) {
	w, err := shared.once()
	if err != nil {
		return nil, err
	}
	return eval.New(tag.Programs(w.model, driver.Tags())), nil
})

func evaluator(t *testing.T) *eval.Set {
	t.Helper()
	set, err := evaluatorOnce()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func evaluated(t *testing.T, set *eval.Set, c *loadedCase, o *corpus.Object, j *judgement) {
	t.Helper()
	result, err := set.Validate(eval.Request{
		Type: eval.TypeName{Package: c.pkg(), Name: o.Type}, Object: decoded(t, o.Object), Old: decoded(t, o.Old),
		Options: o.Options, Subresource: o.Subresource,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Malformed) > 0 {
		t.Fatal(result.Malformed.ToAggregate())
	}
	got := evalErrors(result)
	if len(result.NotRun) > 0 {
		got, j = withoutCustom(got), &judgement{now: runner.Verdict{Errors: withoutCustom(j.now.Errors)}}
	}
	if diff := cmp.Diff(j.now.Errors, got); diff != "" {
		t.Errorf("errors (-Go +eval):\n%s", diff)
	}
	inventory, err := set.Inventory(eval.TypeName{Package: c.pkg(), Name: o.Type})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range result.Errors {
		if e.Type != field.ErrorTypeInternal && !slices.ContainsFunc(inventory, func(d eval.Declared) bool {
			return d.Rule == e.Rule && d.Declared.String() == e.Declared.String()
		}) {
			t.Errorf("the inventory lacks %s, declared at %s", e.Rule, e.Declared)
		}
		if e.Declared.IsZero() && e.Type != field.ErrorTypeInternal {
			t.Errorf("the rule of %s %s (%s) is declared nowhere", e.Type, e.Field, e.Rule)
		}
	}
}

func evalErrors(result *eval.Result) []runner.Error {
	var out []runner.Error
	for _, e := range result.Errors {
		found := runner.Error{
			Type: strings.TrimPrefix(string(e.Type), "FieldValue"), Field: e.Field, Origin: e.Origin,
			Level: string(e.Level()), Short: e.ShortCircuit, Text: e.Error.Error(),
		}
		if found.Field == "<nil>" {
			found.Field = "."
		}
		out = append(out, found)
	}
	return out
}

// withoutCustom removes the errors of hand-written functions of the cases.
func withoutCustom(errs []runner.Error) []runner.Error {
	var out []runner.Error
	for _, e := range errs {
		if e.Origin != "custom" {
			out = append(out, e)
		}
	}
	return out
}

// decoded reads an object with exact numbers.
func decoded(t *testing.T, object map[string]any) map[string]any {
	t.Helper()
	if object == nil {
		return nil
	}
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	out, err := eval.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
