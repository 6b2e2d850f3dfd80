// Package policy writes MutatingAdmissionPolicies that normalise unions.
//
// [Emitter] is called for each kind. Mistakes of users are diagnostics with the codes of codes.go.
//
// For each kind with discriminated unions it writes one file with a policy and its binding, so that API
// servers clear the members that a changed discriminator does not select, without a webhook. Versions
// of a kind share a policy unless their JSON differs.
//
// Its tests run policies with the code of API servers, and compare them with runtime/union on random objects.
package policy

import (
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/rule/unions"
)

// Emitter returns the emitter.
func Emitter() *emit.Emitter {
	return &emit.Emitter{
		Name:    "policy",
		Part:    diag.Policies,
		Summary: "MutatingAdmissionPolicies that normalise discriminated unions, one file a kind",
		Folder:  emit.InPolicies,
		Owns:    func(name string) bool { return strings.HasSuffix(name, emit.PolicySuffix(about)) },
		Codes:   codes.All(),
		Scope:   emit.PerKind,
		Emit:    run,
	}
}

// about is what the policies are about, in the names of files and objects.
const about = "unions"

func run(c *emit.Context) ([]emit.File, error) {
	crd, err := c.CustomResourceDefinition(c.Kind)
	if crd == nil || err != nil {
		return nil, err
	}
	plans := unions.NewPlans(c.Rules, unions.Correlated)
	policies := emit.Policies[[]normalised]{Equal: func(a, b []normalised) bool { return slices.EqualFunc(a, b, normalised.equal) }}
	for _, v := range crd.Spec.Versions {
		i := slices.IndexFunc(c.Kind.Versions, func(k emit.KindVersion) bool { return k.Name == v.Name })
		if !v.Served || i < 0 {
			continue
		}
		w := &walk{context: c, plans: plans}
		w.object(c.Kind.Versions[i].Type)
		if len(w.found) > 0 {
			policies.Add(v.Name, resources(crd, v, w.found), w.found)
		}
	}
	return policies.Files(crd, about, func(p emit.Policy[[]normalised], name string) []any { return objects(p, name, crd.Spec.Group) })
}

// resources returns the resources of a version whose updates can change unions.
func resources(crd *apiextensionsv1.CustomResourceDefinition, v apiextensionsv1.CustomResourceDefinitionVersion, found []normalised) []string {
	plural := crd.Spec.Names.Plural
	if v.Subresources == nil || v.Subresources.Status == nil {
		return []string{plural}
	}
	var list []string
	for _, u := range found {
		resource := plural
		if u.status {
			resource += "/status"
		}
		if !slices.Contains(list, resource) {
			list = append(list, resource)
		}
	}
	slices.Sort(list)
	return list
}

// objects returns the policy and its binding.
func objects(p emit.Policy[[]normalised], name, group string) []any {
	// Every served version is listed, with the JSON names that it has.
	match := admissionv1.Exact
	// The rules of the definition reject what is not normalised, and an update without a changed
	// discriminator needs no policy.
	failure := admissionv1.Ignore
	// There are no match conditions: servers do not invoke a policy again, after other plugins have
	// changed the object, whose conditions were false before.
	policy := &admissionv1.MutatingAdmissionPolicy{
		TypeMeta:   metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "MutatingAdmissionPolicy"},
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: admissionv1.MutatingAdmissionPolicySpec{
			FailurePolicy: &failure, ReinvocationPolicy: admissionv1.IfNeededReinvocationPolicy,
			MatchConstraints: &admissionv1.MatchResources{MatchPolicy: &match, ResourceRules: []admissionv1.NamedRuleWithOperations{{
				RuleWithOperations: admissionv1.RuleWithOperations{
					Operations: []admissionv1.OperationType{admissionv1.Update},
					Rule:       admissionv1.Rule{APIGroups: []string{group}, APIVersions: p.Versions, Resources: p.Resources},
				},
			}}},
		},
	}
	for _, patches := range mutations(p.Content) {
		policy.Spec.Mutations = append(policy.Spec.Mutations, admissionv1.Mutation{
			PatchType: admissionv1.PatchTypeJSONPatch, JSONPatch: &admissionv1.JSONPatch{Expression: expr.Lines(patches)},
		})
	}
	return []any{policy, &admissionv1.MutatingAdmissionPolicyBinding{
		TypeMeta:   metav1.TypeMeta{APIVersion: policy.APIVersion, Kind: "MutatingAdmissionPolicyBinding"},
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       admissionv1.MutatingAdmissionPolicyBindingSpec{PolicyName: name},
	}}
}
