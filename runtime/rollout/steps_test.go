package rollout_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	. "github.com/kindsmith/kindsmith/runtime/rollout"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// choice is a kind with a union and a default.
type choice struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	defaulted bool
	request   *union.Request
	old       any
}

func (in *choice) DeepCopyObject() runtime.Object { out := *in; return &out }

func (in *choice) NormalizeUnions(r union.Request, old any) []union.Cleared {
	in.request, in.old = &r, old
	return []union.Cleared{{Path: "a"}}
}

func TestSteps(t *testing.T) {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(hubVersion.WithKind("Choice"), &choice{})
	scheme.AddTypeDefaultingFunc(&choice{}, func(obj any) { obj.(*choice).defaulted = true })
	for name, tc := range map[string]struct {
		disabled         func(*Gates)
		defaults, unions bool
		level            union.Level
		enforced         int
	}{
		"all gates":           {func(*Gates) {}, true, true, union.Beta, 3},
		"DeclarativeDefaults": {func(g *Gates) { g.DeclarativeDefaults = false }, false, true, union.Beta, 3},
		"APIUnions":           {func(g *Gates) { g.APIUnions = false }, true, false, "", 1},
		"Beta":                {func(g *Gates) { g.DeclarativeValidationBeta = false }, true, true, union.Stable, 3},
	} {
		gates := DefaultGates()
		tc.disabled(&gates)
		s := Strategy{Rollout: &Rollout{Gates: Fixed(gates), Log: discard}, Scheme: scheme, RetainSelected: true}
		obj, old := &choice{}, &choice{}
		s.Default(obj, old)
		cleared := s.Normalize(Request{Options: map[string]bool{"Fast": true}}, obj, old)
		if obj.defaulted != tc.defaults || old.defaulted != tc.defaults || len(cleared) == 1 != tc.unions || obj.request != nil != tc.unions {
			t.Errorf("%s: %+v, %v", name, obj, cleared)
		}
		if r := obj.request; r != nil && (r.Level != tc.level || !r.RetainSelected || !r.Options["Fast"] || obj.old != old) {
			t.Errorf("%s: %+v", name, r)
		}
		errs := run(t.Context(), gates, Config{}, nil, field.ErrorList{
			field.Invalid(nil, 1, "").WithOrigin("union"), field.Invalid(nil, 1, "").WithOrigin("zeroOrOneOf"), field.Invalid(nil, 1, "").WithOrigin("minimum"),
		})
		if len(errs) != tc.enforced {
			t.Errorf("%s: %v", name, errs)
		}
	}
	none := Strategy{}
	if cleared := none.Normalize(Request{}, &hub{}, &hub{}); cleared != nil {
		t.Errorf("a kind without unions: %v", cleared)
	}
}
