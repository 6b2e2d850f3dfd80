package lower

import (
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/front/marker"
)

// item is the declaration that a comment belongs to.
type item int

const (
	itemPackage item = iota
	itemType
	itemField
	itemConst
)

// items are the markers of one comment, by their use.
type items struct {
	tags     []*model.Tag
	markers  []model.Marker
	def      *model.Default
	changes  []model.Change
	versions []*model.Version
	tracking *model.Tracking
	restores []*model.Restore
	retired  []*model.Retired
}

// items parses the markers of one comment. It reports tags that do not parse and omits them from
// the model. In dependencies these are warnings, since the user cannot change them.
func (l *lowerer) items(p *model.Package, list []marker.Marker, on item) items {
	if p.Module == "" { // the standard library, where such a line is text
		return items{}
	}
	if p.Root || !p.External {
		return l.parseItems(list, on)
	}
	bag := l.now.found
	l.now.found = &diag.Bag{}
	out := l.parseItems(list, on)
	bag.Demote(l.now.found, "package "+p.Path+" is in another module; the tag has no effect here")
	l.now.found = bag
	return out
}

func (l *lowerer) parseItems(list []marker.Marker, on item) items {
	var out items
	for _, m := range list {
		switch {
		case l.isUnread(m): // reported with the other comments of the package
		case m.Name == foreign.KubebuilderDefault:
			// The marker also stays with the others, which the emitter of schemas reads.
			kept := model.Marker{Name: m.Name, Text: m.Text, Span: m.Span}
			out.markers = append(out.markers, kept)
			l.addKubebuilderDefault(&out, kept, on)
		case l.tags.Role(m.Name) == model.RoleDefault:
			l.addDefault(&out, l.parse(m))
		case l.commaTag(m) != nil:
			out.tags = append(out.tags, l.commaTag(m))
		case l.tags.FamilyOf(m.Name) != nil && !foreign.IsGenerators(m.Name):
			if c := l.parse(m); c != nil {
				l.add(&out, c, on)
			}
		default:
			out.markers = append(out.markers, model.Marker{Name: m.Name, Text: m.Text, Span: m.Span})
		}
	}
	return out
}

// commaTag returns a tag that is written +name=value,flag; nil for other markers.
func (l *lowerer) commaTag(m marker.Marker) *model.Tag {
	name, _, _ := strings.Cut(m.Name, ",")
	d := l.tags.Lookup(name)
	if d == nil || !d.Comma || strings.HasPrefix(m.Text[len(name):], "(") {
		return nil
	}
	// A value may be in quotes, as in tags of other forms.
	value, quotes := "", 0
	if rest, named := strings.CutPrefix(m.Text[len(name):], "="); named {
		if quoted, err := strconv.QuotedPrefix(rest); err == nil {
			value, _ = strconv.Unquote(quoted)
			quotes = len("=") + len(quoted)
		}
	}
	text := m.Text
	if end := strings.IndexFunc(text[len(name)+quotes:], unicode.IsSpace); end >= 0 {
		text = text[:len(name)+quotes+end]
	}
	c := &model.Tag{Name: name, Role: d.Role, NameSpan: m.Span.Sub(1, 1+len(name)), Span: m.Span.Sub(0, 1+len(text)), Comma: true}
	at := len(name) + quotes
	if quotes > 0 {
		span := m.Span.Sub(1+len(name)+len("="), 1+at)
		c.Args = append(c.Args, model.Arg{Name: d.Args[0].Name, Value: model.Value{Kind: model.StringValue, Text: value, Span: span}, Span: span})
	}
	for i, part := range strings.SplitAfter(text[at:], ",") {
		part = strings.TrimSuffix(part, ",")
		span := m.Span.Sub(1+at, 1+at+len(part))
		at += len(part) + 1
		switch value, named := strings.CutPrefix(part, "="); {
		case i == 0 && named && quotes == 0:
			span = span.Sub(1, len(part))
			c.Args = append(c.Args, model.Arg{Name: d.Args[0].Name, Value: model.Value{Kind: model.StringValue, Text: value, Span: span}, Span: span})
		case part != "":
			c.Args = append(c.Args, model.Arg{Name: part, Value: model.Value{Kind: model.BoolValue, Text: "true", Span: span}, Span: span})
		}
	}
	return c
}

