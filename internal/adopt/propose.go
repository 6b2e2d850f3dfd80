package adopt

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kindsmith/kindsmith/internal/evolve"
	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
	"github.com/kindsmith/kindsmith/internal/tag"
	"github.com/kindsmith/kindsmith/internal/value"
)

// Guess is what the types do not prove.
type Guess struct {
	// From is the item of the older version, as Type.name, and To its name in the newer one, with its
	// type if that is another. Of a constant that the older version lacks, From is the constant and To the
	// value that replaces it.
	From, To string
	Replaces bool
	// Old and New are the declarations.
	Old, New source.Span
	// Confirmed is set if the user has confirmed it.
	Confirmed bool
}

// proposer proposes markers for one older version.
type proposer struct {
	tags *tag.Set
	// model has the hub and what would be generated; before has the hand-written package.
	model, before       *model.Model
	hub, old, generated *model.Package
	// versions are the older versions, oldest first.
	versions []*model.Package
	// since is the version after the older one.
	since string
	// renames are what the user confirms, by Type.name; "" denies a rename.
	renames map[string]string
	// assume takes guesses for confirmed.
	assume bool
	// defaults are the values of added fields in JSON, by Type.name of the newest version.
	defaults map[string]string

	edits   []edit
	guesses []*Guess
	// open are the items with a guess that waits for confirmation.
	open map[*difference]*Guess
	// pending are changes of items whose markers are still to be combined.
	pending []*change
}

// change is a marker for a field or a constant that changed.
type change struct {
	by                             *difference
	fromName, fromGoName, fromType string
	upgrade, downgrade, transform  string
	wrapped                        bool
}

// marker returns the text of a marker with arguments in turns of name and value; empty values are left
// out.
func marker(set *tag.Set, role model.Role, args ...string) string {
	var list []string
	for i := 0; i < len(args); i += 2 {
		switch value := args[i+1]; {
		case value == "":
		case args[i] == "default":
			list = append(list, args[i]+": "+quotedJSON(value))
		case value == "true" || value == "false":
			list = append(list, args[i]+": "+value)
		default:
			list = append(list, args[i]+": "+strconv.Quote(value))
		}
	}
	return "+" + set.WithRole(role) + "(" + strings.Join(list, ", ") + ")"
}

// propose adds edits for differences. The types that only one version has are left to the last pass: fields
// that they belong to may go.
func (p *proposer) propose(list []*difference, last bool) {
	p.open = map[*difference]*Guess{}
	taken := map[*difference]bool{}
	p.pair(list, taken)
	for _, d := range list {
		if taken[d] {
			continue
		}
		switch d.aspect {
		case tags:
			p.attach(d, last)
		case outdated:
			since := p.since
			if d.isDeprecated {
				since = p.deprecatedSince(d)
			}
			keep := "true"
			if f := d.newField; f != nil && strings.HasPrefix(f.JSON, "deprecated") && strings.HasPrefix(f.Name, "Deprecated") {
				keep = "" // the names say it
			}
			p.mark(d, model.RoleDeprecated, "since", since, "keepName", keep, "note", d.note)
		case extra:
			switch {
			case d.newConst != nil && value.Closed(d.generated):
				p.replace(d)
			case d.newField != nil:
				p.mark(d, model.RoleAdded, "since", p.since, "default", p.defaultOf(d))
			case d.newConst != nil || isObject(d.generated) || last && d.generated.Kind == nil:
				p.mark(d, model.RoleAdded, "since", p.since)
			}
		case missing:
			if d.oldField != nil {
				p.remove(d)
			}
		case goName, typed:
			p.change(d)
		}
	}
	for _, c := range p.pending {
		p.flush(c)
	}
}

// quotedJSON returns JSON as the value of an argument.
func quotedJSON(text string) string {
	if _, err := strconv.Atoi(text); err == nil || text == "true" || text == "false" {
		return text
	}
	if strings.ContainsAny(text, "`") {
		return strconv.Quote(text)
	}
	return "`" + text + "`"
}

