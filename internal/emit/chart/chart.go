// Package chart writes a Helm chart that runs the webhooks of a project: definitions, the manager with its own
// manifests, configurations of webhooks, and their certificates.
//
// [Emitter] is called once for the run. Mistakes of users are diagnostics.
//
// Objects have the names that they have in kustomizations, with the name of the release in place of that of the chart, and are in
// the namespace of the release. Definitions are templates, so that upgrades change them; an annotation makes Helm keep them. There
// are no hooks.
package chart

import (
	"fmt"
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
		Name:    "chart",
		Part:    diag.Chart,
		Summary: "a Helm chart that runs the webhooks, if a folder is set: definitions, the manager, configurations of webhooks, certificates",
		Folder:  emit.InChart,
		Scope:   emit.PerRun,
		Check:   deploy.Check,
		Emit:    run,
	}
}

// keep is the annotation by which Helm keeps an object when a release is uninstalled.
const keep = "helm.sh/resource-policy"

func run(c *emit.Context) ([]emit.File, error) {
	p, err := deploy.Of(c)
	if err != nil || p.Manager == nil {
		return nil, err
	}
	w := &writer{plan: p, chart: c.Options.Deploy.Chart}
	w.names()
	for _, d := range w.plan.Definitions {
		w.template("crd-"+d.CRD.Name, actions[enablesCRDs], w.definition(d))
	}
	manager, err := w.manager()
	if err != nil {
		return nil, err
	}
	w.own("manager", always, manager...)
	w.webhooks()
	w.policies()
	w.values()
	w.first()
	return w.files, w.err
}

type writer struct {
	plan *deploy.Plan
	// chart is the name of the chart.
	chart string
	files []emit.File
	err   error
}

// names changes the plan: the name of the release is in all names and selectors.
func (w *writer) names() {
	longest := len(suffix(w.chart, w.plan.AuthorityName())) // it is the common name of a certificate, too
	for _, o := range append(slices.Clip(w.plan.Manager.Objects), w.plan.Manager.Deployment) {
		if kind := o["kind"]; kind == "Service" || kind == "Deployment" {
			longest = max(longest, len(suffix(w.chart, deploy.NameOf(o))))
		}
	}
	w.plan = w.plan.Named(deploy.Names{
		Of:       func(name string) string { return fullName + suffix(w.chart, name) },
		Selected: deploy.Object{instanceLabel: value(release)},
	})
	w.partial("names", fmt.Sprintf(helpers, w.chart, label-longest))
}

// instanceLabel has the name of a release. releaseLabels are the labels of Helm's own charts; they replace those of the project.
const instanceLabel = "app.kubernetes.io/instance"

var releaseLabels = []string{instanceLabel, "app.kubernetes.io/managed-by", "helm.sh/chart"}

// label is the greatest length of the names of Services.
const label = 63

// suffix returns what the name of an object has besides the name of the chart. If an object lacks the latter, the chart adds it, like
// the namePrefix of a kustomization.
func suffix(chart, name string) string {
	if rest, ok := strings.CutPrefix(name, chart); ok && (rest == "" || rest[0] == '-') {
		return rest
	}
	return "-" + name
}

// own writes a template with objects of the release, which have its labels.
func (w *writer) own(name string, condition action, objects ...any) {
	for _, o := range objects {
		meta := o.(deploy.Object)["metadata"].(deploy.Object)
		labels := deploy.Merged(meta["labels"], deploy.Object{labelsMark: true})
		for _, name := range releaseLabels {
			delete(labels, name)
		}
		meta["labels"] = labels
	}
	w.template(name, actions[condition], objects...)
}

// template writes a template. Its text is only rendered under the condition, unless this is "".
func (w *writer) template(name, condition string, objects ...any) {
	if len(objects) == 0 || w.err != nil {
		return
	}
	text, err := emit.YAML(objects...)
	if w.err = err; err != nil {
		return
	}
	content := rendered(w.chart, string(text))
	if condition != "" {
		content = "{{- if " + condition + " }}\n" + content + "{{- end }}\n"
	}
	w.write(filepath.Join("templates", name+".yaml"), content)
}

