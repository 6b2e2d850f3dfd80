// Package check checks the tags of a model.
//
// [Check] reports to the bag, with the codes of [Codes]. [Known] and [Sound] return models for the stages after it.
//
// It checks scope, shape, arguments and payload against the tag's definition, and calls the
// definition's Check for the rest.
//
// Packages which the command line does not name are checked too. Mistakes in the tags of other modules are
// warnings, and Sound returns the model without these tags, so no unchecked tag reaches generated code.
package check

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Check reports all mistakes in the tags of the model. It includes generated older versions, since
// a tag may apply only there, or its field may have another type. It reports what they share with the newest version
// once, and names the versions of other mistakes.
//
// Users cannot change packages of other modules. Unless these are roots, their errors are warnings,
// and the returned model omits the mistaken tags, so that no unchecked tag reaches generated code.
func Check(m *model.Model, tags *tag.Set, bag *diag.Bag) *model.Model {
	older := &diag.Older{}
	published := published(m)
	for _, p := range m.Packages {
		if p.IsDependency() {
			continue
		}
		c := &checker{model: m, tags: tags, bag: bag, published: published, current: p}
		if p.Generated {
			c.bag, c.next = older.In(p.Version), next(m, p)
		}
		c.pkg(p)
	}
	older.MoveTo(bag, model.CompareVersions)
	return accepted(m, tags, bag)
}

type checker struct {
	model *model.Model
	tags  *tag.Set
	bag   *diag.Bag
	// current is the package that is checked.
	current *model.Package
	// next is the version after a generated one.
	next string
	// published are the types that code is generated for.
	published map[model.Name]bool
	// leaves is the condition for codes of mistakes that make a tag leave the model.
	leaves func(diag.Code) bool
}

// next returns the version after that of a generated package.
func next(m *model.Model, p *model.Package) string {
	hub := m.Package(p.Hub)
	if hub == nil {
		return ""
	}
	i := slices.IndexFunc(hub.Versions, func(v *model.Version) bool { return v.Package == p.Path })
	if i < 0 || i+1 == len(hub.Versions) {
		return ""
	}
	return hub.Versions[i+1].Name
}

func (c *checker) pkg(p *model.Package) {
	c.place(&tag.Node{Model: c.model, Tags: c.tags, Scope: tag.OnPackage, Siblings: p.Tags}, p.Tags)
	c.stray(p.Markers)
	c.loose(p)
	for _, t := range p.Types {
		c.typ(t)
	}
	if !p.Root {
		return // the model has only the types that roots use
	}
	for _, def := range c.tags.All() {
		if def.CheckPackage != nil {
			def.CheckPackage(c.model, p, c.bag)
		}
	}
}

func (c *checker) typ(t *model.Type) {
	n := tag.TypeNode(c.model, c.tags, t)
	c.declaration(t)
	c.place(n, t.Tags)
	c.stray(t.Markers)
	c.spellings(t.Markers, t.Tags)
	c.defaults(n, t.Default)
	c.typeMeta(t)
	for _, f := range t.Fields {
		if c.published[t.ID()] {
			c.anonymous(t, f, f.Type)
		}
		c.inline(t, f)
		n := tag.FieldNode(c.model, c.tags, t, f)
		c.offTheWire(f)
		c.place(n, f.Tags)
		c.stray(f.Markers)
		c.spellings(f.Markers, f.Tags)
		c.enumMarkers(f)
		c.defaults(n, f.Default)
	}
	for _, v := range t.Consts {
		c.place(tag.ConstNode(c.model, c.tags, t, v), v.Tags)
		c.stray(v.Markers)
	}
}

// declaration reports tags on a declaration that have no effect: on an alias of a
// declared type, which is that type, and on a pointer, whose fields have rules of
// their own.
func (c *checker) declaration(t *model.Type) {
	of := c.model.Type(t.Def.ID())
	isName := t.Alias && t.Def.Kind == model.KindNamed && (of == nil || !of.Alias)
	isPointer := c.model.Underlying(t.Def).Kind == model.KindPointer
	for _, use := range t.Tags {
		switch {
		case use.Role.IsAboutVersions():
		case isName:
			c.bag.Errorf(use.Span, codeAlias, "+%s has no effect: %s is another name of %s; write type %[2]s %[3]s, or put the tag on the fields", use.Name, t.Name, strings.TrimPrefix(t.Def.String(), t.Package+"."))
		case isPointer:
			c.bag.Errorf(use.Span, codeNamedPointer, "+%s cannot be on %s, which is a pointer; declare what it points to as the type, and make the fields pointers, or put the tag on the fields", use.Name, t.Name)
		}
	}
}