// defaultOf returns the value that the existing conversions give an added field, "" for none.
func (p *proposer) defaultOf(d *difference) string {
	if d.newField.Origin == nil {
		return ""
	}
	own := p.hub.Type(d.generated.Hub.Name).Field(d.newField.Origin.Field)
	if own == nil {
		return ""
	}
	return p.defaults[d.generated.Hub.Name+"."+own.JSON]
}

// replace marks a constant as added to a closed enum, with the value that replaces it before.
func (p *proposer) replace(d *difference) {
	answer, answered := p.renames[d.item]
	if !answered {
		for _, k := range d.generated.Consts {
			if slices.ContainsFunc(d.old.Consts, func(o *model.Const) bool { return o.Value == k.Value }) {
				for _, own := range p.hub.Type(d.generated.Hub.Name).Consts {
					if own.Name == k.Origin {
						answer = own.Value
					}
				}
				break
			}
		}
	}
	guess := &Guess{From: d.item, To: answer, Replaces: true, Old: d.span, New: d.newConst.Span, Confirmed: answered}
	if p.guesses = append(p.guesses, guess); answered || p.assume {
		p.mark(d, model.RoleAdded, "since", p.since, "downgradeTo", answer)
		return
	}
	p.open[d] = guess
}

// target returns the declaration in the hub that a marker for an item belongs to, and the name of the
// removed field that it describes there.
func (p *proposer) target(d *difference) (at source.Span, field string, ok bool) {
	if d.generated == nil || d.generated.Hub == nil {
		return at, "", false
	}
	t := p.hub.Type(d.generated.Hub.Name)
	switch {
	case t == nil:
	case d.newField != nil:
		return p.fieldTarget(t, d.generated, d.newField)
	case d.newConst != nil:
		for _, k := range t.Consts {
			if k.Name == d.newConst.Origin {
				return k.Span, "", true
			}
		}
	default:
		return t.Span, "", true
	}
	return at, "", false
}

func (p *proposer) fieldTarget(hub, generated *model.Type, f *model.Field) (at source.Span, field string, ok bool) {
	if f.Origin == nil {
		return at, "", false
	}
	if own := hub.Field(f.Origin.Field); own != nil {
		return own.Span, "", true
	}
	for _, c := range f.Origin.Steps {
		if removed, is := c.(*model.Removed); is {
			return hub.Span, removed.Name.Or(""), true
		}
	}
	// The field has moved: its markers are where it is in the hub.
	for _, t := range p.generated.Types {
		for _, m := range t.Moves {
			if len(m.Older) == 0 || t.Hub == nil {
				continue
			}
			owner, last := p.follow(t, m.Older)
			if owner != generated || last != f {
				continue
			}
			if _, own := p.follow(p.model.Type(*t.Hub), m.Hub); own != nil {
				return own.Span, "", true
			}
		}
	}
	return at, "", false
}

// follow returns the last field of a path of Go names, and the struct that has it.
func (p *proposer) follow(t *model.Type, path []string) (owner *model.Type, f *model.Field) {
	for _, name := range path {
		if t == nil {
			return nil, nil
		}
		owner, f = t, t.Field(name)
		if f == nil {
			return nil, nil
		}
		t = p.model.Struct(items(f.Type))
	}
	return owner, f
}

// items returns the type of the values in a list or a map.
func items(r *model.Ref) *model.Ref {
	for r.Kind == model.KindPointer || r.Kind == model.KindSlice || r.Kind == model.KindMap {
		r = r.Elem
	}
	return r
}

// mark adds a marker for an item.
func (p *proposer) mark(d *difference, role model.Role, args ...string) {
	at, field, ok := p.target(d)
	if !ok {
		return
	}
	if field != "" {
		args = slices.Insert(slices.Clone(args), 2, "field", field)
	}
	p.insert(d, at, marker(p.tags, role, args...))
}

func (p *proposer) insert(d *difference, at source.Span, markers ...string) {
	e, ok := above(p.hub, at, markers...)
	if !ok {
		return
	}
	e.by = d
	p.edits = append(p.edits, e)
}

