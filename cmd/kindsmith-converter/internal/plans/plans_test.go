package plans_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kindsmith/kindsmith/cmd/kindsmith-converter/internal/plans"
	"github.com/kindsmith/kindsmith/webhook/server"
)

// plan returns a plan in which a field of a kind has another name in v1.
func plan(group, kind, newer string) string {
	return fmt.Sprintf(`{"format":2,"apis":[{"group":%q,"versions":[{"name":"v1beta1"},{"name":"v1"}],
		"kinds":[{"name":%q,"store":"annotation"},{"name":"%[2]sList","item":%[2]q}],
		"steps":[{"older":"v1beta1","newer":"v1","types":{%[2]q:{"fields":[{"older":{"name":"x"},"newer":{"name":%[3]q}}]}}}]}]}`, group, kind, newer)
}

// write replaces files at once, like the mount of a ConfigMap: a reader sees no half of one.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		whole := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(whole, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(whole, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.json": plan("a.example.com", "A", "y"), "b.json": plan("a.example.com", "List", "y"), "c.txt": "no plan"})
	all, _, err := plans.Read(dir)
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	for i, kind := range []string{"A", "List"} {
		if c := all[i]; c.Group != "a.example.com" || fmt.Sprint(c.Kinds) != "["+kind+"]" || fmt.Sprint(c.Converter.Versions()) != "[v1beta1 v1]" {
			t.Errorf("%+v %v", c, c.Converter.Versions())
		}
	}
}

// TestMistakes has all mistakes of a folder in one error.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"a.json": plan("a.example.com", "A", "y"),
		"b.json": plan("a.example.com", "A", "z"),
		"c.json": "{",
		"d.json": `{"format":9}`,
		"e.json": strings.Replace(plan("e.example.com", "E", "y"), `{"name":"y"}`, `{"name":"y"},"value":{"call":{"up":"RetryUp","down":"RetryDown"}}`, 1),
		"f.json": `{"format":2}`,
		"h.json": `{"format":1,"tables":[]}`,
		"i.json": strings.Replace(plan("i.example.com", "I", "y"), `"store":"annotation"`, `"store":"label"`, 1),
		"g.json": strings.Replace(plan("g.example.com", "G", "y"), `"older":{"name":"x"}`, `"oldest":{"name":"x"}`, 1),
	})
	_, _, err := plans.Read(dir)
	for _, want := range []string{
		"b.json: the kind A of a.example.com is in a.json too", "c.json: not a file", "d.json: the file of conversion tables has format 9",
		"e.json: e.example.com: only Go code converts it: the plan calls RetryDown, RetryUp", "f.json: the plan converts nothing", `g.json: this program cannot read`,
		"h.json: the file of conversion tables has the old format 1; write it again with kindsmith model --tables", `i.json: i.example.com: the kind I has the store "label"`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
	if _, _, err := plans.Read(t.TempDir()); err == nil || !strings.Contains(err.Error(), "there is no plan") {
		t.Errorf("an empty folder: %v", err)
	}
	if _, _, err := plans.Read(filepath.Join(dir, "no")); err == nil {
		t.Error("a folder that does not exist is not reported")
	}
}

// TestFollow changes plans: bad ones are logged once, and the earlier ones stay.
func TestFollow(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.json": plan("a.example.com", "A", "y")})
	_, sum, err := plans.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	used, ended := make(chan []server.Conversion, 10), make(chan bool)
	var log bytes.Buffer
	go func() {
		defer close(ended)
		plans.Follow(ctx, dir, sum, time.Millisecond, slog.New(slog.NewTextHandler(&log, nil)), func(all []server.Conversion) error {
			used <- all
			return nil
		})
	}()
	time.Sleep(20 * time.Millisecond)
	write(t, dir, map[string]string{"a.json": "{"})
	time.Sleep(50 * time.Millisecond)
	if len(used) > 0 {
		t.Error("a plan with mistakes, or one that has not changed, is used")
	}
	write(t, dir, map[string]string{"a.json": plan("a.example.com", "A", "z")})
	if all := <-used; len(all) != 1 {
		t.Error(all)
	}
	stop()
	<-ended
	if n := strings.Count(log.String(), "level=ERROR"); n != 1 {
		t.Errorf("%d errors are logged:\n%s", n, log.String())
	}
}