// offTheWire reports rules on a field that is not in JSON.
func (c *checker) offTheWire(f *model.Field) {
	if !f.Skipped || len(f.Tags) == 0 {
		return
	}
	names := make([]string, len(f.Tags))
	for i, use := range f.Tags {
		names[i] = "+" + use.Name
	}
	verb, tags, instead := "has", "tag", "give the field a name in its json tag"
	if len(names) > 1 {
		verb, tags = "have", "tags"
	}
	if !f.Exported() {
		instead = "export the field"
	}
	c.bag.Warnf(f.Tags[0].Span, codeOffTheWire, "field %s is not in JSON, so %s %s no effect; remove the %s, or %s", f.Name, strings.Join(names, ", "), verb, tags, instead)
}

// inline reports the option inline on a field that is not embedded, which encoding/json ignores. Of a TypeMeta
// crd/not-kind reports more.
func (c *checker) inline(t *model.Type, f *model.Field) {
	if p := c.model.Package(t.Package); f.Embedded || f.Skipped || f.Named() || !f.HasOption("inline") || p == nil || p.IsDependency() || f.Type.ID() == model.TypeMeta {
		return
	}
	c.bag.Warnf(f.TagSpan, codeInline, "encoding/json inlines only embedded structs, so the JSON of %s is in a field %q; embed the struct, or write the name in the json tag", f.Name, f.JSON).
		Voids(tag.JSONTagOf(f))
}

// typeMeta reports a kind whose json tag of TypeMeta keeps encoding/json from inlining apiVersion and kind.
func (c *checker) typeMeta(t *model.Type) {
	for _, f := range t.Fields {
		if !t.IsTypeMeta(f) || f.Inline {
			continue
		}
		d := c.bag.Errorf(f.TagSpan, codeTypeMeta, "objects of %s have no apiVersion and kind, because the json tag of TypeMeta has a name; write `json:\",inline\"`", t.Name).
			Voids(diag.Meaning(f.TagSpan))
		if value := tag.JSONName(f); !value.IsZero() {
			value.End += strings.IndexByte(string(value.File.Content[value.End:]), '"')
			d.Suggest(value, ",inline", "inline TypeMeta")
		}
	}
}

// published returns the types that code is generated for: kinds, exported types of API
// groups, types with tags, and what these are made of. A run for a whole project also
// has types that are not part of an API.
func published(m *model.Model) map[model.Name]bool {
	return m.Parts(func(p *model.Package, t *model.Type) bool {
		return t.Kind != nil || p.HasGroup() && token.IsExported(t.Name) || isTagged(t)
	})
}

// isTagged reports whether a type or one of its fields has tags or a default.
func isTagged(t *model.Type) bool {
	return len(t.Tags) > 0 || t.Default != nil || slices.ContainsFunc(t.Fields, func(f *model.Field) bool {
		return len(f.Tags) > 0 || f.Default != nil
	})
}

// anonymous reports an anonymous struct type, to which generated code cannot refer.
func (c *checker) anonymous(t *model.Type, f *model.Field, r *model.Ref) {
	if r == nil || f.Skipped {
		return
	}
	if r.Kind == model.KindStruct && r.Name == model.AnonymousStruct {
		c.bag.Errorf(f.TypeSpan, codeAnonymousStruct, "field %s has an anonymous struct type; declare a named type: type %s%s struct {…}", f.Name, t.Name, f.Name).
			Voids(diag.Meaning(f.TypeSpan))
		return
	}
	c.anonymous(t, f, r.Elem)
	c.anonymous(t, f, r.Key)
}

