package deploy

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
)

// Manager are the manifests of a project's manager, which its authors write.
type Manager struct {
	// Objects are all objects but the Deployment and namespaces.
	Objects []Object
	// Deployment serves the webhooks, in the container with the index Container.
	Deployment Object
	Container  int
	// Namespace is that of the Deployment; "" if its manifest has none.
	Namespace string
}

// defaultContainer is the annotation that names the main container of a pod.
const defaultContainer = "kubectl.kubernetes.io/default-container"

// The keys of settings.
const (
	managerKey     = "generate.managerManifests"
	certificateKey = "generate.webhookCertificates"
	chartKey       = "generate.chartDir"
	olmKey         = "generate.olmDir"
)

// Check reports mistakes in the manifests of the manager.
func Check(c *emit.Context) {
	bag := &diag.Bag{}
	readManager(c, bag)
	c.Diags.Append(bag)
}

// readManager reads the manifests of the manager. It returns nil after mistakes.
func readManager(c *emit.Context, bag *diag.Bag) *Manager {
	if len(c.Options.Deploy.Manager) == 0 {
		bag.Errorf(c.Options.Settings.First(certificateKey, chartKey, olmKey), codeNoManager, "the manifests of the manager, which serves the webhooks, are not known; set generate.managerManifests, such as [config/manager]")
		return nil
	}
	m := &Manager{}
	var deployments []*manifest.Object
	for _, path := range managerFiles(c, bag) {
		content, err := c.Files.ReadFile(path.Abs)
		if err != nil {
			bag.Errorf(c.Options.Settings.At(managerKey, path.setting), codeUnreadable, "cannot read %s: %v%s", path.Name, cause(err), didYouMean(c, path.Path, source.Manifests, err))
			continue
		}
		for _, doc := range manifest.Parse(source.NewFile(path.Name, content), bag) {
			if doc.IsKustomization() {
				continue
			}
			for _, o := range doc.Objects(bag) {
				switch o.Kind.Kind {
				case "Deployment":
					deployments = append(deployments, o)
				case "Namespace":
				default:
					m.Objects = append(m.Objects, o.Value)
				}
			}
		}
	}
	switch {
	case bag.HasErrors():
		return nil
	case len(deployments) == 0:
		bag.Errorf(c.Options.Settings.At(managerKey, 0), codeNoManager, "there is no Deployment in %s; name the manifests of your manager in generate.managerManifests", strings.Join(shown(c), ", "))
		return nil
	case len(deployments) > 1:
		d := bag.Errorf(deployments[0].Root.Place().Span, codeManagers, "the manifests of the manager have %d Deployments: the one of the manager must be the only one", len(deployments))
		for _, o := range deployments[1:] {
			d.Note(o.Root.Place().Span, o.String())
		}
		return nil
	}
	m.Deployment, m.Namespace = deployments[0].Value, deployments[0].Namespace
	list := m.containers()
	if len(list) == 0 {
		bag.Errorf(deployments[0].Root.Place().Span, codeContainer, "%s has no container", deployments[0])
		return nil
	}
	annotations, _ := at(m.Deployment, "spec", "template", "metadata", "annotations").(Object)
	m.Container = max(0, slices.IndexFunc(list, func(container any) bool {
		return annotations[defaultContainer] != nil && at(container, "name") == annotations[defaultContainer]
	}))
	return m
}

// managerFile is a file, and the index of the setting's item that names it.
type managerFile struct {
	emit.Path
	setting int
}

// managerFiles returns the files of the manager's manifests.
func managerFiles(c *emit.Context, bag *diag.Bag) (files []managerFile) {
	for i, path := range c.Options.Deploy.Manager {
		if ext := filepath.Ext(path.Abs); ext == ".yaml" || ext == ".yml" {
			files = append(files, managerFile{path, i})
			continue
		}
		names, err := c.Files.List(source.Manifests, path.Abs)
		if err != nil {
			bag.Errorf(c.Options.Settings.At(managerKey, i), codeUnreadable, "cannot read the folder %s: %v%s", path.Name, cause(err), didYouMean(c, path, source.Folders, err))
		}
		for _, name := range names {
			files = append(files, managerFile{emit.Path{Abs: filepath.Join(path.Abs, name), Name: filepath.ToSlash(filepath.Join(path.Name, name))}, i})
		}
	}
	return files
}

