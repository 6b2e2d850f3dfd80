// Package trees writes the two trees of packages that validators are generated into,
// one for each tool. For every package of k8s.io/api, and for the samples of this
// module, a tree has a package with only the comments that name the types to validate.
// The repository contains none of the output.
package trees

import (
	"fmt"
	"os/exec"
	"path"
	"strings"
)

// Module is the path of the bench module.
const Module = "github.com/kindsmith/kindsmith/bench"

const (
	apiRoot = "k8s.io/api/"
	metaV1  = "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Package is a package in both trees.
type Package struct {
	// Name is the folder below the tree's root, such as core/v1.
	Name string
	// Input is the import path of the types.
	Input string
	// unregistered means that the types are not registered with a scheme; nolint that
	// upstream's tool generates although its lint reports the types.
	unregistered, nolint bool
}

// Short returns a name for imports, such as core_v1.
func (p Package) Short() string { return strings.ReplaceAll(p.Name, "/", "_") }

// Packages returns the packages to generate for: all of k8s.io/api, the types of
// meta/v1 that they use, and the samples.
func Packages(dir string) ([]Package, error) {
	cmd := exec.Command("go", "list", apiRoot+"...")
	cmd.Dir, cmd.Env = dir, environment()
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s...: %w", apiRoot, err)
	}
	list := []Package{
		{Name: "meta/v1", Input: metaV1},
		{Name: "sample/v1", Input: Module + "/internal/sample/v1", unregistered: true},
		{Name: "odd/v1", Input: Module + "/internal/sample/odd/v1", unregistered: true, nolint: true},
	}
	for line := range strings.Lines(string(out)) {
		input := strings.TrimSpace(line)
		// Folders of versions: k8s.io/api/apps/v1beta1.
		if strings.HasPrefix(path.Base(input), "v") {
			list = append(list, Package{Name: strings.TrimPrefix(input, apiRoot), Input: input})
		}
	}
	return list, nil
}