// attach adds since and until for tags that differ. Tags name fields and constants, which have their names in
// the last pass. Rules in CEL keep the author's names, so that fields cannot change theirs before.
func (p *proposer) attach(d *difference, last bool) {
	at, field, ok := p.target(d)
	if !ok {
		return
	}
	early := func(t attached) bool { return strings.HasPrefix(t.text, "+"+foreign.KubebuilderXValidation) }
	for _, t := range d.newTags {
		if !last && !early(t) {
			continue
		}
		if t.span.File == nil || !strings.HasPrefix(t.span.Text(), "+") {
			continue
		}
		prefix := "+" + p.tags.WithRole(model.RoleSince) + "(" + strconv.Quote(p.since) + ")="
		p.edits = append(p.edits, edit{path: pathOf(p.hub, t.span), start: t.span.Start, end: t.span.Start, text: prefix, by: d})
	}
	for _, t := range d.oldTags {
		if !last && !early(t) {
			continue
		}
		p.insert(d, at, p.until(t, field))
	}
}

// until returns the marker for a tag that only versions up to the older one have.
func (p *proposer) until(t attached, field string) string {
	text := t.span.Text()
	if t.outer || !strings.HasPrefix(text, "+") {
		text = t.text
	}
	if field != "" {
		text = "+" + p.tags.WithRole(model.RoleSubfield) + "(" + strconv.Quote(field) + ")=" + text
	}
	return "+" + p.tags.WithRole(model.RoleUntil) + "(" + strconv.Quote(p.old.Version) + ")=" + text
}

// remove adds the marker for a field that only older versions have.
func (p *proposer) remove(d *difference) {
	f, hub := d.oldField, p.hub.Type(d.generated.Name)
	if hub == nil || f.JSON == "" || !p.spells(f.Type) {
		return
	}
	args := []string{"since", p.since, "name", f.JSON, "type", p.spell(f.Type)}
	if evolve.GoName(f.JSON) != f.Name {
		args = append(args, "goName", f.Name)
	}
	if !f.OmitEmpty {
		args = append(args, "required", "true")
	}
	markers := []string{marker(p.tags, model.RoleRemoved, append(args, "doc", summary(f.Doc))...)}
	for _, t := range ofField(d.old, f) {
		if !t.foreign && !implied(f, t) { // subfield applies kindsmith's tags
			markers = append(markers, p.until(t, f.JSON))
		}
	}
	p.insert(d, hub.Span, markers...)
}

// summary returns the paragraph of a comment that a marker repeats. Other markers deprecate the item.
func summary(doc string) string {
	for text := range strings.SplitSeq(strings.TrimSpace(doc), "\n\n") {
		if !strings.HasPrefix(text, model.DeprecatedParagraph) {
			return strings.Join(strings.Fields(text), " ")
		}
	}
	return ""
}

// spells reports whether the hub has the types of the older version that a type expression uses.
func (p *proposer) spells(r *model.Ref) bool {
	if r == nil {
		return true
	}
	if r.Kind == model.KindNamed && r.Package == p.old.Path && p.hub.Type(r.Name) == nil {
		return false
	}
	return r.Kind != model.KindStruct && p.spells(r.Elem) && p.spells(r.Key)
}

// spell returns the spelling of a type of the older version in the hub.
func (p *proposer) spell(r *model.Ref) string { return p.hub.Spell(p.inHub(r)) }

// inHub returns a type of the older version as one of the hub.
func (p *proposer) inHub(r *model.Ref) *model.Ref {
	if r == nil {
		return nil
	}
	c := *r
	if c.Kind == model.KindNamed && c.Package == p.old.Path {
		c.Package = p.hub.Path
	}
	c.Elem, c.Key, c.Args = p.inHub(r.Elem), p.inHub(r.Key), nil
	for _, a := range r.Args {
		c.Args = append(c.Args, p.inHub(a))
	}
	return &c
}

