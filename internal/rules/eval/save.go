package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// fileFormat is the version of the file format.
const fileFormat = 2

// file is the file that Save writes: the parts of the model that JSON objects need, and the
// programs of its types.
type file struct {
	Format   int      `json:"format"`
	Subjects []string `json:"subjects,omitempty"`
	// Subresources are the request paths of types with others than root.
	Subresources []subresourcePaths `json:"subresources,omitempty"`
	Packages     []*model.Package   `json:"packages"`
	Programs     []*rule.Program    `json:"programs,omitempty"`
	// Elsewhere are rules of types that are not in programs.
	Elsewhere []elsewhere `json:"elsewhere,omitempty"`
}

type elsewhere struct {
	Type  TypeName `json:"type"`
	Rules NotRun   `json:"rules"`
}

type subresourcePaths struct {
	Type  TypeName `json:"type"`
	Paths []string `json:"paths"`
}

// Save writes types, and all types that they use, to a file that Load reads without Go sources.
// Without types it writes the kinds of the root packages.
func (s *Set) Save(w io.Writer, types ...TypeName) error {
	if len(types) == 0 {
		types = s.kinds()
	}
	r := &reached{set: s, types: map[TypeName]bool{}}
	for _, name := range types {
		if s.model.Type(name) == nil {
			return fmt.Errorf("the model has no type %s", name)
		}
		r.name(name)
	}
	out := file{Format: fileFormat}
	for _, p := range s.model.Packages {
		kept := s.keptPackage(p, r.types)
		if kept == nil {
			continue
		}
		if s.subjects[p.Path] {
			out.Subjects = append(out.Subjects, p.Path)
		}
		out.Packages = append(out.Packages, kept)
		for _, t := range kept.Types {
			if paths := s.paths(s.model.Type(t.ID())); !slices.Equal(paths, root) {
				out.Subresources = append(out.Subresources, subresourcePaths{t.ID(), paths})
			}
			if program := s.programs.Of(s.model.Type(t.ID())); says(program) {
				out.Programs = append(out.Programs, program)
			}
			if rules, ok := s.elsewhere[t.ID()]; ok {
				out.Elsewhere = append(out.Elsewhere, elsewhere{t.ID(), rules})
			}
		}
	}
	return json.NewEncoder(w).Encode(out)
}

// kinds returns the kinds of the root packages.
func (s *Set) kinds() []TypeName {
	var names []TypeName
	for _, p := range s.model.Packages {
		for _, t := range p.Types {
			if p.Root && t.Kind != nil && !t.Generic {
				names = append(names, t.ID())
			}
		}
	}
	return names
}

// says reports whether a program has anything that the type does not have.
func says(p *rule.Program) bool {
	return len(p.Rules)+len(p.Fields) > 0 || p.Place.List != nil || p.Place.Opaque || p.Place.Elem != nil || p.Place.Key != nil
}

// reached collects the types that types use.
type reached struct {
	set   *Set
	types map[TypeName]bool
}

func (r *reached) name(name TypeName) {
	t := r.set.model.Type(name)
	if t == nil || r.types[name] {
		return
	}
	r.types[name] = true
	r.ref(t.Def)
	for _, f := range t.Fields {
		r.ref(f.Type)
	}
}

func (r *reached) ref(ref *model.Ref) {
	if ref == nil {
		return
	}
	r.name(ref.ID())
	r.ref(ref.Elem)
	r.ref(ref.Key)
	for _, arg := range ref.Args {
		r.ref(arg)
	}
}

// keptPackage returns the saved part of a package, nil for none.
func (s *Set) keptPackage(p *model.Package, types map[TypeName]bool) *model.Package {
	kept := &model.Package{Path: p.Path, Name: p.Name, Root: p.Root, Group: p.Group, Version: p.Version}
	for _, t := range p.Types {
		if types[t.ID()] {
			kept.Types = append(kept.Types, s.keptType(t))
		}
	}
	if len(kept.Types) == 0 {
		return nil
	}
	for name, f := range p.Funcs {
		_, typ, _ := strings.Cut(name, "_")
		typ, _, _ = strings.Cut(typ, "_")
		if types[TypeName{Package: p.Path, Name: typ}] && (strings.HasPrefix(name, "SetDefaults_") || strings.HasPrefix(name, "SetObjectDefaults_")) {
			if kept.Funcs == nil {
				kept.Funcs = map[string]*model.Func{}
			}
			kept.Funcs[name] = f
		}
	}
	return kept
}

func (s *Set) keptType(t *model.Type) *model.Type {
	kept := &model.Type{
		Name: t.Name, Package: t.Package, Span: t.Span, Alias: t.Alias, Generic: t.Generic, TypeParams: t.TypeParams,
		Def: t.Def, Kind: t.Kind, Methods: map[string]*model.Method{},
	}
	for _, name := range []string{"UnmarshalJSON", "UnmarshalText", "MarshalJSON", "MarshalText", "IsZero"} {
		if m := t.Methods[name]; m != nil {
			kept.Methods[name] = m
		}
	}
	if e, ok := defaulting.OfType(s.model, t); ok {
		kept.Default = resolved(t.Default, e)
	}
	for _, f := range t.Fields {
		kept.Fields = append(kept.Fields, s.keptField(t, f))
	}
	return kept
}

func (s *Set) keptField(t *model.Type, f *model.Field) *model.Field {
	kept := *f
	kept.Doc, kept.Markers, kept.Changes, kept.Origin, kept.Tags, kept.Default = "", nil, nil, nil, nil, nil
	if e, ok := defaulting.OfField(s.model, t, f); ok && f.Default != nil {
		kept.Default = resolved(f.Default, e)
		// Tags also decide whether only API servers set a default.
		kept.Tags = slices.Clone(f.Tags)
	}
	return &kept
}

// resolved returns a default with the value of its constant.
func resolved(d *model.Default, e defaulting.Effective) *model.Default {
	return &model.Default{JSON: e.JSON(), Marker: d.Marker, Span: d.Span}
}
