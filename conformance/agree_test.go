package conformance_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/conformance/runner"
	"github.com/kindsmith/kindsmith/internal/eval"
)

// rounds is how many requests TestAgree makes of each type: few in the normal
// suite, and with
//
//	go test ./conformance -run TestAgree -rounds 1000
//
// as many as there is time for.
var rounds = flag.Int("rounds", 40, "requests that TestAgree makes of each type")

// TestAgree holds the evaluator to the generated validators on objects, and pairs
// of old and new ones, that are made at random from those of the cases.
func TestAgree(t *testing.T) {
	if _, err := goVerdicts(); err != nil {
		t.Fatal(err)
	}
	w, set := load(t), evaluator(t)
	listed, err := agreements()
	if err != nil {
		t.Fatal(err)
	}
	types, requests, valid, refused := 0, 0, 0, 0
	for i, c := range w.cases {
		if !c.ok() || len(c.Objects) == 0 {
			continue
		}
		byType := map[string][]*corpus.Object{}
		for _, o := range c.Objects {
			byType[o.Type] = append(byType[o.Type], o)
		}
		for _, name := range sortedKeys(byType) {
			types++
			made := requestsOf(t, c, name, byType[name], uint64(i))
			verdicts, err := run(w.binary(), made)
			if err != nil {
				t.Fatal(err)
			}
			shown := 0
			for k, r := range made {
				requests++
				switch v := verdicts[k]; {
				case v.Failure != "":
					refused++
				case len(v.Errors) == 0:
					valid++
				}
				difference := disagree(t, set, c, name, r, verdicts[k])
				if difference == "" {
					continue
				}
				if entry := listed.of(c.Name, difference); entry != nil {
					entry.used = true
				} else if shown++; shown <= 3 {
					t.Errorf("%s.%s:\n%s\nobject %s\nold %s\noptions %v", c.Name, name, difference, r.Object, r.Old, r.Options)
				}
			}
		}
	}
	t.Logf("%d requests of %d types: %d valid, %d refused by the decoder", requests, types, valid, refused)
	if requests < types*10 || valid < requests/10 || valid > requests*9/10 {
		t.Error("these are too few requests, or too few of either verdict, to compare anything")
	}
	listed.stale(t)
}

// requestsOf makes requests of a type's objects.
func requestsOf(t *testing.T, c *loadedCase, name string, objects []*corpus.Object, seed uint64) []runner.Request {
	t.Helper()
	m := newMutator(rand.New(rand.NewPCG(seed, uint64(len(name)))), objects)
	made := make([]runner.Request, 0, *rounds)
	for range *rounds {
		object, old := m.object(), map[string]any(nil)
		switch m.IntN(3) {
		case 0:
			old = m.object()
		case 1:
			old, object = object, m.changed(object)
		}
		r := runner.Request{Type: typeID(c, name), Options: m.switched(), Unmeasured: true}
		var err error
		if r.Object, err = jsonOf(object); err != nil {
			t.Fatal(err)
		}
		if r.Old, err = jsonOf(old); err != nil {
			t.Fatal(err)
		}
		made = append(made, r)
	}
	return made
}

// disagree says what the evaluator says otherwise than the generated code.
func disagree(t *testing.T, set *eval.Set, c *loadedCase, name string, r runner.Request, v runner.Verdict) string {
	t.Helper()
	object, err := eval.Decode(r.Object)
	if err != nil {
		t.Fatal(err)
	}
	request := eval.Request{Type: eval.TypeName{Package: c.pkg(), Name: name}, Object: object, Options: r.Options}
	if r.Old != nil {
		if request.Old, err = eval.Decode(r.Old); err != nil {
			t.Fatal(err)
		}
	}
	result, err := set.Validate(request)
	if err != nil {
		t.Fatal(err)
	}
	unknown, err := set.Unknown(request.Type, request.Object)
	if err != nil {
		t.Fatal(err)
	}
	refused := strings.HasPrefix(v.Failure, "json: ") || strings.Contains(v.Failure, "unmarshal") || v.Failure != "" && !strings.HasPrefix(v.Failure, "panic")
	switch {
	case len(result.Malformed)+len(unknown) > 0 || strings.Contains(v.Failure, "unknown field"):
		if v.Failure == "" {
			return fmt.Sprintf("Go decodes what the evaluator refuses: %v", slices.Concat(result.Malformed, unknown).ToAggregate())
		}
		return ""
	case refused:
		return "Go refuses what the evaluator decodes: " + v.Failure
	case v.Failure != "":
		return v.Failure
	}
	want, got := v.Errors, evalErrors(result)
	if len(result.NotRun) > 0 {
		want = slices.DeleteFunc(slices.Clone(want), func(e runner.Error) bool { return !slices.Contains(got, e) })
	}
	if slices.Equal(want, got) {
		return ""
	}
	return difference(want, got)
}

// difference shows what only one side reports, or another order.
func difference(want, got []runner.Error) string {
	var b strings.Builder
	for _, e := range want {
		if !slices.Contains(got, e) {
			fmt.Fprintf(&b, "only Go: %+v\n", e)
		}
	}
	for _, e := range got {
		if !slices.Contains(want, e) {
			fmt.Fprintf(&b, "only eval: %+v\n", e)
		}
	}
	return cmp.Or(b.String(), "another order or number of the same errors\n")
}

// agreementsFile lists differences that are meant to be.
const agreementsFile = "eval_differences.yaml"

// disagreement is an intended difference.
type disagreement struct {
	// Case is the case, Contains a part of each line of the difference.
	Case     string `json:"case"`
	Contains string `json:"contains"`
	Reason   string `json:"reason"`

	used bool
}

type disagreements []*disagreement

func agreements() (disagreements, error) {
	text, err := os.ReadFile(agreementsFile)
	if err != nil {
		return nil, err
	}
	var list disagreements
	if err := yaml.UnmarshalStrict(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", agreementsFile, err)
	}
	for _, d := range list {
		if d.Case == "" || d.Contains == "" || d.Reason == "" {
			return nil, fmt.Errorf("%s: an entry lacks its case, a text or the reason", agreementsFile)
		}
	}
	return list, nil
}

func (list disagreements) of(name, difference string) *disagreement {
	for _, d := range list {
		lines := slices.Collect(strings.Lines(difference))
		if d.Case == name && !slices.ContainsFunc(lines, func(line string) bool { return !strings.Contains(line, d.Contains) }) {
			return d
		}
	}
	return nil
}

func (list disagreements) stale(t *testing.T) {
	t.Helper()
	for _, d := range list {
		if !d.used {
			t.Errorf("%s lists a difference that there is not: %s, %s", agreementsFile, d.Case, d.Contains)
		}
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
