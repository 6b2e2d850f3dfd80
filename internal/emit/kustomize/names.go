package kustomize

import (
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/deploy"
)

// names is the file of a component that says where names are, so a namePrefix, a nameSuffix or a namespace of a kustomization
// reaches them. kustomize knows the other places itself.
const names = "names.yaml"

// The groups of kinds.
const (
	admission = "admissionregistration.k8s.io"
	rbac      = "rbac.authorization.k8s.io"
)

// field is a place of names in objects of a kind.
type field struct{ group, kind, path string }

var (
	arguments = field{"apps", "Deployment", "spec/template/spec/containers/args"}
	resources = field{rbac, "ClusterRole", "rules/resourceNames"}
)

// references are the places of names, by the kind that they name.
func references(source emit.CertificateSource) deploy.Object {
	var list []any
	add := func(group, kind string, fields ...field) {
		var specs []any
		for _, f := range fields {
			specs = append(specs, deploy.Object{"group": f.group, "kind": f.kind, "path": f.path})
		}
		of := deploy.Object{"kind": kind, "fieldSpecs": specs}
		if group == "" {
			of["version"] = "v1"
		} else {
			of["group"] = group
		}
		list = append(list, of)
	}
	services := []field{{"apiextensions.k8s.io", "CustomResourceDefinition", "spec/conversion/webhook/clientConfig/service"}}
	if source == emit.SelfManaged {
		services = append(services, arguments)
		add("", "Secret", arguments)
		for _, kind := range []string{"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"} {
			add(admission, kind, arguments, resources)
		}
	} else {
		add("cert-manager.io", "Issuer", field{"cert-manager.io", "Certificate", "spec/issuerRef/name"})
	}
	add("", "Service", services...)
	for _, kind := range []string{"MutatingAdmissionPolicy", "ValidatingAdmissionPolicy"} {
		add(admission, kind, field{admission, kind + "Binding", "spec/policyName"})
	}
	return deploy.Object{"nameReference": list}
}
