package evolve

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// projection is an older version under construction.
type projection struct {
	*evolver
	v     int
	types map[*model.Type]bool
	hand  byHand
	pkg   *model.Package
}

// older translates a type expression from the newest version's package.
func (p *projection) older(r *model.Ref) *model.Ref {
	if r == nil {
		return nil
	}
	c := *r
	if p.isCommon(r) {
		return &c
	}
	if t := p.local(r); t != nil {
		c.Package, c.Name = p.pkg.Path, p.typeNameAt(t, p.v)
	}
	c.Elem, c.Key = p.older(r.Elem), p.older(r.Key)
	c.Args = nil
	for _, a := range r.Args {
		c.Args = append(c.Args, p.older(a))
	}
	return &c
}

func (p *projection) copyType(t *model.Type) *model.Type {
	hs := p.of(t)
	id := t.ID()
	c := *t
	c.Package, c.Name = p.pkg.Path, p.typeNameAt(t, p.v)
	c.Doc = renameDoc(docAt(t.Doc, hs, p.v, p.newest()), t.Name, c.Name)
	if text := p.versions[p.v].Doc; text != "" {
		c.Doc = addParagraph(c.Doc, text)
	}
	c.Def = p.older(t.Def)
	c.Changes = nil
	c.Hub = &id
	c.Methods = p.hand.methods[c.Name]
	p.checkJSONMethods(t, c.Name, c.Methods)

	here := place{owner: t, ref: model.Named(t.Package, t.Name)}
	items := p.tagsAt(here, t.Tags, t.Markers, t.Default)
	c.Tags, c.Markers, c.Default = items.tags, items.markers, items.def
	c.Fields, c.Consts = nil, nil
	for _, f := range p.fields(t) {
		if p.of(f).exists(p.v) && p.onWire(f) {
			c.Fields = append(c.Fields, p.copyField(t, f))
		}
	}
	p.copyConsts(t, &c)
	p.nameMembers(t, &c)
	if t.Kind != nil {
		c.Kind = &model.Kind{List: t.Kind.List, Item: p.older(t.Kind.Item)}
		if !t.Kind.List {
			c.Markers = p.kindMarkers(c.Markers)
		}
	}
	return &c
}

func (p *projection) copyField(t *model.Type, f *model.Field) *model.Field {
	hs := p.of(f)
	c := *f
	c.Name, c.JSON = p.fieldAt(f, p.v)
	ref := p.typeAt(f, p.v)
	c.Type = p.older(ref)
	c.StructTag = p.mergeKeyAt(renameStructTag(f.StructTag, f.JSON, c.JSON), ref)
	c.Doc = renameDoc(renameDoc(docAt(f.Doc, hs, p.v, p.newest()), f.Name, c.Name), f.JSON, c.JSON)
	tags, markers, def := f.Tags, f.Markers, f.Default
	if p.unwraps(f) {
		c.StructTag = itemStructTag(c.StructTag)
		tags, markers, def = p.itemsOf(f)
	}
	items := p.tagsAt(place{owner: t, field: f, ref: ref}, tags, markers, def)
	c.Tags, c.Markers, c.Default = items.tags, items.markers, items.def
	c.Changes = nil
	c.Origin = origin(f, hs, p.v)
	return &c
}

func origin(f *model.Field, hs *history, v int) *model.Origin {
	o := &model.Origin{Moved: hs.move != nil}
	if hs.removed == 0 {
		o.Field = f.Name
	}
	for _, s := range hs.after(v) {
		o.Steps = append(o.Steps, s.change())
	}
	if hs.removedBy != nil {
		o.Type = f.Type
		o.Steps = append(o.Steps, hs.removedBy)
	}
	return o
}

