// Package register writes zz_generated.register.go: the group version of a
// package and the registration of its kinds with a scheme. Packages with register-gen's marker get the
// file even without kinds.
//
// [Emitter] is called for each package. Mistakes of users are diagnostics with the codes of codes.go.
//
// It does not replace hand-written declarations. A package that declares a group
// version, SchemeBuilder and AddToScheme, like kubebuilder's groupversion_info.go,
// gets no file. Other emitters add their registration functions through
// emit.SchemeBuilder.
package register

import (
	"maps"
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
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
		Part:    diag.Register,
		Summary: "GroupVersion, SchemeBuilder and AddToScheme, with every kind of the package",
		Files:   []string{FileName},
		Yields:  true,
		Codes:   codes.All(),
		Emit:    run,
	}
}

func run(c *emit.Context) ([]emit.File, error) {
	kinds := emit.RegisteredKinds(c.Package)
	if registersItself(c.Package) {
		return nil, nil
	}
	if c.Package.Version == "" && len(kinds) > 0 {
		c.Diags.Warnf(c.Package.Span, codeNoVersion,
			"the name of package %s is not an API version, so its kinds are not registered; rename it to a version such as v1 or v1beta1, or declare GroupVersion, SchemeBuilder and AddToScheme by hand",
			c.Package.Name)
		return nil, nil
	}
	if !emit.HasRegistration(c.Package) {
		return nil, nil
	}
	checkAddToScheme(c)
	w := writer{f: c.NewFile(), p: c.Package, namesGroup: namesGroup(c)}
	w.f.Reserve("kind", "resource", "scheme")
	w.groupVersion()
	w.lookups()
	w.builder()
	w.install()
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

// registersItself reports whether all registration of the package is hand-written.
func registersItself(p *model.Package) bool {
	_, _, builder := emit.HandWrittenBuilder(p)
	return (p.Decls["GroupVersion"] || p.Decls["SchemeGroupVersion"]) && builder && p.Decls["AddToScheme"]
}

// namesGroup reports whether the file declares gofile.GroupName: users of register-gen's files may
// depend on it, and packages of the run may name it.
func namesGroup(c *emit.Context) bool {
	return emit.AsksForRegistration(c.Package) || c.Package.NamesGroup || slices.ContainsFunc(c.Model.Packages, func(p *model.Package) bool {
		return p.NamesGroup && slices.Contains(slices.Collect(maps.Values(p.Imports)), c.Package.Path)
	})
}

type writer struct {
	f *gofile.File
	p *model.Package
	// namesGroup is set if the file declares gofile.GroupName.
	namesGroup bool
}

// declares reports whether the package has a declaration, which types of a generated version are too.
func (w writer) declares(name string) bool { return w.p.Decls[name] || w.p.Type(name) != nil }

// groupVersion prints GroupVersion, and SchemeGroupVersion for Kubernetes' code
// generators. If one of them is hand-written, it prints the other.
func (w writer) groupVersion() {
	name, _ := emit.RegisteredGroup(w.p)
	group := strconv.Quote(name)
	if w.namesGroup && !w.declares(gofile.GroupName) {
		w.f.P("// GroupName is the API group of this package's kinds.")
		w.f.P("const ", gofile.GroupName, " = ", group)
		w.f.P()
		group = gofile.GroupName
	}
	switch {
	case w.declares("GroupVersion"):
	case w.declares("SchemeGroupVersion"):
		w.f.P("// GroupVersion is the API group and version of this package's kinds.")
		w.f.P("var GroupVersion = SchemeGroupVersion")
		w.f.P()
	default:
		w.f.P("// GroupVersion is the API group and version of this package's kinds.")
		w.f.P("var GroupVersion = ", w.f.Ident(schemaPkg, "GroupVersion"),
			"{Group: ", group, ", Version: ", strconv.Quote(w.p.Version), "}")
		w.f.P()
	}
	if !w.declares("SchemeGroupVersion") {
		w.f.P("// SchemeGroupVersion is GroupVersion under the name that client generators expect.")
		w.f.P("var SchemeGroupVersion = GroupVersion")
		w.f.P()
	}
}

// install prints Install, which is AddToScheme in register-gen's files.
func (w writer) install() {
	if emit.AsksForRegistration(w.p) && !w.declares("Install") {
		w.f.P("// Install is AddToScheme.")
		w.f.P("var Install = AddToScheme")
		w.f.P()
	}
}

// lookups prints Kind and Resource.
func (w writer) lookups() {
	if !w.declares("Kind") {
		w.f.P("// Kind returns the kind with this package's group.")
		w.f.Block("func Kind(kind string) "+w.f.Ident(schemaPkg, "GroupKind")+" {", func() {
			w.f.P("return GroupVersion.WithKind(kind).GroupKind()")
		})
		w.f.P()
	}
	if !w.declares("Resource") {
		w.f.P("// Resource returns the resource with this package's group.")
		w.f.Block("func Resource(resource string) "+w.f.Ident(schemaPkg, "GroupResource")+" {", func() {
			w.f.P("return GroupVersion.WithResource(resource).GroupResource()")
		})
		w.f.P()
	}
}

// checkAddToScheme warns of a hand-written AddToScheme that does not call the functions
// that generated files register.
func checkAddToScheme(c *emit.Context) {
	p := c.Package
	if _, _, builder := emit.HandWrittenBuilder(p); builder || !p.Decls["AddToScheme"] || p.NamesBuilder {
		return
	}
	span := p.Span
	if f := p.Funcs["AddToScheme"]; f != nil {
		span = f.Span
	}
	c.Diags.Warnf(span, codeNotCalled, "AddToScheme of package %s is hand-written and uses no scheme builder that kindsmith knows, so it does not register generated defaults, validators and conversions; call localSchemeBuilder.AddToScheme in it, or remove it", p.Name)
}

// builder prints what is missing of SchemeBuilder, localSchemeBuilder and AddToScheme.
func (w writer) builder() {
	addToScheme := !w.declares("AddToScheme")
	builder, _, byHand := emit.HandWrittenBuilder(w.p)
	switch {
	case !byHand:
		w.f.P("var (")
		w.f.P("// SchemeBuilder collects the functions that add this package to a scheme.")
		w.f.P("SchemeBuilder = ", w.f.Ident(runtimePkg, "NewSchemeBuilder"), "(addKnownTypes)")
		w.f.P("// localSchemeBuilder collects the registration functions of generated files.")
		w.f.P("localSchemeBuilder = &SchemeBuilder")
		if addToScheme {
			w.f.P("// AddToScheme adds this package's kinds, and what is generated for them, to a scheme.")
			w.f.P("AddToScheme = localSchemeBuilder.AddToScheme")
		}
		w.f.P(")")
	case addToScheme:
		w.f.P("// AddToScheme adds this package's kinds, and what is generated for them, to a scheme.")
		w.f.P("var AddToScheme = ", builder, ".AddToScheme")
	}
	w.f.P()
}

// knownTypes prints the first function of a generated SchemeBuilder. Hand-written
// builders have their own.
func (w writer) knownTypes(kinds []*model.Type) {
	if _, _, byHand := emit.HandWrittenBuilder(w.p); byHand || w.p.Decls["addKnownTypes"] {
		return
	}
	w.f.P("// addKnownTypes adds this package's kinds to a scheme.")
	w.f.Block("func addKnownTypes(scheme *"+w.f.Ident(runtimePkg, "Scheme")+") error {", func() {
		if len(kinds) > 0 {
			w.f.P("scheme.AddKnownTypes(GroupVersion,")
			for _, t := range kinds {
				w.f.P("&", t.Name, "{},")
			}
			w.f.P(")")
		}
		w.f.P(w.f.Ident(metav1Pkg, "AddToGroupVersion"), "(scheme, GroupVersion)")
		w.f.P("return nil")
	})
}
