package evolve

import (
	"cmp"
	"go/token"
	"slices"
	"strings"
	"unicode"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// fieldAt returns a field's Go and JSON names in a version.
func (h *evolver) fieldAt(f *model.Field, v int) (name, jsonName string) {
	if name, jsonName = f.Name, f.JSON; f.Embedded {
		name = h.embeddedAt(f, v)
	}
	for _, s := range slices.Backward(h.of(f).after(v)) {
		switch {
		case s.deprecated != nil && !s.deprecated.KeepsName():
			name, _ = cutDeprecated(name)
			jsonName, _ = cutDeprecated(jsonName)
		case s.fromName() != "":
			jsonName = s.fromName()
			name = cmp.Or(s.fromGoName(), goName(jsonName))
		}
	}
	return name, jsonName
}

// embeddedAt returns the Go name of an embedded field in a version, which is that of its type.
func (h *evolver) embeddedAt(f *model.Field, v int) string {
	r := f.Type
	if r.Kind == model.KindPointer {
		r = r.Elem
	}
	if t := h.local(r); t != nil {
		return h.typeNameAt(t, v)
	}
	return f.Name
}

// constAt returns a constant's Go name and value in a version.
func (h *evolver) constAt(c *model.Const, v int) (goName, value string) {
	goName, value = c.Name, c.Value
	for _, s := range slices.Backward(h.of(c).after(v)) {
		before := value
		switch {
		case s.deprecated != nil && !s.deprecated.KeepsName():
			value, _ = cutDeprecated(value)
		case s.fromName() != "":
			value = s.fromName()
		}
		goName = cmp.Or(s.fromGoName(), renameConst(goName, before, value, c.IsString))
	}
	return goName, value
}

// ConstName returns the Go name that a constant has with another value, if no marker says another.
func ConstName(goName, from, to string, isString bool) string {
	return renameConst(goName, from, to, isString)
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
func (h *evolver) checkNames() {
	for _, t := range h.pkg.Types {
		h.checkComment(t, t.Name, t.Doc, t.Span)
		h.checkRenames(h.of(t), func(v int) (goName, name string) { return t.Name, h.typeNameAt(t, v) })
		for _, f := range t.Fields {
			h.checkComment(f, h.of(f).label, f.Doc, f.Span)
			h.checkFieldPrefix(f)
			h.checkRenamable(f)
		}
		for _, f := range h.fields(t) {
			h.checkRenames(h.of(f), func(v int) (goName, name string) { return h.fieldAt(f, v) })
			h.checkMethodName(t, f)
			h.checkKindName(t, f)
		}
		for _, c := range t.Consts {
			h.checkComment(c, h.of(c).label, c.Doc, c.Span)
			h.checkConstPrefix(c)
			h.checkRenames(h.of(c), func(v int) (goName, name string) { return h.constAt(c, v) })
		}
		h.checkUniqueFields(t)
		h.checkFlattened(t)
		h.checkUniqueConsts(t)
	}
}

// checkComment reports an item that only its comment deprecates.
func (h *evolver) checkComment(item any, label, doc string, span source.Span) {
	if len(h.versions) > 1 && model.IsDeprecated(doc) && h.of(item).deprecatedBy(h.newest()) == nil {
		h.bag.Warnf(span, codeDeprecatedComment, "the comment deprecates %s in all versions; add +%s(since: …, keepName: true) with the version in which it was deprecated", label, h.name(model.RoleDeprecated))
	}
}

func (h *evolver) checkFieldPrefix(f *model.Field) {
	if f.Embedded || f.Skipped {
		return
	}
	hs := h.of(f)
	_, goPrefix := cutDeprecated(f.Name)
	_, jsonPrefix := cutDeprecated(f.JSON)
	change := hs.deprecatedBy(h.newest())
	switch {
	case change == nil && isDeprecated(f.Changes): // reported
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
			Note(change.Span, "deprecated here").RestsOn(tag.ArgumentsOf(change.Span))
	}
}

// isDeprecated reports whether a marker deprecates an item, even a mistaken one.
func isDeprecated(changes []model.Change) bool {
	return slices.ContainsFunc(changes, func(c model.Change) bool { return c.Base().Role == model.RoleDeprecated })
}

func (h *evolver) checkConstPrefix(c *model.Const) {
	if !c.IsString {
		return
	}
	hs := h.of(c)
	_, prefixed := cutDeprecated(c.Value)
	change := hs.deprecatedBy(h.newest())
	switch {
	case change == nil && isDeprecated(c.Changes): // reported
	case change == nil && prefixed:
		h.bag.Errorf(c.Span, codeDeprecatedPrefix,
			"%s has the value of a deprecated constant; add +%s(since: …) with the version in which it was deprecated", hs.label, h.name(model.RoleDeprecated))
	case change != nil && !change.KeepsName() && !prefixed:
		h.bag.Errorf(c.Span, codeDeprecatedPrefix,
			"the value of a deprecated constant must show it; change it to %q (older versions keep the plain value), or add keepName: true",
			"Deprecated"+upperFirst(c.Value)).
			Note(change.Span, "deprecated here").RestsOn(tag.ArgumentsOf(change.Span))
	}
}

// checkRenamable reports renames of fields without a JSON name.
func (h *evolver) checkRenamable(f *model.Field) {
	for _, s := range h.of(f).steps {
		if s.fromName() != "" && (f.Inline || f.Embedded) {
			h.bag.Errorf(s.changed.FromName.Span, codeInlined, "%s is embedded and has no JSON name to change", h.of(f).label)
		}
	}
}

// checkFromName reports a previous name that generated Go cannot have.
func (h *evolver) checkFromName(kind itemKind, c *model.Changed) bool {
	if c.FromName == nil {
		if c.FromGoName != nil {
			h.bag.Errorf(c.FromGoName.Span, codeBadArgument, "fromGoName is the Go name that belongs to fromName; add fromName")
		}
		return c.FromGoName == nil
	}
	if from := c.FromGoName; from != nil && (!token.IsIdentifier(from.Text) || !token.IsExported(from.Text)) {
		h.bag.Errorf(from.Span, codeBadArgument, "fromGoName must be an exported Go name, such as PrevBar")
		return false
	}
	from := c.FromName
	if kind == onConst {
		return true
	}
	if i := strings.IndexFunc(from.Text, notInName); i >= 0 || from.Text == "" || from.Text == "-" {
		h.bag.Errorf(from.Span, codeBadArgument, "fromName is the previous JSON name of the field, such as prevBar: letters, digits and any of -_.$")
		return false
	}
	if name := goName(from.Text); c.FromGoName == nil && (!token.IsIdentifier(name) || !token.IsExported(name)) {
		h.bag.Errorf(from.Span, codeBadArgument, "no Go name follows from the JSON name %q; add fromGoName: with the Go name of the field in older versions", from.Text)
		return false
	}
	return true
}

func notInName(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.$", r)
}

// checkRenames reports renames to the name that the item already has.
func (h *evolver) checkRenames(hs *history, at func(v int) (goName, name string)) {
	for _, s := range hs.steps {
		if s.fromName() == "" {
			continue
		}
		goName, name := at(s.version)
		if name == s.fromName() && (s.fromGoName() == "" || s.fromGoName() == goName) {
			h.bag.Errorf(s.changed.FromName.Span, codeNoChange, "%s already has the name %s; fromName is the name before %s", hs.label, name, s.changed.Since)
		}
	}
}

// generatedMethods are the methods that types of older versions get: all types, and kinds.
var generatedMethods = map[bool][]string{
	false: {"DeepCopy", "DeepCopyInto"},
	true:  {"DeepCopy", "DeepCopyInto", "DeepCopyObject", "ConvertTo", "ConvertFrom", "GetObjectKind"},
}

// checkMethodName reports a previous Go name that is the name of a method.
func (h *evolver) checkMethodName(t *model.Type, f *model.Field) {
	for _, s := range h.of(f).steps {
		if s.fromName() == "" {
			continue
		}
		if name, _ := h.fieldAt(f, s.version-1); slices.Contains(generatedMethods[t.Kind != nil], name) {
			h.bag.Errorf(s.changed.FromName.Span, codeBadArgument, "%s is a method of generated types; add fromGoName: with another Go name of the field in older versions", name)
		}
	}
}

// checkKindName reports older names of a kind's fields that API servers and clients do not find, or find another field by.
func (h *evolver) checkKindName(t *model.Type, f *model.Field) {
	if t.Kind == nil || f.Embedded {
		return
	}
	hasStatus := model.HasMarker(t.Markers, foreign.SubresourceStatus)
	for v := range h.newest() {
		_, name := h.fieldAt(f, v)
		span := h.nameSpan(f, v)
		switch {
		case !h.of(f).exists(v) || h.bag.Has(span, codeKindField):
		case slices.Contains([]string{"apiVersion", "kind", "metadata"}, name):
			h.bag.Errorf(span, codeKindField, "all kinds have another field %s; change the name", name)
		case name != f.JSON && t.Kind.List && f.JSON == "items":
			h.bag.Errorf(span, codeKindField, "clients read the objects of a list from items; remove the marker")
		case name != f.JSON && hasStatus && f.JSON == "status":
			h.bag.Errorf(span, codeKindField, "API servers serve the status subresource from status, in all versions; remove the marker")
		}
	}
}

// checkFlattened reports fields of inlined structs that have the name of another field of the JSON
// object in an older version. Names that are equal in the newest version too are meant.
func (h *evolver) checkFlattened(t *model.Type) {
	if !slices.ContainsFunc(t.Fields, func(f *model.Field) bool { return f.Inline }) {
		return
	}
	type pair [2]*model.Field
	meant := map[pair]bool{}
	for v := h.newest(); v >= 0; v-- {
		byName := map[string]*flattened{}
		for _, f := range h.flatten(t, v, 0) {
			name, first := f.jsonName, byName[f.jsonName]
			byName[name] = f
			if first == nil || first.owner == f.owner || meant[pair{first.Field, f.Field}] {
				continue
			}
			meant[pair{first.Field, f.Field}] = true // once
			if v == h.newest() {
				continue
			}
			other := first
			if h.nameSpan(f.Field, v) == f.Span { // the other one was renamed
				f, other = first, f
			}
			h.bag.Errorf(h.nameSpan(f.Field, v), codeOneName, "%s.%s and %s.%s are both named %s in the JSON of %s in %s; change the fromName of one, or mark the version in which it was added",
				other.owner.Name, fieldLabel(other.Field), f.owner.Name, fieldLabel(f.Field), name, t.Name, h.versions[v].Name).
				Note(other.Span, "the other field")
		}
	}
}

// flattened is a field of a JSON object, of the object's struct or of one that is inlined.
type flattened struct {
	*model.Field
	owner    *model.Type
	jsonName string
}

// flatten returns the fields of the JSON object that a struct is in a version.
func (h *evolver) flatten(t *model.Type, v, depth int) []*flattened {
	var fields []*flattened
	if t == nil || depth > 64 {
		return nil
	}
	for _, f := range h.fields(t) {
		_, name := h.fieldAt(f, v)
		switch {
		case !h.of(f).exists(v):
		case f.Inline:
			fields = append(fields, h.flatten(h.m.Struct(h.typeAt(f, v)), v, depth+1)...)
		case name != "":
			fields = append(fields, &flattened{f, t, name})
		}
	}
	return fields
}

func (h *evolver) checkUniqueFields(t *model.Type) {
	reported := map[*model.Field]bool{}
	for v := range h.versions {
		byGo, byJSON := map[string]*model.Field{}, map[string]*model.Field{}
		for _, f := range h.fields(t) {
			if !h.of(f).exists(v) {
				continue
			}
			goName, jsonName := h.fieldAt(f, v)
			other := byJSON[jsonName]
			if jsonName == "" || other == nil {
				other = byGo[goName]
			}
			byGo[goName] = f
			byJSON[jsonName] = f
			now := h.newest()
			if other == nil || reported[f] || v == now || other.JSON == f.JSON && h.of(other).exists(now) && h.of(f).exists(now) { // the newest version has the mistake too
				continue
			}
			reported[f] = true
			what, remedy := "both named "+jsonName, "change the fromName of one, or mark the version in which it was added"
			if _, otherJSON := h.fieldAt(other, v); otherJSON != jsonName {
				what, remedy = "both named "+goName+" in Go", "add goName: or fromGoName: with another Go name to the marker of one"
			}
			h.bag.Errorf(h.nameSpan(f, v), codeOneName, "%s and %s are %s in %s; %s", h.of(other).label, h.of(f).label, what, h.versions[v].Name, remedy).
				Note(other.Span, "the other field")
		}
	}
}

func (h *evolver) checkUniqueConsts(t *model.Type) {
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
func (h *evolver) changesValue(t *model.Type, v int) bool {
	return slices.ContainsFunc(t.Consts, func(c *model.Const) bool {
		if !h.of(c).exists(v) {
			return h.standIn(t, c, v) != nil
		}
		_, value := h.constAt(c, v)
		return value != c.Value
	})
}
