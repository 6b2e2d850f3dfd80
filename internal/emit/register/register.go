// Package register writes zz_generated.register.go: the group version of a
// package and the registration of its kinds with a scheme.
//
// What the package declares by hand is left alone. A package that declares a
// group version, SchemeBuilder and AddToScheme, as kubebuilder's
// groupversion_info.go does, registers itself and gets no file. Functions that
// other emitters generate for a scheme join in through emit.SchemeBuilder.
package register

import (
	"strconv"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/model"
)

// FileName is the file that the emitter writes.
const FileName = "zz_generated.register.go"

const (
	runtimePkg = "k8s.io/apimachinery/pkg/runtime"
	schemaPkg  = "k8s.io/apimachinery/pkg/runtime/schema"
	metav1Pkg  = "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Emitter returns the register emitter.
func Emitter() *emit.Emitter {
	return &emit.Emitter{
		Name:    "register",
		Summary: "GroupVersion, SchemeBuilder and AddToScheme, with every kind of the package.",
		Files:   []string{FileName},
		Codes:   codes.All(),
		Emit:    run,
	}
}

func run(c *emit.Context) ([]emit.File, error) {
	kinds := emit.RegisteredKinds(c.Package)
	if len(kinds) == 0 || registersItself(c.Package) {
		return nil, nil
	}
	if c.Package.Version == "" {
		c.Diags.Warnf(c.Package.Span, codeNoVersion,
			"package %s is not named after an API version, so its kinds are not registered; name it v1, v1beta1 or the like, or declare GroupVersion, SchemeBuilder and AddToScheme by hand",
			c.Package.Name)
		return nil, nil
	}
	w := writer{c.NewFile(), c.Package}
	w.f.Reserve("kind", "resource", "scheme")
	w.groupVersion()
	w.lookups()
	w.builder()
	w.knownTypes(kinds)
	if w.f.Empty() {
		return nil, nil
	}
	content, err := w.f.Bytes()
	if err != nil {
		return nil, err
	}
	return []emit.File{{Name: FileName, Content: content}}, nil
}

// registersItself reports whether the package has all of its registration by hand.
func registersItself(p *model.Package) bool {
	return (p.Decls["GroupVersion"] || p.Decls["SchemeGroupVersion"]) &&
		(p.Decls["SchemeBuilder"] || p.Decls["localSchemeBuilder"]) && p.Decls["AddToScheme"]
}

type writer struct {
	f *gofile.File
	p *model.Package
}

// groupVersion prints GroupVersion, and the name that code generators of
// Kubernetes know it by. Of two only one needs to be by hand.
func (w writer) groupVersion() {
	switch {
	case w.p.Decls["GroupVersion"]:
	case w.p.Decls["SchemeGroupVersion"]:
		w.f.P("// GroupVersion is the API group and version of this package's kinds.")
		w.f.P("var GroupVersion = SchemeGroupVersion")
		w.f.P()
	default:
		w.f.P("// GroupVersion is the API group and version of this package's kinds.")
		w.f.P("var GroupVersion = ", w.f.Ident(schemaPkg, "GroupVersion"),
			"{Group: ", strconv.Quote(w.p.Group), ", Version: ", strconv.Quote(w.p.Version), "}")
		w.f.P()
	}
	if !w.p.Decls["SchemeGroupVersion"] {
		w.f.P("// SchemeGroupVersion is GroupVersion by the name that client generators expect.")
		w.f.P("var SchemeGroupVersion = GroupVersion")
		w.f.P()
	}
}

// lookups prints Kind and Resource.
func (w writer) lookups() {
	if !w.p.Decls["Kind"] {
		w.f.P("// Kind returns the kind with this package's group.")
		w.f.P("func Kind(kind string) ", w.f.Ident(schemaPkg, "GroupKind"), " {")
		w.f.P("return GroupVersion.WithKind(kind).GroupKind()")
		w.f.P("}")
		w.f.P()
	}
	if !w.p.Decls["Resource"] {
		w.f.P("// Resource returns the resource with this package's group.")
		w.f.P("func Resource(resource string) ", w.f.Ident(schemaPkg, "GroupResource"), " {")
		w.f.P("return GroupVersion.WithResource(resource).GroupResource()")
		w.f.P("}")
		w.f.P()
	}
}

// hasBuilder reports whether there is a builder by hand to register with.
func (w writer) hasBuilder() bool {
	return w.p.Decls["SchemeBuilder"] || w.p.Decls["localSchemeBuilder"]
}

func (w writer) builder() {
	addToScheme := !w.p.Decls["AddToScheme"]
	switch {
	case !w.hasBuilder():
		w.f.P("var (")
		w.f.P("// SchemeBuilder collects what adds this package to a scheme.")
		w.f.P("SchemeBuilder = ", w.f.Ident(runtimePkg, "NewSchemeBuilder"), "(addKnownTypes)")
		w.f.P("// localSchemeBuilder is what generated files register their functions with.")
		w.f.P("localSchemeBuilder = &SchemeBuilder")
		if addToScheme {
			w.f.P("// AddToScheme adds this package's kinds, and what is generated for them, to a scheme.")
			w.f.P("AddToScheme = localSchemeBuilder.AddToScheme")
		}
		w.f.P(")")
	case addToScheme:
		builder := "SchemeBuilder"
		if !w.p.Decls[builder] {
			builder = "localSchemeBuilder"
		}
		w.f.P("// AddToScheme adds this package's kinds, and what is generated for them, to a scheme.")
		w.f.P("var AddToScheme = ", builder, ".AddToScheme")
	}
	w.f.P()
}

// knownTypes prints the function that a generated SchemeBuilder begins with. A
// builder by hand brings its own.
func (w writer) knownTypes(kinds []*model.Type) {
	if w.hasBuilder() || w.p.Decls["addKnownTypes"] {
		return
	}
	w.f.P("// addKnownTypes adds this package's kinds to a scheme.")
	w.f.P("func addKnownTypes(scheme *", w.f.Ident(runtimePkg, "Scheme"), ") error {")
	w.f.P("scheme.AddKnownTypes(GroupVersion,")
	for _, t := range kinds {
		w.f.P("&", t.Name, "{},")
	}
	w.f.P(")")
	w.f.P(w.f.Ident(metav1Pkg, "AddToGroupVersion"), "(scheme, GroupVersion)")
	w.f.P("return nil")
	w.f.P("}")
}
