package evolve

import (
	"reflect"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
)

// unwraps reports whether a list is a single value in the version.
func (p *projection) unwraps(f *model.Field) bool {
	return slices.ContainsFunc(p.of(f).after(p.v), func(s step) bool { return s.changed != nil && s.changed.Wraps })
}

// itemsOf returns what applies to the single value that became a list: what applies to the items.
// What since and until select is for the version as written.
func (p *projection) itemsOf(f *model.Field) (tags []*model.Tag, markers []model.Marker, def *model.Default) {
	for _, c := range f.Tags {
		if c = p.itemTag(c); c != nil {
			tags = append(tags, c)
		}
	}
	for _, m := range f.Markers {
		if m, ok := p.itemMarker(f, m); ok {
			markers = append(markers, m)
		}
	}
	if f.Default == nil || f.Default.Ref != nil {
		return tags, markers, nil
	}
	if first, ok := firstItem(f.Default.JSON); ok {
		d := *f.Default
		d.JSON, def = first, &d
	}
	return tags, markers, def
}

// itemTag returns the tag on the value for a tag on the list; nil for tags that are only for lists.
func (p *projection) itemTag(c *model.Tag) *model.Tag {
	switch {
	case c.Is(model.RoleSince, model.RoleUntil):
		return c
	case c.At == model.AtElement:
		return c.Inner
	case c.At == model.AtPlace && c.Inner != nil:
		inner := p.itemTag(c.Inner)
		if inner == nil {
			return nil
		}
		n := *c
		n.Inner = inner
		return &n
	}
	if d := p.tags.Lookup(c.Name); d != nil && !d.Shapes.All() {
		return nil
	}
	return c
}

// itemMarker is like itemTag, for markers of other tools.
func (p *projection) itemMarker(f *model.Field, m model.Marker) (model.Marker, bool) {
	switch {
	case foreign.IsForLists(m.Name):
		return m, false
	case strings.HasPrefix(m.Name, foreign.KubebuilderItems):
		name := foreign.KubebuilderValidation + strings.TrimPrefix(m.Name, foreign.KubebuilderItems)
		m.Name, m.Text = name, name+strings.TrimPrefix(m.Text, m.Name)
	case strings.HasPrefix(m.Name, foreign.KubebuilderXValidation):
		p.bag.Errorf(m.Span, codeRule, "the rule is for a list, but %s is a single value in version %s; wrap the rule in +%s, and write the rule for older versions with +%s",
			p.of(f).label, p.pkg.Name, p.name(model.RoleSince), p.name(model.RoleUntil))
		return m, false
	case m.Name == foreign.KubebuilderDefault:
		if json, ok := kubebuilder.Default(m); ok {
			first, ok := firstItem(json)
			m.Text = m.Name + "=" + first
			return m, ok
		}
	}
	return m, true
}

// firstItem returns the first item of a list, as JSON.
func firstItem(json string) (string, bool) {
	v, _ := value.Parse(json)
	if v == nil || len(v.Items) == 0 {
		return "", false
	}
	return v.Items[0].JSON(), true
}

// itemStructTag returns a struct tag without the keys that are only for lists.
func itemStructTag(tag string) string {
	for _, key := range []string{"patchStrategy", "patchMergeKey"} {
		if value, ok := reflect.StructTag(tag).Lookup(key); ok {
			tag = strings.Join(strings.Fields(strings.Replace(tag, key+`:"`+value+`"`, "", 1)), " ")
		}
	}
	return tag
}