// changeOf returns the change of an item, to which its differences add.
func (p *proposer) changeOf(d *difference) *change {
	for _, c := range p.pending {
		if c.by.newField == d.newField && c.by.newConst == d.newConst && c.by.generated == d.generated {
			return c
		}
	}
	c := &change{by: d}
	p.pending = append(p.pending, c)
	return c
}

// change notes that the Go name or the type of a matched item differs.
func (p *proposer) change(d *difference) {
	switch {
	case d.newConst != nil && d.aspect == goName:
		c := p.changeOf(d)
		c.fromName, c.fromGoName = d.oldConst.Value, d.oldConst.Name
	case d.newField == nil:
	case d.aspect == goName && d.oldField.JSON != "" && d.oldField.Embedded == d.newField.Embedded:
		c := p.changeOf(d)
		c.fromName, c.fromGoName = d.oldField.JSON, d.oldField.Name
	case d.aspect == typed && p.spells(d.oldField.Type):
		p.retype(p.changeOf(d), d.oldField, d.newField)
	}
}

// rename notes that an item had another name.
func (p *proposer) rename(old, generated *difference) {
	d := *generated
	d.oldField, d.oldConst, d.old, d.span = old.oldField, old.oldConst, old.old, old.span
	c := p.changeOf(&d)
	if f := d.oldField; f != nil {
		c.fromName = f.JSON
		if evolve.GoName(f.JSON) != f.Name {
			c.fromGoName = f.Name
		}
		if !model.SameGo(f.Type, d.newField.Type) {
			p.retype(c, f, d.newField)
		}
		return
	}
	k, g := d.oldConst, d.newConst
	if c.fromName = k.Value; evolve.ConstName(g.Name, g.Value, k.Value, g.IsString) != k.Name {
		c.fromGoName = k.Name
	}
}

// retype notes that the type of a field differs, and how its values convert.
func (p *proposer) retype(c *change, old, generated *model.Field) {
	from, to := p.inHub(old.Type), p.inHub(generated.Type)
	c.fromType = p.spell(old.Type)
	c.upgrade, c.downgrade = p.function(generated, from, to), p.function(generated, to, from)
	byFunctions := named(c.upgrade, generated) && named(c.downgrade, generated)
	if list := p.model.Underlying(to); list.Kind == model.KindSlice && !list.IsBytes() && !byFunctions {
		single := list.Elem
		if model.SameGo(from, single) || from.Kind == model.KindPointer && model.SameGo(from.Elem, single) {
			c.wrapped, c.upgrade, c.downgrade = true, "", ""
			pointer := generated.OmitEmpty && p.model.Underlying(single).Kind == model.KindStruct
			if pointer == (from.Kind == model.KindPointer) {
				c.fromType = ""
			}
			return
		}
	}
	if p.model.Lossless(from, to) && p.model.Lossless(to, from) {
		c.upgrade, c.downgrade = "", ""
		return
	}
	if c.upgrade != "" && (c.downgrade != "" || p.model.Lossless(to, from)) || c.downgrade != "" && p.model.Lossless(from, to) {
		return
	}
	c.upgrade, c.downgrade = "", ""
	c.transform = p.transform(old.JSON, generated.JSON, from, to)
}

// function returns the function of the hub that converts between two types: the only one, or the only one that
// is named like the field.
func (p *proposer) function(field *model.Field, from, to *model.Ref) string {
	var all, alike []string
	for name, f := range p.hub.Funcs {
		fits := len(f.Params) == 1 && model.SameGo(f.Params[0], from) && (len(f.Results) == 1 || len(f.Results) == 2 && f.Results[1].Name == "error") &&
			model.SameGo(f.Results[0], to)
		if r, _ := utf8.DecodeRuneInString(name); !fits || !unicode.IsUpper(r) {
			continue
		}
		if all = append(all, name); named(name, field) {
			alike = append(alike, name)
		}
	}
	switch {
	case len(alike) == 1:
		return alike[0]
	case len(all) == 1:
		return all[0]
	}
	return ""
}