// defaults checks the default tag, whose value the model stores separately.
func (c *checker) defaults(n *tag.Node, d *model.Default) {
	if d == nil {
		return
	}
	if def := c.tags.Lookup(d.Marker); def != nil && def.Check != nil {
		def.Check(n, &model.Tag{Name: def.Name, Role: def.Role, Span: d.Span, NameSpan: d.Span}, c.bag)
	}
}

// place checks all tags of one node, and returns those without mistakes.
func (c *checker) place(n *tag.Node, list []*model.Tag) (sound []*model.Tag) {
	seen := map[string]*model.Tag{}
	for _, use := range list {
		if def := c.tags.Lookup(use.Name); def != nil && !def.Repeatable {
			if first := seen[def.Name]; first != nil {
				report := c.bag.Errorf
				if first.Describe() == use.Describe() {
					report = c.bag.Warnf // equal tags do not conflict
					sound = append(sound, use)
				}
				report(use.Span, codeRepeated, "+%s is repeated; remove one", use.Name).
					Note(first.Span, "first used here")
				continue
			}
			seen[def.Name] = use
		}
		if c.inVersion(n, use) {
			sound = append(sound, use)
		}
	}
	return sound
}

// inVersion checks a tag. If it is an error in an older version, the rule may be for newer ones.
func (c *checker) inVersion(n *tag.Node, use *model.Tag) bool {
	if c.next == "" {
		return c.tag(n, use)
	}
	bag := c.bag
	defer func() { c.bag = bag }()
	c.bag = &diag.Bag{}
	ok := c.tag(n, use)
	for _, d := range c.bag.All() {
		if d.Severity == diag.Error && use.Until == "" {
			d.Note(use.Span, "if the tag is for newer versions only, write +%s(%q)=%s", c.tags.WithRole(model.RoleSince), c.next, use.Describe())
		}
		bag.Add(d)
	}
	return ok
}

// tag checks a tag and its inner tags. It returns false if the tag cannot be applied.
func (c *checker) tag(n *tag.Node, use *model.Tag) bool {
	def := c.tags.Lookup(use.Name)
	if def == nil {
		c.unknown(n, use)
		return false
	}
	if !c.fits(n, def, use) {
		return false
	}
	before := c.bag.Errors()
	c.constants(n, def, use)
	if def.Check != nil {
		def.Check(n, use, c.bag)
	}
	sound := c.bag.Errors() == before
	if use.Inner == nil {
		return sound
	}
	inner := n.Inner(use)
	return inner != nil && c.tag(inner, use.Inner) && sound
}

// fits checks a tag against its definition.
func (c *checker) fits(n *tag.Node, def *tag.Definition, use *model.Tag) bool {
	if !c.scope(n, def, use) || !c.shape(n, def, use) {
		return false
	}
	args, payload := c.args(def, use), c.payload(n, def, use)
	return args && payload
}

// unknown reports a name with the prefix of tags that is not a tag.
func (c *checker) unknown(n *tag.Node, use *model.Tag) {
	if name := strings.TrimRight(use.Name, ".,;"); c.tags.Lookup(name) != nil {
		c.bag.Warnf(use.NameSpan, codeProse, "this line begins with the name of a tag but reads like prose, so it is not enforced; to use the tag, write +%s on a separate line", name)
		return
	}
	d := c.bag.Errorf(use.NameSpan, codeUnknownTag, "unknown tag +%s", use.Name)
	if near := foreign.MeantGenerator(use.Name, spell.Close); near != "" {
		d.Message += "; did you mean +" + near + "?"
		return
	}
	if i := strings.LastIndexByte(use.Name, ':'); i > 0 {
		if def := c.tags.Lookup(use.Name[:i]); def != nil {
			if len(def.Payload.Kinds) > 0 {
				d.Message += fmt.Sprintf("; write the value of +%s after =, as in +%[1]s=%s", def.Name, use.Name[i+1:])
			} else {
				d.Message += fmt.Sprintf("; +%s takes no value", def.Name)
			}
			return
		}
	}
	near := c.tags.Nearest(use.Name)
	for _, def := range c.tags.All() {
		if slices.Contains(def.Meant, use.Name) {
			near = def.Name
		}
	}
	if near == "" {
		d.Message += "; `kindsmith tags` lists them all"
		return
	}
	d.Message += "; did you mean +" + near + "?"
	c.voids(d, n, near)
	if c.meant(n, use, near) {
		d.Suggest(use.NameSpan, near, "write +%s", near)
	}
}

