// Package policytest runs generated admission policies with the code of API servers.
//
// [Parse] reads a policy, and [New] compiles it: a [Policy] answers requests.
package policytest

import (
	"bytes"
	"context"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	registration "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"sigs.k8s.io/yaml"
)

// Parse reads the policy that a file begins with.
func Parse(t *testing.T, content []byte) *registration.ValidatingAdmissionPolicy {
	t.Helper()
	p := &registration.ValidatingAdmissionPolicy{}
	if err := yaml.UnmarshalStrict(bytes.SplitN(content, []byte("\n---\n"), 2)[0], p); err != nil {
		t.Fatal(err)
	}
	return p
}

// Policy evaluates a ValidatingAdmissionPolicy with the code of API servers.
type Policy struct {
	messages  []string
	evaluator plugincel.ConditionEvaluator
}

// New compiles a policy like the first version that serves such policies, 1.30.
func New(t *testing.T, p *registration.ValidatingAdmissionPolicy) *Policy {
	t.Helper()
	return NewAt(t, p, 30)
}

// NewAt compiles a policy like version 1.minor.
func NewAt(t *testing.T, p *registration.ValidatingAdmissionPolicy, minor uint) *Policy {
	t.Helper()
	out := &Policy{}
	var conditions []plugincel.ExpressionAccessor
	for _, v := range p.Spec.Validations {
		out.messages = append(out.messages, v.Message)
		conditions = append(conditions, &validating.ValidationCondition{Expression: v.Expression, Message: v.Message})
	}
	compiler := plugincel.NewConditionCompiler(environment.MustBaseEnvSet(version.MajorMinor(1, minor)))
	out.evaluator = compiler.CompileCondition(conditions, plugincel.OptionalVariableDeclarations{}, environment.NewExpressions)
	if errs := out.evaluator.CompilationErrors(); len(errs) > 0 {
		t.Fatal(errs)
	}
	return out
}

// Failures returns the messages, with errors of expressions, for a create, if there is no old object, or an update.
func (p *Policy) Failures(t *testing.T, object, old string) []string {
	t.Helper()
	gvk := schema.GroupVersionKind{Group: "policy.example.com", Version: "v1", Kind: "Any"}
	parse := func(text string) *unstructured.Unstructured {
		u := &unstructured.Unstructured{}
		if err := utiljson.Unmarshal([]byte(text), &u.Object); err != nil { // integers are integers
			t.Fatal(err)
		}
		u.SetGroupVersionKind(gvk)
		return u
	}
	attributes := &admission.VersionedAttributes{VersionedKind: gvk}
	now := parse(object)
	attributes.VersionedObject.Set(now)
	operation := admission.Create
	var before *unstructured.Unstructured
	if old != "" {
		operation, before = admission.Update, parse(old)
		attributes.VersionedOldObject.Set(before)
	}
	attributes.Attributes = admission.NewAttributesRecord(now, before, gvk, "", "name", schema.GroupVersionResource{}, "", operation, nil, false, nil)
	results, _, err := p.evaluator.ForInput(context.Background(), attributes, &admissionv1.AdmissionRequest{}, plugincel.OptionalVariableBindings{}, nil, celconfig.RuntimeCELCostBudget)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for i, r := range results {
		switch {
		case r.Error != nil:
			list = append(list, p.messages[i]+": "+r.Error.Error())
		case r.EvalResult.Value() != true:
			list = append(list, p.messages[i])
		}
	}
	return list
}
