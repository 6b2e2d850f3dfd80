package scaffold_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/tool/scaffold"
)

func TestCommands(t *testing.T) {
	const makefile = `CRD_OPTIONS ?= crd:allowDangerousTypes=true
KINDSMITH ?= $(LOCALBIN)/kindsmith

manifests: kindsmith
	"$(KINDSMITH)" generate rbac:roleName=manager-role crd webhook paths="./..." output:crd:artifacts:config=config/crd/bases

generate: controller-gen
	$(CONTROLLER_GEN) object:headerFile="hack/boilerplate.go.txt" \
		paths="./api/..." && echo done
	go tool controller-gen $(CRD_OPTIONS) paths=./other
	go run sigs.k8s.io/controller-tools/cmd/controller-gen@v0.19.0 crd paths=$(UNKNOWN)

check-generated:
	"$(KINDSMITH)" generate rbac:roleName=manager-role crd webhook paths="./..." output:crd:artifacts:config=config/crd/bases --check
	$(KINDSMITH) generate
`
	want := [][]string{
		{"rbac:roleName=manager-role", "crd", "webhook", "paths=./...", "output:crd:artifacts:config=config/crd/bases"},
		{"object:headerFile=hack/boilerplate.go.txt", "paths=./api/..."},
		{"crd:allowDangerousTypes=true", "paths=./other"},
	}
	if diff := cmp.Diff(want, scaffold.Commands(makefile)); diff != "" {
		t.Error(diff)
	}
}
