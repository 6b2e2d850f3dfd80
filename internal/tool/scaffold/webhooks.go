package scaffold

import (
	"path"
	"regexp"
	"strings"

	"golang.org/x/mod/module"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/project"
)

// webhookSettings are the settings of a project whose manager serves webhooks.
type webhookSettings struct {
	// Name is the name of the operator, Namespace that of its objects, Service that of the Service.
	Name, Namespace, Service string
	// Manager are the folders with the manifests of the manager; none for a project of kubebuilder, whose scaffolds
	// run webhooks.
	Manager []string
}

var notInLabels = regexp.MustCompile(`[^a-z0-9]+`)

// webhooks plans the manifests of a manager that serves webhooks.
func (b *builder) webhooks() error {
	if !b.Webhook {
		return nil
	}
	prefix, _, _ := module.SplitPathVersion(b.Module)
	name := strings.Trim(notInLabels.ReplaceAllString(strings.ToLower(path.Base(prefix)), "-"), "-0123456789")
	if name == "" {
		name = "manager"
	}
	b.hooks = &webhookSettings{Name: name, Namespace: name + "-system", Service: name + "-webhooks"}
	if !b.has("PROJECT") {
		if err := b.manager(); err != nil {
			return err
		}
	}
	if settings, err := b.read(project.FileName); err == nil && !strings.Contains(string(settings), "webhookDir") {
		lines, err := render("webhook.yaml", b.hooks)
		if err != nil {
			return err
		}
		b.Notes = append(b.Notes, project.FileName+" is yours; add these settings:\n"+strings.TrimRight(string(lines), "\n"))
	}
	return nil
}

// manager plans the manifests of the manager, and a kustomization of everything, unless the project has some.
func (b *builder) manager() error {
	for _, dir := range []string{"config/manager", "config/rbac"} {
		if names, _ := b.Files.List(source.Manifests, b.path(dir)); len(names) > 0 {
			b.hooks.Manager = append(b.hooks.Manager, dir)
		}
	}
	if len(b.hooks.Manager) == 0 {
		b.hooks.Manager = []string{"config/manager"}
		for _, name := range []string{"manager.yaml", "kustomization.yaml"} {
			if err := b.create("config/manager/"+name, "manager/"+name, b); err != nil {
				return err
			}
		}
	}
	if all, err := b.read("config/default/kustomization.yaml"); err == nil {
		if strings.Contains(string(all), "../webhook") {
			return nil
		}
		b.Notes = append(b.Notes, "config/default/kustomization.yaml is yours; add to it:\nresources: [../crd, ../webhook]\ncomponents: [../webhook/cert-manager]")
		return nil
	}
	for _, name := range []string{"kustomization.yaml", "namespace.yaml"} {
		if err := b.create("config/default/"+name, "default/"+name, b); err != nil {
			return err
		}
	}
	return nil
}

// Hooks are the settings for webhooks, for templates.
func (b *builder) Hooks() *webhookSettings { return b.hooks }
