package policytest

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	registration "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// Mutating runs a MutatingAdmissionPolicy with the code of API servers.
type Mutating struct {
	patchers []patch.Patcher
	compiler *plugincel.CompositedCompiler
}

// NewMutating compiles a policy.
func NewMutating(t *testing.T, p *registration.MutatingAdmissionPolicy) *Mutating {
	t.Helper()
	// The first version that serves the API.
	compiler, err := plugincel.NewCompositedCompiler(environment.MustBaseEnvSet(version.MajorMinor(1, 36)))
	if err != nil {
		t.Fatal(err)
	}
	s := &Mutating{compiler: compiler}
	options := plugincel.OptionalVariableDeclarations{HasAuthorizer: true, HasPatchTypes: true}
	for _, m := range p.Spec.Mutations {
		e := compiler.CompileMutatingEvaluator(&patch.JSONPatchCondition{Expression: m.JSONPatch.Expression}, options, environment.NewExpressions)
		if errs := e.CompilationErrors(); len(errs) > 0 {
			t.Fatalf("%s\n%v", m.JSONPatch.Expression, errs)
		}
		s.patchers = append(s.patchers, patch.NewJSONPatcher(e))
	}
	return s
}

// Update returns what an object of an update is after the policy, and whether it has changed.
func (s *Mutating) Update(t *testing.T, object, old map[string]any) (map[string]any, bool) {
	t.Helper()
	gvk := schema.GroupVersionKind{Group: "unions.example.com", Version: "v1", Kind: "Kind"}
	as := func(o map[string]any) *unstructured.Unstructured {
		u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(o)}
		u.SetGroupVersionKind(gvk)
		return u
	}
	now, before := as(object), as(old)
	attributes := &admission.VersionedAttributes{
		VersionedKind: gvk,
		Attributes:    admission.NewAttributesRecord(now, before, gvk, "", "name", schema.GroupVersionResource{}, "", admission.Update, nil, false, nil),
	}
	attributes.VersionedObject.Set(now)
	attributes.VersionedOldObject.Set(before)
	ctx := s.compiler.CreateContext(context.Background())
	for _, p := range s.patchers {
		out, err := p.Patch(ctx, patch.Request{
			VersionedAttributes: attributes,
			ObjectInterfaces:    objects{},
			OptionalVariables:   plugincel.OptionalVariableBindings{},
		}, celconfig.RuntimeCELCostBudget)
		if err != nil {
			t.Fatal(err)
		}
		attributes.UpdateObject(out)
	}
	out := attributes.VersionedObject.Object().(*unstructured.Unstructured).Object
	delete(out, "apiVersion")
	delete(out, "kind")
	return out, !cmp.Equal(out, object)
}

// objects are those of custom resources.
type objects struct{ admission.ObjectInterfaces }

func (objects) GetObjectCreater() runtime.ObjectCreater {
	return unstructuredscheme.NewUnstructuredCreator()
}

func (objects) GetObjectTyper() runtime.ObjectTyper {
	return unstructuredscheme.NewUnstructuredObjectTyper()
}