// parse reads a marker by the tag grammar.
func (l *lowerer) parse(m marker.Marker) *model.Tag {
	t := marker.Parse(m, l.now.found)
	if t == nil {
		return nil
	}
	return l.tag(t)
}

func (l *lowerer) tag(t *marker.Tag) *model.Tag {
	c := &model.Tag{Name: t.Name, NameSpan: t.NameSpan, Span: t.Span}
	if d := l.tags.Lookup(t.Name); d != nil {
		c.Role, c.At = d.Role, d.Payload.Applies
	}
	for _, a := range t.Args {
		arg := model.Arg{Name: a.Name, Value: *value(&a.Value), Span: a.NameSpan}
		if a.Name == "" {
			arg.Span = a.Value.Span
		}
		c.Args = append(c.Args, arg)
	}
	if t.Payload == nil {
		return c
	}
	if t.Payload.Kind == marker.Chain {
		if t.Payload.Tag != nil {
			c.Inner = l.tag(t.Payload.Tag)
		}
		return c
	}
	c.Payload = value(t.Payload)
	return c
}

var valueKinds = map[marker.Kind]model.ValueKind{
	marker.String: model.StringValue,
	marker.Int:    model.IntValue,
	marker.Bool:   model.BoolValue,
	marker.Ident:  model.IdentValue,
	marker.JSON:   model.JSONValue,
	marker.Raw:    model.RawValue,
}

func value(v *marker.Value) *model.Value {
	return &model.Value{Kind: valueKinds[v.Kind], Text: v.Text, Span: v.Span}
}

// add stores a tag by its kind: changes, versions, or other tags.
func (l *lowerer) add(out *items, c *model.Tag, on item) {
	var declared any
	if d := l.tags.Lookup(c.Name); d != nil && d.Declares != nil {
		declared = d.Declares(readable(c))
	}
	switch declared := declared.(type) {
	case model.Change:
		if on != itemPackage {
			out.changes = append(out.changes, declared)
			return
		}
	case *model.Version:
		if on == itemPackage {
			out.versions = append(out.versions, declared)
		}
	case *model.Tracking:
		if on == itemPackage {
			out.tracking = declared
		}
	case *model.Restore:
		if on == itemPackage {
			out.restores = append(out.restores, declared)
		}
	case *model.Retired:
		if on == itemPackage {
			out.retired = append(out.retired, declared)
		}
	}
	// The tag remains, so that its arguments are checked like those of other tags.
	out.tags = append(out.tags, c)
}

// readable returns a tag without the arguments that could not be read and were reported.
func readable(c *model.Tag) *model.Tag {
	out := *c
	out.Args = slices.DeleteFunc(slices.Clone(c.Args), func(a model.Arg) bool { return a.Value.Kind == "" })
	return &out
}

// typeComments returns the doc comment of a type, and the markers in it and in the comment one
// blank line above it, where kubebuilder and client-gen markers usually are. Farther above, it reads
// markers of other tools only.
func (l *lowerer) typeComments(p *lowered, d typeDecl) (doc string, markers []marker.Marker) {
	group, pos := d.spec.Doc, d.spec.Pos()
	if !d.decl.Lparen.IsValid() {
		group, pos = d.decl.Doc, d.decl.Pos()
	}
	if group != nil {
		pos = group.Pos()
	}
	line := func(p token.Pos) int { return l.res.Span(p, p).Position().Line }
	if above := l.above(d.file, pos); above != nil && line(above.End()) == line(pos)-2 {
		p.owned[above] = true
		markers = marker.Scan(l.res.Span(above.Pos(), above.End()))
	} else {
		markers = l.foreignAbove(p, d.file, pos)
	}
	if group != nil {
		p.owned[group] = true
		span := l.res.Span(group.Pos(), group.End())
		doc = l.prose(span)
		markers = append(markers, marker.Scan(span)...)
	}
	return doc, markers
}
