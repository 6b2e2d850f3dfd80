package deploy

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/kindsmith/kindsmith/internal/emit"
)

// Times of the server of webhooks: pods live longer than a server needs to drain and stop.
const (
	gracePeriod = 60
	replicas    = 2
)

// MemoryLimitName is the variable from which Go, and so the server of webhooks, knows how much memory it may take.
const MemoryLimitName = "GOMEMLIMIT"

// memoryShare is how much of its limit of memory, in percent, a container tells Go: under overload Go takes a little more than it
// is told.
const memoryShare = 80

// MemoryLimit returns what the container tells Go: "" if its manifest does, or if it has no limit of memory.
func (m *Manager) MemoryLimit() string {
	if slices.ContainsFunc(list(m.container()["env"]), func(variable any) bool { return at(variable, "name") == MemoryLimitName }) {
		return ""
	}
	limit, err := resource.ParseQuantity(fmt.Sprint(at(m.Resources(), "limits", "memory")))
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%dMiB", limit.Value()*memoryShare/100>>20)
}

// Patch returns what every Deployment of the manager needs to serve webhooks, as a strategic merge patch. Settings of
// the project's manifests stay if they are enough.
func (p *Plan) Patch() Object {
	m := p.Manager
	env := []any{Object{"name": "POD_NAMESPACE", "valueFrom": Object{"fieldRef": Object{"fieldPath": "metadata.namespace"}}}}
	if limit := m.MemoryLimit(); limit != "" {
		env = append(env, Object{"name": MemoryLimitName, "value": limit})
	}
	container := Object{
		"name":  m.ContainerName(),
		"ports": []any{Object{"name": portName, "containerPort": int64(ContainerPort), "protocol": "TCP"}},
		"env":   env,
	}
	for name, path := range map[string]string{"readinessProbe": "/readyz", "livenessProbe": "/healthz"} {
		if m.container()[name] == nil {
			container[name] = Object{"httpGet": Object{"path": path, "port": portName, "scheme": "HTTPS"}}
		}
	}
	pod := Object{"containers": []any{container}}
	if number(at(m.Deployment, "spec", "template", "spec", "terminationGracePeriodSeconds")) < gracePeriod {
		pod["terminationGracePeriodSeconds"] = int64(gracePeriod)
	}
	if at(m.Deployment, "spec", "template", "spec", "affinity", "podAntiAffinity") == nil {
		pod["affinity"] = Object{"podAntiAffinity": Object{"preferredDuringSchedulingIgnoredDuringExecution": []any{Object{
			"weight":          int64(100),
			"podAffinityTerm": Object{"topologyKey": "kubernetes.io/hostname", "labelSelector": Object{"matchLabels": m.Labels()}},
		}}}}
	}
	spec := Object{
		"strategy": Object{"type": "RollingUpdate", "rollingUpdate": Object{"maxUnavailable": int64(0), "maxSurge": int64(1)}},
		"template": Object{"spec": pod},
	}
	if number(at(m.Deployment, "spec", "replicas")) < replicas {
		spec["replicas"] = int64(replicas)
	}
	return Object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": Object{"name": m.Name()}, "spec": spec}
}

// PatchWith is Patch with the mounts and volumes of additions. Arguments are not a list that a strategic merge patch can
// add to.
func (p *Plan) PatchWith(additions Additions) Object {
	patch := p.Patch()
	pod := at(patch, "spec", "template", "spec").(Object)
	if len(additions.Volumes) > 0 {
		pod["volumes"] = additions.Volumes
		pod["containers"].([]any)[0].(Object)["volumeMounts"] = additions.Mounts
	}
	return patch
}

func number(value any) float64 {
	switch n := value.(type) {
	case int64:
		return float64(n)
	case float64:
		return n
	}
	return 0
}

// Additions is what a Deployment needs for a source of certificates: items of lists.
type Additions struct {
	// Args and Mounts are for the container, Volumes for the pod.
	Args, Mounts, Volumes []any
}

// Additions returns what the Deployment needs for a source of certificates.
func (p *Plan) Additions(source emit.CertificateSource) Additions {
	switch source {
	case emit.CertManager:
		a := p.OLMAdditions()
		a.Mounts = []any{Object{"name": volumeName, "mountPath": CertDir, "readOnly": true}}
		a.Volumes = []any{Object{"name": volumeName, "secret": Object{"secretName": p.secretName()}}}
		return a
	default:
		// Names are arguments of their own, where kustomize finds them.
		args := []any{"--webhook-ca-secret", p.AuthorityName(), "--webhook-service", p.Name}
		for _, kind := range []struct{ flag, kind string }{{"mutating", mutatingKind}, {"validating", validatingKind}} {
			for _, name := range p.configured(kind.kind) {
				args = append(args, fmt.Sprintf("--%s-webhook-configuration", kind.flag), name)
			}
		}
		return Additions{Args: args}
	}
}

// OLMAdditions returns what the Deployment needs if the Operator Lifecycle Manager mounts certificates.
func (p *Plan) OLMAdditions() Additions {
	return Additions{Args: []any{"--webhook-cert-path=" + CertDir}}
}

// Deployment returns the manager's Deployment with additions.
func (p *Plan) Deployment(namespace string, additions Additions) (Object, error) {
	patched, err := strategicpatch.StrategicMergeMapPatch(clone(p.Manager.Deployment), clone(p.Patch()), appsv1.Deployment{})
	if err != nil {
		return nil, fmt.Errorf("patch the Deployment of the manager: %w", err)
	}
	merged := Object(patched)
	pod := at(merged, "spec", "template", "spec").(Object)
	container := pod["containers"].([]any)[p.Manager.Container].(Object)
	for _, list := range []struct {
		in    Object
		name  string
		items []any
	}{{container, "args", additions.Args}, {container, "volumeMounts", additions.Mounts}, {pod, "volumes", additions.Volumes}} {
		if len(list.items) > 0 {
			existing, _ := list.in[list.name].([]any)
			list.in[list.name] = slices.Concat(existing, list.items)
		}
	}
	return p.In(namespace, merged), nil
}

// clone returns a copy that shares nothing.
func clone(o Object) Object {
	copied, _ := relocate(o, nil, "").(Object)
	return copied
}
