package adopt

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/english"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// aspect is what differs of an item.
type aspect string

const (
	missing  aspect = "missing"  // only the hand-written version has it
	extra    aspect = "extra"    // only the generated one has it
	goName   aspect = "goName"   // the Go name
	typed    aspect = "type"     // the type
	omits    aspect = "omit"     // whether JSON omits it if it is empty
	outdated aspect = "outdated" // whether its comment deprecates it
	tags     aspect = "tags"     // its tags and markers
	mixed    aspect = "mixed"    // a kind of the older version alone uses a type that would be generated
	// nested is a field of a type that only the generated version has. It may have been elsewhere.
	nested aspect = "nested"
)

// difference is a difference between a hand-written version and what would be generated.
type difference struct {
	aspect aspect
	// item names what differs: a type, or a field or constant of one.
	item string
	// old and generated are the type in both; nil where it is missing.
	old, generated *model.Type
	// The field or the constant, if it is one that differs.
	oldField, newField *model.Field
	oldConst, newConst *model.Const
	// oldTags and newTags are the tags that only one of them has, by their texts.
	oldTags, newTags []attached
	// isDeprecated is set if the comment in the hand-written version deprecates the item, and note says what
	// to use.
	isDeprecated bool
	note         string
	// sameJSON means that the JSON is the same.
	sameJSON bool
	message  string
	span     source.Span
}

// key identifies a difference that several versions have.
func (d *difference) key() string { return d.item + " " + string(d.aspect) + " " + d.message }

// attached is a tag, a marker or a default of an item.
type attached struct {
	text string // to compare
	span source.Span
	// presence is the role of a tag that says whether a field is set.
	presence model.Role
	// foreign is set on a marker of another tool.
	foreign bool
	// outer is set on a tag that is written on the struct of the field.
	outer bool
}

// quoted is a text in quotes that means the same without them in markers of other tools.
var quoted = regexp.MustCompile(`"([^"\\;,{}` + "`" + `\s]+)"`)

// meaning returns the text, without quotes that are not needed.
func (a attached) meaning() string {
	if a.foreign {
		return quoted.ReplaceAllString(a.text, "$1")
	}
	return a.text
}

// comparison compares the types of two packages.
type comparison struct {
	// model has what would be generated, and before what exists.
	model, before  *model.Model
	old, generated *model.Package
	list           []*difference
}

// compare returns the differences between a hand-written package and what would be generated in its place.
func compare(before *model.Model, old *model.Package, m *model.Model, generated *model.Package) []*difference {
	c := &comparison{model: m, before: before, old: old, generated: generated}
	used := reachable(old, nil)
	// What only a kind holds that the older version lacks, or declares as one of another package, is no difference by
	// itself.
	all, own := reachable(generated, nil), reachable(generated, func(t *model.Type) bool {
		was := old.Type(t.Name)
		return borrowed(was) || t.Kind != nil && was == nil
	})
	kept := keptTypes(old, m, generated)
	for _, t := range old.Types {
		switch g := generated.Type(t.Name); {
		case !used[t.Name]:
		case g != nil && g.Hub != nil:
			c.types(t, g)
		case kept[t.Name]: // stays hand-written beside the generated types
			if uses := c.sharedBy(t, kept); isObject(t) && len(uses) > 0 {
				c.add(&difference{aspect: mixed, item: t.Name, old: t, span: t.Span, message: fmt.Sprintf(
					"stays hand-written, because package %s does not have it, but uses %s, which would be generated; declare separate types for it", path.Base(generated.Hub), english.And(uses))})
			}
		default:
			c.add(&difference{aspect: missing, item: t.Name, old: t, span: t.Span, message: "would not be generated"})
		}
	}
	for _, g := range generated.Types {
		if g.Hub != nil && !used[g.Name] && old.Type(g.Name) == nil && own[g.Name] == all[g.Name] && !listOf(g, generated, old) {
			c.add(&difference{aspect: extra, item: g.Name, generated: g, span: old.Span, message: "would be generated, but package " + old.Name + " does not have it"})
			for _, f := range g.Fields {
				if f.Exported() {
					c.add(&difference{aspect: nested, item: g.Name + "." + label(f), generated: g, newField: f, span: old.Span})
				}
			}
		}
	}
	return c.list
}

func (c *comparison) add(d *difference) { c.list = append(c.list, d) }

// keptTypes returns the types of a version that only its own kinds use: those that the newest version lacks.
func keptTypes(old *model.Package, m *model.Model, generated *model.Package) map[string]bool {
	isOwn := func(t *model.Type) bool { return t.Kind != nil && !inNewest(t.Name, m, generated) }
	kept, shared := map[string]bool{}, reachableFrom(old, func(t *model.Type) bool { return t.Kind != nil && !isOwn(t) }, nil)
	for name := range reachableFrom(old, isOwn, nil) {
		kept[name] = !shared[name]
	}
	return kept
}

