// Package olm writes what the Operator Lifecycle Manager needs to run the webhooks of a project: a patch of the project's
// ClusterServiceVersion with webhookdefinitions, the manager's Deployment, its permissions and the definitions.
//
// [Emitter] is called once for the run. Mistakes of users are diagnostics.
//
// OLM makes the Service and the certificates, and mounts these. It writes its authority into the definitions and
// makes the configurations of webhooks.
package olm

import (
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/deploy"
)

// Emitter returns the emitter.
func Emitter() *emit.Emitter {
	return &emit.Emitter{
		Name:    "olm",
		Part:    diag.OLM,
		Summary: "a component that adds the webhooks to a ClusterServiceVersion of the Operator Lifecycle Manager, if a folder is set",
		Folder:  emit.InOLM,
		Scope:   emit.PerRun,
		Check:   deploy.Check,
		Emit:    run,
	}
}

// patchFile patches the ClusterServiceVersion.
const patchFile = "clusterserviceversion_patch.yaml"

// allNamespaces says why a bundle with conversions has one install mode.
const allNamespaces = `# A conversion webhook serves all namespaces, so the operator must: OLM refuses conversions with any install mode
# but AllNamespaces. Operators that watch few namespaces cannot convert versions with OLM.
`

func run(c *emit.Context) ([]emit.File, error) {
	p, err := deploy.Of(c)
	if err != nil || p.Manager == nil {
		return nil, err
	}
	spec, err := specOf(p)
	if err != nil {
		return nil, err
	}
	version := deploy.Object{
		"apiVersion": "operators.coreos.com/v1alpha1", "kind": "ClusterServiceVersion", "metadata": deploy.Object{"name": "any"}, "spec": spec,
	}
	patch, err := emit.YAML(version)
	if err != nil {
		return nil, err
	}
	if p.Converts() {
		patch = slices.Concat([]byte("---\n"+allNamespaces), patch[len("---\n"):])
	}
	kustomization, err := emit.YAML(deploy.Object{
		"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component",
		"patches": []any{deploy.Object{"path": patchFile, "target": deploy.Object{"kind": "ClusterServiceVersion"}}},
	})
	if err != nil {
		return nil, err
	}
	return []emit.File{
		{Name: patchFile, Folder: emit.InOLM, Content: patch, Sources: p.Sources, Yields: true},
		{Name: "kustomization.yaml", Folder: emit.InOLM, Content: kustomization, Sources: p.Sources, Yields: true},
	}, nil
}

// specOf returns the fields of the ClusterServiceVersion.
func specOf(p *deploy.Plan) (deploy.Object, error) {
	additions := deploy.Additions{}
	if p.Runs() {
		additions = p.OLMAdditions()
	}
	deployment, err := p.Deployment(p.Namespace, additions)
	if err != nil {
		return nil, err
	}
	install := deploy.Object{"deployments": []any{deploy.Object{"name": p.Manager.Name(), "spec": deployment["spec"]}}}
	for key, rules := range permissions(p) {
		install[key] = []any{deploy.Object{"serviceAccountName": p.Manager.ServiceAccount(), "rules": rules}}
	}
	spec := deploy.Object{
		"install":                   deploy.Object{"strategy": "deployment", "spec": install},
		"customresourcedefinitions": deploy.Object{"owned": owned(p)},
	}
	if hooks := webhooks(p); len(hooks) > 0 {
		spec["webhookdefinitions"] = hooks
	}
	if p.Converts() {
		var modes []any
		for _, mode := range []string{"OwnNamespace", "SingleNamespace", "MultiNamespace", "AllNamespaces"} {
			modes = append(modes, deploy.Object{"type": mode, "supported": mode == "AllNamespaces"})
		}
		spec["installModes"] = modes
	}
	return spec, nil
}

// owned returns the kinds of the operator, in each served version.
func owned(p *deploy.Plan) []any {
	var list []any
	for _, d := range p.Definitions {
		for _, v := range d.CRD.Spec.Versions {
			if !v.Served {
				continue
			}
			entry := deploy.Object{"name": d.CRD.Name, "version": v.Name, "kind": d.CRD.Spec.Names.Kind, "displayName": d.CRD.Spec.Names.Kind}
			if s := v.Schema; s != nil && s.OpenAPIV3Schema != nil && s.OpenAPIV3Schema.Description != "" {
				entry["description"] = s.OpenAPIV3Schema.Description
			}
			list = append(list, entry)
		}
	}
	return list
}