// named reports whether the name of a function has that of a field.
func named(function string, f *model.Field) bool { return strings.Contains(function, f.Name) }

// transform returns the transform that converts between two types, "" if none is obvious.
func (p *proposer) transform(oldName, newName string, from, to *model.Ref) string {
	a, _ := p.model.Deref(from)
	b, _ := p.model.Deref(to)
	name := newName
	if p.model.Underlying(a).IsInteger() {
		a, b, name = b, a, oldName
	}
	text, last := p.model.Underlying(a).IsString(), ""
	if list := words(name); len(list) > 0 {
		last = list[len(list)-1]
	}
	number := p.model.Underlying(b).IsInteger()
	switch {
	case number && (text || p.model.Is(a, model.Duration)) && (last == "seconds" || last == "second"):
		return "seconds"
	case number && (text || p.model.Is(a, model.Duration)) && (last == "milliseconds" || last == "millis"):
		return "milliseconds"
	case number && p.model.Is(a, model.Quantity):
		for _, unit := range []string{"Ki", "Mi", "Gi", "Ti", "Pi"} {
			if strings.HasSuffix(name, unit) || strings.HasSuffix(name, unit+"B") {
				return "quantity(" + unit + ")"
			}
		}
		return "quantity"
	case number && text:
		return "integer"
	case text && p.model.Underlying(b).IsBool():
		return "bool"
	}
	if keyed := p.keyed(a, b) + p.keyed(b, a); keyed != "" {
		return keyed
	}
	for _, side := range [2]struct{ value, object *model.Ref }{{a, b}, {b, a}} {
		if t := p.model.Struct(side.object); t != nil && len(t.Fields) == 1 && t.Fields[0].JSON != "" && model.SameGo(t.Fields[0].Type, side.value) {
			return "field(" + t.Fields[0].JSON + ")"
		}
	}
	return ""
}

// keyed returns the transform between a map and a list of its entries, "" if they are no such types.
func (p *proposer) keyed(a, b *model.Ref) string {
	m, list := p.model.Underlying(a), p.model.Underlying(b)
	if m.Kind != model.KindMap || list.Kind != model.KindSlice {
		return ""
	}
	item, entry := p.model.Struct(list.Elem), p.model.Struct(m.Elem)
	if item == nil {
		return ""
	}
	var keys, others []*model.Field
	for _, f := range item.Fields {
		switch {
		case entry != nil && entry.FieldByJSON(f.JSON) != nil:
		case p.model.Underlying(f.Type).IsString() && len(keys) == 0:
			keys = append(keys, f)
		default:
			others = append(others, f)
		}
	}
	switch {
	case len(keys) != 1:
	case entry != nil && len(others) == 0 && len(item.Fields) == len(entry.Fields)+1:
		return "keyed(" + keys[0].JSON + ")"
	case len(item.Fields) == 2 && len(others) == 1 && model.SameGo(others[0].Type, m.Elem):
		return "keyed(" + keys[0].JSON + ", " + others[0].JSON + ")"
	}
	return ""
}

// deprecatedSince returns the first version whose comment deprecates an item, of those without a gap.
func (p *proposer) deprecatedSince(d *difference) string {
	for _, q := range p.versions {
		t := q.Type(d.old.Name)
		if q.Version == p.old.Version {
			break
		}
		switch {
		case t == nil:
		case d.oldField != nil && counterpart(d.oldField, t) != nil && model.IsDeprecated(counterpart(d.oldField, t).Doc), d.oldField == nil && d.oldConst == nil && model.IsDeprecated(t.Doc):
			return q.Version
		}
	}
	return p.old.Version
}

// flush adds the marker of a change.
func (p *proposer) flush(c *change) {
	if c.wrapped {
		p.mark(c.by, model.RoleWrapped, "since", p.since, "fromName", c.fromName, "fromType", c.fromType)
		return
	}
	p.mark(c.by, model.RoleChanged, "since", p.since, "fromName", c.fromName, "fromGoName", c.fromGoName, "fromType", c.fromType,
		"upgradeWith", c.upgrade, "downgradeWith", c.downgrade, "transform", c.transform)
}

