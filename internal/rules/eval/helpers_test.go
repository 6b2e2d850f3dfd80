package eval_test

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// testdata are packages with generated code to compare with.
const testdata = "github.com/kindsmith/kindsmith/internal/"

var load = sync.OnceValues(func() (*eval.Set, error) {
	m, err := driver.Model(driver.ModelConfig{Patterns: []string{
		"./testdata/v1", "../../emit/defaults/testdata/shapes", "../../emit/defaults/testdata/byhand", "../../emit/unions/testdata/table",
	}}, &diag.Bag{})
	if err != nil {
		return nil, err
	}
	return eval.New(tag.Programs(m, driver.Tags())), nil
})

// loaded returns the set of the test packages.
func loaded(t testing.TB) *eval.Set {
	t.Helper()
	set, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func decode(t testing.TB, text string) map[string]any {
	t.Helper()
	object, err := eval.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return object
}

func encode(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
