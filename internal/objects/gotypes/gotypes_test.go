package gotypes_test

import (
	"cmp"
	"context"
	"os"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/objects/gotypes"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/testing/exampletest"
)

const example = "../../../examples/database"

func load(t *testing.T) *gotypes.Engine {
	t.Helper()
	return gotypes.New(eval.New(exampletest.Load(t, "database")), nil)
}

func object(t *testing.T, path string) *manifest.Object {
	t.Helper()
	file, err := manifest.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	bag := &diag.Bag{}
	objects := manifest.Parse(file, bag)[0].Objects(bag)
	if len(objects) != 1 || bag.HasErrors() {
		t.Fatalf("%s has %d objects", path, len(objects))
	}
	return objects[0]
}

// TestSamples compares verdicts with what the example says is wrong with each of
// its invalid manifests.
func TestSamples(t *testing.T) {
	const invalid = example + "/config/samples/invalid/"
	text, err := os.ReadFile(invalid + "expected.yaml")
	if err != nil {
		t.Fatal(err)
	}
	type mistake struct{ Type, Path, Origin string }
	var expected struct {
		Create []struct {
			Manifest string
			Errors   []mistake
		}
		Update []struct {
			From, To string
			Errors   []mistake
		}
	}
	if err := yaml.Unmarshal(text, &expected); err != nil {
		t.Fatal(err)
	}
	e := load(t)
	check := func(name string, request verdict.Request, want []mistake) {
		t.Helper()
		var got []mistake
		result := e.Validate(context.Background(), request)
		for _, err := range result.Errors {
			got = append(got, mistake{string(err.Type), err.Field, err.Origin})
			if err.Rule == nil || err.Rule.Span.IsZero() {
				t.Errorf("%s: no rule for %v", name, err.Error)
			} else if !slices.Contains(e.Rules(request.Kind), err.Rule) {
				t.Errorf("%s: %v is no rule of the kind", name, err.Rule)
			}
		}
		order := func(a, b mistake) int {
			return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Origin, b.Origin))
		}
		slices.SortFunc(got, order)
		slices.SortFunc(want, order)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
		if len(result.Unknown) > 0 || result.OldIgnored != "" {
			t.Errorf("%s: unknown %v, old ignored: %s", name, result.Unknown, result.OldIgnored)
		}
	}
	for _, c := range expected.Create {
		o := object(t, invalid+c.Manifest)
		check(c.Manifest, verdict.Request{Kind: o.Kind, Object: o.Value}, c.Errors)
	}
	for _, c := range expected.Update {
		o := object(t, invalid+c.To)
		check(c.To, verdict.Request{Kind: o.Kind, Object: o.Value, Old: object(t, invalid+c.From).Value}, c.Errors)
	}
}

func TestVersionsOfOldObjects(t *testing.T) {
	e := load(t)
	o, old := object(t, example+"/config/samples/v1_database_orders.yaml"), object(t, example+"/config/samples/v1beta1_database_sessions.yaml")
	result := e.Validate(context.Background(), verdict.Request{Kind: o.Kind, Object: o.Value, Old: old.Value})
	if result.OldIgnored == "" || len(result.Errors) > 0 {
		t.Errorf("%+v", result)
	}
}

func TestUnknownFields(t *testing.T) {
	e := load(t)
	o := object(t, example+"/config/samples/v1_database_orders.yaml")
	o.Value["spec"].(map[string]any)["sise"] = int64(1)
	result := e.Validate(context.Background(), verdict.Request{Kind: o.Kind, Object: o.Value})
	if diff := gocmp.Diff([]string{"spec.sise"}, result.Unknown); diff != "" || len(result.Errors) > 0 {
		t.Errorf("%v %s", result.Errors, diff)
	}
}