// pair finds items that only one side has and that are one item with two names.
func (p *proposer) pair(list []*difference, taken map[*difference]bool) {
	var candidates []*candidate
	for _, o := range list {
		for _, g := range list {
			if o.aspect != missing || g.aspect != extra && g.aspect != nested {
				continue
			}
			if c := p.candidate(o, g); c != nil {
				candidates = append(candidates, c)
			}
		}
	}
	slices.SortStableFunc(candidates, func(a, b *candidate) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	for _, c := range candidates {
		if taken[c.old] || taken[c.generated] {
			continue
		}
		taken[c.old], taken[c.generated] = true, true
		if c.deprecated {
			doc := ""
			if f := c.generated.newField; f != nil {
				doc = f.Doc
			} else {
				doc = c.generated.newConst.Doc
			}
			p.mark(c.generated, model.RoleDeprecated, "since", p.since, "note", note(doc))
			continue
		}
		guess := &Guess{From: c.old.item, To: c.to(), Old: c.old.span, New: c.span(), Confirmed: c.confirmed}
		p.guesses = append(p.guesses, guess)
		if !c.confirmed && !p.assume {
			p.open[c.old], p.open[c.generated] = guess, guess
			continue
		}
		if c.path != "" {
			p.move(c)
			continue
		}
		p.rename(c.old, c.generated)
	}
}

// move notes that a field had another path, and perhaps another type there.
func (p *proposer) move(c *candidate) {
	f, g := c.old.oldField, c.generated.newField
	fromType, transform := "", ""
	if !model.SameGo(f.Type, g.Type) {
		fromType, transform = p.spell(f.Type), p.transform(f.JSON, g.JSON, p.inHub(f.Type), p.inHub(g.Type))
	}
	p.mark(c.generated, model.RoleMoved, "since", p.since, "fromPath", c.path, "fromType", fromType, "transform", transform)
}

// note returns the text of the paragraph that deprecates an item.
func note(doc string) string {
	for paragraph := range strings.SplitSeq(doc, "\n\n") {
		if text, ok := strings.CutPrefix(paragraph, model.DeprecatedParagraph); ok {
			return strings.Join(strings.Fields(text), " ")
		}
	}
	return ""
}

// candidate is a pair of items that may be one.
type candidate struct {
	old, generated *difference
	score          float64
	// confirmed is set if the user says so; deprecated if the names do.
	confirmed, deprecated bool
	// path is the previous path of a field that has moved.
	path string
}

func (c *candidate) to() string {
	name := c.generated.item
	if c.path == "" {
		_, name, _ = strings.Cut(name, ".")
	}
	return name
}

func (c *candidate) span() source.Span {
	if c.generated.newConst != nil {
		return c.generated.newConst.Span
	}
	return c.generated.newField.Span
}

// candidate returns a pair of items if they may be one; nil if not.
func (p *proposer) candidate(o, g *difference) *candidate {
	c := &candidate{old: o, generated: g}
	answer, answered := p.renames[o.item]
	if answered {
		if answer != c.to() && answer != g.item {
			return nil
		}
		c.confirmed, c.score = true, 2
	}
	switch {
	case o.oldField != nil && g.newField != nil:
		return p.fieldCandidate(c, o, g)
	case o.oldConst != nil && g.newConst != nil && o.generated == g.generated:
		if rest, ok := strings.CutPrefix(g.newConst.Value, "Deprecated"); ok && strings.EqualFold(rest, o.oldConst.Value) {
			c.deprecated, c.score = true, 3
			return c
		}
		if o.oldConst.Name == g.newConst.Name {
			c.score = max(c.score, 1)
		}
		c.score = max(c.score, likeness(o.oldConst.Value, g.newConst.Value, o.oldConst.Doc, g.newConst.Doc, followConst(o.old, g.generated, o.oldConst, g.newConst)))
	default:
		return nil
	}
	if c.score < likely {
		return nil
	}
	return c
}

func (p *proposer) fieldCandidate(c *candidate, o, g *difference) *candidate {
	f, h := o.oldField, g.newField
	if f.Inline || h.Inline || f.JSON == "" || h.JSON == "" || !p.converts(f, h) {
		return nil
	}
	same := o.generated == g.generated
	if rest, ok := strings.CutPrefix(h.JSON, "deprecated"); same && ok && strings.EqualFold(rest, f.JSON) && h.Name == "Deprecated"+f.Name && model.SameGo(f.Type, h.Type) {
		c.deprecated, c.score = true, 3
		return c
	}
	if f.Name == h.Name {
		c.score = max(c.score, 0.9)
	}
	score := likeness(f.JSON, h.JSON, f.Doc, h.Doc, same && follow(o.old, g.generated, f, h))
	if !same {
		if !p.specific(f, h) {
			return nil
		}
		if c.path = p.pathTo(o.old, f); c.path == "" {
			return nil
		}
		score -= 0.1 // a rename comes first
		if strings.HasPrefix(h.JSON, f.JSON) {
			score = max(score, likely)
		}
	}
	if c.score = max(c.score, score); c.score < likely {
		return nil
	}
	return c
}

// specific reports whether a field that is elsewhere in the other version can be told from others: it has
// its name there, or a comment that says the same. The name of one with another type has a unit, perhaps.
func (p *proposer) specific(f, g *model.Field) bool {
	alike := len(words(f.Doc)) > 3 && overlap(without(words(f.Doc), words(f.JSON)), without(words(g.Doc), words(g.JSON))) > 0.7
	if model.SameGo(f.Type, g.Type) {
		return f.JSON == g.JSON || alike
	}
	return p.spells(f.Type) && p.transform(f.JSON, g.JSON, p.inHub(f.Type), p.inHub(g.Type)) != "" && (strings.HasPrefix(g.JSON, f.JSON) || alike)
}

// converts reports whether the values of two fields can be the same.
func (p *proposer) converts(f, g *model.Field) bool {
	if model.SameGo(f.Type, g.Type) {
		return true
	}
	if !p.spells(f.Type) {
		return false
	}
	var c change
	p.retype(&c, f, g)
	from, to := p.inHub(f.Type), p.inHub(g.Type)
	return c.wrapped || c.transform != "" || c.upgrade != "" || c.downgrade != "" || p.model.Lossless(from, to) || p.model.Lossless(to, from)
}

// pathTo returns the path of a field from a kind of the older version, "" if it is in none, or in several
// fields.
func (p *proposer) pathTo(t *model.Type, f *model.Field) string {
	found := ""
	var walk func(at *model.Type, path string, above []*model.Type) bool
	walk = func(at *model.Type, path string, above []*model.Type) bool {
		if at == nil || slices.Contains(above, at) {
			return true
		}
		if at == t {
			if path += f.JSON; found != "" && found != path {
				return false
			}
			found = path
			return true
		}
		for _, g := range at.Fields {
			if !g.Exported() || g.JSON == "" && !g.Inline || g.Type.Package != "" && g.Type.Package != p.old.Path {
				continue
			}
			next := path
			if !g.Inline {
				next += g.JSON
				for r := g.Type; r.Kind != model.KindNamed && r.Elem != nil; r = r.Elem {
					if r.Kind != model.KindPointer {
						next += "[]"
					}
				}
				next += "."
			}
			if !walk(p.before.Struct(items(g.Type)), next, append(slices.Clone(above), at)) {
				return false
			}
		}
		return true
	}
	for _, kind := range p.old.Types {
		if isObject(kind) && !walk(kind, "", nil) {
			return ""
		}
	}
	return found
}

// implied reports whether a tag follows from whether JSON omits an empty field.
func implied(f *model.Field, t attached) bool {
	return t.presence == model.RoleOptional && f.OmitEmpty || t.presence == model.RoleRequired && !f.OmitEmpty
}
