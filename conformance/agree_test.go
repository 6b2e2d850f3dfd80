package conformance_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/conformance/runner"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
)

// rounds is the number of requests of TestAgree for each type: few by default, more with
//
//	go test ./conformance -run TestAgree -rounds 1000
//
// for example.
var rounds = flag.Int("rounds", 30, "requests that TestAgree makes of each type")

// allRounds is how many requests of each type show every listed difference.
const allRounds = 1000

// TestAgree compares generated validators, the evaluator and the published schemas on
// objects, and pairs of old and new ones, that are made at random from those of the cases.
func TestAgree(t *testing.T) {
	if _, err := goVerdicts(); err != nil {
		t.Fatal(err)
	}
	w, set := load(t), evaluator(t)
	server := newServer(t, set)
	types, requests, valid, refused := 0, 0, 0, 0
	for _, c := range w.cases {
		if !c.ok() || len(c.Objects) == 0 {
			continue
		}
		byType := map[string][]*corpus.Object{}
		for _, o := range c.Objects {
			if o.Subresource == "" {
				byType[o.Type] = append(byType[o.Type], o)
			}
		}
		for _, name := range sortedKeys(byType) {
			types++
			rounds := *rounds
			if c.Path == "" {
				rounds /= 3 // the objects of derived cases are large
			}
			made := requestsOf(t, c, name, byType[name], rounds)
			verdicts, err := run(w.binary(), made)
			if err != nil {
				t.Fatal(err)
			}
			shown := 0
			for k, r := range made {
				requests++
				v := verdicts[k]
				switch {
				case v.Failure != "":
					refused++
				case len(v.Errors) == 0:
					valid++
				}
				decoded, difference := disagree(t, set, c, name, r, v)
				if difference == "" && decoded != nil {
					difference = server.differ(t, c, decoded)
				}
				if difference == "" {
					continue
				}
				if shown++; shown <= 3 {
					t.Errorf("%s.%s:\n%s\nobject %s\nold %s\noptions %v", c.Name, name, difference, r.Object, r.Old, r.Options)
				}
			}
		}
	}
	t.Logf("%d requests of %d types: %d valid, %d refused by the decoder", requests, types, valid, refused)
	t.Logf("%d of these requests, of %d types, were also validated by the schema; %d have more errors than are listed", server.requests, len(server.types), server.cut)
	if requests < types*10 || valid < requests/10 || valid > requests*9/10 || server.requests < requests/2 {
		t.Error("these are too few requests, or too few of either verdict, to compare anything")
	}
	if *rounds >= allRounds {
		server.listed.stale(t)
	}
}

// requestsOf returns requests for a type's objects.
func requestsOf(t *testing.T, c *loadedCase, name string, objects []*corpus.Object, rounds int) []runner.Request {
	t.Helper()
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(typeID(c, name)))
	m := newMutator(rand.New(rand.NewPCG(seed.Sum64(), 0)), objects)
	made := make([]runner.Request, 0, rounds)
	for range rounds {
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

// disagree returns the differences between the evaluator and the generated code. It returns the
// request if there is no such difference and both can decode it.
func disagree(t *testing.T, set *eval.Set, c *loadedCase, name string, r runner.Request, v runner.Verdict) (*request, string) {
	t.Helper()
	d := &request{Request: r, typ: eval.TypeName{Package: c.pkg(), Name: name}, written: v}
	judge := func(object, old json.RawMessage) (*eval.Result, []*field.Error) {
		request := eval.Request{Type: d.typ, Options: r.Options, Object: decodedText(t, object), Old: decodedText(t, old)}
		result, err := set.Validate(request)
		if err != nil {
			t.Fatal(err)
		}
		unknown, err := set.Unknown(d.typ, request.Object)
		if err != nil {
			t.Fatal(err)
		}
		malformed := slices.Clone(result.Malformed)
		for _, u := range unknown {
			malformed = append(malformed, u.Err)
		}
		return result, malformed
	}
	result, malformed := judge(r.Object, r.Old)
	refused := strings.HasPrefix(v.Failure, "json: ") || strings.Contains(v.Failure, "unmarshal") || v.Failure != "" && !strings.HasPrefix(v.Failure, "panic")
	switch {
	case len(malformed) > 0 || strings.Contains(v.Failure, "unknown field"):
		if v.Failure == "" {
			return nil, fmt.Sprintf("Go decodes what the evaluator refuses: %v", field.ErrorList(malformed).ToAggregate())
		}
		return nil, ""
	case refused:
		return nil, "Go refuses what the evaluator decodes: " + v.Failure
	case v.Failure != "":
		return nil, v.Failure
	}
	want, got := v.Errors, evalErrors(result)
	for _, e := range want {
		d.reported = append(d.reported, e.Field)
	}
	d.reported = corpus.Paths(d.reported)
	if len(result.NotRun) > 0 {
		want = slices.DeleteFunc(slices.Clone(want), func(e runner.Error) bool { return !slices.Contains(got, e) })
	}
	if !slices.Equal(want, got) {
		return nil, difference(want, got)
	}
	d.now = result
	var before *eval.Result
	if d.alone = result; r.Old != nil {
		d.alone, _ = judge(r.Object, nil)
		before, _ = judge(r.Old, nil)
	}
	d.repeated = repeatedItems(d.alone, before)
	return d, ""
}

func decodedText(t *testing.T, text json.RawMessage) map[string]any {
	t.Helper()
	if text == nil {
		return nil
	}
	object, err := eval.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return object
}

// difference shows the errors that only one side reports, or the differing order.
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

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
