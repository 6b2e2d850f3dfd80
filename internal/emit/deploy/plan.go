// Package deploy plans the objects that a cluster needs to run the webhooks of a project: definitions, configurations of
// webhooks, the manager's Deployment, certificates and permissions.
//
// [Of] returns the [Plan], and [Admission] the configurations of webhooks. Mistakes in the settings are diagnostics with the
// codes of [Codes].
//
// The plan is made once, from the kinds of a run and the manifests of the project's manager. Package emit/kustomize,
// emit/chart and emit/olm print it.
package deploy

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
)

// Object is an API object as JSON.
type Object = map[string]any

// Definition is a CustomResourceDefinition.
type Definition struct {
	// File is the name of its file.
	File string
	// Object is the definition, CRD the same as a Go type.
	Object Object
	CRD    *apiextensionsv1.CustomResourceDefinition
}

// Converts reports whether a webhook converts the versions of the kind.
func (d *Definition) Converts() bool {
	return d.CRD.Spec.Conversion != nil && d.CRD.Spec.Conversion.Strategy == apiextensionsv1.WebhookConverter
}

// Plan is what a cluster needs.
type Plan struct {
	// Namespace and Name are those of the Service of the webhooks. The names of other objects begin with Name.
	Namespace, Name string
	// Port is the port of the Service.
	Port int32
	// Definitions are those of all kinds, Webhooks the configurations of their admission webhooks.
	Definitions []*Definition
	Webhooks    []Object
	// Policies are admission policies with their bindings, PolicyFiles the names of their files.
	Policies    []Object
	PolicyFiles []string
	// Admission has the webhooks as Go types.
	Admission *Configurations
	// Manager are the manifests of the project; nil if these have mistakes.
	Manager *Manager
	// Certificates are where serving certificates can be from.
	Certificates []emit.CertificateSource
	// Sources are the import paths of the packages of the kinds.
	Sources []string
}

// Of returns the plan of a run.
func Of(c *emit.Context) (*Plan, error) {
	admission, err := Admission(c)
	if err != nil {
		return nil, err
	}
	p := &Plan{Namespace: serviceNamespace, Name: serviceName, Port: 443, Admission: admission, Certificates: c.Options.Deploy.Certificates}
	if w := c.Options.CRDs.Conversion; w != nil {
		p.Namespace, p.Name, p.Port = w.Namespace, w.Name, w.Port
	}
	for _, object := range admission.objects() {
		o, err := objectOf(object)
		if err != nil {
			return nil, err
		}
		p.Webhooks = append(p.Webhooks, o)
	}
	for _, k := range emit.Kinds(c.Model) {
		if err := p.define(c, k); err != nil {
			return nil, err
		}
	}
	if c.Options.Policies != nil {
		if err := p.readPolicies(c.Options.Policies); err != nil {
			return nil, err
		}
	}
	slices.Sort(p.Sources)
	p.Manager = readManager(c, &diag.Bag{}) // Check reports mistakes
	return p, nil
}

// define adds the definition of a kind.
func (p *Plan) define(c *emit.Context, k *emit.Kind) error {
	crd, err := c.CustomResourceDefinition(k)
	if crd == nil || err != nil {
		return err
	}
	text, err := c.Options.Definition(k.Group, k.Name)
	if err != nil {
		return err
	}
	d := &Definition{File: crd.Spec.Group + "_" + crd.Spec.Names.Plural + ".yaml", CRD: crd}
	if err := yaml.Unmarshal(text, &d.Object); err != nil {
		return fmt.Errorf("read the definition of %s: %w", k.Name, err)
	}
	p.Definitions = append(p.Definitions, d)
	p.Sources = appendSources(p.Sources, k)
	return nil
}

// readPolicies adds the objects of policies.
func (p *Plan) readPolicies(read func() ([]emit.File, error)) error {
	files, err := read()
	if err != nil {
		return err
	}
	for _, f := range files {
		p.PolicyFiles = append(p.PolicyFiles, f.Name)
		for doc := range splitDocuments(f.Content) {
			var o Object
			if err := yaml.Unmarshal([]byte(doc), &o); err != nil {
				return fmt.Errorf("read %s: %w", f.Name, err)
			}
			if len(o) > 0 {
				p.Policies = append(p.Policies, o)
			}
		}
	}
	slices.Sort(p.PolicyFiles)
	return nil
}

// objectOf returns an API object as JSON.
func objectOf(object any) (Object, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("write %T: %w", object, err)
	}
	var o Object
	err = json.Unmarshal(text, &o)
	return o, err
}

// Runs reports whether the project has webhooks.
func (p *Plan) Runs() bool { return len(p.Webhooks) > 0 || p.Converts() }

// Converts reports whether the project has a conversion webhook.
func (p *Plan) Converts() bool { return slices.ContainsFunc(p.Definitions, (*Definition).Converts) }

// HasCertificates reports whether certificates can be from a source.
func (p *Plan) HasCertificates(s emit.CertificateSource) bool {
	return slices.Contains(p.Certificates, s)
}

// In returns a copy of an object of the project for another namespace: references to the namespaces of the project's
// webhooks and manager refer to the other one.
func (p *Plan) In(namespace string, o Object) Object {
	from := []string{p.Namespace}
	if p.Manager != nil && p.Manager.Namespace != "" {
		from = append(from, p.Manager.Namespace)
	}
	var moved Object
	if kindOf(o) == "CustomResourceDefinition" { // its schema may have such texts, too
		moved = maps.Clone(o)
		spec := maps.Clone(at(o, "spec").(Object))
		if spec["conversion"] != nil {
			spec["conversion"] = relocate(spec["conversion"], from, namespace)
		}
		moved["spec"], moved["metadata"] = spec, relocate(o["metadata"], nil, "")
		return moved
	}
	moved, _ = relocate(o, from, namespace).(Object)
	if meta, ok := moved["metadata"].(Object); ok && namespaced[kindOf(moved)] {
		meta["namespace"] = namespace
	}
	if subjects, ok := moved["subjects"].([]any); ok {
		for _, s := range subjects {
			if s, ok := s.(Object); ok && s["kind"] == "ServiceAccount" && s["namespace"] == nil {
				s["namespace"] = namespace
			}
		}
	}
	return moved
}

// relocate copies a value with other namespaces.
func relocate(value any, from []string, to string) any {
	switch v := value.(type) {
	case Object:
		out := maps.Clone(v)
		for key, field := range v {
			if text, ok := field.(string); ok && key == "namespace" && slices.Contains(from, text) {
				out[key] = to
			} else {
				out[key] = relocate(field, from, to)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = relocate(v[i], from, to)
		}
		return out
	}
	return value
}

// namespaced are the kinds of objects that are in a namespace, of those that manifests of managers have.
var namespaced = map[string]bool{
	"ConfigMap": true, "Deployment": true, "Ingress": true, "NetworkPolicy": true, "PodDisruptionBudget": true, "PodMonitor": true, "PersistentVolumeClaim": true,
	"Role": true, "RoleBinding": true, "Secret": true, "Service": true, "ServiceAccount": true, "ServiceMonitor": true, "StatefulSet": true, "CronJob": true,
	"Job": true, "DaemonSet": true, "Issuer": true, "Certificate": true, "Lease": true, "ResourceQuota": true, "LimitRange": true, "HorizontalPodAutoscaler": true,
}

func kindOf(o Object) string {
	kind, _ := o["kind"].(string)
	return kind
}

// NameOf returns the name of an object.
func NameOf(o Object) string {
	meta, _ := o["metadata"].(Object)
	name, _ := meta["name"].(string)
	return name
}
