package chain

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/examples/pipeline/api/v2"
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
	"github.com/kindsmith/kindsmith/internal/versions/steptable"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// TestPipeline converts the samples of examples/pipeline, with the functions of their author, between all versions. They are
// the same after a conversion there and back.
func TestPipeline(t *testing.T) {
	if testing.Short() {
		t.Skip("loading the types takes some seconds")
	}
	bag := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Patterns: []string{"../../../examples/pipeline/api/..."}}, bag)
	if err != nil || bag.HasErrors() {
		t.Fatal(err, bag.All())
	}
	table := steptable.New(steps.Build(m)[0])
	table.API.Funcs = map[string]jsonconvert.Func{
		"NoNotifications": jsonconvert.DefaultOf(v2.NoNotifications),
		"ParseCacheSize":  jsonconvert.FailingFuncOf(v2.ParseCacheSize), "FormatCacheSize": jsonconvert.FuncOf(v2.FormatCacheSize),
		"SplitCommand": jsonconvert.FuncOf(v2.SplitCommand), "JoinCommand": jsonconvert.FuncOf(v2.JoinCommand),
		"ClampPriority": jsonconvert.FuncOf(v2.ClampPriority),
		"SplitLocation": jsonconvert.HookOf(v2.SplitLocation), "JoinLocation": jsonconvert.HookOf(v2.JoinLocation),
	}
	c, err := jsonconvert.New(table.API)
	if err != nil {
		t.Fatal(err)
	}
	c.Strict = true
	files, err := os.ReadDir("../../../examples/pipeline/config/samples")
	if err != nil {
		t.Fatal(err)
	}
	pairs := 0
	for _, f := range files {
		text, err := os.ReadFile("../../../examples/pipeline/config/samples/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		object, err := yaml.YAMLToJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range c.Versions() {
			x, err := c.Convert(nil, object, from)
			if err != nil {
				continue // the version lacks the kind
			}
			for _, to := range c.Versions() {
				y, err := c.Convert(nil, x, to)
				if err != nil && strings.Contains(err.Error(), `version "v1alpha1" has no kind "Runner"`) {
					continue
				}
				if err != nil {
					t.Errorf("%s from %s to %s: %v", f.Name(), from, to, err)
					continue
				}
				z, err := c.Convert(nil, y, from)
				if diff := cmp.Diff(decoded(t, bare(t, x)), decoded(t, bare(t, z))); diff != "" || err != nil {
					t.Errorf("%s from %s by way of %s: %v (-was +is)\n%s", f.Name(), from, to, err, diff)
				}
				pairs++
			}
		}
	}
	if pairs < 30 {
		t.Errorf("%d pairs of versions", pairs)
	}
}

func decoded(t *testing.T, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

// bare returns an object without its annotations and without what its status tracks.
func bare(t *testing.T, text []byte) []byte {
	t.Helper()
	o := decoded(t, text).(map[string]any)
	if metadata, ok := o["metadata"].(map[string]any); ok {
		annotations, _ := metadata["annotations"].(map[string]any)
		delete(annotations, jsonconvert.TrackingAnnotation(v2.SchemeGroupVersion.Group))
		if len(annotations) == 0 {
			delete(metadata, "annotations")
		}
	}
	if status, ok := o["status"].(map[string]any); ok {
		tasks, _ := status["tasks"].([]any)
		for _, task := range tasks {
			if task, ok := task.(map[string]any); ok && task["exitCode"] == 0.0 {
				delete(task, "exitCode")
			}
		}
		if delete(status, "changedValues"); len(status) == 0 {
			delete(o, "status")
		}
	}
	out, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