func (p *projection) copyConsts(t, c *model.Type) {
	for _, k := range t.Consts {
		hs := p.of(k)
		if !hs.exists(p.v) {
			if to := p.standIn(t, k, p.v); to != nil {
				goName, _ := p.constAt(to, p.v)
				c.Fallbacks = append(c.Fallbacks, model.Fallback{Hub: k.Name, To: goName})
			}
			continue
		}
		kc := *k
		kc.Name, kc.Value = p.constAt(k, p.v)
		kc.Doc = renameDoc(docAt(k.Doc, hs, p.v, p.newest()), k.Name, kc.Name)
		items := p.tagsAt(place{owner: t, konst: k, ref: t.Def}, k.Tags, k.Markers, nil)
		kc.Tags, kc.Markers = items.tags, items.markers
		kc.Changes = nil
		kc.Origin = k.Name
		c.Consts = append(c.Consts, &kc)
	}
}

// jsonMethods are methods that make a type's JSON differ from its declaration.
var jsonMethods = []string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText"}

// checkJSONMethods reports JSON methods that an older version lacks, since methods are not
// generated.
func (p *projection) checkJSONMethods(t *model.Type, older string, have map[string]*model.Method) {
	for _, name := range jsonMethods {
		if t.Methods[name] == nil || have[name] != nil {
			continue
		}
		p.bag.Errorf(t.Span, codeCustomJSON, "%s has a hand-written %s, and methods are not generated for %s in package %s; write it there too, in a separate file, or write all types of that version by hand",
			t.Name, name, older, p.pkg.Name)
	}
}

// renameStructTag replaces a field's name in a struct tag.
func renameStructTag(tag, from, to string) string {
	if from == to {
		return tag
	}
	for _, key := range []string{"json", "yaml"} {
		value, ok := reflect.StructTag(tag).Lookup(key)
		if !ok {
			continue
		}
		name, options, _ := strings.Cut(value, ",")
		if name != from {
			continue
		}
		if options != "" {
			options = "," + options
		}
		tag = strings.Replace(tag, key+`:"`+value+`"`, key+`:"`+to+options+`"`, 1)
	}
	if _, ok := reflect.StructTag(tag).Lookup("json"); !ok {
		tag = strings.TrimSpace(`json:"` + to + `" ` + tag)
	}
	return tag
}

// mergeKeyAt translates the key by which strategic merge patches identify list items.
func (p *projection) mergeKeyAt(tag string, list *model.Ref) string {
	key, ok := reflect.StructTag(tag).Lookup("patchMergeKey")
	if !ok {
		return tag
	}
	renamed, ok := p.jsonAt(p.m.Struct(p.elem(list)), key)
	if !ok {
		return tag
	}
	return strings.Replace(tag, `patchMergeKey:"`+key+`"`, `patchMergeKey:"`+renamed+`"`, 1)
}

// kindMarkers replaces the markers of the newest version about its serving and storage with those
// of the older version.
func (p *projection) kindMarkers(markers []model.Marker) []model.Marker {
	markers = slices.DeleteFunc(slices.Clone(markers), func(m model.Marker) bool {
		return strings.HasPrefix(m.Name, foreign.StorageVersion) || strings.HasPrefix(m.Name, foreign.UnservedVersion) ||
			strings.HasPrefix(m.Name, foreign.DeprecatedVersion)
	})
	var own []model.Marker
	add := func(name, text string) {
		own = append(own, model.Marker{Name: name, Text: text, Span: p.versions[p.v].Span})
	}
	version := p.versions[p.v]
	if version.Storage {
		add(foreign.StorageVersion, foreign.StorageVersion)
	}
	if !version.Served {
		add(foreign.UnservedVersion, foreign.UnservedVersion)
	}
	if version.IsDeprecated {
		text := foreign.DeprecatedVersion
		if version.Deprecated != "" {
			text += ":warning=" + strconv.Quote(version.Deprecated)
		}
		add(foreign.DeprecatedVersion, text)
	}
	return append(own, markers...)
}

// cloneArgs returns a copy of a tag with its own arguments.
func cloneArgs(c *model.Tag) *model.Tag {
	n := *c
	n.Args = slices.Clone(c.Args)
	if c.Payload != nil {
		payload := *c.Payload
		n.Payload = &payload
	}
	return &n
}