// cause returns an error without the path, which the message has.
func cause(err error) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// didYouMean returns the end of a message about a path that cannot be read: the path that it misspells, if it does not exist.
func didYouMean(c *emit.Context, path emit.Path, kind source.Kind, err error) string {
	if !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	dir, shown := path.Abs, path.Name
	var missing []string
	for err != nil && dir != filepath.Dir(dir) {
		missing = append([]string{filepath.Base(dir)}, missing...)
		dir, shown = filepath.Dir(dir), filepath.Dir(shown)
		_, err = c.Files.List(source.Folders, dir)
	}
	near := nearest(c, dir, missing, kind)
	if near == "" {
		return ""
	}
	return "; did you mean " + filepath.ToSlash(filepath.Join(shown, near)) + "?"
}

// nearest returns the path below a folder that exists and is most similar to one with these parts; "" if none is similar. It is a
// folder, or a manifest.
func nearest(c *emit.Context, dir string, parts []string, kind source.Kind) string {
	listed := source.Folders
	if len(parts) == 1 {
		listed = kind
	}
	names, _ := c.Files.List(listed, dir) // nothing is similar to a name in a folder that cannot be read
	known := make([]string, len(names))
	for i, name := range names {
		known[i] = strings.TrimSuffix(name, "/")
	}
	name := parts[0]
	if !slices.Contains(known, name) {
		name = spell.Nearest(name, known)
	}
	if name == "" || len(parts) == 1 {
		return name
	}
	rest := nearest(c, filepath.Join(dir, name), parts[1:], kind)
	if rest == "" {
		return ""
	}
	return name + "/" + rest
}

func shown(c *emit.Context) (names []string) {
	for _, p := range c.Options.Deploy.Manager {
		names = append(names, p.Name)
	}
	return names
}

// Name returns the name of the Deployment.
func (m *Manager) Name() string { return NameOf(m.Deployment) }

func (m *Manager) containers() []any {
	list, _ := at(m.Deployment, "spec", "template", "spec", "containers").([]any)
	return list
}

// container returns the container of the webhooks.
func (m *Manager) container() Object {
	c, _ := m.containers()[m.Container].(Object)
	return c
}

// ContainerName returns the name of the container of the webhooks.
func (m *Manager) ContainerName() string {
	name, _ := m.container()["name"].(string)
	return name
}

// Image returns the image of the container.
func (m *Manager) Image() string {
	image, _ := m.container()["image"].(string)
	return image
}

// Args returns the arguments of the container.
func (m *Manager) Args() []any {
	args, _ := m.container()["args"].([]any)
	return args
}

// Labels are the labels that select the pods.
func (m *Manager) Labels() Object {
	labels, _ := at(m.Deployment, "spec", "selector", "matchLabels").(Object)
	return labels
}

// ServiceAccount returns the name of the pods' service account.
func (m *Manager) ServiceAccount() string {
	if name, ok := at(m.Deployment, "spec", "template", "spec", "serviceAccountName").(string); ok && name != "" {
		return name
	}
	return "default"
}

// at returns a value below another one; nil if there is none.
func at(value any, path ...string) any {
	for _, name := range path {
		o, ok := value.(Object)
		if !ok {
			return nil
		}
		value = o[name]
	}
	return value
}

// Resources returns the resources of the container; nil for none.
func (m *Manager) Resources() Object {
	o, _ := m.container()["resources"].(Object)
	return o
}

// NodeSelector and Tolerations are those of the pods.
func (m *Manager) NodeSelector() Object {
	o, _ := at(m.Deployment, "spec", "template", "spec", "nodeSelector").(Object)
	return o
}

// Tolerations returns the taints that the pods tolerate.
func (m *Manager) Tolerations() []any {
	list, _ := at(m.Deployment, "spec", "template", "spec", "tolerations").([]any)
	if list == nil {
		return []any{}
	}
	return list
}