// meant reports whether a misspelt tag is certainly the one with a similar name: no other name is
// as similar, and the definition allows its arguments and payload.
func (c *checker) meant(n *tag.Node, use *model.Tag, near string) bool {
	def := c.tags.Lookup(near)
	if def == nil || spell.Certain(use.Name, c.tags.Names()) != near {
		return false
	}
	trial := &checker{model: c.model, tags: c.tags, bag: &diag.Bag{}}
	renamed := *use
	renamed.Name, renamed.Role, renamed.At = near, def.Role, def.Payload.Applies
	return trial.fits(n, def, &renamed)
}

// stray reports markers that look like tags but are not, so nothing reads them.
func (c *checker) stray(markers []model.Marker) {
	for _, m := range markers {
		if !c.looksLikeTag(m.Name) {
			c.unread(m)
			continue
		}
		c.generators(m)
		if foreign.IsGenerators(m.Name) && !strings.HasPrefix(m.Name, foreign.OpenAPIPrefix) {
			continue
		}
		if name, ok := strings.CutPrefix(m.Name, foreign.OpenAPIPrefix); ok {
			c.openapi(m, name)
			continue
		}
		near := c.tags.Nearest(m.Name)
		if near == "" || c.tags.Lookup(m.Name) != nil {
			continue
		}
		span := m.Span.Sub(1, 1+len(m.Name))
		d := c.bag.Errorf(span, codeUnknownTag, "unknown tag +%s; did you mean +%s?", m.Name, near)
		c.voids(d, nil, near)
		if spell.Certain(m.Name, c.tags.Names()) == near {
			d.Suggest(span, near, "write +%s", near)
		}
	}
}

// voids says that a misspelt marker does not declare what others conclude from the one that it means.
func (c *checker) voids(d *diag.Diagnostic, n *tag.Node, meant string) {
	switch {
	case meant == foreign.GroupName:
		d.Voids(tag.GroupOf(c.current))
	case c.tags.Role(meant) == model.RoleVersion:
		d.Voids(tag.VersionsOf(c.current))
	case c.tags.Role(meant) == model.RoleListType && n != nil:
		d.Voids(n.ListTypeOf())
	}
}

// loose reports tags that belong to no declaration, once for a comment.
func (c *checker) loose(p *model.Package) {
	var last *diag.Diagnostic
	var before model.LooseMarker
	for _, m := range p.Loose {
		if c.tags.Lookup(m.Name) == nil {
			continue
		}
		if last != nil && m.Why == before.Why && follows(before.Span, m.Span) {
			names, why, _ := strings.Cut(last.Message, " no effect: ")
			names = strings.TrimSuffix(strings.TrimSuffix(names, " has"), " have")
			last.Message = names + ", +" + m.Name + " have no effect: " + why
		} else {
			last = c.bag.Warnf(m.Span.Sub(0, 1+len(m.Name)), codeNoDeclaration, "+%s has no effect: %s", m.Name, m.Why)
		}
		before = m
	}
}

// follows reports whether a marker is on the line after another one.
func follows(before, m source.Span) bool {
	return before.File == m.File && m.Position().Line == before.EndPosition().Line+1
}

// looksLikeTag reports whether a name begins with a prefix of tags, in upper or lower case,
// followed by ':' or '.'.
func (c *checker) looksLikeTag(name string) bool {
	for _, f := range c.tags.Families() {
		if n := len(f.Prefix); n > 0 && len(name) >= n && strings.EqualFold(name[:n-1], f.Prefix[:n-1]) && strings.ContainsRune(":.", rune(name[n-1])) {
			return true
		}
	}
	return false
}

// openapi warns about markers of openapi-gen, which are easily mistaken for rules.
func (c *checker) openapi(m model.Marker, name string) {
	span := m.Span.Sub(1, 1+len(m.Name))
	d := c.bag.Warnf(span, codeOpenapiTag, "+%s is a marker of openapi-gen and is not enforced", m.Name)
	if def := c.tags.ForKeyword(name); def != nil {
		d.Message += "; write +" + def.Name
	}
}
