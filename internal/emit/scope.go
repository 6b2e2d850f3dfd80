package emit

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Scope is the unit that an emitter is called for.
type Scope int

const (
	// PerPackage is for each root package and each generated older version.
	PerPackage Scope = iota
	// PerKind is for each kind of these packages, with all its versions.
	PerKind
	// PerGroup is for each API group of these packages, with all its versions.
	PerGroup
	// PerRun is once, for all packages.
	PerRun
)

// Kind is one kind in all its versions.
type Kind struct {
	Group, Name string
	// Versions are in Kubernetes' order of priority: v2, v1, v1beta1, v1alpha1.
	Versions []KindVersion
}

// KindVersion is one version of a kind.
type KindVersion struct {
	Package *model.Package
	Type    *model.Type
	// Name is that of the API version.
	Name string
}

// Group is one API group in all its versions.
type Group struct {
	Name string
	// Packages are in Kubernetes' order of priority.
	Packages []*model.Package
}

// Run calls an emitter's Check and Emit.
func (e *Emitter) Run(base Context, wanted func(*Context) bool, write func(*Context, File)) error {
	e.RunCheck(base, wanted)
	return e.RunEmit(base, wanted, write)
}

// RunEmit calls an emitter for each unit of its scope that wanted accepts; nil accepts all. Each
// call gets the base context with the unit.
func (e *Emitter) RunEmit(base Context, wanted func(*Context) bool, write func(*Context, File)) error {
	if err := e.each(contexts(base, e.Scope), e.Emit, wanted, write); err != nil || e.Once == nil {
		return err
	}
	return e.each(contexts(base, PerRun), e.Once, wanted, write)
}

// each calls a function of an emitter for units.
func (e *Emitter) each(units []*Context, emit func(*Context) ([]File, error), wanted func(*Context) bool, write func(*Context, File)) error {
	for _, c := range units {
		if wanted != nil && !wanted(c) {
			continue
		}
		c.before = c.Diags.Errors()
		files, err := emit(c)
		if err != nil {
			return &Error{Emitter: e.Name, Package: c.Package.Path, Err: err}
		}
		for _, f := range files {
			write(c, f)
		}
	}
	return nil
}

// RunCheck calls an emitter's Check for each package, before RunEmit.
func (e *Emitter) RunCheck(base Context, wanted func(*Context) bool) {
	if e.Check == nil {
		return
	}
	for _, c := range contexts(base, PerPackage) {
		if wanted == nil || wanted(c) {
			e.Check(c)
		}
	}
}

// Error is a bug of an emitter.
type Error struct {
	Emitter, Package string
	Err              error
}

func (e *Error) Error() string { return e.Emitter + " for " + e.Package + ": " + e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// contexts returns the base context for each package, kind or group of a model.
func contexts(base Context, s Scope) []*Context {
	var list []*Context
	add := func(c Context) { list = append(list, &c) }
	switch s {
	case PerPackage:
		for _, p := range base.Model.Packages {
			if p.Named() {
				base.Package = p
				add(base)
			}
		}
	case PerKind:
		for _, k := range Kinds(base.Model) {
			base.Kind, base.Package = k, k.Lead().Package
			add(base)
		}
	case PerRun:
		if i := slices.IndexFunc(base.Model.Packages, (*model.Package).Named); i >= 0 {
			base.Package = base.Model.Packages[i]
			add(base)
		}
	case PerGroup:
		for _, g := range groups(base.Model, false) {
			base.Group, base.Package = g, g.Packages[0]
			add(base)
		}
	}
	return list
}

// Kinds returns the kinds of the packages that are written for, by group, then in
// order of declaration, with their versions in companions of these packages.
func Kinds(m *model.Model) []*Kind {
	var kinds []*Kind
	for _, g := range groups(m, true) {
		byName := map[string]*Kind{}
		for _, p := range g.Packages {
			for _, t := range p.Types {
				if t.Kind == nil || t.Kind.List || t.Generic {
					continue
				}
				k := byName[t.Name]
				if k == nil {
					k = &Kind{Group: g.Name, Name: t.Name}
					byName[t.Name] = k
					kinds = append(kinds, k)
				}
				k.Versions = append(k.Versions, KindVersion{p, t, VersionName(p)})
			}
		}
	}
	return slices.DeleteFunc(kinds, func(k *Kind) bool {
		return !slices.ContainsFunc(k.Versions, func(v KindVersion) bool { return v.Package.Root })
	})
}

// groups returns the API groups of the packages that are written for, by name, with or
// without the companions of these.
func groups(m *model.Model, companions bool) []*Group {
	byName := map[string]*Group{}
	var groups []*Group
	for _, p := range m.Packages {
		if !p.Root && (!companions || !p.Companion) || p.Group == "" {
			continue
		}
		g := byName[p.Group]
		if g == nil {
			g = &Group{Name: p.Group}
			byName[p.Group] = g
			groups = append(groups, g)
		}
		g.Packages = append(g.Packages, p)
	}
	for _, g := range groups {
		slices.SortStableFunc(g.Packages, func(a, b *model.Package) int {
			return version.CompareKubeAwareVersionStrings(VersionName(b), VersionName(a))
		})
	}
	slices.SortFunc(groups, func(a, b *Group) int { return strings.Compare(a.Name, b.Name) })
	return groups
}

// Lead returns the version with the leading package of a kind: the one that declares versions, else
// the first.
func (k *Kind) Lead() KindVersion {
	for _, v := range k.Versions {
		if len(v.Package.Versions) > 0 && v.Package.Hub == "" {
			return v
		}
	}
	return k.Versions[0]
}

// Declared returns the declaration of a version in the kind's leading package; nil if it declares
// none.
func (k *Kind) Declared(name string) *model.Version {
	var declared *model.Version
	for _, hub := range k.Versions {
		for _, v := range hub.Package.Versions {
			if v.Name == name {
				declared = v
			}
		}
	}
	return declared
}

// VersionName returns the API version of a package, or else the package's name.
func VersionName(p *model.Package) string {
	if p.Version != "" {
		return p.Version
	}
	return p.Name
}

// ConvertsJSON reports whether the package of an older version has the function JSONConversion.
func ConvertsJSON(p *model.Package) bool {
	return p != nil && !model.Skips(p.Tags, model.PartConversion) && slices.ContainsFunc(p.Types, func(t *model.Type) bool { return t.Kind != nil && !t.Generic && t.Hub != nil })
}
