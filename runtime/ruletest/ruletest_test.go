package ruletest_test

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/coverage"
	"github.com/kindsmith/kindsmith/runtime/ruletest"
	v1 "github.com/kindsmith/kindsmith/runtime/ruletest/internal/fleet/v1"
)

// rules are the rules that TestRules must break.
var rules = coverage.New(map[string][]coverage.Rule{"Ship": {
	{Path: "spec.masts", Type: field.ErrorTypeInvalid, Origin: "maximum"},
	{Path: "spec.flag", Type: field.ErrorTypeInvalid},
}})

func TestMain(m *testing.M) { os.Exit(rules.Run(m)) }

func TestRules(t *testing.T) {
	ruletest.Run(t, "testdata/rules", v1.AddToScheme,
		ruletest.CRDs("config/crd/bases"),
		ruletest.Normalize(v1.NormalizeUnions_Ship),
		ruletest.Coverage(v1.GroupVersion, rules),
		ruletest.AllRules())
}

// failure is an error in the output of a test.
var failure = regexp.MustCompile(`([a-z_]+\.[a-z]+:\d+:\d+): error: .*?(?: \(engine: (\w+)\))? \[ruletest/(.*)\]|--- (PASS|FAIL): \w+/\S+/(\S+)`)

// TestFailures runs tests that fail in another process, and looks at their output.
func TestFailures(t *testing.T) {
	const inside = "RULETEST_INSIDE"
	withoutValidators := func(scheme *runtime.Scheme) error {
		scheme.AddKnownTypes(v1.GroupVersion, &v1.Ship{})
		return nil
	}
	switch os.Getenv(inside) {
	case "all":
		ruletest.Run(t, "testdata/failing", v1.AddToScheme, ruletest.AllRules())
		return
	case "some":
		ruletest.Run(t, "testdata/rules", withoutValidators, ruletest.AllRules())
		return
	}
	for name, c := range map[string]struct {
		run  string
		want []string
	}{
		"all": {run: "^TestFailures$", want: []string{
			"ship_test.yaml:5:12 missing types",
			"ship_test.yaml:8:12 missing go", "ship_test.yaml:8:12 missing types",
			"ship_test.yaml:10:21 unexpected go", "ship_test.yaml:10:21 unexpected types",
			"ship_test.yaml:12:9 unexpected go", "ship_test.yaml:13:21 unexpected types",
			"ship_test.yaml:16:21 unknown-field go", "ship_test.yaml:16:21 unknown-field types",
			"ship_test.yaml:18:9 old-ignored types", "ship_test.yaml:18:9 old-ignored go",
			"types.go:30:5 unbroken", "types.go:34:5 unbroken", "types.go:48:5 unbroken", "types.go:53:5 unbroken", "types.go:63:4 unbroken", "types.go:77:5 unbroken",
			"FAIL a_function_that_only_Go_can_run", "FAIL no_such_error", "FAIL not_expected", "FAIL not_decoded", "FAIL no_such_field", "FAIL from_another_version",
			"PASS as_expected",
		}},
		// A run of some cases does not report rules that the others break.
		"some": {run: "^TestFailures$/^ship_test.yaml$/^(less_than_nothing|the_least)$", want: []string{
			"ship_test.yaml:44:12 missing go", "PASS the_least", "FAIL less_than_nothing",
		}},
	} {
		cmd := exec.Command(os.Args[0], "-test.v", "-test.run="+c.run)
		cmd.Env = append(os.Environ(), inside+"="+name)
		out, err := cmd.CombinedOutput()
		if err == nil {
			t.Errorf("%s: the tests pass", name)
		}
		var got []string
		for _, m := range failure.FindAllStringSubmatch(string(out), -1) {
			got = append(got, strings.TrimSpace(strings.Join([]string{m[1] + m[4], m[3] + m[5], m[2]}, " ")))
		}
		if reason := "add it with the generated RegisterValidations"; name == "some" && !strings.Contains(string(out), reason) {
			t.Errorf("no note says to %s:\n%s", reason, out)
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%s\nfrom\n%s", name, strings.Join(got, "\n"), out)
		}
	}
}