// partial writes definitions that templates use. Helm renders no file whose name begins with an underscore.
func (w *writer) partial(name, content string) {
	w.write(filepath.Join("templates", "_"+name+".yaml"), content)
}

// write writes a file. The header is below the first line.
func (w *writer) write(name, content string) {
	if !strings.HasPrefix(content, "---\n") {
		content = "---\n" + content
	}
	w.files = append(w.files, emit.File{Name: name, Folder: emit.InChart, Content: []byte(content), Sources: w.plan.Sources})
}

// choice returns the condition that a source of certificates is chosen.
func (w *writer) choice(source emit.CertificateSource) action {
	switch {
	case len(w.plan.Certificates) < 2:
		return always
	case source == emit.CertManager:
		return certManager
	default:
		return selfManaged
	}
}

// annotate adds an annotation under a condition.
func annotate(o deploy.Object, condition action, name, value string) {
	meta := o["metadata"].(deploy.Object)
	annotations, _ := meta["annotations"].(deploy.Object)
	all := deploy.Object{when(condition, name): value}
	for key, text := range annotations {
		all[key] = text
	}
	meta["annotations"] = all
}

// inject makes cert-manager write the authority into an object with webhooks.
func (w *writer) inject(o deploy.Object) {
	if w.plan.Injected(o) && w.plan.HasCertificates(emit.CertManager) {
		annotate(o, w.choice(emit.CertManager), emit.InjectCA, w.plan.CertificateName(namespace))
	}
}

func (w *writer) definition(d *deploy.Definition) deploy.Object {
	o := w.plan.In(namespace, d.Object)
	annotate(o, keepsCRDs, keep, "keep")
	w.inject(o)
	return o
}

// manager returns the project's manifests, with the Deployment as webhooks need it.
func (w *writer) manager() ([]any, error) {
	var objects []any
	for _, o := range w.plan.Manager.Objects {
		objects = append(objects, w.plan.In(namespace, o))
	}
	var all deploy.Additions
	for _, source := range w.plan.Certificates {
		add, condition := w.plan.Additions(source), w.choice(source)
		all.Args = append(all.Args, items(condition, add.Args)...)
		all.Mounts = append(all.Mounts, items(condition, add.Mounts)...)
		all.Volumes = append(all.Volumes, items(condition, add.Volumes)...)
	}
	if !w.plan.Runs() {
		all = deploy.Additions{}
	}
	deployment, err := w.plan.Deployment(namespace, all)
	if err != nil {
		return nil, err
	}
	spec := deployment["spec"].(deploy.Object)
	pod := spec["template"].(deploy.Object)["spec"].(deploy.Object)
	container := pod["containers"].([]any)[w.plan.Manager.Container].(deploy.Object)
	spec["replicas"], container["image"] = value(replicas), value(image)
	container["resources"], pod["nodeSelector"], pod["tolerations"] = blockOf(resources), blockOf(nodeSelector), blockOf(tolerations)
	if env, _ := container["env"].([]any); w.plan.Manager.MemoryLimit() != "" {
		for _, variable := range env {
			if v := variable.(deploy.Object); v["name"] == deploy.MemoryLimitName {
				v["value"] = value(goMemLimit)
			}
		}
	}
	objects = append(objects, deployment)
	if w.plan.Runs() {
		objects = append(objects, w.plan.Service(namespace), w.plan.Disruption(namespace))
	}
	return objects, nil
}

