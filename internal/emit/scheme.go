package emit

import (
	"maps"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// controllerRuntimeScheme is the package of kubebuilder's scheme.Builder.
const controllerRuntimeScheme = "sigs.k8s.io/controller-runtime/pkg/scheme"

// builderNames are customary names of scheme builders, the preferred first: that which
// collects the registration functions of generated files.
var builderNames = []string{"localSchemeBuilder", "SchemeBuilder", "schemeBuilder"}

// HandWrittenBuilder returns the hand-written scheme builder of a package: the variable
// and the expression that functions are registered with. It is one with a customary
// name, else the first of those whose types say that they are scheme builders.
func HandWrittenBuilder(p *model.Package) (name, register string, ok bool) {
	for _, name := range builderNames {
		if !p.Decls[name] {
			continue
		}
		if register, ok := p.Builders[name]; ok {
			return name, register, true
		}
		if name == "SchemeBuilder" && importsPath(p, controllerRuntimeScheme) {
			return name, "SchemeBuilder.SchemeBuilder", true // kubebuilder's, whose own Register takes objects
		}
		if name != "schemeBuilder" {
			return name, name, true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Builders)) {
		return name, p.Builders[name], true
	}
	return "", "", false
}

// SchemeBuilder returns the expression E with which generated code of the package
// registers its functions. With
//
//	func init() { E.Register(RegisterDefaults) }
//
// the package's AddToScheme calls RegisterDefaults, a func(*runtime.Scheme) error. E is
// a hand-written builder, or else the one that the register emitter generates.
//
// ok is false for a package that is not registered. Its users call the generated
// functions themselves.
func SchemeBuilder(p *model.Package) (expr string, ok bool) {
	if _, register, ok := HandWrittenBuilder(p); ok {
		return register, true
	}
	return "localSchemeBuilder", HasRegistration(p)
}

func importsPath(p *model.Package, path string) bool {
	for _, imported := range p.Imports {
		if imported == path {
			return true
		}
	}
	return false
}
