package evolve

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// pathMarkers are markers on kinds, by the argument that is a path into the object.
var pathMarkers = map[string]*regexp.Regexp{
	foreign.PrintColumn:      regexp.MustCompile("JSONPath=[\"`]?(\\.[^\"`,]*)"),
	foreign.SelectableField:  regexp.MustCompile("JSONPath=[\"`]?(\\.[^\"`,]*)"),
	foreign.SubresourceScale: regexp.MustCompile("(?:spec|status|selector)path=[\"`]?(\\.[^\"`,]*)"),
}

// markerAt translates a marker of another tool to the version; not ok if it refers to something
// that the version lacks.
func (p *projection) markerAt(here place, m model.Marker) (model.Marker, bool) {
	for prefix, paths := range pathMarkers {
		if strings.HasPrefix(m.Text, prefix) {
			return p.pathsAt(here.owner, m, paths)
		}
	}
	switch m.Name {
	case foreign.ListMapKey, foreign.PatchMergeKey:
		name, value, _ := strings.Cut(m.Text, "=")
		renamed, ok := p.jsonAt(p.m.Struct(p.elem(here.ref)), value)
		m.Text = name + "=" + renamed
		return m, ok
	case foreign.KubebuilderDefault:
		if json, ok := kubebuilder.Default(m); ok {
			if renamed := value.Rename(p.m, here.ref, json, spelling{p}); renamed != json {
				m.Text = m.Name + "=" + renamed
			}
		}
		return m, true
	}
	if group := model.OneOfMarker(m); group != nil && here.field == nil {
		return p.oneOfAt(here.owner, group)
	}
	if ref, name := valueOf(p, here, m); strings.HasPrefix(name, foreign.KubebuilderXValidation) {
		p.checkRule(ref, here.field != nil, m)
	} else if name == foreign.KubebuilderEnum {
		return p.enumAt(ref, here.field != nil, m)
	}
	return m, true
}

// valueOf returns the type of the values that a marker is about, which may be the items of a list, and the
// marker's name for one of these.
func valueOf(p *projection, here place, m model.Marker) (*model.Ref, string) {
	if name, ok := strings.CutPrefix(m.Name, foreign.KubebuilderItems); ok {
		return p.elem(here.ref), foreign.KubebuilderValidation + name
	}
	return here.ref, m.Name
}

// enumAt translates a marker that lists values of an enum. It omits constants that the version lacks.
func (p *projection) enumAt(ref *model.Ref, onField bool, m model.Marker) (model.Marker, bool) {
	t := p.enumOf(ref)
	list, ok := kubebuilder.Enum(m, onField)
	if t == nil || !ok {
		return m, true
	}
	var values []any
	for _, v := range list {
		switch c := constNamed(t, fmt.Sprint(v)); {
		case c == nil || c.Value != fmt.Sprint(v):
			values = append(values, v)
		case p.of(c).exists(p.v):
			if _, value := p.constAt(c, p.v); c.IsString {
				values = append(values, value)
			} else {
				values = append(values, json.Number(value))
			}
		}
	}
	return kubebuilder.WithEnum(m, values), len(values) > 0
}

// oneOfAt translates a marker that allows one of a struct's fields. It omits fields that the version lacks.
func (p *projection) oneOfAt(t *model.Type, group *model.OneOf) (model.Marker, bool) {
	var kept []string
	for _, name := range group.Members {
		f, exists := p.wireField(t, name)
		switch {
		case f == nil:
			kept = append(kept, name)
		case exists:
			_, name = p.fieldAt(f, p.v)
			kept = append(kept, name)
		}
	}
	m := group.Marker
	m.Text = m.Name + "=" + strings.Join(kept, ";")
	return m, len(kept) > 1 || group.IsRequired() && len(kept) > 0
}

// enumOf returns the type of the newest package whose constants a value is of; nil for other values.
func (p *projection) enumOf(ref *model.Ref) *model.Type {
	if ref == nil {
		return nil
	}
	r := value.Pointee(p.m, ref)
	if t := p.m.Type(r.ID()); t != nil && t.Package == p.evolver.pkg.Path && len(t.Consts) > 0 {
		return t
	}
	return nil
}

// pathsAt translates the paths in a marker. It omits markers with a path to something that the
// version lacks.
func (p *projection) pathsAt(kind *model.Type, m model.Marker, paths *regexp.Regexp) (model.Marker, bool) {
	var b strings.Builder
	last := 0
	for _, loc := range paths.FindAllStringSubmatchIndex(m.Text, -1) {
		renamed, ok := p.pathAt(kind, m.Text[loc[2]:loc[3]])
		if !ok {
			return m, false
		}
		b.WriteString(m.Text[last:loc[2]] + renamed)
		last = loc[3]
	}
	m.Text = b.String() + m.Text[last:]
	return m, true
}

// pathAt translates a path such as .spec.replicas. It does not change parts that it cannot resolve,
// such as a filter on a list.
func (p *projection) pathAt(kind *model.Type, path string) (string, bool) {
	var b strings.Builder
	t := kind
	for _, segment := range strings.SplitAfter(path, ".") {
		name := strings.TrimRight(segment, ".")
		base, index, _ := strings.Cut(name, "[")
		f, exists := p.wireField(t, base)
		if f == nil {
			b.WriteString(segment)
			t = nil
			if name == "" {
				t = kind
			}
			continue
		}
		if !exists {
			return "", false
		}
		_, renamed := p.fieldAt(f, p.v)
		b.WriteString(strings.Replace(segment, base, renamed, 1))
		r := p.typeAt(f, p.v)
		if index != "" {
			r = p.elem(r)
		}
		t = p.m.Struct(r)
	}
	return b.String(), true
}

// wireField returns the field with a JSON name in a struct or in its inlined structs, and whether the version has it; nil for
// none.
func (p *projection) wireField(t *model.Type, name string) (f *model.Field, exists bool) {
	if t == nil || name == "" {
		return nil, false
	}
	if f = tag.FieldByJSON(p.m, t, name); f == nil {
		return nil, false
	}
	return f, p.exist(append(tag.Through(p.m, t, f), f))
}
