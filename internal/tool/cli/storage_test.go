package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/kindsmith/kindsmith/storage"
)

func TestStorageResults(t *testing.T) {
	for name, tc := range map[string]struct {
		result storage.Result
		want   string
	}{
		"nothing":  {storage.Result{Storage: "v2", Stored: []string{"v2"}}, "orders: all objects are stored in v2; storedVersions is v2\n"},
		"migrated": {storage.Result{Storage: "v2", Stored: []string{"v2"}, Done: 1}, "orders: wrote 1 object in v2; storedVersions is v2\n"},
		"resumed":  {storage.Result{Storage: "v2", Stored: []string{"v2"}, Done: 7, Resumed: 4}, "orders: wrote 7 objects in v2, 4 of them in an earlier run; storedVersions is v2\n"},
		"server":   {storage.Result{Storage: "v2", Stored: []string{"v2"}, Migrator: "orders-x"}, "orders: the API server wrote all objects in v2; storedVersions is v2\n"},
		"fields": {
			storage.Result{Storage: "v2", Stored: []string{"v2"}, Fields: 2},
			"orders: all objects are stored in v2, and moved the managedFields of 2 objects to a served version; storedVersions is v2\n",
		},
		"failed": {
			storage.Result{Storage: "v2", Stored: []string{"v1", "v2"}, Done: 7, Failures: []storage.Failure{{Namespace: "shop", Name: "a", Err: errors.New("no")}, {Name: "b", Err: errors.New("not")}}},
			"orders shop/a: error: no\norders b: error: not\n" +
				"orders: wrote 7 objects in v2, and the API server refused 2; storedVersions is still v1, v2. Repair what it refused, and run the command again.\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := printResult(Stream{Writer: &out}, "orders", &tc.result); err != nil || out.String() != tc.want {
				t.Errorf("%v\n%swant\n%s", err, out.String(), tc.want)
			}
		})
	}
}

func TestBar(t *testing.T) {
	var out bytes.Buffer
	b := newBar(Stream{Writer: &out, Terminal: true, Width: 60}, "orders.shop.example.com")
	b.show(storage.Progress{Done: 1, Total: 3})
	if out.Len() > 0 {
		t.Errorf("a short run shows %q", out.String())
	}
	b.next = time.Now()
	b.show(storage.Progress{Done: 1, Total: 3})
	b.clear()
	if want := clearLine + "orders.shop.example.com [==========                    ] 1 " + clearLine; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	b = newBar(Stream{Writer: &out}, "orders")
	b.show(storage.Progress{Done: 1, Total: 3})
	b.next = time.Now()
	b.show(storage.Progress{Done: 2, Failed: 1, Total: 3})
	b.show(storage.Progress{Done: 3, Total: 3})
	b.clear()
	if want := "orders: 2 of 3, 1 failed\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// TestStorageMistakes runs commands that cannot begin.
func TestStorageMistakes(t *testing.T) {
	t.Setenv("KUBECONFIG", t.TempDir()+"/none")
	for line, want := range map[string]string{
		"storage run":                       "name a CustomResourceDefinition, such as: kindsmith storage run orders.shop.example.com",
		"storage pln":                       `unknown command "pln"; did you mean "plan"?`,
		"storage plan":                      "there is no kubeconfig; name one with --kubeconfig or $KUBECONFIG",
		"storage run a.b --rate 0":          "--rate must be more than 0",
		"storage plan --kubeconfig missing": "missing",
		"storage plan --contxt a":           "did you mean --context?",
	} {
		var out, errs bytes.Buffer
		code := Run(strings.Fields(line), Streams{Out: Stream{Writer: &out}, Err: Stream{Writer: &errs}})
		if code != ExitFailed || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit code %d\n%s%swant %s", line, code, out.String(), errs.String(), want)
		}
	}
}
