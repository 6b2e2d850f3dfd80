package emit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
)

// api returns a model with two groups, one of them versioned, and with packages for which emitters
// are not called.
func api() *model.Model {
	kinds := func(names ...string) (types []*model.Type) {
		for _, name := range names {
			types = append(types, &model.Type{Name: name, Kind: &model.Kind{List: strings.HasSuffix(name, "List")}})
		}
		return append(types, &model.Type{Name: "Spec"})
	}
	return &model.Model{Packages: []*model.Package{
		{Path: "m/dep/v1", Name: "v1", Version: "v1", Group: "dep", Types: kinds("Dep")},
		{Path: "m/plain", Name: "plain", Root: true, Types: kinds()},
		{Path: "m/shop/v1", Name: "v1", Version: "v1", Group: "shop", Root: true, Types: kinds("Item", "Order", "OrderList")},
		{Path: "m/shop/v1beta1", Name: "v1beta1", Version: "v1beta1", Group: "shop", Root: true, Generated: true, Hub: "m/shop/v2", Types: kinds("Order")},
		{
			Path: "m/shop/v2", Name: "v2", Version: "v2", Group: "shop", Root: true, Types: kinds("Order"),
			Versions: []*model.Version{{Name: "v1beta1"}, {Name: "v2", Storage: true}},
		},
		{
			Path: "m/units", Name: "units", Version: "v1alpha1", Group: "units", Root: true, Types: kinds("Unit"),
		},
	}}
}

func TestScopes(t *testing.T) {
	for name, test := range map[string]struct {
		scope emit.Scope
		want  []string
	}{
		"package": {emit.PerPackage, []string{"m/plain", "m/shop/v1", "m/shop/v1beta1", "m/shop/v2", "m/units"}},
		"kind": {emit.PerKind, []string{
			"m/shop/v2: Order of shop in v2, v1, v1beta1; v2 is declared, v1beta1 is declared",
			"m/shop/v1: Item of shop in v1",
			"m/units: Unit of units in v1alpha1",
		}},
		"group": {emit.PerGroup, []string{
			"m/shop/v2: shop in v2, v1, v1beta1",
			"m/units: units in v1alpha1",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var got, checked []string
			e := &emit.Emitter{
				Scope: test.scope,
				Check: func(c *emit.Context) { checked = append(checked, c.Package.Path) },
				Emit: func(c *emit.Context) ([]emit.File, error) {
					return []emit.File{{Name: describe(c)}}, nil
				},
			}
			err := e.Run(emit.Context{Model: api(), Diags: &diag.Bag{}}, nil, func(_ *emit.Context, f emit.File) { got = append(got, f.Name) })
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if want := []string{"m/plain", "m/shop/v1", "m/shop/v1beta1", "m/shop/v2", "m/units"}; !cmp.Equal(want, checked) {
				t.Errorf("checked %v, want %v", checked, want)
			}
		})
	}
}

// describe returns the unit of a context.
func describe(c *emit.Context) string {
	var versions, declared []string
	switch {
	case c.Kind != nil:
		for _, v := range c.Kind.Versions {
			versions = append(versions, v.Name)
			if c.Kind.Declared(v.Name) != nil {
				declared = append(declared, v.Name+" is declared")
			}
		}
		text := fmt.Sprintf("%s: %s of %s in %s", c.Package.Path, c.Kind.Name, c.Kind.Group, strings.Join(versions, ", "))
		if len(declared) > 0 {
			text += "; " + strings.Join(declared, ", ")
		}
		return text
	case c.Group != nil:
		for _, p := range c.Group.Packages {
			versions = append(versions, emit.VersionName(p))
		}
		return fmt.Sprintf("%s: %s in %s", c.Package.Path, c.Group.Name, strings.Join(versions, ", "))
	}
	return c.Package.Path
}

// Unwanted packages are neither checked nor written, and a bug has its position.
func TestRun(t *testing.T) {
	bug := errors.New("bug")
	e := &emit.Emitter{
		Name:  "fails",
		Check: func(c *emit.Context) { t.Errorf("%s is checked", c.Package.Path) },
		Emit:  func(*emit.Context) ([]emit.File, error) { return nil, bug },
	}
	none := func(*emit.Context) bool { return false }
	write := func(_ *emit.Context, f emit.File) { t.Errorf("%s is written", f.Name) }
	if err := e.Run(emit.Context{Model: api()}, none, write); err != nil {
		t.Errorf("what is not wanted fails: %v", err)
	}
	e.Check = nil
	if err := e.Run(emit.Context{Model: api(), Diags: &diag.Bag{}}, nil, write); !errors.Is(err, bug) || err.Error() != "fails for m/plain: bug" {
		t.Errorf("got %v", err)
	}
}
