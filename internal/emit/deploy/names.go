package deploy

import (
	"maps"
	"slices"
)

// Names are how the objects of one installation differ from those of another.
type Names struct {
	// Of returns the name of an object by its name in the project.
	Of func(name string) string
	// Selected are labels of pods by which the selectors of the project's objects find them.
	Selected Object
}

// shared are the kinds whose names have a meaning for the cluster, so they stay.
var shared = map[string]bool{"CustomResourceDefinition": true, "APIService": true, "Namespace": true}

// Named returns a copy of the plan with other names, which references follow. Definitions and policies are those of the cluster:
// only their references change.
func (p *Plan) Named(n Names) *Plan {
	r := &renaming{Names: n, own: map[reference]bool{
		{"Service", p.Name}: true, {"Secret", p.AuthorityName()}: true, {"Secret", p.secretName()}: true,
	}}
	objects := slices.Concat(p.Manager.Objects, p.Webhooks, []Object{p.Manager.Deployment})
	for _, o := range objects {
		if !shared[kindOf(o)] {
			r.own[reference{kindOf(o), NameOf(o)}] = true
		}
		r.labels = append(r.labels, labelsOf(o), labelsOf(at(o, "spec", "template")))
	}
	named, manager := *p, *p.Manager
	named.Manager = &manager
	named.Name = n.Of(p.Name)
	manager.Deployment = r.object(p.Manager.Deployment)
	manager.Objects, named.Webhooks = r.all(p.Manager.Objects), r.all(p.Webhooks)
	named.Definitions = nil
	for _, d := range p.Definitions {
		o := maps.Clone(d.Object)
		if conversion := at(o, "spec", "conversion"); conversion != nil { // its schema may have such texts, too
			spec := maps.Clone(o["spec"].(Object))
			spec["conversion"] = r.value("", "conversion", conversion, nil)
			o["spec"] = spec
		}
		named.Definitions = append(named.Definitions, &Definition{File: d.File, Object: o, CRD: d.CRD})
	}
	return &named
}

// reference is a kind with a name.
type reference struct{ kind, name string }

// renaming renames objects.
type renaming struct {
	Names
	// own are the objects of the project, labels those of all objects and pods.
	own    map[reference]bool
	labels []Object
}

func (r *renaming) all(objects []Object) (out []Object) {
	for _, o := range objects {
		out = append(out, r.object(o))
	}
	return out
}

// object renames an object, and what it selects.
func (r *renaming) object(o Object) Object {
	renamed := r.value("", "", o, nil).(Object)
	if meta, ok := renamed["metadata"].(Object); ok && !shared[kindOf(o)] {
		meta["name"] = r.Of(NameOf(o))
	}
	r.narrow(renamed)
	return renamed
}

// narrow adds labels to the pods of an object, and to its selectors of the project's pods and Services.
func (r *renaming) narrow(o Object) {
	spec, _ := o["spec"].(Object)
	if selector, ok := spec["selector"].(Object); ok && kindOf(o) == "Service" && r.selects(selector) {
		spec["selector"] = Merged(selector, r.Selected)
	}
	for _, name := range []string{"selector", "podSelector"} {
		selector, _ := spec[name].(Object)
		if labels, ok := selector["matchLabels"].(Object); ok && r.selects(labels) {
			selector["matchLabels"] = Merged(labels, r.Selected)
		}
	}
	if meta, ok := at(spec, "template", "metadata").(Object); ok {
		meta["labels"] = Merged(at(meta, "labels"), r.Selected)
	}
}

// selects reports whether labels select an object or pods of the project.
func (r *renaming) selects(labels Object) bool {
	return len(labels) > 0 && slices.ContainsFunc(r.labels, func(of Object) bool {
		for key, value := range labels {
			if of[key] != value {
				return false
			}
		}
		return true
	})
}

func labelsOf(o any) Object {
	labels, _ := at(o, "metadata", "labels").(Object)
	return labels
}

// Merged returns labels, of which there may be none, with more.
func Merged(labels any, more Object) Object {
	all := Object{}
	if labels, ok := labels.(Object); ok {
		maps.Copy(all, labels)
	}
	maps.Copy(all, more)
	return all
}

// namings are the kinds that fields name, by the field, or by it and the one above.
var namings = map[string]string{
	"serviceAccountName": "ServiceAccount", "secretName": "Secret", "claimName": "PersistentVolumeClaim",
	"secret.name": "Secret", "secretRef.name": "Secret", "secretKeyRef.name": "Secret", "imagePullSecrets.name": "Secret",
	"configMap.name": "ConfigMap", "configMapRef.name": "ConfigMap", "configMapKeyRef.name": "ConfigMap",
	"service.name": "Service", "issuerRef.name": "Issuer",
}

// kinded are fields with a reference that has a kind.
var kinded = map[string]bool{"roleRef": true, "subjects": true, "scaleTargetRef": true}

// plurals are kinds in permissions with names.
var plurals = map[any]string{
	"configmaps": "ConfigMap", "deployments": "Deployment", "persistentvolumeclaims": "PersistentVolumeClaim", "secrets": "Secret", "serviceaccounts": "ServiceAccount",
	"services": "Service", "mutatingwebhookconfigurations": mutatingKind, "validatingwebhookconfigurations": validatingKind,
}

// value returns a copy of a field's value with other names. The items of a list are values of its field.
func (r *renaming) value(above, key string, value any, in Object) any {
	switch v := value.(type) {
	case Object:
		out := make(Object, len(v))
		for name, field := range v {
			out[name] = r.value(key, name, field, v)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			if _, isObject := item.(Object); isObject {
				out[i] = r.value(above, key, item, in)
			} else {
				out[i] = r.renamed(above, key, item, in)
			}
		}
		return out
	}
	return r.renamed(above, key, value, in)
}

// renamed returns the value of a field, which is another one if it names an object of the project.
func (r *renaming) renamed(above, key string, value any, in Object) any {
	name, ok := value.(string)
	if !ok {
		return value
	}
	kind := namings[key]
	switch {
	case kind == "" && key == "name" && kinded[above]:
		kind, _ = in["kind"].(string)
	case kind == "" && key == "resourceNames":
		for _, resource := range list(in["resources"]) {
			if kind = plurals[resource]; kind != "" {
				break
			}
		}
	case kind == "":
		kind = namings[above+"."+key]
	}
	if r.own[reference{kind, name}] {
		return r.Of(name)
	}
	return value
}

func list(value any) []any {
	items, _ := value.([]any)
	return items
}
