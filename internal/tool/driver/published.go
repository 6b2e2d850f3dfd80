package driver

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit/definitions"
	"github.com/kindsmith/kindsmith/internal/front/marker"
	"github.com/kindsmith/kindsmith/internal/rules/check"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
)

// published returns a model without the tags and defaults that controller-gen does not read, and the diagnostics about
// the rest, with a hint for each type that loses some. Packages with versions keep all: only kindsmith makes those.
func published(m *model.Model, found *diag.Bag, folderOf func(*source.File) string) (*model.Model, *diag.Bag) {
	out, bag, folders := &model.Model{}, &diag.Bag{}, map[string]bool{}
	parts := m.Parts(func(p *model.Package, t *model.Type) bool { return p.Named() && t.Kind != nil })
	for _, p := range m.Packages {
		if !isVersioned(p) {
			folders[p.Dir] = true
			p = publishedPackage(p, parts, bag)
		}
		out.Packages = append(out.Packages, p)
	}
	out.Freeze()
	read := slices.Concat(marker.Codes(), defaulting.Codes())
	for _, d := range found.All() {
		if d.Span.File != nil && folders[folderOf(d.Span.File)] && slices.Contains(read, d.Code) && !isPublished(markerAt(d.Span)) {
			continue
		}
		bag.Add(d)
	}
	return out, bag
}

// isVersioned reports whether a package declares versions, or is one of them.
func isVersioned(p *model.Package) bool { return len(p.Versions) > 0 || p.Hub != "" || p.Generated }

func publishedPackage(p *model.Package, parts map[model.Name]bool, bag *diag.Bag) *model.Package {
	out := *p
	out.Types = slices.Clone(p.Types)
	for i, t := range p.Types {
		c := &publishedTags{}
		typ := *t
		typ.Tags, typ.Default = c.keep(t.Tags, false), c.value(t.Default, false)
		typ.Fields = slices.Clone(t.Fields)
		for j, f := range t.Fields {
			field := *f
			field.Tags, field.Default = c.keep(f.Tags, true), c.value(f.Default, true)
			typ.Fields[j] = &field
		}
		typ.Consts = slices.Clone(t.Consts)
		for j, v := range t.Consts {
			constant := *v
			constant.Tags = nil // controller-gen reads none on constants
			c.add(v.Tags...)
			typ.Consts[j] = &constant
		}
		if len(c.left) == 0 {
			continue
		}
		out.Types[i] = &typ
		if p.Named() && parts[t.ID()] {
			slices.Sort(c.left)
			bag.Hintf(t.Span, codeNotPublished, "definitions do not have what %s means in %s, because controller-gen does not read it; to publish it, set generate.publishTags in kindsmith.yaml",
				strings.Join(slices.Compact(c.left), ", "), t.Name)
		}
	}
	return &out
}

// publishedTags collects the tags that are left out of a type.
type publishedTags struct{ left []string }

func (c *publishedTags) add(list ...*model.Tag) {
	for _, use := range list {
		c.left = append(c.left, "+"+use.Name)
	}
}

// keep returns the tags that controller-gen reads, and those that neither are rules nor change them.
func (c *publishedTags) keep(list []*model.Tag, onField bool) (kept []*model.Tag) {
	for _, use := range list {
		if use.Role.IsAboutVersions() || use.Role == model.RoleNoDescription || kubebuilder.ReadsTag(use, onField) {
			kept = append(kept, use)
			continue
		}
		c.add(use)
	}
	return kept
}

// value returns a default that controller-gen reads, or nil.
func (c *publishedTags) value(d *model.Default, onField bool) *model.Default {
	switch {
	case d == nil:
		return nil
	case d.Ref != nil:
		c.left = append(c.left, "+"+d.Marker+"=ref("+d.Ref.Name+")")
		return nil
	case !kubebuilder.IsKnown(model.Marker{Name: d.Marker, Text: d.Marker + "=" + d.JSON}, onField):
		c.left = append(c.left, "+"+d.Marker)
		return nil
	}
	return d
}

// markerAt returns the marker on the first line of a span.
func markerAt(s source.Span) model.Marker {
	line := s.File.Line(s.Position().Line)
	_, text, _ := strings.Cut(line, "+")
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "*/"))
	name, _, _ := strings.Cut(strings.Join(strings.Fields(text), " "), "=")
	name, _, _ = strings.Cut(name, "(")
	return model.Marker{Name: strings.TrimSpace(name), Text: text}
}

// isPublished reports whether controller-gen reads a marker on a type or a field.
func isPublished(m model.Marker) bool {
	return kubebuilder.IsKnown(m, true) || kubebuilder.IsKnown(m, false)
}

// accepts returns the condition for errors that are warnings because controller-gen, too, writes what they are about:
// mistakes in markers that it reads, apart from those that it cannot read either, and definitions that API servers refuse.
// It holds for the packages that follow controller-gen.
func (cfg *Config) accepts(m *model.Model) func(*diag.Diagnostic) bool {
	judged := map[string]bool{}
	for _, p := range m.Packages {
		if isVersioned(p) {
			judged[p.Dir] = true
		}
	}
	accepted := map[diag.Code]bool{}
	add := func(list []diag.Code, to bool) {
		for _, code := range list {
			accepted[code] = to
		}
	}
	for _, d := range Tags().All() {
		add(d.AllCodes(), true)
	}
	for _, l := range Lints() {
		add(l.Codes, true)
	}
	add(slices.Concat(marker.Codes(), check.Codes(), defaulting.Codes(), definitions.Unjudged()), true)
	add(slices.Concat(check.Malformed(), defaulting.Malformed()), false)
	return func(d *diag.Diagnostic) bool {
		return accepted[d.Code] && (d.Span.File == nil || !judged[cfg.folderOf(d.Span.File)])
	}
}
