// Package rules writes ValidatingAdmissionPolicies with the rules of kinds, to try rules before API servers enforce them.
//
// [Emitter] is called for each kind. Mistakes of users are diagnostics with the codes of codes.go.
//
// If a project sets actions of policies, definitions have no rules, and each kind has one file with a policy and its
// binding. With the action Warn, clients see what the rules would refuse. As in definitions, unchanged values of
// updates are accepted.
//
// The rules are those of the complete definition: keywords of schemas and expressions.
package rules

import (
	"reflect"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
)

// about is what the policies are about, in the names of files and objects.
const about = "rules"

// Emitter returns the emitter.
func Emitter() *emit.Emitter {
	return &emit.Emitter{
		Name:    "rules",
		Part:    diag.RulePolicies,
		Summary: "ValidatingAdmissionPolicies with the rules of kinds, instead of in definitions, if actions of policies are set",
		Folder:  emit.InPolicies,
		Owns:    func(name string) bool { return strings.HasSuffix(name, emit.PolicySuffix(about)) },
		Codes:   codes.All(),
		Scope:   emit.PerKind,
		Check:   check,
		Emit:    run,
	}
}

// check reports actions that exclude each other.
func check(c *emit.Context) {
	actions := c.Options.PolicyActions
	warn, deny := slices.Index(actions, string(admissionv1.Warn)), slices.Index(actions, string(admissionv1.Deny))
	if warn < 0 || deny < 0 {
		return
	}
	const key = "generate.policyActions"
	d := c.Diags.Errorf(c.Options.Settings.At(key, max(warn, deny)), codeActions, "policyActions has both Warn and Deny; remove one")
	if place := c.Options.Settings.At(key, min(warn, deny)); !place.IsZero() {
		d.Note(place, "the other action is here")
	}
}

func run(c *emit.Context) ([]emit.File, error) {
	if len(c.Options.PolicyActions) == 0 {
		return nil, nil
	}
	crd, err := c.CompleteDefinition(c.Kind)
	if crd == nil || err != nil {
		return nil, err
	}
	policies := emit.Policies[[]admissionv1.Validation]{Equal: func(a, b []admissionv1.Validation) bool { return reflect.DeepEqual(a, b) }}
	for _, v := range crd.Spec.Versions {
		if !v.Served || v.Schema == nil {
			continue
		}
		w := &walk{}
		w.visit(v.Schema.OpenAPIV3Schema, root)
		for _, gap := range w.gaps {
			c.Diags.Warnf(c.Kind.Lead().Type.Span, codeNoCEL, "the policy of %s lacks a rule on %s in %s: %s", c.Kind.Name, gap.at, v.Name, gap.reason)
		}
		if len(w.found) > 0 {
			policies.Add(v.Name, resources(crd, v), w.found)
		}
	}
	return policies.Files(crd, about, func(p emit.Policy[[]admissionv1.Validation], name string) []any {
		return objects(p, name, crd.Spec.Group, c.Options.PolicyActions)
	})
}

// resources returns the resources that requests write.
func resources(crd *apiextensionsv1.CustomResourceDefinition, v apiextensionsv1.CustomResourceDefinitionVersion) []string {
	list := []string{crd.Spec.Names.Plural}
	if v.Subresources != nil && v.Subresources.Status != nil {
		list = append(list, crd.Spec.Names.Plural+"/status")
	}
	return list
}

// objects returns the policy and its binding.
func objects(p emit.Policy[[]admissionv1.Validation], name, group string, actions []string) []any {
	meta := func(kind string) (metav1.TypeMeta, metav1.ObjectMeta) {
		return metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: kind}, metav1.ObjectMeta{Name: name}
	}
	failure := admissionv1.Ignore
	binding := &admissionv1.ValidatingAdmissionPolicyBinding{Spec: admissionv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: name}}
	binding.TypeMeta, binding.ObjectMeta = meta("ValidatingAdmissionPolicyBinding")
	for _, action := range actions {
		binding.Spec.ValidationActions = append(binding.Spec.ValidationActions, admissionv1.ValidationAction(action))
		if admissionv1.ValidationAction(action) == admissionv1.Deny {
			failure = admissionv1.Fail
		}
	}
	spec := admissionv1.ValidatingAdmissionPolicySpec{
		FailurePolicy: &failure, Validations: p.Content,
		MatchConstraints: &admissionv1.MatchResources{
			MatchPolicy: new(admissionv1.Exact), // each version has its own names
			ResourceRules: []admissionv1.NamedRuleWithOperations{{RuleWithOperations: admissionv1.RuleWithOperations{
				Operations: []admissionv1.OperationType{admissionv1.Create, admissionv1.Update},
				Rule:       admissionv1.Rule{APIGroups: []string{group}, APIVersions: p.Versions, Resources: p.Resources},
			}}},
		},
	}
	typeMeta, objectMeta := meta("ValidatingAdmissionPolicy")
	// JSON has an empty status of the type.
	return []any{struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
		Spec              any `json:"spec"`
	}{typeMeta, objectMeta, spec}, binding}
}
