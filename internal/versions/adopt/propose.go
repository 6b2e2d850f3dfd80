package adopt

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/versions/evolve"
)

// Guess is what the types do not prove.
type Guess struct {
	// From is the item of the older version, as Type.name, and To its name in the newer one, with its
	// type if that is another. Of a constant that the older version lacks, From is the constant and To the
	// value that replaces it.
	From, To string
	// Says is what From seems to do with To.
	Says says
	// Old and New are the declarations.
	Old, New source.Span
	// Confirmed is set if the user has confirmed it.
	Confirmed bool
}

// says is a verb with its object in place of %s, and the short form that repeats the verb.
type says struct{ verb, short string }

var (
	isNow       = says{"seems to be %s in newer versions", "it is"}
	byTransform = says{"seems to be converted by the transform %s", "it is"}
	bySplit     = says{"seems to consist of other fields, as %s", "it does"}
	// replacing is a constant that the older version lacks.
	replacing = says{}
)

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
	// refused are reasons why differences have no marker.
	refused map[*difference]string
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
	p.open, p.refused = map[*difference]*Guess{}, map[*difference]string{}
	taken := map[*difference]bool{}
	p.typeNames(list, taken)
	p.styles(list, taken)
	p.splits(list, taken)
	p.entries(list, taken)
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
			case d.newConst != nil && d.generated.IsEnum():
				p.replace(d)
			case d.newField != nil:
				p.mark(d, model.RoleAdded, "since", p.since, "default", p.defaultOf(d))
			case d.newConst == nil && d.generated.Kind != nil && p.hadBefore(d.generated) != "":
				p.refused[d] = p.hadBefore(d.generated) + " has it, and a kind cannot skip a version"
			case d.newConst != nil || isObject(d.generated) || last && d.generated.Kind == nil && !reachable(p.generated, nil)[d.generated.Name]:
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

// hadBefore returns a version before the older one that has a kind, "" for none.
func (p *proposer) hadBefore(kind *model.Type) string {
	for _, q := range p.versions {
		if model.CompareVersions(q.Version, p.old.Version) < 0 && q.Type(kind.Name) != nil {
			return q.Version
		}
	}
	return ""
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
	guess := &Guess{From: d.item, To: answer, Says: replacing, Old: d.span, New: d.newConst.Span, Confirmed: answered}
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

// remove adds the marker for a field that only older versions have, with further arguments.
func (p *proposer) remove(d *difference, more ...string) {
	f, hub := d.oldField, p.hub.Type(d.generated.Hub.Name)
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
	markers := []string{marker(p.tags, model.RoleRemoved, slices.Concat(args, more, []string{"doc", summary(f.Doc)})...)}
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
	if r.Kind == model.KindNamed && r.Package == p.old.Path && p.hub.Type(p.nameInHub(r.Name)) == nil {
		return false
	}
	return r.Kind != model.KindStruct && p.spells(r.Elem) && p.spells(r.Key)
}

// spell returns the spelling of a type of the older version in the hub.
func (p *proposer) spell(r *model.Ref) string { return p.hub.Spell(p.inHub(r)) }

// nameInHub returns the name that a type of the older version has in the hub.
func (p *proposer) nameInHub(name string) string {
	if g := p.generated.Type(name); g != nil && g.Hub != nil {
		return g.Hub.Name
	}
	return name
}

// inHub returns a type of the older version as one of the hub.
func (p *proposer) inHub(r *model.Ref) *model.Ref {
	if r == nil {
		return nil
	}
	c := *r
	if c.Kind == model.KindNamed && c.Package == p.old.Path {
		c.Package, c.Name = p.hub.Path, p.nameInHub(c.Name)
	}
	c.Elem, c.Key, c.Args = p.inHub(r.Elem), p.inHub(r.Key), nil
	for _, a := range r.Args {
		c.Args = append(c.Args, p.inHub(a))
	}
	return &c
}
