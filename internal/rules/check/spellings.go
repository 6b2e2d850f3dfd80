package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// opposites are the spellings that contradict each other, and roles the roles of their tags.
var (
	opposites = map[string]string{"optional": "required", "required": "optional"}
	roles     = map[string]model.Role{"optional": model.RoleOptional, "required": model.RoleRequired}
)

// spellings reports markers of other tools that contradict a tag on the same declaration: API
// servers and generated Go would enforce different rules. It warns of markers that contradict each other.
func (c *checker) spellings(markers []model.Marker, tags []*model.Tag) {
	seen := map[string]model.Marker{}
	for _, m := range markers {
		name, isItems := spelling(m.Name)
		if name == "" {
			continue
		}
		if other, both := seen[opposites[name]]; both && !isItems {
			// Other generators read one of them, so projects that have both need not fail.
			c.bag.Warnf(m.Span, codeSpellings, "+%s contradicts +%s; remove one", m.Name, other.Name).Note(other.Span, "+%s is here", other.Name)
		}
		if !isItems {
			seen[name] = m
		}
		list := tags
		if isItems {
			list = innerOf(tags, model.RoleEachVal)
		}
		opposite := roles[opposites[name]]
		if i := slices.IndexFunc(list, func(use *model.Tag) bool { return use.Role == opposite }); i >= 0 && opposite != "" {
			c.contradicts(m, list[i])
			continue
		}
		same := slices.DeleteFunc(slices.Clone(list), func(use *model.Tag) bool { return !c.isSpelling(use, m, name) })
		if len(same) > 0 && !slices.ContainsFunc(same, func(use *model.Tag) bool { return equalValues(use.Payload.Text, valueOf(m)) }) {
			c.contradicts(m, same[0])
		}
	}
}

func (c *checker) contradicts(m model.Marker, use *model.Tag) {
	c.bag.Errorf(m.Span, codeSpellings, "+%s contradicts +%s; change or remove one", m.Name, use.Name).Note(use.Span, "+%s is here", use.Name)
}

// enumMarkers reports values in a marker on a field that are not values of the field's enum.
func (c *checker) enumMarkers(f *model.Field) {
	elem, _ := c.model.Deref(f.Type)
	t := c.model.Type(elem.ID())
	if t == nil || !slices.ContainsFunc(t.Tags, func(use *model.Tag) bool { return use.Role == model.RoleEnum }) {
		return
	}
	for _, m := range f.Markers {
		if m.Name != foreign.KubebuilderEnum {
			continue
		}
		for value := range strings.SplitSeq(valueOf(m), ";") {
			value = strings.Trim(value, "\"` {}")
			if !slices.ContainsFunc(tag.EnumValues(t), func(k *model.Const) bool { return k.Value == value }) {
				c.bag.Errorf(m.Span, codeSpellings, "+%s has %q, which is not a value of %s; declare a constant, or remove the value", m.Name, value, t.Name)
			}
		}
	}
}

// spelling returns the name, without a prefix, of the tag that a marker may be another spelling
// of, and whether the marker is about the items of a list.
func spelling(marker string) (name string, isItems bool) {
	switch marker {
	case foreign.Optional, foreign.Required, foreign.ListType, foreign.ListMapKey:
		return marker, false
	}
	if name, isItems = strings.CutPrefix(marker, foreign.KubebuilderItems); !isItems {
		if rest, ok := strings.CutPrefix(marker, foreign.KubebuilderValidation); ok {
			name = rest
		} else {
			name = ""
		}
	}
	return lowerFirst(name), isItems
}

// innerOf returns the tags that tags with a role apply.
func innerOf(tags []*model.Tag, role model.Role) []*model.Tag {
	var inner []*model.Tag
	for _, use := range tags {
		if use.Role == role && use.Inner != nil {
			inner = append(inner, use.Inner)
		}
	}
	return inner
}

// isSpelling reports whether a tag has the name and the kind of value of a marker. Tags that name
// one of a few values have values of their own, except for list types.
func (c *checker) isSpelling(use *model.Tag, m model.Marker, name string) bool {
	def := c.tags.Lookup(use.Name)
	return def != nil && use.Payload != nil && strings.HasSuffix(def.Name, ":"+name) && (len(def.Payload.Values) == 0 || m.Name == name)
}

// valueOf returns the value of a marker without quotes.
func valueOf(m model.Marker) string {
	_, value, _ := strings.Cut(foreign.WithoutComment(m.Text), "=")
	value = strings.TrimSpace(value)
	if text, err := strconv.Unquote(value); err == nil {
		return text
	}
	return strings.Trim(value, "'")
}

// equalValues reports whether two values are the same text or number.
func equalValues(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return a == b || err == nil && err2 == nil && x == y
}
