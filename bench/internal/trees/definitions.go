package trees

import (
	"path/filepath"

	"github.com/kindsmith/kindsmith/bench/internal/usage"
)

const definitions = "testdata/gen/crd"

// Definitions are the files of the samples' CustomResourceDefinitions, by kind,
// relative to the module's folder.
var Definitions = map[string]string{
	"sample/v1.Workload": definitions + "/bench.example.com_workloads.yaml",
	"sample/v1.Registry": definitions + "/bench.example.com_registries.yaml",
}

// define generates the samples' definitions.
func (w *Workspace) define() error {
	_, err := usage.Run(usage.Command{
		Dir: w.Dir, Env: Overrides(),
		Args: []string{filepath.Join(w.Root, "bin", "kindsmith"), "generate", "--only", "crd", "--crd-dir", definitions, "./internal/sample/v1"},
	})
	return err
}