// sharedBy returns the types that a kept type uses and that are not kept.
func (c *comparison) sharedBy(t *model.Type, kept map[string]bool) []string {
	var names []string
	for name := range reachableFrom(c.old, func(u *model.Type) bool { return u == t }, nil) {
		if !kept[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// inNewest reports whether the newest version, from which a package would be generated, declares a type.
func inNewest(name string, m *model.Model, generated *model.Package) bool {
	hub := m.Package(generated.Hub)
	return generated.Type(name) != nil || hub == nil || hub.Type(name) != nil
}

// listOf reports whether a kind is the list of one that the older version lacks too.
func listOf(g *model.Type, generated, old *model.Package) bool {
	item := strings.TrimSuffix(g.Name, "List")
	return g.Kind != nil && g.Kind.List && generated.Type(item) != nil && old.Type(item) == nil
}

// borrowed reports whether a type is declared as one of another package.
func borrowed(t *model.Type) bool {
	return t != nil && t.Def != nil && t.Def.Kind == model.KindNamed && t.Def.Package != t.Package
}

// reachable returns the types of a version: its kinds, and all types that they use. It does not look into those that
// closed selects; nil selects none.
func reachable(p *model.Package, closed func(*model.Type) bool) map[string]bool {
	return reachableFrom(p, func(t *model.Type) bool { return t.Kind != nil }, closed)
}

// reachableFrom is like reachable, from types that roots selects.
func reachableFrom(p *model.Package, roots, closed func(*model.Type) bool) map[string]bool {
	seen := map[string]bool{}
	var visit func(r *model.Ref)
	visit = func(r *model.Ref) {
		if r == nil {
			return
		}
		visit(r.Elem)
		visit(r.Key)
		if r.Kind != model.KindNamed || r.Package != p.Path || seen[r.Name] {
			return
		}
		if t := p.Type(r.Name); t != nil {
			seen[r.Name] = true
			if closed != nil && closed(t) {
				return
			}
			visit(t.Def)
			for _, f := range t.Fields {
				if f.Exported() {
					visit(f.Type)
				}
			}
		}
	}
	for _, t := range p.Types {
		if roots(t) {
			visit(model.Named(p.Path, t.Name))
		}
	}
	return seen
}

func (c *comparison) types(old, g *model.Type) {
	at := difference{old: old, generated: g, item: old.Name, span: old.Span}
	if old.IsStruct() != g.IsStruct() || !old.IsStruct() && !c.sameRef(old.Def, g.Def) {
		d := at
		d.aspect, d.message = typed, fmt.Sprintf("is declared as %s, and would be as %s", c.old.Spell(old.Def), c.generated.Spell(g.Def))
		d.sameJSON = c.sameJSON(old.Def, g.Def)
		if s := c.before.Struct(old.Def); s != nil && g.IsStruct() {
			d.sameJSON = c.sameFields(s, g, map[[2]model.Name]bool{})
		}
		c.add(&d)
		if old.IsStruct() != g.IsStruct() {
			return
		}
	}
	c.attached(at, ofType(old), ofType(g))
	c.outdated(at, old.Doc, g.Doc)
	for _, f := range old.Fields {
		if !f.Exported() {
			continue
		}
		d := at
		d.oldField, d.item, d.span = f, old.Name+"."+label(f), f.Span
		if d.newField = counterpart(f, g); d.newField != nil {
			c.fields(d)
			continue
		}
		d.aspect, d.message = missing, "would not be generated"
		c.add(&d)
	}
	for _, f := range g.Fields {
		if f.Exported() && counterpart(f, old) == nil {
			d := at
			d.newField, d.item, d.aspect, d.message = f, g.Name+"."+label(f), extra, "would be generated, but the hand-written type does not have it"
			c.add(&d)
		}
	}
	c.consts(at)
}

// label returns the JSON name of a field, or the Go name of one without.
func label(f *model.Field) string { return cmp.Or(f.JSON, f.Name) }

// counterpart returns the field of another version that has the same place in JSON.
func counterpart(f *model.Field, t *model.Type) *model.Field {
	if i := slices.IndexFunc(t.Fields, func(g *model.Field) bool {
		return g.Exported() && f.JSON == g.JSON && f.Inline == g.Inline && (f.JSON != "" || f.Name == g.Name)
	}); i >= 0 {
		return t.Fields[i]
	}
	return nil
}

func (c *comparison) fields(at difference) {
	old, g := at.oldField, at.newField
	differs := func(a aspect, sameJSON bool, format string, args ...any) {
		d := at
		d.aspect, d.sameJSON, d.message = a, sameJSON, fmt.Sprintf(format, args...)
		c.add(&d)
	}
	if old.Embedded != g.Embedded {
		differs(goName, true, "is %s, and would be %s", embedding(old), embedding(g))
	} else if old.Name != g.Name {
		differs(goName, true, "has the Go name %s, and would have %s", old.Name, g.Name)
	}
	if !c.sameRef(old.Type, g.Type) {
		differs(typed, c.sameJSON(old.Type, g.Type), "has the type %s, and would have %s", c.old.Spell(old.Type), c.generated.Spell(g.Type))
	}
	if old.OmitEmpty != g.OmitEmpty || old.OmitZero != g.OmitZero {
		differs(omits, false, "has %s, and would have %s", omission(old), omission(g))
	}
	was, is := ofField(at.old, old), ofField(at.generated, g)
	if g.Origin != nil && g.Origin.Field == "" { // markers say it in another way
		was = slices.DeleteFunc(was, func(t attached) bool { return implied(old, t) })
	}
	c.attached(at, was, is)
	c.outdated(at, old.Doc, g.Doc)
}

func embedding(f *model.Field) string {
	if f.Embedded {
		return "embedded"
	}
	return "a field with a name"
}

func omission(f *model.Field) string {
	switch {
	case f.OmitEmpty && f.OmitZero:
		return "omitempty and omitzero"
	case f.OmitEmpty:
		return "omitempty"
	case f.OmitZero:
		return "omitzero"
	}
	return "neither omitempty nor omitzero"
}

// outdated compares whether comments deprecate an item. Other text in comments is free.
func (c *comparison) outdated(at difference, old, generated string) {
	was, is := model.IsDeprecated(old), model.IsDeprecated(generated)
	if was == is {
		return
	}
	at.aspect, at.sameJSON, at.isDeprecated, at.note = outdated, true, was, note(old)
	at.message = "is deprecated by its comment, and would not be"
	if is {
		at.message, at.note = "is not deprecated by its comment, and would be", ""
	}
	c.add(&at)
}

func (c *comparison) consts(at difference) {
	named := func(list []*model.Const, value string) *model.Const {
		for _, k := range list {
			if k.Value == value && !k.Alias {
				return k
			}
		}
		return nil
	}
	for _, k := range at.old.Consts {
		d := at
		d.oldConst, d.item, d.span = k, at.old.Name+"."+k.Name, k.Span
		if d.newConst = named(at.generated.Consts, k.Value); d.newConst == nil {
			d.aspect, d.message = missing, "would not be generated"
			c.add(&d)
			continue
		}
		g := d.newConst
		c.attached(d, attachedTo(k.Tags, k.Markers, nil), attachedTo(g.Tags, g.Markers, nil))
		c.outdated(d, k.Doc, g.Doc)
		if k.Name != g.Name && !k.Alias {
			d.aspect, d.sameJSON, d.message = goName, true, fmt.Sprintf("has this Go name, and would have %s", g.Name)
			c.add(&d)
		}
	}
	for _, g := range at.generated.Consts {
		if named(at.old.Consts, g.Value) == nil {
			d := at
			d.newConst, d.item, d.aspect, d.message = g, at.old.Name+"."+g.Name, extra, "would be generated, but the hand-written type does not have it"
			c.add(&d)
		}
	}
}

// ofType returns what is attached to a type, except what is attached to its fields there. Markers of kinds about
// their version follow from the markers of the package.
func ofType(t *model.Type) []attached {
	list := slices.DeleteFunc(slices.Clone(t.Tags), func(c *model.Tag) bool { return subfield(t, c) != nil })
	markers := t.Markers
	if t.Kind != nil { // lists too: the markers do nothing there
		markers = slices.DeleteFunc(slices.Clone(markers), aboutVersion)
	}
	return attachedTo(list, markers, t.Default)
}

// ofField returns what is attached to a field, on the field or on its struct.
func ofField(t *model.Type, f *model.Field) []attached {
	all := attachedTo(f.Tags, f.Markers, f.Default)
	for _, c := range t.Tags {
		if subfield(t, c) == f {
			all = append(all, attached{text: c.Inner.Describe(), span: c.Span, outer: true})
		}
	}
	return all
}

// subfield returns the field of a struct that a tag on the struct is about, nil for other tags.
func subfield(t *model.Type, c *model.Tag) *model.Field {
	if c.Role != model.RoleSubfield || c.Inner == nil || strings.HasPrefix(c.Inner.Name, foreign.KubebuilderPrefix) {
		return nil
	}
	return t.FieldByJSON(c.ArgText(""))
}

// attachedTo returns the tags, the markers and the default of an item.
func attachedTo(list []*model.Tag, markers []model.Marker, def *model.Default) []attached {
	var all []attached
	for _, t := range list {
		if !t.Role.IsAboutVersions() && t.Role != model.RoleDefault {
			a := attached{text: t.Describe(), span: t.Span}
			if t.Role.IsPresence() {
				a.presence = t.Role
			}
			all = append(all, a)
		}
	}
	for _, m := range markers {
		if def == nil || m.Span.File != def.Span.File || def.Span.Start < m.Span.Start || m.Span.End < def.Span.End {
			all = append(all, attached{text: "+" + m.Text, span: m.Span, presence: model.PresenceRole(m.Name), foreign: true})
		}
	}
	if def != nil {
		text := def.Marker + "=" + def.JSON
		if def.Ref != nil {
			text = def.Marker + "=" + def.Ref.Name
		} else if name, ok := strings.CutPrefix(def.JSON, "ref("); ok {
			text = def.Marker + "=" + strings.TrimSuffix(name[strings.LastIndexByte(name, '.')+1:], ")")
		}
		all = append(all, attached{text: "+" + text, span: markerOf(def)})
	}
	return all
}

// markerOf returns the marker of a default, whose span is its value.
func markerOf(def *model.Default) source.Span {
	s := def.Span
	if s.File != nil {
		if i := bytes.LastIndex(s.File.Content[:s.Start], []byte("+"+def.Marker)); i >= 0 && !bytes.Contains(s.File.Content[i:s.Start], []byte("\n")) {
			s.Start = i
		}
	}
	return s
}

// aboutVersion reports whether a marker of a kind is about its version.
func aboutVersion(m model.Marker) bool {
	return strings.HasPrefix(m.Name, foreign.StorageVersion) || strings.HasPrefix(m.Name, foreign.UnservedVersion) || strings.HasPrefix(m.Name, foreign.DeprecatedVersion)
}

// attached compares the tags of an item, in any order.
func (c *comparison) attached(at difference, old, generated []attached) {
	for _, o := range old {
		i := slices.IndexFunc(generated, func(g attached) bool { return g.meaning() == o.meaning() })
		if i < 0 {
			at.oldTags = append(at.oldTags, o)
			continue
		}
		generated = slices.Delete(slices.Clone(generated), i, i+1)
	}
	at.newTags = generated
	if len(at.oldTags)+len(at.newTags) == 0 {
		return
	}
	at.aspect, at.sameJSON = tags, true
	var parts []string
	for _, o := range at.oldTags {
		parts = append(parts, "has "+o.text)
	}
	for _, g := range at.newTags {
		parts = append(parts, "would have "+g.text)
	}
	at.message = strings.Join(parts, ", ")
	c.add(&at)
}

// sameRef reports whether a type of the hand-written package is the same Go type in the generated one.
func (c *comparison) sameRef(old, generated *model.Ref) bool { return model.SameGo(old, generated) }

// sameJSON reports whether two types have the same JSON.
func (c *comparison) sameJSON(old, generated *model.Ref) bool {
	return c.shape(old, generated, map[[2]model.Name]bool{})
}

func (c *comparison) shape(a, b *model.Ref, seen map[[2]model.Name]bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	if c.sameRef(a, b) {
		return true // other differences inside are reported with the type
	}
	if a.Kind == model.KindPointer || b.Kind == model.KindPointer {
		x, _ := c.before.Deref(a)
		y, _ := c.model.Deref(b)
		return c.shape(x, y, seen)
	}
	if a.Kind == model.KindNamed || b.Kind == model.KindNamed {
		pair := [2]model.Name{a.ID(), b.ID()}
		if seen[pair] {
			return true
		}
		seen[pair] = true
		s, t := c.before.Type(a.ID()), c.model.Type(b.ID())
		if s != nil && t != nil && s.IsStruct() && t.IsStruct() {
			return c.sameFields(s, t, seen)
		}
		x, y := c.before.Underlying(a), c.model.Underlying(b)
		if x.Kind == model.KindNamed || y.Kind == model.KindNamed || x.Kind == model.KindStruct || y.Kind == model.KindStruct {
			return false
		}
		return c.shape(x, y, seen)
	}
	return a.Kind == b.Kind && a.Name == b.Name && a.Len == b.Len && c.shape(a.Key, b.Key, seen) && c.shape(a.Elem, b.Elem, seen)
}

func (c *comparison) sameFields(s, t *model.Type, seen map[[2]model.Name]bool) bool {
	count := 0
	for _, f := range s.Fields {
		if f.Skipped || !f.Exported() {
			continue
		}
		count++
		g := counterpart(f, t)
		if g == nil || f.OmitEmpty != g.OmitEmpty || f.OmitZero != g.OmitZero || !c.shape(f.Type, g.Type, seen) {
			return false
		}
	}
	for _, g := range t.Fields {
		if !g.Skipped && g.Exported() {
			count--
		}
	}
	return count == 0
}
