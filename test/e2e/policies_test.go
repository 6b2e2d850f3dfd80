package e2e

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPolicyActions tries rules as warnings, and then enforces them, on a definition without them.
func TestPolicyActions(t *testing.T) {
	const prefix = "ValidatingAdmissionPolicy 'orders-rules.rules.example.com' with binding 'orders-rules.rules.example.com'"
	dir := t.TempDir()
	install := func(actions string) {
		t.Helper()
		cmd := exec.Command("go", "run", "./cmd/kindsmith", "generate", "./internal/emit/rules/testdata/v1", "--only", "crd,rules",
			"--crd-dir", filepath.Join(dir, "crd"), "--policy-dir", filepath.Join(dir, "policy"), "--policy-actions", actions)
		cmd.Dir = "../.."
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, folder := range []string{"crd", "policy"} {
			if _, err := shared.kubectl("apply", "-f", filepath.Join(dir, folder)); err != nil {
				t.Fatal(err)
			}
		}
	}
	// try sends objects until the answer has a text: servers follow definitions and policies with a delay.
	try := func(object, want string) string {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
			out := applied(object, "--dry-run=server")
			if strings.Contains(out, want) {
				return out
			}
			if time.Now().After(deadline) {
				t.Fatalf("%q is not in the answer to %s: %s", want, object, out)
			}
		}
	}
	const wrong = `{"apiVersion":"rules.example.com/v1","kind":"Order","metadata":{"name":"wrong"},"spec":{"size":10,"color":"Blue"}}`
	install("Warn")
	out := try(wrong, "Warning: Validation failed for "+prefix+": spec.size: must be at most 9")
	applied(wrong)
	for _, want := range []string{"order.rules.example.com/wrong", `spec.color: must be one of "Green", "Red"`} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in %s", want, out)
		}
	}
	if out := applied(strings.Replace(wrong, `"wrong"`, `"wrong","labels":{"a":"b"}`, 1)); strings.Contains(out, "Warning") {
		t.Errorf("an unchanged value: %s", out)
	}
	install("Deny")
	try(strings.Replace(wrong, `"wrong"`, `"other"`, 1), prefix+" denied request: spec.color: must be one of")
	if out := applied(strings.Replace(wrong, `"wrong"`, `"wrong","labels":{"a":"c"}`, 1)); !strings.Contains(out, "configured") {
		t.Errorf("an unchanged value: %s", out)
	}
}

// applied returns what kubectl apply says about an object.
func applied(object string, flags ...string) string {
	cmd := exec.Command(shared.kubectlPath, append([]string{"apply", "-f", "-"}, flags...)...)
	cmd.Env, cmd.Stdin = append(cmd.Environ(), shared.Env()...), strings.NewReader(object)
	out, _ := cmd.CombinedOutput()
	return string(out)
}
