package evolve

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
)

// fieldAt returns a field's Go and JSON names in a version.
func (h *hub) fieldAt(f *model.Field, v int) (name, jsonName string) {
	name, jsonName = f.Name, f.JSON
	for _, s := range slices.Backward(h.of(f).after(v)) {
		switch {
		case s.deprecated != nil && !s.deprecated.KeepsName():
			name, _ = cutDeprecated(name)
			jsonName, _ = cutDeprecated(jsonName)
		case s.fromName() != "":
			jsonName = s.fromName()
			name = goName(jsonName)
		}
	}
	return name, jsonName
}

// constAt returns a constant's Go name and value in a version.
func (h *hub) constAt(c *model.Const, v int) (goName, value string) {
	goName, value = c.Name, c.Value
	for _, s := range slices.Backward(h.of(c).after(v)) {
		before := value
		switch {
		case s.deprecated != nil && !s.deprecated.KeepsName():
			value, _ = cutDeprecated(value)
		case s.fromName() != "":
			value = s.fromName()
		}
		goName = renameConst(goName, before, value, c.IsString)
	}
	return goName, value
}

// renameConst returns the Go name of a constant with another value. Constants are usually named
// after their values, as in ColorRed = "Red". Other names change only by the prefix of deprecated
// items.
func renameConst(goName, from, to string, isString bool) string {
	if !isString || from == to {
		return goName
	}
	if head, ok := strings.CutSuffix(goName, upperFirst(from)); ok && upperFirst(to) != "" {
		return head + upperFirst(to)
	}
	if head, ok := strings.CutPrefix(goName, upperFirst(from)); ok && upperFirst(to) != "" {
		return upperFirst(to) + head
	}
	plain, _ := cutDeprecated(goName)
	return plain
}

// checkNames reports, for every version, items with the same name, deprecated prefixes without a
// marker, and markers without the prefix.
func (h *hub) checkNames() {
	for _, t := range h.pkg.Types {
		for _, f := range t.Fields {
			h.checkFieldPrefix(f)
			h.checkRenamable(f)
		}
		for _, c := range t.Consts {
			h.checkConstPrefix(c)
		}
		h.checkUniqueFields(t)
		h.checkUniqueConsts(t)
	}
}

func (h *hub) checkFieldPrefix(f *model.Field) {
	if f.Embedded || f.Skipped {
		return
	}
	hs := h.of(f)
	_, goPrefix := cutDeprecated(f.Name)
	_, jsonPrefix := cutDeprecated(f.JSON)
	change := hs.deprecatedBy(h.newest())
	switch {
	case change == nil && goPrefix && jsonPrefix:
		h.bag.Errorf(f.Span, codeDeprecatedPrefix,
			"%s has the name of a deprecated field; add +%s(since: …) with the version in which it was deprecated", hs.label, h.name(model.RoleDeprecated))
	case change == nil || change.KeepsName():
	case !goPrefix || !jsonPrefix:
		plainGo, _ := cutDeprecated(f.Name)
		plainJSON, _ := cutDeprecated(f.JSON)
		h.bag.Errorf(f.Span, codeDeprecatedPrefix,
			"the name of a deprecated field must show it; rename it to Deprecated%s, with the JSON name deprecated%s (older versions keep the plain name), or add keepName: true",
			upperFirst(plainGo), upperFirst(plainJSON)).
			Note(change.Span, "deprecated here")
	}
}

func (h *hub) checkConstPrefix(c *model.Const) {
	if !c.IsString {
		return
	}
	hs := h.of(c)
	_, prefixed := cutDeprecated(c.Value)
	change := hs.deprecatedBy(h.newest())
	switch {
	case change == nil && prefixed:
		h.bag.Errorf(c.Span, codeDeprecatedPrefix,
			"%s has the value of a deprecated constant; add +%s(since: …) with the version in which it was deprecated", hs.label, h.name(model.RoleDeprecated))
	case change != nil && !change.KeepsName() && !prefixed:
		h.bag.Errorf(c.Span, codeDeprecatedPrefix,
			"the value of a deprecated constant must show it; change it to %q (older versions keep the plain value), or add keepName: true",
			"Deprecated"+upperFirst(c.Value)).
			Note(change.Span, "deprecated here")
	}
}

// checkRenamable reports renames of fields without a JSON name.
func (h *hub) checkRenamable(f *model.Field) {
	for _, s := range h.of(f).steps {
		if s.fromName() != "" && (f.Inline || f.Embedded) {
			h.bag.Errorf(s.changed.FromName.Span, codeInlined, "%s is embedded and has no JSON name to change", h.of(f).label)
		}
	}
}

func (h *hub) checkUniqueFields(t *model.Type) {
	reported := map[*model.Field]bool{}
	for v := range h.versions {
		byGo, byJSON := map[string]*model.Field{}, map[string]*model.Field{}
		for _, f := range t.Fields {
			if !h.of(f).exists(v) {
				continue
			}
			goName, jsonName := h.fieldAt(f, v)
			other := byGo[goName]
			if other == nil && jsonName != "" {
				other = byJSON[jsonName]
			}
			byGo[goName] = f
			byJSON[jsonName] = f
			if other == nil || reported[f] || v == h.newest() || other.JSON == f.JSON { // the newest version has the mistake too
				continue
			}
			reported[f] = true
			h.bag.Errorf(h.nameSpan(f, v), codeOneName, "%s and %s are both named %s in %s; change the fromName of one, or mark the version in which it was added",
				h.of(other).label, h.of(f).label, jsonName, h.versions[v].Name).
				Note(other.Span, "the other field")
		}
	}
}

func (h *hub) checkUniqueConsts(t *model.Type) {
	reported := map[*model.Const]bool{}
	for v := range h.versions {
		byGo, byValue := map[string]*model.Const{}, map[string]*model.Const{}
		for _, c := range t.Consts {
			if !h.of(c).exists(v) {
				continue
			}
			goName, value := h.constAt(c, v)
			other := byGo[goName]
			if byValue[value] != nil && h.changesValue(t, v) {
				other = byValue[value]
			}
			byGo[goName], byValue[value] = c, c
			if other == nil || reported[c] || v == h.newest() {
				continue
			}
			reported[c] = true
			h.bag.Errorf(h.nameSpan(c, v), codeOneName, "%s and %s are both named %s in %s; change the fromName of one, or mark the version in which it was added",
				h.of(other).label, h.of(c).label, value, h.versions[v].Name).
				Note(other.Span, "the other constant")
		}
	}
}

// changesValue reports whether a constant of the type has another value in the version.
func (h *hub) changesValue(t *model.Type, v int) bool {
	return slices.ContainsFunc(t.Consts, func(c *model.Const) bool {
		if !h.of(c).exists(v) {
			return h.standIn(t, c, v) != nil
		}
		_, value := h.constAt(c, v)
		return value != c.Value
	})
}