func (w *writer) webhooks() {
	if !w.plan.Runs() {
		return
	}
	var configurations []any
	for _, o := range w.plan.Webhooks {
		o = w.plan.In(namespace, o)
		w.inject(o)
		configurations = append(configurations, o)
	}
	w.own("webhooks", always, configurations...)
	w.own("permissions", always, list(w.plan.Reading(namespace))...)
	for _, source := range w.plan.Certificates {
		w.own("certificates-"+string(source), w.choice(source), list(w.plan.Authority(source, namespace))...)
	}
}

// policies writes the policies. API servers that do not have their kind get none.
func (w *writer) policies() {
	var kinds []string
	byKind := map[string][]any{}
	for _, o := range w.plan.Policies {
		kind := strings.TrimSuffix(fmt.Sprint(o["kind"]), "Binding")
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
		byKind[kind] = append(byKind[kind], o)
	}
	for _, kind := range kinds {
		version := fmt.Sprint(byKind[kind][0].(deploy.Object)["apiVersion"])
		w.template(strings.ToLower(strings.TrimSuffix(kind, "y"))+"ies", fmt.Sprintf("and .Values.policies.enable (.Capabilities.APIVersions.Has %q)", version+"/"+kind), byKind[kind]...)
	}
}

func list(objects []deploy.Object) []any {
	out := make([]any, len(objects))
	for i, o := range objects {
		out[i] = o
	}
	return out
}

// values writes the default values.
func (w *writer) values() {
	m := w.plan.Manager
	var b strings.Builder
	add := func(comment, key string, value any) {
		text, err := emit.YAML(deploy.Object{key: value})
		if err != nil {
			w.err = err
		}
		b.WriteString("# " + comment + "\n" + strings.TrimPrefix(string(text), "---\n"))
	}
	b.WriteString(`# The name of the chart in the names of objects, if it is another; and all of a name but its end.
nameOverride: ""
fullnameOverride: ""
crds:
  # Install the CustomResourceDefinitions, and change them in upgrades.
  enable: true
  # Keep them when the release is uninstalled. Without them, API servers delete all objects of their kinds.
  keep: true
`)
	if len(w.plan.Certificates) > 1 && w.plan.Runs() {
		fmt.Fprintf(&b, "certificates:\n  # Where the serving certificates are from: %s.\n  source: %s\n", sources(w.plan.Certificates), w.plan.Certificates[0])
	}
	if len(w.plan.Policies) > 0 {
		b.WriteString(`policies:
  # Install the admission policies. They belong to the definitions, so a cluster has them once.
  enable: true
`)
	}
	add("The image of the manager.", "image", m.Image())
	add("The number of pods. With fewer than 2, a restart stops the webhooks.", "replicas", w.replicas())
	add("The resources of the manager's container.", "resources", orEmpty(m.Resources()))
	if limit := m.MemoryLimit(); limit != "" {
		add("How much memory Go may take: less than resources.limits.memory. Reviews take at most 40 % of it.", "goMemLimit", limit)
	}
	add("The nodes that pods may run on.", "nodeSelector", orEmpty(m.NodeSelector()))
	add("Taints that pods tolerate.", "tolerations", m.Tolerations())
	w.write("values.yaml", b.String())
}

func (w *writer) replicas() any {
	deployment, err := w.plan.Deployment(namespace, deploy.Additions{})
	if err != nil {
		w.err = err
		return nil
	}
	return deployment["spec"].(deploy.Object)["replicas"]
}

func orEmpty(o deploy.Object) deploy.Object {
	if o == nil {
		return deploy.Object{}
	}
	return o
}

func sources(list []emit.CertificateSource) string {
	var names []string
	for _, s := range list {
		names = append(names, string(s))
	}
	return strings.Join(names, " or ")
}

// first writes the description of the chart, which its authors go on with.
func (w *writer) first() {
	w.files = append(w.files, emit.File{Name: "Chart.yaml", Folder: emit.InChart, First: true, Content: fmt.Appendf(nil, `apiVersion: v2
name: %s
description: The %[1]s operator.
type: application
version: 0.1.0
appVersion: 0.1.0
`, w.chart)})
}
