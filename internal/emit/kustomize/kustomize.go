// Package kustomize writes kustomizations that run the webhooks of a project.
//
// [Emitter] is called once for the run. Mistakes of users are diagnostics.
//
// The folder of the configurations of webhooks gets a kustomization with them and their Service, and one component for
// each source of certificates. A component patches the manager's Deployment, so it is for a kustomization that has all:
//
//	resources: [../crd, ../manager, ../webhook]
//	components: [../webhook/cert-manager]
//
// Files of people stay: those of kubebuilder's scaffolds have the same names.
package kustomize

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/deploy"
)

// Emitter returns the emitter.
func Emitter() *emit.Emitter {
	return &emit.Emitter{
		Name:    "kustomize",
		Part:    diag.Kustomize,
		Summary: "kustomizations that run the webhooks, if sources of certificates are set: Service, certificates, permissions, and patches of the manager's Deployment",
		Folder:  emit.InKustomize,
		Owns:    func(name string) bool { return name != deploy.AdmissionFile },
		Scope:   emit.PerRun,
		Check:   deploy.Check,
		Emit:    run,
	}
}

// The files of a component.
const (
	kustomization = "kustomization.yaml"
	service       = "service.yaml"
	certificates  = "certificates.yaml"
	permissions   = "permissions.yaml"
	disruption    = "disruption_budget.yaml"
	managerPatch  = "manager_patch.yaml"
	argsPatch     = "manager_args_patch.yaml"
	injection     = "injection_patch.yaml"
)

func run(c *emit.Context) ([]emit.File, error) {
	p, err := deploy.Of(c)
	if err != nil || p.Manager == nil {
		return nil, err
	}
	w := &writer{sources: p.Sources}
	w.definitions(c, p)
	if len(p.PolicyFiles) > 0 {
		w.write(emit.InPolicies, kustomization, kustomizationOf(p.PolicyFiles))
	}
	if p.Runs() {
		w.base(c, p)
		for _, source := range p.Certificates {
			w.component(p, source)
		}
	}
	return w.files, w.err
}

type writer struct {
	sources []string
	files   []emit.File
	err     error
}

// write adds a file. A name in another folder begins with its path.
func (w *writer) write(folder emit.Folder, name string, objects ...any) {
	if len(objects) == 0 || w.err != nil {
		return
	}
	content, err := emit.YAML(objects...)
	w.err = err
	w.files = append(w.files, emit.File{Name: filepath.FromSlash(name), Folder: folder, Content: content, Sources: w.sources, Yields: true})
}

