package tryit_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/objects/tryit"
)

// TestRun judges with code in the place of generated Go: what a page shows of its answer.
func TestRun(t *testing.T) {
	const failure = `{"type":"FieldValueInvalid","field":"spec.version","value":"17.2","detail":"is too new","origin":"ours"}`
	// answer returns the object with one more field in its spec, and errors.
	answer := func(key string, value any, errs string) tryit.Code {
		return func(request []byte) ([]byte, error) {
			var r struct {
				Object map[string]any `json:"object"`
			}
			if err := json.Unmarshal(request, &r); err != nil {
				return nil, err
			}
			r.Object["spec"].(map[string]any)[key] = value
			object, err := json.Marshal(r.Object)
			return []byte(`{"object":` + string(object) + `,"errors":[` + errs + `]}`), err
		}
	}
	j := judge(t)
	for name, test := range map[string]struct {
		code     tryit.Code
		text     string
		state    tryit.State
		problems []string
		stored   string
	}{
		"an error of a function": {
			answer("replicas", 2, failure), valid, tryit.Invalid,
			[]string{`7: Database a: spec.version: Invalid value: "17.2": is too new`}, "replicas: 2",
		},
		"a default of a function is checked": {
			answer("replicas", 99, ""), valid, tryit.Invalid,
			[]string{"5: Database a: spec.replicas: Invalid value: 99: must be less than or equal to 15"}, "replicas: 99",
		},
		"an error that both have": {
			answer("className", "a", `{"type":"FieldValueInvalid","field":"spec.replicas","value":16,"detail":"must be less than or equal to 15","origin":"maximum"}`),
			valid + "  replicas: 16\n", tryit.Invalid,
			[]string{"12: Database a: spec.replicas: Invalid value: 16: must be less than or equal to 15"}, "className: a",
		},
		"an unknown field": {
			answer("className", "a", ""), valid + "  replica: 1\n", tryit.Invalid,
			[]string{`12: Database a: unknown field spec.replica; did you mean replicas?`}, "",
		},
		"code that fails":  {func([]byte) ([]byte, error) { return nil, errors.New("it has ended") }, valid, tryit.Unchecked, nil, "replicas: 1"},
		"code that panics": {func([]byte) ([]byte, error) { return []byte(`{"failed":"panic: oops"}`), nil }, valid, tryit.Unchecked, nil, "replicas: 1"},
		"no JSON":          {func([]byte) ([]byte, error) { return []byte("oops"), nil }, valid, tryit.Unchecked, nil, "replicas: 1"},
	} {
		t.Run(name, func(t *testing.T) {
			j.Run(test.code)
			v := j.Judge(test.text)
			var problems []string
			for _, p := range v.Problems {
				problems = append(problems, strconv.Itoa(p.Line)+": "+p.Message)
			}
			if v.Documents[0].State != test.state || !strings.Contains(v.Documents[0].Defaulted, test.stored) {
				t.Errorf("%+v", v.Documents[0])
			}
			if diff := cmp.Diff(test.problems, problems); diff != "" {
				t.Error(diff)
			}
		})
	}
}
