package emit

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

// Runs reports whether the project has manifests that run the webhooks.
func (d *Deploy) Runs() bool { return d.Kustomize || d.OLM || d.Chart != "" }
