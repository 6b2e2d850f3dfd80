package emit

import "github.com/kindsmith/kindsmith/internal/core/source"

// CertificateSource is where the serving certificates of webhooks are from.
type CertificateSource string

const (
	// CertManager is cert-manager, which mounts them as files.
	CertManager CertificateSource = "cert-manager"
	// SelfManaged is an authority that the server of the webhooks keeps in a Secret.
	SelfManaged CertificateSource = "self-managed"
)

// CertificateSources returns the names of all sources.
func CertificateSources() []string { return []string{string(CertManager), string(SelfManaged)} }

// Deploy are settings of the manifests that run the webhooks of a project.
type Deploy struct {
	// Certificates are where certificates can be from.
	Certificates []CertificateSource
	// Manager are the files and folders with the manifests of the project's manager.
	Manager []Path
	// Kustomize, Chart and OLM say what is written. Chart is the name of the chart; "" for none.
	Kustomize, OLM bool
	Chart          string
}

// Path is a file or folder: its absolute path, and its name for messages.
type Path struct{ Abs, Name string }

// Places are where kindsmith.yaml has settings, by their key, such as generate.chartDir: the items of lists, or the only value.
// Settings of flags are nowhere.
type Places map[string][]source.Span

// At returns the place of a value of a setting; its first one if the setting has fewer values, and none if it has none.
func (p Places) At(key string, i int) source.Span {
	switch spans := p[key]; {
	case i < len(spans):
		return spans[i]
	case len(spans) > 0:
		return spans[0]
	}
	return source.Span{}
}

// First returns the place of the first of some settings that has one.
func (p Places) First(keys ...string) source.Span {
	for _, key := range keys {
		if len(p[key]) > 0 {
			return p[key][0]
		}
	}
	return source.Span{}
}

// Runs reports whether the project has manifests that run the webhooks.
func (d *Deploy) Runs() bool { return d.Kustomize || d.OLM || d.Chart != "" }
