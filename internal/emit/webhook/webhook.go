// Package webhook writes manifests.yaml: the configurations of the admission webhooks that kinds need, at
// the paths that package runtime/admission and the module webhook serve.
//
// [Emitter] is called once for the run. Mistakes of users are diagnostics.
//
// A kind has a validating webhook if it has rules, and a mutating one if it has defaults or unions. The
// file has the webhooks of hand-written markers, too: a marker at the path of a kind replaces the kind's.
//
// Package driver reads the hand-written markers with controller-gen's generator, in all packages of the
// module.
package webhook

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/deploy"
)

// Emitter returns the emitter.
func Emitter() *emit.Emitter {
	return &emit.Emitter{
		Name:    "webhook",
		Part:    diag.Webhooks,
		Summary: "manifests.yaml, the configurations of the admission webhooks that kinds need, if a folder is set",
		Folder:  emit.InWebhooks,
		Owns:    func(name string) bool { return name == deploy.AdmissionFile },
		Scope:   emit.PerRun,
		Emit:    run,
	}
}

func run(c *emit.Context) ([]emit.File, error) {
	m, err := deploy.Admission(c)
	if err != nil || m.Mutating == nil && m.Validating == nil {
		return nil, err
	}
	content, err := m.Bytes()
	if err != nil {
		return nil, err
	}
	return []emit.File{{Name: deploy.AdmissionFile, Folder: emit.InWebhooks, Content: content, Sources: m.Sources}}, nil
}
