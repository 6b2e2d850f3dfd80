package steps

import (
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// Loss is what the conversions of a type in one step may lose. Objects keep it, unless their kind has no store.
type Loss struct {
	// To is the version that cannot represent the values.
	To string `json:"to"`
	// Reason is the change that loses values, as the start of a sentence for the author.
	Reason string `json:"reason"`
	// Unknown means that a function of the author decides.
	Unknown bool `json:"unknown,omitempty"`
	// Lossy is the author's reason to accept the loss.
	Lossy string `json:"lossy,omitempty"`
	// Span is the marker of the change.
	Span source.Span `json:"span"`
}

// ways are the directions of a step: to the newer version, and back.
var ways = []bool{true, false}

// lossy collects the losses of a type from its operations, without those of the types that it refers to. It knows nothing of
// values: an operation that can lose some is a loss.
type lossy struct {
	*builder
	typ *Type
	out []*Loss
}

func (b *builder) losses(t *Type) []*Loss {
	l := &lossy{builder: b, typ: t}
	l.byHand(t.Up, true)
	l.byHand(t.Down, false)
	l.value(t.Name, t.Value)
	for _, f := range t.Fields {
		l.field(t, f)
	}
	for _, m := range t.Moves {
		l.move(t, m)
	}
	for _, h := range t.Hooks {
		l.hook(h)
	}
	l.enum(t.Enum)
	return l.out
}

// add adds a loss in a direction, unless a function of the author converts the whole type.
func (l *lossy) add(up bool, loss Loss) {
	if whole := map[bool]*Func{true: l.typ.Up, false: l.typ.Down}[up]; whole != nil && loss.Lossy != byHand {
		return
	}
	if loss.To = l.step.Older; up {
		loss.To = l.step.Newer
	}
	l.out = append(l.out, &loss)
}

// byHand is the reason to accept what a hand-written conversion of a type loses: whoever replaces it answers for it.
const byHand = "hand-written"

func (l *lossy) byHand(f *Func, up bool) {
	if f != nil {
		l.add(up, Loss{Unknown: true, Lossy: byHand, Reason: f.Name + " converts " + l.typ.Name, Span: l.typ.Span})
	}
}

func (l *lossy) field(t *Type, f *Field) {
	label := t.Name + "."
	switch {
	case f.Moved:
	case f.Older == nil:
		loss := Loss{Reason: label + f.Newer.JSON + " does not exist in " + l.step.Older, Span: f.Span}
		if added, ok := f.change.(*model.Added); ok {
			loss = Loss{Reason: label + f.Newer.JSON + " exists since " + added.Since, Lossy: added.Reason(), Span: added.Span}
		}
		if !slices.ContainsFunc(t.Hooks, func(h *Hook) bool { return slices.Contains(h.Newer, f.Newer.JSON) }) {
			l.add(false, loss)
		}
	case f.Newer == nil:
		loss := Loss{Reason: label + f.Older.JSON + " does not exist in " + l.step.Newer, Span: f.Span}
		if removed, ok := f.change.(*model.Removed); ok {
			loss = Loss{Reason: label + f.Older.JSON + " is removed in " + removed.Since, Lossy: removed.Reason(), Span: removed.Span}
		}
		if !slices.ContainsFunc(t.Hooks, func(h *Hook) bool { return slices.Contains(h.Older, f.Older.JSON) }) {
			l.add(true, loss)
		}
	default:
		l.value(label+f.Newer.JSON, f.Value)
	}
}

func (l *lossy) value(label string, v *Value) {
	switch {
	case v == nil || v.Kind == Call && v.change == nil: // only functions have values of such a type
	case v.Kind == Wrap:
		c := v.change
		l.add(false, Loss{Reason: label + " is a single value before " + c.Since + ", which cannot represent further items", Lossy: c.Reason(), Span: c.Span})
		l.value(label, v.Elem)
	case v.Kind == Call && v.change.Form != nil:
		l.transform(label, v)
	case v.Kind == Call:
		l.functions(label, v)
	default:
		l.value(label, v.Elem)
	}
}

// functions adds what the functions of a value lose. Without one the compiler accepts only conversions without loss.
func (l *lossy) functions(label string, v *Value) {
	c := v.change
	for _, up := range ways {
		fn, from, to := v.Up, v.From, v.To
		if !up {
			fn, from, to = v.Down, v.To, v.From
		}
		loss := Loss{Lossy: c.Reason(), Span: c.Span}
		switch {
		case fn == nil:
			continue
		case !fn.Fails && from != nil && to != nil && l.m.Narrows(from, to):
			where := " before " + c.Since
			if up {
				where = " since " + c.Since
			}
			loss.Reason = label + " has type " + l.hub.Spell(to) + where + ", which cannot represent every " + l.hub.Spell(from)
		case c.IsLossless():
			continue
		default:
			loss.Unknown, loss.Reason = true, authored(v.Up, v.Down)+" "+label
		}
		l.add(up, loss)
	}
}

// transform adds what a transform loses, and the values that it converts to those that count as absent.
func (l *lossy) transform(label string, v *Value) {
	c := v.change
	form := jsonconvert.Forms[c.Form.Name]
	for _, up := range ways {
		lost := form.SecondLoses
		if up != c.Form.Inverted {
			lost = form.FirstLoses
		}
		loss := Loss{Lossy: c.Reason(), Span: c.Span, Reason: "the transform " + c.Form.Name + " of " + label + " loses " + lost}
		if lost == "" {
			if !l.blurs(v, up) {
				continue
			}
			loss.Reason = "the transform " + c.Form.Name + " of " + label + " makes unset and zero values the same"
		}
		l.add(up, loss)
	}
}

// blurs reports whether a value becomes one that counts as absent, although it does not count as absent itself.
func (l *lossy) blurs(v *Value, up bool) bool {
	from, to := v.Older, v.Newer
	if !up {
		from, to = to, from
	}
	absent := l.Key(&model.Field{Type: to}).Zero
	if absent == "" {
		return false
	}
	back, err := (*jsonconvert.Transform)(v.change.Form).Convert([]byte(absent), !up)
	if err != nil || string(back) == "null" || string(back) == l.Key(&model.Field{Type: from}).Zero {
		return false
	}
	forth, err := (*jsonconvert.Transform)(v.change.Form).Convert(back, up)
	return err == nil && string(forth) == absent
}

func (l *lossy) move(t *Type, m *Move) {
	last := m.Newer[len(m.Newer)-1]
	label := t.Name + "." + last.JSON
	l.value(label, m.Value)
	for _, up := range ways {
		path, has, lacks := m.Newer, l.step.Newer, l.step.Older
		if !up {
			path, has, lacks = m.Older, lacks, has
		}
		entry := path[len(path)-1]
		if !entry.Entry {
			for _, at := range path[:len(path)-1] {
				if at.Optional && !at.EmptyIsAbsent {
					l.add(!up, Loss{Lossy: m.lossy, Span: m.Span, Reason: "an empty " + at.JSON + " cannot be told from none where " + has + " has " + entry.JSON + " in it"})
				}
			}
			continue
		}
		name := path[len(path)-2].JSON + " " + entry.JSON
		l.add(!up, Loss{Lossy: m.lossy, Span: m.Span, Reason: "in " + has + " the " + name + " of " + label + " may be empty, which " + lacks + " cannot tell from none"})
		l.add(up, Loss{Lossy: m.lossy, Span: m.Span, Reason: "in " + has + " the " + name + " is " + label + ", so objects of " + lacks + " cannot have others"})
	}
}

func (l *lossy) hook(h *Hook) {
	reason := h.change.Reason()
	for _, up := range ways {
		loss := Loss{Lossy: reason, Span: h.Span}
		switch {
		case h.Split == nil && (h.Up == nil && h.Down == nil || h.change.IsLossless()):
			continue
		case h.Split == nil:
			loss.Unknown, loss.Reason = true, authored(h.Up, h.Down)+" "+l.typ.Name
		case up != h.Split.Joined:
			loss.Reason = "values of " + l.typ.Name + "." + h.Split.Whole + " need not be " + h.change.Split.Parts.Text
		default:
			loss.Reason = "parts of " + l.typ.Name + "." + h.Split.Whole + " may have texts that separate them in " + h.change.Split.Parts.Text
		}
		l.add(up, loss)
	}
}

// enum adds the constants that another represents in the older version. The older version of an open enum may have their
// values, too.
func (l *lossy) enum(e *Enum) {
	if e == nil {
		return
	}
	for _, f := range e.fallbacks {
		loss := Loss{Span: f.from.Span, Reason: spelled(f.from) + " does not exist in " + l.step.Older + ", which has " + spelled(f.to) + " instead"}
		if added := addedBy(f.from.Changes); added != nil {
			loss = Loss{Lossy: added.Reason(), Span: added.Span, Reason: spelled(f.from) + " exists since " + added.Since + ", and older versions have " + added.DowngradeTo.Or("another value") + " instead"}
		}
		l.add(false, loss)
		if e.open {
			l.add(true, loss)
		}
	}
}

// spelled returns a constant's value as users read it.
func spelled(c *model.Const) string {
	if c.IsString {
		return strconv.Quote(c.Value)
	}
	return c.Value
}

// authored begins the reason of a loss that the author's functions decide.
func authored(up, down *Func) string {
	switch {
	case up == nil:
		return down.Name + " converts"
	case down == nil || up.Name == down.Name:
		return up.Name + " converts"
	}
	return up.Name + " and " + down.Name + " convert"
}

// lost returns what the conversions of a kind may lose in a step, at any depth.
func (s *Step) lost(kind string) (losses []*Loss) {
	seen := map[string]bool{}
	var typ func(name string)
	var value func(v *Value)
	value = func(v *Value) {
		switch {
		case v == nil:
		case v.Kind == Pair:
			typ(v.Type)
		default:
			value(v.Elem)
		}
	}
	typ = func(name string) {
		t := s.named(name)
		if seen[name] || t == nil {
			return
		}
		seen[name] = true
		losses = append(losses, t.Losses...)
		value(t.Value)
		for _, f := range t.Fields {
			value(f.Value)
		}
		for _, m := range t.Moves {
			value(m.Value)
		}
	}
	typ(kind)
	return losses
}

// loses reports whether a newer version may lack what an object of an older one has, or the reverse.
func (a *API) loses(kind string, up bool) bool {
	return slices.ContainsFunc(a.Steps, func(s *Step) bool {
		return slices.ContainsFunc(s.lost(kind), func(l *Loss) bool { return up == (l.To == s.Newer) })
	})
}

// message says which clients lose the values.
func (l *Loss) message(s *Step) string {
	const accept = `; if this is intended, add lossy: "<reason>"`
	switch {
	case l.Unknown:
		return l.Reason + ", and may lose values of " + s.Older + " and " + s.Newer + `; add lossless: true if nothing is lost, else lossy: "<reason>"`
	case l.To == s.Newer:
		return l.Reason + ": values that clients of versions before " + s.Newer + " write are lost" + accept
	}
	return l.Reason + ": values are lost when clients of versions before " + s.Newer + " write the object" + accept
}
