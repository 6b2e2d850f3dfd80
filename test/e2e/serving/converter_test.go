package serving

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kindsmith/kindsmith/test/oracle/launch"
)

// shopPlan returns a plan of the kind Shop, for a version of the plan.
func shopPlan(fields string) string {
	return fmt.Sprintf(`{"format":2,"apis":[{"group":%q,"versions":[{"name":"v1beta1"},{"name":"v1"}],"kinds":[{"name":"Shop","store":"annotation"}],
		"steps":[{"older":"v1beta1","newer":"v1","types":{"Shop":{"fields":[%s]}}}]}]}`, group, fields)
}

// TestConverter runs kindsmith-converter for a kind that no Go code knows, and changes its plan under load, also to one
// with a mistake: no write fails, and the new plan is used.
func TestConverter(t *testing.T) {
	soaking(t)
	binary := filepath.Join(t.TempDir(), "kindsmith-converter")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/kindsmith/kindsmith/cmd/kindsmith-converter").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	w := newWorld(t)
	dir := t.TempDir()
	write := func(text string) {
		t.Helper()
		temporary := filepath.Join(dir, "new")
		if err := os.WriteFile(temporary, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(temporary, filepath.Join(dir, "plan.json")); err != nil {
			t.Fatal(err)
		}
	}
	write(shopPlan(`{"older":{"name":"x"},"newer":{"name":"z"}}`)) // the definition has no z: it is pruned
	addr := launch.FreeAddress(t)
	r := w.run(exec.Command(binary, "--plans="+dir, "--address="+addr, "--kubeconfig="+w.Kubeconfig, "--namespace=shop", "--ca-secret=ca", "--host=127.0.0.1", "--reload=100ms", "--drain=1s"), addr).ready()
	w.must(http.MethodPost, shops("v1beta1"), shop("first", "text"))
	if got := w.must(http.MethodGet, shops("v1")+"/first", nil)["y"]; got != nil {
		t.Errorf("y is %v by a plan that does not have it", got)
	}
	write(shopPlan(`{"older":{"name":"x"},"newer":{"name":"y"}}`))
	w.eventually("the new plan", func() bool {
		_, answer, _ := w.request(http.MethodPatch, shops("v1beta1")+"/first", map[string]any{"x": "text"})
		return answer["x"] == "text"
	})
	load := w.load(50)
	for i := range 20 {
		switch i % 3 {
		case 0:
			write("{")
		case 1:
			write(shopPlan(`{"older":{"name":"x"},"newer":{"name":"y"}},{"older":{"name":"a"},"newer":{"name":"b"}}`))
		default:
			write(shopPlan(`{"older":{"name":"x"},"newer":{"name":"y"}}`))
		}
		time.Sleep(250 * time.Millisecond)
	}
	load.stop()
	if load.failed() > 0 {
		t.Errorf("%d of %d writes failed:\n%s", load.failed(), load.all(), load.reasons())
	}
	w.converts("last")
	r.terminate()
	if log := r.log.String(); strings.Count(log, "The plans changed") < 5 || !strings.Contains(log, "the earlier plans stay") {
		t.Errorf("the log:\n%s", log)
	}
	t.Logf("%d writes", load.all())
}
