package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// bounds reads controller-gen's bounds on durations and quantities, which controller-gen itself
// does not support, as the corresponding tags. Bounds on numbers remain markers.
func (l *lowerer) bounds(m *model.Model, t *model.Type) {
	typ := model.Named(t.Package, t.Name)
	t.Markers, t.Tags = l.lifted(m, typ, t.Markers, l.liftedInner(m, typ, t.Tags))
	for _, f := range t.Fields {
		f.Markers, f.Tags = l.lifted(m, f.Type, f.Markers, l.liftedInner(m, f.Type, f.Tags))
	}
}

// sides has, for each bound, its marker, the marker that makes it exclusive, and the roles of the
// tags.
var sides = []struct {
	bound, exclusive  string
	tag, exclusiveTag model.Role
}{
	{"Minimum", "ExclusiveMinimum", model.RoleMinimum, model.RoleExclusiveMinimum},
	{"Maximum", "ExclusiveMaximum", model.RoleMaximum, model.RoleExclusiveMaximum},
}

// lifted converts the bounds on values of a type, or on list items, from markers to tags.
func (l *lowerer) lifted(m *model.Model, typ *model.Ref, markers []model.Marker, tags []*model.Tag) ([]model.Marker, []*model.Tag) {
	if len(markers) == 0 {
		return markers, tags
	}
	elem, _ := m.Deref(typ)
	for _, side := range sides {
		for _, of := range []struct {
			prefix string
			typ    *model.Ref
		}{{"kubebuilder:validation:", elem}, {"kubebuilder:validation:items:", m.Underlying(elem).Elem}} {
			i := slices.IndexFunc(markers, func(k model.Marker) bool { return k.Name == of.prefix+side.bound })
			if i < 0 || of.typ == nil || !measured(m, of.typ, markers[i]) {
				continue
			}
			c := l.tagWith(side.tag, markers[i])
			c.Payload = boundOf(markers[i])
			markers = slices.Delete(slices.Clone(markers), i, i+1)
			if i := slices.IndexFunc(markers, func(k model.Marker) bool { return k.Name == of.prefix+side.exclusive }); i >= 0 {
				if exclusive, err := strconv.ParseBool(boundOf(markers[i]).Text); err == nil {
					if exclusive {
						c.Name, c.Role = l.tags.WithRole(side.exclusiveTag), side.exclusiveTag
					}
					markers = slices.Delete(markers, i, i+1)
				}
			}
			if of.typ != elem {
				each := l.tagWith(model.RoleEachVal, model.Marker{Span: c.Span})
				each.Inner = c
				c = each
			}
			tags = append(tags, c)
		}
	}
	return markers, tags
}

// liftedInner reads the bounds that hold in some versions only.
func (l *lowerer) liftedInner(m *model.Model, typ *model.Ref, tags []*model.Tag) []*model.Tag {
	for i, c := range tags {
		if c.Inner == nil || !c.Is(model.RoleSince, model.RoleUntil) {
			continue
		}
		inner := l.liftedInner(m, typ, []*model.Tag{c.Inner})
		marker := model.Marker{Name: c.Inner.Name, Text: strings.TrimPrefix(c.Inner.Span.Text(), "+"), Span: c.Inner.Span}
		if left, read := l.lifted(m, typ, []model.Marker{marker}, nil); len(left) == 0 {
			inner = read
		}
		n := *c
		n.Inner = inner[0]
		tags[i] = &n
	}
	return tags
}

// tagWith returns the tag with a role where a marker is written.
func (l *lowerer) tagWith(role model.Role, m model.Marker) *model.Tag {
	c := &model.Tag{Name: l.tags.WithRole(role), NameSpan: m.Span, Span: m.Span}
	if d := l.tags.Lookup(c.Name); d != nil {
		c.Role, c.At = d.Role, d.Payload.Applies
	}
	return c
}

// measured reports whether a bound on values of a type is a duration or a quantity. A bound on a
// time.Duration can also be a number, which remains a marker.
func measured(m *model.Model, typ *model.Ref, bound model.Marker) bool {
	if m.Is(typ, model.GoDuration) && !m.Is(typ, model.Duration) {
		_, err := strconv.ParseFloat(boundOf(bound).Text, 64)
		return err != nil
	}
	return m.Is(typ, model.Duration) || m.Is(typ, model.Quantity)
}

// boundOf returns the value of a marker, with or without quotes.
func boundOf(m model.Marker) *model.Value {
	_, text, _ := strings.Cut(m.Text, "=")
	text, _, _ = strings.Cut(text, " #")
	text = strings.TrimSpace(text)
	start := strings.LastIndex(m.Span.Text(), text)
	v := &model.Value{Kind: model.StringValue, Text: text, Span: m.Span}
	if start > 0 {
		v.Span = m.Span.Sub(start, start+len(text))
	}
	if unquoted, err := strconv.Unquote(text); err == nil {
		v.Text = unquoted
	} else if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		v.Kind = model.IntValue
	}
	return v
}
