package driver

import (
	"path/filepath"

	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
)

// kustomizes reports whether a run writes kustomizations.
func (cfg *Config) kustomizes() bool { return cfg.WebhookDir != "" && len(cfg.Certificates) > 0 }

// deploy returns the settings of the manifests that run webhooks.
func (cfg *Config) deploy() emit.Deploy {
	d := emit.Deploy{Kustomize: cfg.kustomizes(), OLM: cfg.OLMDir != ""}
	if cfg.ChartDir != "" {
		d.Chart = filepath.Base(cfg.below(cfg.ChartDir))
	}
	names := cfg.Certificates
	if len(names) == 0 {
		names = emit.CertificateSources()
	}
	for _, name := range names {
		d.Certificates = append(d.Certificates, emit.CertificateSource(name))
	}
	for _, path := range cfg.Manager {
		d.Manager = append(d.Manager, emit.Path{Abs: cfg.below(path), Name: cfg.name(cfg.below(path))})
	}
	return d
}

// keeps reports whether a file of people stays as it is: that of a path where a person wrote one, or any that exists
// at the path of a file that people go on with.
func (cfg *Config) keeps(f *File, first bool) bool {
	content, err := cfg.Files.ReadFile(f.Path)
	return err == nil && (first || provenance.Of(f.Path, content).ByHand())
}

// foldersOf returns a folder and the folders in it.
func (cfg *Config) foldersOf(dir string) []string {
	if dir == "" {
		return nil
	}
	dirs := []string{dir}
	names, _ := cfg.Files.List(source.Folders, cfg.below(dir))
	for _, name := range names {
		dirs = append(dirs, filepath.Join(dir, name))
	}
	return dirs
}
