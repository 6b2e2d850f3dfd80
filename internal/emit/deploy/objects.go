package deploy

import (
	"github.com/kindsmith/kindsmith/internal/emit"
)

// portName is the name of the webhooks' port, ContainerPort its number in the container.
const (
	portName      = "webhook-server"
	ContainerPort = 9443
	// CertDir is where certificates of others are mounted; it is that of controller-runtime.
	CertDir    = "/tmp/k8s-webhook-server/serving-certs"
	volumeName = "webhook-serving-certs"
)

// object returns an object. It is in a namespace unless that is "".
func object(apiVersion, kind, namespace, name string, fields Object) Object {
	meta := Object{"name": name}
	if namespace != "" {
		meta["namespace"] = namespace
	}
	o := Object{"apiVersion": apiVersion, "kind": kind, "metadata": meta}
	for key, value := range fields {
		o[key] = value
	}
	return o
}

// Service returns the Service of the webhooks.
func (p *Plan) Service(namespace string) Object {
	return object("v1", "Service", namespace, p.Name, Object{"spec": Object{
		"selector": p.Manager.Labels(),
		"ports":    []any{Object{"name": portName, "port": int64(p.Port), "targetPort": portName, "protocol": "TCP"}},
	}})
}

// Disruption returns the budget that keeps one replica during maintenance of nodes.
func (p *Plan) Disruption(namespace string) Object {
	return object("policy/v1", "PodDisruptionBudget", namespace, p.Name, Object{"spec": Object{
		"minAvailable": int64(1), "selector": Object{"matchLabels": p.Manager.Labels()},
	}})
}

// AuthorityName is the name of the Secret of the authority.
func (p *Plan) AuthorityName() string { return p.Name + "-ca" }
func (p *Plan) secretName() string    { return p.Name + "-cert" }

// CertificateName returns the cert-manager Certificate of the webhooks as namespace/name.
func (p *Plan) CertificateName(namespace string) string { return namespace + "/" + p.Name }

// converted returns the names of definitions with a conversion webhook.
func (p *Plan) converted() []any {
	var names []any
	for _, d := range p.Definitions {
		if d.Converts() {
			names = append(names, d.CRD.Name)
		}
	}
	return names
}

// configured returns the names of the webhook configurations of a kind.
func (p *Plan) configured(kind string) []any {
	var names []any
	for _, o := range p.Webhooks {
		if kindOf(o) == kind {
			names = append(names, NameOf(o))
		}
	}
	return names
}

// Configurations of webhooks.
const (
	mutatingKind   = "MutatingWebhookConfiguration"
	validatingKind = "ValidatingWebhookConfiguration"
)

// Reading returns the permissions that a server needs to find out whether API servers can use it.
func (p *Plan) Reading(namespace string) []Object {
	if !p.Converts() {
		return nil
	}
	name := p.Name + "-reader"
	return p.clusterRole(namespace, name, []any{Object{
		"apiGroups": []any{"apiextensions.k8s.io"}, "resources": []any{"customresourcedefinitions"}, "resourceNames": p.converted(), "verbs": []any{"get"},
	}})
}

// clusterRole returns a ClusterRole that the manager has.
func (p *Plan) clusterRole(namespace, name string, rules []any) []Object {
	return []Object{
		object("rbac.authorization.k8s.io/v1", "ClusterRole", "", name, Object{"rules": rules}),
		object("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "", name, p.binding(namespace, "ClusterRole", name)),
	}
}

// binding returns the fields of a binding to the manager's service account.
func (p *Plan) binding(namespace, kind, name string) Object {
	return Object{
		"roleRef":  Object{"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": name},
		"subjects": []any{Object{"kind": "ServiceAccount", "namespace": namespace, "name": p.Manager.ServiceAccount()}},
	}
}

// Authority returns the objects of a source of certificates.
func (p *Plan) Authority(source emit.CertificateSource, namespace string) []Object {
	if source == emit.CertManager {
		return p.certManager(namespace)
	}
	return p.selfManaged(namespace)
}

// selfManaged returns the Secret of the authority, which is empty, and what the server may do.
func (p *Plan) selfManaged(namespace string) []Object {
	name := p.AuthorityName()
	list := []Object{
		object("v1", "Secret", namespace, name, Object{"type": "Opaque"}),
		object("rbac.authorization.k8s.io/v1", "Role", namespace, name, Object{"rules": []any{
			Object{"apiGroups": []any{""}, "resources": []any{"secrets"}, "resourceNames": []any{name}, "verbs": []any{"get", "patch"}},
			Object{"apiGroups": []any{""}, "resources": []any{"secrets"}, "verbs": []any{"create"}},
		}}),
		object("rbac.authorization.k8s.io/v1", "RoleBinding", namespace, name, p.binding(namespace, "Role", name)),
	}
	var rules []any
	for _, r := range []struct {
		group, resource string
		names           []any
	}{
		{"apiextensions.k8s.io", "customresourcedefinitions", p.converted()},
		{"admissionregistration.k8s.io", "mutatingwebhookconfigurations", p.configured(mutatingKind)},
		{"admissionregistration.k8s.io", "validatingwebhookconfigurations", p.configured(validatingKind)},
	} {
		if len(r.names) > 0 {
			rules = append(rules, Object{"apiGroups": []any{r.group}, "resources": []any{r.resource}, "resourceNames": r.names, "verbs": []any{"get", "patch"}})
		}
	}
	return append(list, p.clusterRole(namespace, name, rules)...)
}

// certManager returns an authority with a stable key, and the certificate that it issues. API servers trust the
// authority, so that a renewed certificate changes no definition.
func (p *Plan) certManager(namespace string) []Object {
	const version = "cert-manager.io/v1"
	first := p.Name + "-selfsigned"
	return []Object{
		object(version, "Issuer", namespace, first, Object{"spec": Object{"selfSigned": Object{}}}),
		object(version, "Certificate", namespace, p.AuthorityName(), Object{"spec": Object{
			"isCA": true, "commonName": p.AuthorityName(), "secretName": p.AuthorityName(), "duration": "43800h",
			"privateKey": Object{"algorithm": "ECDSA", "size": int64(256), "rotationPolicy": "Never"},
			"issuerRef":  Object{"kind": "Issuer", "name": first},
		}}),
		object(version, "Issuer", namespace, p.AuthorityName(), Object{"spec": Object{"ca": Object{"secretName": p.AuthorityName()}}}),
		object(version, "Certificate", namespace, p.Name, Object{"spec": Object{
			"secretName": p.secretName(),
			"dnsNames":   []any{p.Name + "." + namespace + ".svc", p.Name + "." + namespace + ".svc.cluster.local"},
			"privateKey": Object{"algorithm": "ECDSA", "size": int64(256), "rotationPolicy": "Always"},
			"issuerRef":  Object{"kind": "Issuer", "name": p.AuthorityName()},
		}}),
	}
}

// Injected reports whether cert-manager writes the authority into an object.
func (p *Plan) Injected(o Object) bool {
	switch kindOf(o) {
	case mutatingKind, validatingKind:
		return true
	case "CustomResourceDefinition":
		return at(o, "spec", "conversion", "strategy") == "Webhook"
	}
	return false
}
