package deepcopy

import (
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/fixpoint"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
)

// types answers how values of declared types are copied.
type types struct {
	*emit.Copies
	m *model.Model
	// deep has the answers of shallow, inverted, by the text of types.
	deep fixpoint.Question[string]
}

func newTypes(m *model.Model) *types {
	return &types{Copies: emit.NewCopies(m), m: m}
}

// wanted returns the types that get methods, in order of declaration.
func (ts *types) wanted(p *model.Package, bag *diag.Bag) []*model.Type {
	set := ts.Generated(p)
	var list []*model.Type
	for _, t := range p.Types {
		switch {
		case set[t]:
			list = append(list, t)
		case ts.isForOthers(t) && !p.Generated && emit.CopiesExported(p) && t.Methods["DeepCopyInto"] == nil && !emit.CopiesExcluded(t):
			bag.Warnf(t.Span, codeGeneric,
				"copies of the generic type %s are generated only where types of this package use it, and none does; write DeepCopyInto and DeepCopy by hand for other packages, or add +kubebuilder:object:generate=false", t.Name)
		}
	}
	return list
}

// isForOthers reports whether only other packages can use a generic type whose copies need functions. The copies of types of its
// own package have these; other types than structs need none.
func (ts *types) isForOthers(t *model.Type) bool {
	return t.Generic && t.IsStruct() && token.IsExported(t.Name) && !ts.Instances(t) &&
		slices.ContainsFunc(t.Fields, func(f *model.Field) bool { return f.Type.HasParams() || !ts.shallow(f.Type) })
}

// byHand reports whether a package under generation has hand-written copy methods
// for the type.
func (ts *types) byHand(t *model.Type) bool {
	p := ts.m.Package(t.Package)
	_, copies := t.Copies()
	return p != nil && (p.Root || p.Generated) && (copies || t.CopiesInto())
}

// values are types of the standard library that contain references but are
// immutable, so that copies may share them.
var values = map[model.Name]bool{
	{Package: "time", Name: "Time"}:             true,
	{Package: "time", Name: "Month"}:            true,
	{Package: "net/netip", Name: "Addr"}:        true,
	{Package: "net/netip", Name: "AddrPort"}:    true,
	{Package: "net/netip", Name: "Prefix"}:      true,
	{Package: "encoding/json", Name: "Number"}:  true,
	{Package: "math/big", Name: "RoundingMode"}: true,
}

// shallow reports whether an assignment is a deep copy.
func (ts *types) shallow(r *model.Ref) bool {
	switch r.Kind {
	case model.KindBuiltin:
		return r.IsScalar() || strings.HasPrefix(r.Name, "complex")
	case model.KindStruct, model.KindParam: // an anonymous struct; a type parameter, judged by its argument
		return true
	case model.KindArray:
		return ts.shallow(r.Elem)
	case model.KindNamed:
		if values[r.ID()] {
			return true
		}
		return !ts.deep.Ask(r.String(), func() bool { return ts.hasReferences(r) })
	}
	return false
}

// hasReferences reports whether a declared type, which is not in values, has references to copy.
func (ts *types) hasReferences(r *model.Ref) bool {
	t := ts.m.Type(r.ID())
	if t == nil || ts.byHand(t) {
		return true
	}
	deep := func(r *model.Ref) bool { return !ts.shallow(r) }
	if slices.ContainsFunc(r.Args, deep) {
		return true
	}
	if !t.IsStruct() {
		return deep(t.Def)
	}
	return slices.ContainsFunc(t.Fields, func(f *model.Field) bool { return deep(f.Type) })
}

// iface is an interface named by a marker.
type iface struct {
	pkg, name, method string
	// text is the value of the marker.
	text    string
	byValue bool
}

var importPath = regexp.MustCompile(`^[\w.~/-]*$`)

// isName reports whether the marker names an interface that generated code can
// refer to.
func (i iface) isName() bool { return importPath.MatchString(i.pkg) && token.IsIdentifier(i.name) }

// spanOf returns the span of the last marker with the given name.
func spanOf(list []model.Marker, name string) (span source.Span) {
	for _, m := range list {
		if m.Name == name {
			span = m.Span
		}
	}
	return span
}

// interfaces returns the interfaces that the type gets a DeepCopy<Interface> method for.
func interfaces(t *model.Type) []iface {
	names := emit.MarkerList(t.Markers, foreign.DeepCopyInterfaces)
	const object = "k8s.io/apimachinery/pkg/runtime.Object"
	if emit.IsObject(t) && !slices.Contains(names, object) {
		names = append(names, object)
	}
	if !emit.IsObject(t) {
		names = slices.DeleteFunc(names, func(n string) bool { return n == object })
	}
	byValue, _ := emit.MarkerValue(t.Markers, foreign.DeepCopyNonPointer)
	var list []iface
	for _, n := range names {
		dot := strings.LastIndexByte(n, '.')
		i := iface{text: n, name: n[dot+1:], byValue: byValue == "true"}
		if dot > 0 {
			i.pkg = n[:dot]
		}
		i.method = "DeepCopy" + i.name
		list = append(list, i)
	}
	return list
}

// hasObjectKind reports whether a type has the method GetObjectKind. It is true for types that the model does not have.
func (ts *types) hasObjectKind(t *model.Type) bool {
	if of := ts.m.Type(t.Def.ID()); t.Alias && of != nil {
		return ts.hasObjectKind(of)
	}
	if t.Methods["GetObjectKind"] != nil || t.Def.Kind == model.KindInterface {
		return true
	}
	of := ts.m.Struct(model.Named(t.Package, t.Name))
	return of != nil && slices.ContainsFunc(of.Fields, func(f *model.Field) bool {
		elem, _ := ts.m.Deref(f.Type)
		inner := ts.m.Type(elem.ID())
		return f.Embedded && (inner == nil || ts.hasObjectKind(inner))
	})
}
