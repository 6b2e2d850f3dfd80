package emit

import (
	"go/token"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Copies knows the copy methods of types: those that they have, and those that the run generates.
type Copies struct {
	m *model.Model
	// generated has the types that get methods, by package.
	generated map[*model.Package]map[*model.Type]bool
	// instanced has the generic types whose instances the types with methods use, in their package.
	instanced map[*model.Type]bool
}

// NewCopies returns the copy methods of a model's types.
func NewCopies(m *model.Model) *Copies {
	return &Copies{m: m, generated: map[*model.Package]map[*model.Type]bool{}, instanced: map[*model.Type]bool{}}
}

// Generated returns the package's types that get methods: requested types, and
// the unexported types that they use. In a package that requests none, these are its objects, and all
// types that they use.
func (c *Copies) Generated(p *model.Package) map[*model.Type]bool {
	if set, ok := c.generated[p]; ok {
		return set
	}
	set := map[*model.Type]bool{}
	c.generated[p] = set
	if !p.Root && !p.Generated {
		return set // their existing methods are known
	}
	enabled := CopiesExported(p)
	r := &reached{Copies: c, in: p, set: set, unmarked: !enabled && !hasCopyMarker(p)}
	for _, t := range p.Types {
		if !c.copyable(t) {
			continue
		}
		switch copiesType(t) {
		case yes:
			r.add(t)
		case unsaid:
			if IsObject(t) || enabled && token.IsExported(t.Name) {
				r.add(t)
			}
		}
	}
	return set
}

// reached finds the types of a package that types with methods use.
type reached struct {
	*Copies
	in  *model.Package
	set map[*model.Type]bool
	// unmarked is set if the package requests no methods.
	unmarked bool
}

func (r *reached) add(t *model.Type) {
	if !r.set[t] {
		r.set[t] = true
		r.below(t)
	}
}

// below follows the types of a type's fields and values.
func (r *reached) below(t *model.Type) {
	r.follow(t.Def)
	for _, f := range t.Fields {
		r.follow(f.Type)
	}
}

func (r *reached) follow(ref *model.Ref) {
	if ref == nil {
		return
	}
	for _, a := range ref.Args {
		r.follow(a)
	}
	if ref.Kind == model.KindNamed && ref.Package == r.in.Path {
		r.named(r.in.Type(ref.Name))
	}
	r.follow(ref.Elem)
}

func (r *reached) named(t *model.Type) {
	if t == nil {
		return
	}
	if t.Generic && !r.instanced[t] {
		r.instanced[t] = true
		r.below(t)
	}
	if (r.unmarked || !token.IsExported(t.Name)) && copiesType(t) != no && r.copyable(t) {
		r.add(t)
	}
}

// Instances reports whether types of its package that get methods copy instances of a generic type.
func (c *Copies) Instances(t *model.Type) bool {
	if p := c.m.Package(t.Package); p != nil {
		c.Generated(p)
	}
	return c.instanced[t]
}

// answer is the meaning of markers.
type answer int

const (
	unsaid answer = iota
	yes
	no
)

func answerOf(value string) answer {
	if value == "true" {
		return yes
	}
	return no
}

// copiesType returns the meaning of the type's own markers.
func copiesType(t *model.Type) answer {
	if v, ok := MarkerValue(t.Markers, foreign.ObjectGenerate); ok {
		return answerOf(v)
	}
	if v, ok := MarkerValue(t.Markers, foreign.DeepCopyGen); ok {
		return answerOf(v)
	}
	return unsaid
}

// CopiesExcluded reports whether the type's own markers exclude it.
func CopiesExcluded(t *model.Type) bool { return copiesType(t) == no }

// CopiesExported reports whether the package's exported types get methods.
func CopiesExported(p *model.Package) bool {
	if v, ok := MarkerValue(p.Markers, foreign.ObjectGenerate); ok {
		return v == "true"
	}
	if v, ok := MarkerValue(p.Markers, foreign.DeepCopyGen); ok {
		first, _, _ := strings.Cut(v, ",")
		return first == "package"
	}
	return p.Generated || p.HasGroup()
}

// hasCopyMarker reports whether a marker says if the package's exported types get methods.
func hasCopyMarker(p *model.Package) bool {
	return model.HasMarker(p.Markers, foreign.ObjectGenerate, foreign.DeepCopyGen)
}

// copyable reports whether a type can have the methods and needs them: structs,
// slices, maps, arrays, and types with some hand-written methods.
func (c *Copies) copyable(t *model.Type) bool {
	if t.Alias || t.Generic || t.Instance != nil {
		return false
	}
	switch c.m.Underlying(model.Named(t.Package, t.Name)).Kind {
	case model.KindStruct, model.KindSlice, model.KindMap, model.KindArray:
		return true
	case model.KindPointer, model.KindInterface, model.KindInvalid:
		return false
	}
	_, copies := t.Copies()
	return copies || t.CopiesInto()
}

// ByValue reports whether generated methods have a value receiver, as those of
// slices and maps do.
func (c *Copies) ByValue(t *model.Type) bool {
	u := c.m.Underlying(model.Named(t.Package, t.Name))
	return u.Kind == model.KindSlice || u.Kind == model.KindMap
}

// CopyMethods describes the copy methods of a declared type.
type CopyMethods struct {
	// Into means that DeepCopyInto exists.
	Into bool
	// Copy means that DeepCopy exists and returns a copy; Pointer that this is a pointer
	// instead of a value; NilSafe that it accepts a nil receiver.
	Copy, Pointer, NilSafe bool
}

// Of returns the methods that a type has or will have.
func (c *Copies) Of(t *model.Type) CopyMethods {
	var s CopyMethods
	s.Pointer, s.Copy = t.Copies()
	s.Into = t.CopiesInto()
	if p := c.m.Package(t.Package); p != nil && c.Generated(p)[t] {
		if t.Methods["DeepCopy"] == nil {
			s.Copy, s.Pointer, s.NilSafe = true, !c.ByValue(t), true
		}
		s.Into = s.Into || t.Methods["DeepCopyInto"] == nil
	}
	return s
}