// permissions returns the rules of the roles that are bound to the manager's service account, by the field for them.
func permissions(p *deploy.Plan) map[string][]any {
	objects := slices.Concat(p.Manager.Objects, p.Reading(p.Namespace))
	out := map[string][]any{}
	for _, o := range objects {
		field := map[any]string{"RoleBinding": "permissions", "ClusterRoleBinding": "clusterPermissions"}[o["kind"]]
		ref, _ := o["roleRef"].(deploy.Object)
		if field == "" || ref == nil || !binds(o, p.Manager.ServiceAccount()) {
			continue
		}
		for _, role := range objects {
			if role["kind"] == ref["kind"] && deploy.NameOf(role) == ref["name"] {
				rules, _ := role["rules"].([]any)
				out[field] = append(out[field], rules...)
			}
		}
	}
	return out
}

// binds reports whether a binding has a service account.
func binds(o deploy.Object, account string) bool {
	subjects, _ := o["subjects"].([]any)
	return slices.ContainsFunc(subjects, func(s any) bool {
		subject, _ := s.(deploy.Object)
		return subject["kind"] == "ServiceAccount" && subject["name"] == account
	})
}

// webhooks returns the webhookdefinitions.
func webhooks(p *deploy.Plan) []any {
	var list []any
	if m := p.Admission.Mutating; m != nil {
		for _, w := range m.Webhooks {
			hook := admission(p, "MutatingAdmissionWebhook", w.Name, w.ClientConfig, deploy.Object{
				"rules": w.Rules, "failurePolicy": w.FailurePolicy, "sideEffects": w.SideEffects, "admissionReviewVersions": w.AdmissionReviewVersions,
				"timeoutSeconds": w.TimeoutSeconds, "matchPolicy": w.MatchPolicy, "objectSelector": w.ObjectSelector, "reinvocationPolicy": w.ReinvocationPolicy,
			})
			list = append(list, hook)
		}
	}
	if v := p.Admission.Validating; v != nil {
		for _, w := range v.Webhooks {
			list = append(list, admission(p, "ValidatingAdmissionWebhook", w.Name, w.ClientConfig, deploy.Object{
				"rules": w.Rules, "failurePolicy": w.FailurePolicy, "sideEffects": w.SideEffects, "admissionReviewVersions": w.AdmissionReviewVersions,
				"timeoutSeconds": w.TimeoutSeconds, "matchPolicy": w.MatchPolicy, "objectSelector": w.ObjectSelector,
			}))
		}
	}
	// One webhook converts all kinds at one path.
	byPath := map[string][]any{}
	var paths []string
	for _, d := range p.Definitions {
		if !d.Converts() {
			continue
		}
		path := conversionPath(d.CRD)
		if byPath[path] == nil {
			paths = append(paths, path)
		}
		byPath[path] = append(byPath[path], d.CRD.Name)
	}
	for i, path := range paths {
		hook := hookOf(p, "ConversionWebhook", fmt.Sprintf("c%d.%s", i, p.Name), path)
		hook["conversionCRDs"], hook["admissionReviewVersions"], hook["sideEffects"] = byPath[path], []any{"v1"}, "None"
		list = append(list, hook)
	}
	return list
}

func conversionPath(crd *apiextensionsv1.CustomResourceDefinition) string {
	if w := crd.Spec.Conversion.Webhook; w != nil && w.ClientConfig != nil && w.ClientConfig.Service != nil && w.ClientConfig.Service.Path != nil {
		return *w.ClientConfig.Service.Path
	}
	return "/"
}

// hookOf returns a webhookdefinition.
func hookOf(p *deploy.Plan, kind, name, path string) deploy.Object {
	return deploy.Object{
		"type": kind, "generateName": name, "deploymentName": p.Manager.Name(), "containerPort": p.Port, "targetPort": deploy.ContainerPort, "webhookPath": path,
	}
}

// admission returns the webhookdefinition of an admission webhook, with the fields that are set.
func admission(p *deploy.Plan, kind, name string, client admissionv1.WebhookClientConfig, fields deploy.Object) deploy.Object {
	path := "/"
	if client.Service != nil && client.Service.Path != nil {
		path = *client.Service.Path
	}
	hook := hookOf(p, kind, name, path)
	for key, value := range fields {
		if !deploy.IsNil(value) {
			hook[key] = value
		}
	}
	return hook
}
