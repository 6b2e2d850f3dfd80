package modeltype_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/modeltype"
	"github.com/kindsmith/kindsmith/internal/core/expr/typed"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
)

const api = "github.com/kindsmith/kindsmith/internal/core/expr/modeltype/testdata/api"

func TestTypes(t *testing.T) {
	m, _ := emittest.Model(t, "./testdata/api")
	b := &modeltype.Builder{Model: m, Field: func(_ *model.Type, f *model.Field, t *expr.Type) {
		if f.Name == "Colors" {
			t.ListType = "set"
		}
	}}
	root := b.Root(model.Named(api, "Thing"))
	var got []string
	for _, name := range slices.Sorted(maps.Keys(b.Objects)) {
		if !strings.HasPrefix(name, api) {
			continue
		}
		for _, field := range slices.Sorted(maps.Keys(b.Objects[name])) {
			ft := b.Objects[name][field]
			got = append(got, strings.ReplaceAll(fmt.Sprintf("%s.%s %s %s", name, field, ft, ft.ListType), api+".", ""))
		}
	}
	want := `Spec.any unknown 
Spec.children map(string, Spec) 
Spec.colors list(string) set
Spec.count int 
Spec.data bytes 
Spec.hidden int 
Spec.id string 
Spec.memory intOrString 
Spec.message unknown 
Spec.odd unknown 
Spec.port intOrString 
Spec.ratio double 
Spec.raw k8s.io/apimachinery/pkg/runtime.RawExtension 
Spec.since timestamp 
Spec.timeout string 
Thing.apiVersion string 
Thing.kind string 
Thing.metadata k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta 
Thing.spec Spec 
Thing@root.apiVersion string 
Thing@root.kind string 
Thing@root.metadata Thing@root.metadata 
Thing@root.spec Spec 
Thing@root.metadata.generateName string 
Thing@root.metadata.name string `
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}

	env, err := typed.NewEnv(b.Objects, root, false)
	if err != nil {
		t.Fatal(err)
	}
	for rule, ok := range map[string]bool{
		"self.metadata.name.startsWith('a')":                                   true,
		"self.metadata.labels.size() == 0":                                     false,
		"self.spec.children.all(k, self.spec.children[k].children.size() < 3)": true,
		"self.spec.port == 80 || self.spec.port == 'http'":                     true,
		"self.spec.raw.x == 1":                                                 false,
		"has(self.spec.odd)":                                                   false,
		"self.spec.timeout == '1h'":                                            true,
		"self.spec.colors + ['red'] == self.spec.colors && oldSelf == self":    true,
	} {
		if _, problems := env.Read(rule); ok != (len(problems) == 0) {
			t.Errorf("%s: %v", rule, problems)
		}
	}
}
