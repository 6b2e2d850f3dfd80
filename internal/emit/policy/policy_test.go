package policy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	registration "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	plans "github.com/kindsmith/kindsmith/internal/rules/rule/unions"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/testing/policytest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// types has kinds with unions wherever one can be.
const types = "../../../conformance/unions/v1"

// generated returns the policies for the kinds of types, by file.
func generated(t *testing.T, projection rule.Projection) map[string][]*registration.MutatingAdmissionPolicy {
	t.Helper()
	bag := &diag.Bag{}
	out, err := driver.Generate(driver.Config{
		ModelConfig: driver.ModelConfig{Patterns: []string{types}}, Only: []string{"policy"}, PolicyDir: t.TempDir(), Projection: projection,
	}, bag)
	if err != nil || bag.HasErrors() {
		t.Fatal(err, bag.All())
	}
	all := map[string][]*registration.MutatingAdmissionPolicy{}
	for _, f := range out.Files {
		name := f.Path[strings.LastIndexByte(f.Path, '/')+1:]
		for _, text := range bytes.Split(f.Content, []byte("---\n")) {
			p, b := &registration.MutatingAdmissionPolicy{}, &registration.MutatingAdmissionPolicyBinding{}
			switch {
			case !bytes.Contains(text, []byte("kind: ")):
			case yaml.UnmarshalStrict(text, p) == nil && p.Kind == "MutatingAdmissionPolicy":
				all[name] = append(all[name], p)
			case yaml.UnmarshalStrict(text, b) != nil:
				t.Errorf("%s is neither a policy nor a binding:\n%s", name, text)
			case b.Spec.PolicyName != all[name][len(all[name])-1].Name:
				t.Errorf("the binding of %s is for %s", all[name][len(all[name])-1].Name, b.Spec.PolicyName)
			}
		}
	}
	return all
}

// shapes returns the unions of the kinds of types.
func shapes(t *testing.T) func(kind string) *union.Shape {
	t.Helper()
	m, _ := emittest.Model(t, types)
	p := plans.NewPlans(tag.Programs(m, driver.Tags()), plans.Correlated)
	return func(kind string) *union.Shape {
		for _, pkg := range m.Packages {
			if pkg.Root {
				return p.Shape(pkg.Type(kind))
			}
		}
		return nil
	}
}

// TestForms compares policies, run by the code of API servers, with package union on random objects.
func TestForms(t *testing.T) {
	shapeOf := shapes(t)
	for _, tc := range []struct {
		file, kind string
		projection rule.Projection
		request    union.Request
		rounds     int
		// unions is a number of paths at which members are cleared at least.
		unions int
	}{
		{"unions.example.com_rows_unions.yaml", "Row", rule.Projection{}, union.Request{}, 60, 20},
		{"unions.example.com_shapes_unions.yaml", "Shape", rule.Projection{}, union.Request{}, 300, 60},
		{
			"unions.example.com_shapes_unions.yaml", "Shape", rule.Projection{Options: []string{"Feature"}, Level: rule.Alpha},
			union.Request{Options: map[string]bool{"Feature": true}, Level: union.Alpha}, 60, 60,
		},
	} {
		t.Run(tc.kind+string(tc.projection.Level), func(t *testing.T) {
			all := generated(t, tc.projection)
			if len(all[tc.file]) != 1 {
				t.Fatalf("%s has %d policies", tc.file, len(all[tc.file]))
			}
			s, shape := policytest.NewMutating(t, all[tc.file][0]), shapeOf(tc.kind)
			r := rand.New(rand.NewPCG(1, 2))
			cleared := map[string]bool{}
			for range tc.rounds {
				old, object := random(r, shape, nil).(map[string]any), random(r, shape, nil).(map[string]any)
				want := runtime.DeepCopyJSON(object)
				for _, c := range shape.Normalize(tc.request, want, old) {
					cleared[c.Path[:strings.LastIndexByte(c.Path, '.')]] = true
				}
				got, _ := s.Update(t, object, old)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("package union and the policy differ (-union +policy):\n%s\nobject %s\nold %s", diff, text(object), text(old))
				}
				if again, changed := s.Update(t, got, old); changed {
					t.Fatalf("invoked again, the policy changes %s to %s", text(got), text(again))
				}
			}
			if len(cleared) < tc.unions {
				t.Errorf("members were cleared only in %v", cleared)
			}
		})
	}
}