// kustomizationOf returns a kustomization.
func kustomizationOf(resources []string, patches ...any) deploy.Object {
	k := deploy.Object{"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "resources": resources}
	if len(patches) > 0 {
		k["patches"] = patches
	}
	return k
}

// definitions writes the kustomization of the definitions, above their folder "bases" as in kubebuilder's scaffolds.
func (w *writer) definitions(c *emit.Context, p *deploy.Plan) {
	if len(p.Definitions) == 0 || c.Options.Place == nil {
		return
	}
	var resources []string
	for _, d := range p.Definitions {
		place := c.Options.Place(c.Package, emit.File{Name: d.File, Folder: emit.InCRDs})
		if dir := filepath.Base(filepath.Dir(place)); dir != "bases" {
			return // a kustomization beside definitions would be taken for one of them
		}
		resources = append(resources, path.Join("bases", d.File))
	}
	slices.Sort(resources)
	w.write(emit.AboveCRDs, kustomization, kustomizationOf(resources))
}

// base writes the Service and the kustomization with the configurations of webhooks.
func (w *writer) base(c *emit.Context, p *deploy.Plan) {
	resources := []string{service}
	if len(p.Webhooks) > 0 {
		resources = []string{deploy.AdmissionFile, service}
	}
	if len(p.PolicyFiles) > 0 && c.Options.Place != nil {
		here := filepath.Dir(c.Options.Place(c.Package, emit.File{Name: kustomization, Folder: emit.InKustomize}))
		there := filepath.Dir(c.Options.Place(c.Package, emit.File{Name: kustomization, Folder: emit.InPolicies}))
		if rel, err := filepath.Rel(here, there); err == nil {
			resources = append(resources, filepath.ToSlash(rel))
		}
	}
	w.write(emit.InKustomize, service, p.Service(p.Namespace))
	w.write(emit.InKustomize, kustomization, kustomizationOf(resources))
}

// component writes the component of a source of certificates.
func (w *writer) component(p *deploy.Plan, source emit.CertificateSource) {
	write := func(name string, objects ...any) {
		w.write(emit.InKustomize, path.Join(string(source), name), objects...)
	}
	resources := []string{disruption}
	write(disruption, p.Disruption(p.Namespace))
	add := func(name string, objects []deploy.Object) {
		if len(objects) > 0 {
			resources = append(resources, name)
		}
		write(name, list(objects)...)
	}
	if source == emit.CertManager {
		add(certificates, p.Authority(source, p.Namespace))
		add(permissions, p.Reading(p.Namespace))
	} else {
		add(permissions, slices.Concat(p.Authority(source, p.Namespace), p.Reading(p.Namespace)))
	}
	additions := p.Additions(source)
	deployment := deploy.Object{"kind": "Deployment", "name": p.Manager.Name()}
	patches := []any{patch(managerPatch, deployment), patch(argsPatch, deployment)}
	write(managerPatch, p.PatchWith(additions))
	write(argsPatch, argsOf(p, additions))
	if source == emit.CertManager {
		patches = append(patches, injected(p)...)
		write(injection, deploy.Object{
			"apiVersion": "any/v1", "kind": "Any",
			"metadata": deploy.Object{"name": "any", "annotations": deploy.Object{emit.InjectCA: p.CertificateName(p.Namespace)}},
		})
	}
	k := kustomizationOf(resources, patches...)
	k["apiVersion"], k["kind"] = "kustomize.config.k8s.io/v1alpha1", "Component"
	k["configurations"] = []string{names}
	write(names, references(source))
	write(kustomization, k)
}

// patch returns the entry of a patch in a kustomization.
func patch(name string, target deploy.Object) deploy.Object {
	return deploy.Object{"path": name, "target": target}
}

// argsOf returns a JSON patch that appends arguments: a strategic merge patch would replace those of the manager.
func argsOf(p *deploy.Plan, additions deploy.Additions) []deploy.Object {
	at := fmt.Sprintf("/spec/template/spec/containers/%d/args", p.Manager.Container)
	if len(p.Manager.Args()) == 0 {
		return []deploy.Object{{"op": "add", "path": at, "value": additions.Args}}
	}
	var operations []deploy.Object
	for _, arg := range additions.Args {
		operations = append(operations, deploy.Object{"op": "add", "path": at + "/-", "value": arg})
	}
	return operations
}

// injected returns the entries of the patch by which cert-manager finds the objects with webhooks.
func injected(p *deploy.Plan) (entries []any) {
	var definitions []string
	for _, d := range p.Definitions {
		if d.Converts() {
			definitions = append(definitions, d.CRD.Name)
		}
	}
	if len(definitions) > 0 {
		entries = append(entries, patch(injection, deploy.Object{"kind": "CustomResourceDefinition", "name": "(" + strings.ReplaceAll(strings.Join(definitions, "|"), ".", `\.`) + ")"}))
	}
	for _, o := range p.Webhooks {
		entries = append(entries, patch(injection, deploy.Object{"kind": o["kind"], "name": deploy.NameOf(o)}))
	}
	return entries
}

func list(objects []deploy.Object) []any {
	out := make([]any, len(objects))
	for i, o := range objects {
		out[i] = o
	}
	return out
}
