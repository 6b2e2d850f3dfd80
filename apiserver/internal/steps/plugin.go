package steps

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/mutating"
	"k8s.io/apiserver/pkg/audit"
)

// Decorate wraps an admission plugin, so that the reporter sends what it does. Reporter is an admission.Decorator.
func (r *Reporter) Decorate(handler admission.Interface, name string) admission.Interface {
	return &plugin{Interface: handler, name: name, reporter: r}
}

// plugin is a plugin that is watched. It has both phases, and does nothing in one that the plugin does not have.
type plugin struct {
	admission.Interface
	name     string
	reporter *Reporter
}

// Admit runs the mutating phase of the plugin.
func (p *plugin) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	if handler, ok := p.Interface.(admission.MutationInterface); ok {
		return p.watch(ctx, Mutate, a, func(a admission.Attributes) error { return handler.Admit(ctx, a, o) })
	}
	return nil
}

// Validate runs the validating phase of the plugin.
func (p *plugin) Validate(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	if handler, ok := p.Interface.(admission.ValidationInterface); ok {
		return p.watch(ctx, Validate, a, func(a admission.Attributes) error { return handler.Validate(ctx, a, o) })
	}
	return nil
}

// watch runs a phase of the plugin, and reports it if the request is about a custom resource.
func (p *plugin) watch(ctx context.Context, phase string, a admission.Attributes, run func(admission.Attributes) error) error {
	id, _ := audit.AuditIDFrom(ctx)
	if id == "" || !isCustom(a.GetObject()) && !isCustom(a.GetOldObject()) {
		return run(a)
	}
	step := Step{Request: string(id), Plugin: p.name, Phase: phase, Operation: string(a.GetOperation()), Again: a.GetReinvocationContext().IsReinvoke()}
	step.First = begins(a, phase)
	before := encode(a.GetObject())
	noted := &attributes{Attributes: a}
	err := run(noted)
	if err != nil {
		step.Error = err.Error()
	}
	if step.First {
		step.Before = before
	}
	if step.First && phase == Mutate && a.GetOperation() == admission.Update {
		step.Old = encode(a.GetOldObject())
	}
	if after := encode(a.GetObject()); !bytes.Equal(before, after) {
		step.After = after
	}
	step.Webhooks = noted.webhooks
	p.reporter.send(ctx, step)
	return err
}

// begins reports whether a phase of a request has not called a plugin yet. Each phase, and each try after a conflict, has
// attributes of its own.
func begins(a admission.Attributes, phase string) bool {
	const key = "kindsmith.dev/steps/"
	c := a.GetReinvocationContext()
	if c.Value(key+phase) != nil {
		return false
	}
	c.SetValue(key+phase, true)
	return true
}

// isCustom reports whether an object is a custom resource. The server has Go types for all other kinds.
func isCustom(o runtime.Object) bool {
	u, ok := o.(*unstructured.Unstructured)
	return ok && u != nil
}

// encode returns an object as JSON, without managed fields; nil for none.
func encode(o runtime.Object) json.RawMessage {
	if !isCustom(o) {
		return nil
	}
	object := o.(*unstructured.Unstructured).Object
	if meta, ok := object["metadata"].(map[string]any); ok && meta["managedFields"] != nil {
		object, meta = maps.Clone(object), maps.Clone(meta)
		delete(meta, "managedFields")
		object["metadata"] = meta
	}
	text, err := json.Marshal(object)
	if err != nil {
		return nil // not an object that was decoded
	}
	return text
}

// attributes are those of a request. They note the webhooks that a plugin names in the annotations for the audit log.
type attributes struct {
	admission.Attributes
	mu       sync.Mutex // plugins may add annotations at once
	webhooks []Webhook
}

// AddAnnotation adds an annotation to the audit log.
func (a *attributes) AddAnnotation(key, value string) error {
	if strings.HasPrefix(key, mutating.MutationAuditAnnotationPrefix) {
		var called Webhook
		if err := json.Unmarshal([]byte(value), &called); err == nil {
			a.mu.Lock()
			a.webhooks = append(a.webhooks, called)
			a.mu.Unlock()
		}
	}
	return a.Attributes.AddAnnotation(key, value)
}
