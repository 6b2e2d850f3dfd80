// Package deprecated writes ValidatingAdmissionPolicies that warn of deprecated fields.
//
// [Emitter] is called for each kind. Mistakes of users are diagnostics.
//
// A field is deprecated in a version if its doc comment has a paragraph "Deprecated: …" there. For each kind with
// such fields there is one file with a policy and its binding. The policy warns clients, and adds an annotation
// to audit events, if a request sets or changes such a field. It refuses nothing.
//
// API servers put the name of the policy before the message, so messages begin with the field.
package deprecated

import (
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
)

// Emitter returns the emitter.
func Emitter() *emit.Emitter {
	return &emit.Emitter{
		Name:    "deprecated",
		Part:    diag.Deprecations,
		Summary: "ValidatingAdmissionPolicies that warn of deprecated fields, one file a kind",
		Folder:  emit.InPolicies,
		Owns:    func(name string) bool { return strings.HasSuffix(name, suffix) },
		Scope:   emit.PerKind,
		Emit:    run,
	}
}

// policy is the policy of versions of a kind with the same deprecated fields.
type policy struct {
	versions []string
	fields   []field
}

// suffix ends the names of the files.
const suffix = "_deprecated.yaml"

func run(c *emit.Context) ([]emit.File, error) {
	crd, err := c.CustomResourceDefinition(c.Kind)
	if crd == nil || err != nil {
		return nil, err
	}
	var policies []policy
	for _, v := range crd.Spec.Versions {
		i := slices.IndexFunc(c.Kind.Versions, func(k emit.KindVersion) bool { return k.Name == v.Name })
		if !v.Served || i < 0 || v.Schema == nil {
			continue
		}
		found := fieldsOf(c.Model, c.Kind.Versions[i].Type, v)
		same := slices.IndexFunc(policies, func(p policy) bool { return slices.EqualFunc(p.fields, found, field.equal) })
		switch {
		case len(found) == 0:
		case same >= 0:
			policies[same].versions = append(policies[same].versions, v.Name)
		default:
			policies = append(policies, policy{[]string{v.Name}, found})
		}
	}
	if len(policies) == 0 {
		return nil, nil
	}
	var objects []any
	for i, p := range policies {
		name := crd.Spec.Names.Plural + "-deprecated"
		if i > 0 {
			name += "-" + p.versions[0]
		}
		objects = append(objects, p.objects(name+"."+crd.Spec.Group, crd)...)
	}
	content, err := emit.YAML(objects...)
	return []emit.File{{Name: crd.Spec.Group + "_" + crd.Spec.Names.Plural + suffix, Folder: emit.InPolicies, Content: content}}, err
}

// objects returns the policy and its binding.
func (p *policy) objects(name string, crd *apiextensionsv1.CustomResourceDefinition) []any {
	meta := func(kind string) (metav1.TypeMeta, metav1.ObjectMeta) {
		return metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: kind}, metav1.ObjectMeta{Name: name}
	}
	policy, binding := &admissionv1.ValidatingAdmissionPolicy{}, &admissionv1.ValidatingAdmissionPolicyBinding{}
	policy.TypeMeta, policy.ObjectMeta = meta("ValidatingAdmissionPolicy")
	policy.Spec = admissionv1.ValidatingAdmissionPolicySpec{
		FailurePolicy: new(admissionv1.Ignore), // a warning is not worth a refused request
		MatchConstraints: &admissionv1.MatchResources{
			// A version is listed if its fields are deprecated; objects of others are not converted for the policy.
			MatchPolicy: new(admissionv1.Exact),
			ResourceRules: []admissionv1.NamedRuleWithOperations{{RuleWithOperations: admissionv1.RuleWithOperations{
				Operations: []admissionv1.OperationType{admissionv1.Create, admissionv1.Update},
				Rule:       admissionv1.Rule{APIGroups: []string{crd.Spec.Group}, APIVersions: p.versions, Resources: []string{crd.Spec.Names.Plural}},
			}}},
		},
	}
	for _, f := range p.fields {
		policy.Spec.Validations = append(policy.Spec.Validations, admissionv1.Validation{Expression: f.expression(), Message: f.message()})
	}
	binding.TypeMeta, binding.ObjectMeta = meta("ValidatingAdmissionPolicyBinding")
	binding.Spec = admissionv1.ValidatingAdmissionPolicyBindingSpec{
		PolicyName: name, ValidationActions: []admissionv1.ValidationAction{admissionv1.Warn, admissionv1.Audit},
	}
	// JSON has an empty status of the type.
	return []any{struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
		Spec              any `json:"spec"`
	}{policy.TypeMeta, policy.ObjectMeta, policy.Spec}, binding}
}

// oneLine returns a text without line breaks, which messages of policies must not have.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
