package tryit_test

import (
	"bytes"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/objects/tryit"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/testing/exampletest"
)

// judge returns the judge of an example, as a page has it: from what Save has written.
func judge(t *testing.T) *tryit.Judge {
	t.Helper()
	var saved bytes.Buffer
	if err := eval.New(exampletest.Load(t, "database")).Save(&saved); err != nil {
		t.Fatal(err)
	}
	set, err := eval.Load(&saved)
	if err != nil {
		t.Fatal(err)
	}
	return tryit.New(set)
}

const valid = exampletest.Database

func TestJudge(t *testing.T) {
	j := judge(t)
	for name, test := range map[string]struct {
		text     string
		states   []tryit.State
		problems []string
	}{
		"valid":           {valid, []tryit.State{tryit.Valid}, nil},
		"no such version": {strings.ReplaceAll(valid, "/v1\n", "/v2\n"), []tryit.State{tryit.Invalid}, []string{"2:7 error"}},
		"a rule":          {valid + "  replicas: 99 # ü\n", []tryit.State{tryit.Invalid}, []string{"12:13 error"}},
		"after ü":         {strings.Replace(valid, "{}", "", 1) + "  ü: {replica: 9}\n", []tryit.State{tryit.Invalid}, []string{"12:3 error"}},
		"two documents":   {valid + "---\n" + valid + "  replicas: x\n", []tryit.State{tryit.Valid, tryit.Invalid}, []string{"24:13 error"}},
		"nothing":         {"", nil, nil},
		"no YAML":         {"a: [", nil, []string{"1:1 error"}},
		"no object":       {"5", []tryit.State{tryit.Invalid}, []string{"1:1 error"}},
		"not ours":        {"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n", []tryit.State{tryit.Unchecked}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			v := j.Judge(test.text)
			var states []tryit.State
			for _, d := range v.Documents {
				states = append(states, d.State)
			}
			var problems []string
			for _, p := range v.Problems {
				problems = append(problems, strings.Join([]string{strconv.Itoa(p.Line), ":", strconv.Itoa(p.Column), " ", p.Severity}, ""))
			}
			if diff := cmp.Diff(test.states, states) + cmp.Diff(test.problems, problems); diff != "" {
				t.Errorf("%s\n%+v", diff, v)
			}
		})
	}
	if stored := j.Judge(valid).Documents[0].Defaulted; !strings.Contains(stored, "replicas:") {
		t.Errorf("replicas has a default:\n%s", stored)
	}
}

// FuzzJudge judges whatever a person writes.
func FuzzJudge(f *testing.F) {
	f.Add(valid)
	f.Add("a: [")
	f.Add("---\n- &a {b: *a}\n")
	f.Add(`{"apiVersion": "db.example.com/v1", "kind": "Database", "spec": {"storage": [1, null]}}`)
	var j *tryit.Judge
	f.Fuzz(func(t *testing.T, text string) {
		if j == nil {
			j = judge(t)
		}
		j.Judge(text)
	})
}

// TestDependencies keeps out of browsers what only the compiler and servers need: Go sources, schemes and HTTP, and CEL without its build tag.
func TestDependencies(t *testing.T) {
	heavy := []string{
		"net/http", "crypto/tls", "go/format", "go/types", "text/template", "html/template", "log/slog", "golang.org/x/tools/", "golang.org/x/mod/",
		"k8s.io/apimachinery/pkg/apis/", "k8s.io/apimachinery/pkg/runtime\n", "k8s.io/apimachinery/pkg/api/equality", "k8s.io/apimachinery/pkg/util/intstr", "k8s.io/klog/",
		"k8s.io/api/", "k8s.io/apiserver/", "k8s.io/apiextensions-apiserver/", "k8s.io/client-go/", "github.com/json-iterator/", "sigs.k8s.io/structured-merge-diff/",
	}
	const cel = "github.com/google/cel-go/cel\n"
	for tags, without := range map[string][]string{"": append(heavy, cel), "cel": {"k8s.io/apiserver/", "k8s.io/apiextensions-apiserver/", "k8s.io/client-go/", "net/http\n"}} {
		cmd := exec.Command("go", "list", "-deps", "-tags="+tags, "../../../cmd/kindsmith-wasm")
		cmd.Env = append(cmd.Environ(), "GOOS=js", "GOARCH=wasm")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		list := "\n" + string(out)
		for _, pkg := range without {
			if strings.Contains(list, "\n"+pkg) {
				t.Errorf("the program for browsers with tags %q has %s", tags, pkg)
			}
		}
		if !strings.Contains(list, "/internal/rules/eval\n") || tags == "cel" && !strings.Contains(list, cel) {
			t.Errorf("go list with tags %q lists no evaluator:\n%s", tags, out)
		}
	}
}