func text(object any) string {
	out, err := json.Marshal(object)
	if err != nil {
		return fmt.Sprint(object)
	}
	return string(out)
}

// random returns a value of a shape: a list if it has keys, a map if it has values without a list's
// keys, else an object. keys are those of the item that it is.
func random(r *rand.Rand, s *union.Shape, keys map[string]any) any {
	object := map[string]any{}
	switch {
	case len(s.Keys) > 0:
		list := []any{}
		for _, n := range r.Perm(4)[:r.IntN(5)] {
			item := map[string]any{}
			for i, k := range s.Keys {
				item[k.Name] = keyOf(k, n>>i&1 == 1)
			}
			if len(s.Keys) == 1 {
				item[s.Keys[0].Name] = []any{keyOf(s.Keys[0], n&1 == 1), "union", "a/~b"}[min(n, 2)]
				if _, number := item[s.Keys[0].Name].(int64); number || s.Keys[0].Zero == nil {
					item[s.Keys[0].Name] = int64(n)
				}
				if n == 3 {
					continue
				}
			}
			elem := &union.Shape{}
			if s.Elem != nil {
				elem = s.Elem
			}
			list = append(list, random(r, &union.Shape{Also: append([]*union.Shape{elem}, shapesOf(s.Items)...)}, item))
		}
		return list
	case s.Elem != nil:
		for _, name := range []string{"k", "a/~b", "", "é"} {
			if r.IntN(3) > 0 {
				object[name] = random(r, s.Elem, nil)
			}
		}
		return object
	}
	fill(r, s, object)
	for k, v := range keys {
		object[k] = v
	}
	return object
}

func shapesOf(items []union.Item) (list []*union.Shape) {
	for _, i := range items {
		list = append(list, i.Shape)
	}
	return list
}

func keyOf(k union.Key, second bool) any {
	switch k.Zero.(type) {
	case string:
		return map[bool]any{false: "", true: "n/~"}[second]
	case bool:
		return second
	}
	return map[bool]any{false: int64(80), true: int64(8080)}[second]
}

// fill adds the fields of a shape to an object.
func fill(r *rand.Rand, s *union.Shape, object map[string]any) {
	for _, in := range append(append([]*union.Shape{}, s.Also...), s.Inlined...) {
		if in.Elem != nil || len(in.Keys) > 0 {
			continue
		}
		fill(r, in, object)
	}
	for _, u := range s.Unions {
		values := []any{nil, "", "Zed", "Zed", int64(1)}
		if u.Bool {
			values = []any{true, false}
		}
		for _, m := range u.Members {
			if !u.Bool {
				values = append(values, m.Value, m.Value, m.Value)
			}
			switch r.IntN(5) {
			case 0:
			case 1:
				object[m.Name] = nil
			default:
				object[m.Name] = []any{int64(r.IntN(2)), "", map[string]any{}, []any{}}[r.IntN(4)]
			}
		}
		for _, v := range u.Values {
			if !u.Bool {
				values = append(values, v.Value)
			}
		}
		if r.IntN(8) > 0 {
			object[u.Discriminator] = values[r.IntN(len(values))]
		}
	}
	for _, f := range s.Fields {
		switch r.IntN(9) {
		case 0:
			delete(object, f.Name)
		case 1:
			object[f.Name] = []any{nil, "text", int64(1)}[r.IntN(3)]
		default:
			object[f.Name] = random(r, f.Shape, nil)
		}
	}
}

// TestCost normalises a list that would exceed the cost limit if each item were compared with all old
// ones.
func TestCost(t *testing.T) {
	all := generated(t, rule.Projection{})
	s := policytest.NewMutating(t, all["unions.example.com_shapes_unions.yaml"][0])
	list := func(item map[string]any) map[string]any {
		items := make([]any, 2000)
		for i := range items {
			items[i] = map[string]any{"name": fmt.Sprint(i)}
			maps.Copy(items[i].(map[string]any), item)
		}
		return map[string]any{"spec": map[string]any{"items": items}}
	}
	got, _ := s.Update(t, list(map[string]any{"d": "B", "a": int64(1), "b": int64(1)}), list(map[string]any{"d": "A", "a": int64(1)}))
	if diff := cmp.Diff(list(map[string]any{"d": "B", "b": int64(1)}), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
