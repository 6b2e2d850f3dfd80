package evolve

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// project adds one older version to the model.
func (h *evolver) project(v int) {
	version := h.versions[v]
	if version.Package == "" || version.Package == h.pkg.Path {
		version.Package = h.pkg.OlderPath(version.Name)
	}
	existing := h.m.Package(version.Package)
	dir := h.pkg.OlderDir(version.Name)
	if existing != nil {
		dir = existing.Dir
	}
	hand := readByHand(h.files, dir)
	h.common = h.commonTypes(existing, hand)
	types := h.reachable(v)
	h.checkReachable(v, types)

	if len(hand.files) > 0 && (existing == nil || !existing.Root) {
		h.bag.Errorf(version.NameSpan, codeNotLoaded,
			"package %s has hand-written files (%s) but is not part of the run; name it together with %s",
			version.Package, strings.Join(hand.files, ", "), h.pkg.Path)
		return
	}
	if existing != nil && h.collides(version, existing, len(hand.files) > 0) {
		return
	}
	if existing != nil && existing.Root && h.isHandWritten(existing, v, types) {
		h.pairHandWritten(existing, v, types, h.checkMixed(existing, v, types))
		return
	}
	h.checkTypeNames(v, types, existing)
	p := &projection{evolver: h, v: v, types: types, hand: hand, pkg: h.olderPackage(v, dir, existing)}
	for _, t := range h.pkg.Types {
		if types[t] {
			p.pkg.Types = append(p.pkg.Types, p.copyType(t))
		}
	}
	h.moves(p.pkg, v, func(at pathStep) string {
		name, _ := h.fieldAt(at.field, v)
		return name
	})
	if existing != nil {
		p.pkg.Types = append(p.pkg.Types, handWritten(existing)...)
		h.m.Packages = slices.DeleteFunc(h.m.Packages, func(q *model.Package) bool { return q == existing })
	}
	h.m.Packages = append(h.m.Packages, p.pkg)
	h.m.Index()
}

// collides reports a package in the folder of an older version that is no version of this API.
func (h *evolver) collides(version *model.Version, existing *model.Package, byHand bool) bool {
	what := ""
	switch {
	case existing.Hub != "" && existing.Hub != h.pkg.Path:
		what = "is a version of package " + existing.Hub + " too"
	case byHand && existing.Group != "" && existing.Group != h.pkg.Group:
		what = "is hand-written, and of the group " + existing.Group
	case byHand && existing.Name != version.Name && existing.Version != version.Name:
		what = "is hand-written, and its name is " + existing.Name
	default:
		return false
	}
	h.bag.Errorf(version.NameSpan, codeOutput, "version %s would be package %s, which %s; move that package, or name another folder with +%s(%q)",
		version.Name, existing.Path, what, h.name(model.RoleOutput), "../old/{version}")
	return true
}

// handWritten returns the hand-written types of an older version's package.
func handWritten(p *model.Package) []*model.Type {
	var types []*model.Type
	for _, t := range p.Types {
		if p.Decls[t.Name] {
			types = append(types, t)
		}
	}
	return types
}

// isHandWritten reports whether the older version has hand-written types.
func (h *evolver) isHandWritten(p *model.Package, v int, types map[*model.Type]bool) bool {
	return slices.ContainsFunc(handWritten(p), func(t *model.Type) bool { return h.typeNamed(types, t.Name, v) != nil })
}

// checkMixed reports types that a hand-written version uses, but that only generated files declare,
// which would be removed: a version is hand-written or generated as a whole. It returns their names.
func (h *evolver) checkMixed(p *model.Package, v int, types map[*model.Type]bool) map[string]bool {
	missing := map[string]bool{}
	check := func(span source.Span, r *model.Ref) {
		r.Declared(func(n model.Name) {
			if n.Package == p.Path && !p.Decls[n.Name] && !missing[n.Name] && h.typeNamed(types, n.Name, v) != nil {
				missing[n.Name] = true
				h.bag.Errorf(span, codeMixed, "package %s has hand-written types, so all its types must be hand-written, but %s is only in a generated file; move it to a hand-written file, or remove the hand-written types that package %s has too",
					p.Name, n.Name, h.pkg.Name)
			}
		})
	}
	for _, t := range handWritten(p) {
		if h.typeNamed(types, t.Name, v) == nil {
			continue
		}
		check(t.Span, t.Def)
		for _, f := range t.Fields {
			check(f.TypeSpan, f.Type)
		}
	}
	return missing
}

// olderPackage returns the package of an older version without types, but with its other
// hand-written declarations.
func (h *evolver) olderPackage(v int, dir string, existing *model.Package) *model.Package {
	version := h.versions[v]
	p := &model.Package{
		Path: version.Package, Name: version.Name, Dir: dir, Module: h.pkg.Module, Root: true,
		Group: h.pkg.Group, Version: version.Name, Span: version.Span,
		Doc:  h.packageDoc(version),
		Tags: h.packageTags(v), Markers: slices.Clone(h.pkg.Markers),
		Companion: h.pkg.Companion && (existing == nil || !existing.Named()),
		Hub:       h.pkg.Path, Generated: true, ControllerRuntime: h.pkg.ControllerRuntime,
		Decls: map[string]bool{}, Imports: map[string]string{},
	}
	if existing == nil {
		return p
	}
	p.Builders, p.NamesBuilder, p.NamesGroup = existing.Builders, existing.NamesBuilder, existing.NamesGroup
	p.Funcs, p.Decls, p.Imports, p.Consts = existing.Funcs, existing.Decls, existing.Imports, existing.Consts
	if existing.Doc != "" && existing.Root {
		p.Doc = "" // another file has the hand-written one
		p.Span = existing.Span
	}
	for _, m := range existing.Markers {
		if !slices.ContainsFunc(p.Markers, func(own model.Marker) bool { return own.Text == m.Text }) {
			p.Markers = append(p.Markers, m)
		}
	}
	return p
}

// packageDoc returns the package comment of an older version. The newest version's may be false of it.
func (h *evolver) packageDoc(version *model.Version) string {
	doc := "Package " + version.Name + " contains the " + version.Name + " version of the API.\n"
	if h.pkg.Group != "" {
		doc = strings.Replace(doc, "the API", "the "+h.pkg.Group+" API", 1)
	}
	if !version.IsDeprecated {
		return doc
	}
	note := version.Deprecated
	if note == "" {
		note = "Version " + version.Name + " is deprecated; use " + h.pkg.Version + "."
	}
	return addParagraph(doc, model.DeprecatedParagraph+" "+note)
}

// packageTags returns the tags above an older version's package clause: those that are not
// about versions, and the version's skip tags.
func (h *evolver) packageTags(v int) []*model.Tag {
	var kept []*model.Tag
	for _, c := range h.pkg.Tags {
		if c.Role == model.RoleSkip || !c.Role.IsAboutVersions() {
			kept = append(kept, c)
		}
	}
	return append(kept, h.skips(v)...)
}

// skips returns the skip tags of a version's marker.
func (h *evolver) skips(v int) []*model.Tag {
	var tags []*model.Tag
	version := h.versions[v]
	for _, part := range version.Skip {
		value := model.Value{Kind: model.IdentValue, Text: part, Span: version.SkipSpan}
		tags = append(tags, &model.Tag{
			Name: h.name(model.RoleSkip), Role: model.RoleSkip, NameSpan: version.SkipSpan, Span: version.SkipSpan,
			Args: []model.Arg{{Value: value, Span: version.SkipSpan}},
		})
	}
	return tags
}
