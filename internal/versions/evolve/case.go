package evolve

import (
	"slices"
	"strings"
	"unicode"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// words returns the words of a name, in lower case: "RollingUpdate", "ROLLING_UPDATE" and
// "rolling-update" have the same. Digits belong to the word before them.
func words(name string) []string {
	var list []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			list = append(list, strings.ToLower(string(word)))
		}
		word = nil
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case i == 0 || !unicode.IsUpper(r):
		case !unicode.IsUpper(runes[i-1]), i+1 < len(runes) && unicode.IsLower(runes[i+1]):
			end() // the last capital begins the next word
		}
		word = append(word, r)
	}
	end()
	return list
}

// InStyle returns a name in one of the styles of package jsonconvert.
func InStyle(style, name string) string {
	list := words(name)
	for i, word := range list {
		switch style {
		case "upper", "upperKebab", "upperSnake":
			list[i] = strings.ToUpper(word)
		case "pascal", "camel":
			if i > 0 || style == "pascal" {
				list[i] = upperFirst(word)
			}
		}
	}
	separator := map[string]string{"kebab": "-", "upperKebab": "-", "snake": "_", "upperSnake": "_"}[style]
	return strings.Join(list, separator)
}

// readCases reads the changes of a type that give all constants values of another style.
func (h *evolver) readCases(t *model.Type) {
	for _, s := range h.of(t).steps {
		c := s.changed
		if c == nil || c.Transform == nil {
			continue
		}
		transform, r := h.readTransform(c.Transform), model.Named(t.Package, t.Name)
		switch {
		case transform == nil:
			continue
		case jsonconvert.Forms[transform.Name].First != jsonconvert.EnumShape || !h.hasShape(r, jsonconvert.EnumShape, transform, r):
			h.bag.Errorf(c.Transform.Span, codeTransform, "on a type only case converts, the constants of an enum of strings; put %s on the fields of type %s", c.Transform.Text, t.Name)
			continue
		}
		for _, k := range t.Consts {
			h.readCase(k, s, transform.Args[0])
		}
	}
}

// readCase adds a change of style to a constant that has none in the version.
func (h *evolver) readCase(k *model.Const, s step, style string) {
	hs := h.of(k)
	if hs.added >= s.version || slices.ContainsFunc(hs.steps, func(other step) bool { return other.version == s.version && other.fromName() != "" }) {
		return
	}
	name, value := h.constAt(k, s.version)
	if slices.ContainsFunc(hs.steps, func(other step) bool { return other.version == s.version && other.renames() }) { // deprecated
		before := value
		value, _ = cutDeprecated(value)
		name = renameConst(name, before, value, true)
	}
	from := InStyle(style, value)
	if from == value || from == "" {
		return
	}
	c := &model.Changed{
		ChangeBase: s.changed.ChangeBase, FromName: &model.Value{Kind: model.StringValue, Text: from, Span: s.changed.Transform.Span},
		FromGoName: &model.Value{Kind: model.StringValue, Text: name, Span: s.changed.Transform.Span},
	}
	k.Changes = append(k.Changes, c)
	i := slices.IndexFunc(hs.steps, func(other step) bool { return other.version >= s.version })
	if i < 0 {
		i = len(hs.steps)
	}
	hs.steps = slices.Insert(hs.steps, i, step{changed: c, version: s.version})
}

// readValues completes a transform between an enum and strings with the values of both. If both types are
// enums, the one whose constants in the style are those of the other is the first representation.
func (h *evolver) readValues(c *model.Changed, t *jsonconvert.Transform, from, to *model.Ref) bool {
	enum, other := h.m.Type(single(from).ID()), h.m.Type(single(to).ID())
	if t.Inverted {
		enum, other = other, enum
	}
	problem := h.pairValues(c, t, enum, other)
	if problem != "" && other != nil && len(other.Consts) > 0 {
		t.Inverted = !t.Inverted
		if h.pairValues(c, t, other, enum) == "" {
			return true
		}
	}
	if problem != "" {
		h.bag.Errorf(c.Transform.Span, codeTransform, "%s", problem)
	}
	return problem == ""
}

// pairValues sets the values of a transform, and returns what is wrong with them.
func (h *evolver) pairValues(c *model.Changed, t *jsonconvert.Transform, enum, other *model.Type) (problem string) {
	t.Values = nil
	by := map[string]*model.Const{}
	for _, k := range enum.Consts {
		_, value := h.constAt(k, h.index[c.Since])
		text := InStyle(t.Args[0], value)
		if same := by[text]; same != nil {
			return same.Name + " and " + k.Name + " are both " + text + " in the style " + t.Args[0] + "; use another style, or functions"
		}
		by[text] = k
		if other != nil && len(other.Consts) > 0 {
			if !slices.ContainsFunc(other.Consts, func(o *model.Const) bool { return o.Value == text }) {
				return other.Name + " has no constant with the value " + text + ", which is " + k.Name + " in the style " + t.Args[0]
			}
		}
		t.Values = append(t.Values, [2]string{k.Value, text})
	}
	return ""
}
