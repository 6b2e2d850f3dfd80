package validate

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/objects/verdict"
)

// builtIn are the groups of built-in kinds that have a dot; groups without a dot cannot have custom
// resources.
var builtIn = []string{
	"admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "authentication.k8s.io",
	"authorization.k8s.io", "certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io", "events.k8s.io",
	"flowcontrol.apiserver.k8s.io", "internal.apiserver.k8s.io", "networking.k8s.io", "node.k8s.io",
	"rbac.authorization.k8s.io", "resource.k8s.io", "scheduling.k8s.io", "storage.k8s.io", "storagemigration.k8s.io",
}

func isBuiltIn(group string) bool {
	return !strings.Contains(group, ".") || slices.Contains(builtIn, group)
}

// unknownKind returns the message for a kind that the engine does not have.
func unknownKind(engine verdict.Engine, kind schema.GroupVersionKind) string {
	if why := engine.Missing(kind); why != "" {
		return fmt.Sprintf("%s cannot be validated: %s", verdict.KindText(kind), why)
	}
	return verdict.Undefined(kind, engine.Kinds())
}
