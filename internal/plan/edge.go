package plan

import (
	"cmp"
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// Loss says whether a conversion in one direction can be undone by the other.
type Loss string

// The losses.
const (
	// None means that the opposite conversion restores every value.
	None Loss = "none"
	// Unknown means that a function of the author decides.
	Unknown Loss = "unknown"
	// Some means that the opposite conversion cannot restore some values.
	Some Loss = "some"
)

var losses = []Loss{None, Unknown, Some}

// Edge is what a conversion loses in one direction.
type Edge struct {
	Loss Loss `json:"loss"`
	// Reason is the change that loses values, as the start of a sentence for the author.
	Reason string `json:"reason,omitempty"`
	// Track means that the object keeps what is lost, so that the opposite conversion
	// restores it.
	Track bool `json:"track,omitempty"`
	// Lossy is the author's reason to accept the loss.
	Lossy string `json:"lossy,omitempty"`
	// Span is the marker of the change.
	Span source.Span `json:"span"`
}

// Accepted reports whether nothing is lost, or what is lost is tracked or meant.
func (e *Edge) Accepted() bool { return e.Loss == None || e.Track || e.Lossy != "" }

// Edges are what a conversion loses in both directions; nil where nothing is lost.
type Edges struct {
	Up   *Edge `json:"up,omitempty"`
	Down *Edge `json:"down,omitempty"`
}

// At returns the edge of a direction, or nil.
func (e Edges) At(way Way) *Edge {
	if way == Up {
		return e.Up
	}
	return e.Down
}

func (e *Edges) set(way Way, edge *Edge) {
	if way == Up {
		e.Up = edge
	} else {
		e.Down = edge
	}
}

// visitor is called with what a conversion consists of in one direction.
type visitor struct {
	edge func(*Edge)
	// pair is called where a type of the plan converts a part of the value.
	pair func(*Type)
}

func (v visitor) at(e Edges, way Way) {
	if edge := e.At(way); edge != nil {
		v.edge(edge)
	}
}

// visitType visits a type without the types that it refers to.
func (p *Plan) visitType(t *Type, way Way, to visitor) {
	to.at(t.Edges, way)
	if t.ByHand(way) {
		return
	}
	if t.Enum != nil {
		to.at(t.Enum.Edges, way)
		for _, c := range t.Enum.Cases(way) {
			if c.Edge != nil {
				to.edge(c.Edge)
			}
		}
	}
	p.visitValue(t.Value, way, to)
	for _, op := range t.Fields {
		p.visitOp(op, way, to)
	}
	for _, h := range t.Hooks {
		to.at(h.Edges, way)
	}
}

func (p *Plan) visitOp(op *Op, way Way, to visitor) {
	to.at(op.Edges, way)
	p.visitValue(op.Value, way, to)
}

func (p *Plan) visitValue(v *Value, way Way, to visitor) {
	if v == nil {
		return
	}
	if v = v.At(way); v.Kind == Pair {
		if t := p.Of(v.Older.ID(), v.Hub.ID()); t != nil {
			to.pair(t)
		}
		return
	}
	to.at(v.Edges, way)
	p.visitValue(v.Key, way, to)
	p.visitValue(v.Elem, way, to)
	for _, s := range v.Steps {
		to.at(s.Edges, way)
		if s.Func(way) == nil {
			p.visitValue(s.Value, way, to)
		}
	}
}

// Own returns the edges of a type in a direction, without those of the types that it
// refers to.
func (p *Plan) Own(t *Type, way Way) []*Edge {
	var edges []*Edge
	p.visitType(t, way, visitor{edge: func(e *Edge) { edges = append(edges, e) }, pair: func(*Type) {}})
	return edges
}

// LossOfType returns what converting values of a type loses, at any depth: the worst of all
// edges.
func (p *Plan) LossOfType(t *Type, way Way) Edge {
	w := &walk{plan: p, way: way, seen: map[*Type]bool{}}
	w.typ(t)
	return w.result()
}

// LossOfField returns what converting a field loses. Structs that are types of the plan have
// edges at their own fields.
func (p *Plan) LossOfField(op *Op, way Way) Edge {
	w := &walk{plan: p, way: way, seen: map[*Type]bool{}, shallow: true}
	p.visitOp(op, way, w.visitor())
	return w.result()
}

// LossOfValue is like LossOfField, for a value.
func (p *Plan) LossOfValue(v *Value, way Way) Edge {
	w := &walk{plan: p, way: way, seen: map[*Type]bool{}, shallow: true}
	p.visitValue(v, way, w.visitor())
	return w.result()
}

// RestoresType reports whether the opposite conversion restores every value of a type, also by
// what is tracked, apart from the fields of structs.
func (p *Plan) RestoresType(t *Type, way Way) bool {
	return p.restores(way, func(to visitor) { to.pair(t) })
}

// RestoresField is like RestoresType, for a field.
func (p *Plan) RestoresField(op *Op, way Way) bool {
	return p.restores(way, func(to visitor) { p.visitOp(op, way, to) })
}

// RestoresFirst is like RestoresField, apart from further items of a list that is a single value in the
// older version.
func (p *Plan) RestoresFirst(op *Op, way Way) bool {
	if op.Value == nil || op.Value.wrap() == nil {
		return false
	}
	return p.restores(way, func(to visitor) {
		to.at(op.Edges, way)
		p.visitValue(op.Value.wrap().Elem, way, to)
	})
}

// RestoresValue is like RestoresType, for a value.
func (p *Plan) RestoresValue(v *Value, way Way) bool {
	return p.restores(way, func(to visitor) { p.visitValue(v, way, to) })
}

func (p *Plan) restores(way Way, visit func(visitor)) bool {
	restores, seen := true, map[*Type]bool{}
	var to visitor
	to = visitor{
		edge: func(e *Edge) { restores = restores && (e.Loss == None || e.Track) },
		pair: func(t *Type) {
			if seen[t] {
				return
			}
			seen[t] = true
			if t.Value != nil || t.ByHand(way) {
				p.visitType(t, way, to)
			}
			for _, h := range t.Hooks {
				to.at(h.Edges, way)
			}
		},
	}
	visit(to)
	return restores
}

// Tracks reports whether values are tracked when a type converts, at any depth.
func (p *Plan) Tracks(t *Type, way Way) bool {
	found, seen := false, map[*Type]bool{}
	var typ func(t *Type)
	typ = func(t *Type) {
		if !seen[t] {
			seen[t] = true
			p.visitType(t, way, visitor{edge: func(e *Edge) { found = found || e.Track }, pair: typ})
		}
	}
	typ(t)
	return found
}

// walk finds the worst edge.
type walk struct {
	plan  *Plan
	way   Way
	seen  map[*Type]bool
	worst *Edge
	// shallow means that structs are not walked.
	shallow bool
}

func (w *walk) visitor() visitor { return visitor{edge: w.edge, pair: w.typ} }

func (w *walk) typ(t *Type) {
	if w.seen[t] || w.shallow && t.Value == nil && !t.ByHand(w.way) {
		return
	}
	w.seen[t] = true
	w.plan.visitType(t, w.way, w.visitor())
}

func (w *walk) edge(e *Edge) {
	if w.worst == nil || e.rank() > w.worst.rank() {
		w.worst = e
	}
}

func (w *walk) result() Edge {
	if w.worst == nil {
		return Edge{Loss: None}
	}
	return *w.worst
}

// rank orders edges: those that are not accepted are the worst.
func (e *Edge) rank() int {
	rank := slices.Index(losses, e.Loss)
	if !e.Accepted() {
		rank += len(losses)
	}
	return rank
}

// addedEdges returns what a field that only the hub has loses.
func (b *builder) addedEdges(label string, f *model.Field) Edges {
	e := &Edge{Loss: Some, Span: f.Span, Reason: label + " does not exist in " + b.Older.Name}
	if added := addedBy(f.Changes); added != nil {
		e.Span, e.Lossy = added.Span, added.Reason()
		e.Reason = label + " exists since " + added.Since
	} else if slices.ContainsFunc(f.Changes, func(c model.Change) bool { return c.Base().Role == model.RoleMoved }) {
		return Edges{} // its previous path is wrong, which is reported
	}
	return Edges{Down: b.tracked(e)}
}

// removedEdges returns what a field that only the older version has loses.
func (b *builder) removedEdges(label string, f *model.Field) Edges {
	e := &Edge{Loss: Some, Span: f.Span, Reason: label + " does not exist in " + b.Hub.Name}
	for _, c := range f.Origin.Steps {
		if removed, ok := c.(*model.Removed); ok {
			e.Span, e.Lossy, e.Reason = removed.Span, removed.Reason(), label+" is removed in "+removed.Since
		}
	}
	return Edges{Up: b.tracked(e)}
}

// stepEdges returns what a change of type loses between two types of the hub's package.
func (b *builder) stepEdges(label string, c *model.Changed, to *model.Ref) Edges {
	var edges Edges
	if c.Wraps {
		return Edges{} // the value has them
	}
	if c.Form != nil {
		return b.transformEdges(label, c)
	}
	for _, way := range Ways {
		fn, from, to := c.UpgradeWith, c.From, to
		if way == Down {
			fn, from, to = c.DowngradeWith, to, c.From
		}
		e := &Edge{Span: c.Span, Lossy: c.Reason()}
		switch f := b.function(fn); {
		case f == nil:
			continue // the compiler accepts only conversions without loss
		case !f.Fails && b.m.Narrows(from, to):
			e.Loss = Some
			e.Reason = label + " has type " + b.hub.Spell(c.From) + " before " + c.Since + ", which cannot represent every " + b.hub.Spell(from)
			if way == Up {
				e.Reason = label + " has type " + b.hub.Spell(to) + " since " + c.Since + ", which cannot represent every " + b.hub.Spell(from)
			}
		case c.IsLossless():
			continue
		default:
			e.Loss, e.Reason = Unknown, authored(b.function(c.UpgradeWith), b.function(c.DowngradeWith))+" "+label
		}
		edges.set(way, b.tracked(e))
	}
	return edges
}

// transformEdges returns what a transform loses.
func (b *builder) transformEdges(label string, c *model.Changed) Edges {
	var edges Edges
	form := jsonconvert.Forms[c.Form.Name]
	loses := map[Way]string{Up: form.FirstLoses, Down: form.SecondLoses}
	for _, way := range Ways {
		lost := loses[way != Way(c.Form.Inverted)]
		if lost != "" {
			edges.set(way, b.tracked(&Edge{
				Loss: Some, Span: c.Span, Lossy: c.Reason(),
				Reason: "the transform " + c.Form.Name + " of " + label + " loses " + lost,
			}))
		}
	}
	return edges
}

// blurs completes the edges of a value that transforms convert: an unset value, or a zero one, may be another when it
// comes back.
func (b *builder) blurs(label string, v *Value, older, hub *Field, changes []*model.Changed) {
	if !v.Transformed() || v.Wraps() {
		return
	}
	unset := map[Way][]string{Up: b.unset(older, v.Older), Down: b.unset(hub, v.Hub)}
	leavesOut := map[Way]bool{Up: hub.OmitZero, Down: older.OmitZero} // null, which is nothing then in JSON
	for _, way := range Ways {
		from, _ := v.Ends(way)
		last := v.Steps[len(v.Steps)-1]
		if last.Edges.At(way) != nil {
			continue
		}
		values := []string{b.zero(from).JSON()}
		if from.Kind == model.KindPointer {
			values = append(values, b.zero(from.Elem).JSON())
		}
		for _, text := range values {
			if there, ok := b.shows(v, text, way, unset[way]); ok {
				back, ok := b.shows(v, there, !way, unset[!way])
				if ok && (back != text || text == "null" && leavesOut[way]) {
					c := changes[len(changes)-1]
					last.Edges.set(way, b.tracked(&Edge{
						Loss: Some, Span: c.Span, Lossy: c.Reason(),
						Reason: "the transform " + c.Form.Name + " of " + label + " makes unset and zero values the same",
					}))
					break
				}
			}
		}
	}
}

// unset returns the JSON of the values that Go does not tell from an unset field: null, and what it leaves out.
func (b *builder) unset(f *Field, r *model.Ref) []string {
	values := []string{"null"}
	if f.OmitEmpty || f.OmitZero {
		values = append(values, cmp.Or(b.leftOut(f, r), b.zero(r).JSON()))
	}
	return values
}

// shows returns the JSON of the Go value that an unset or a zero one becomes; "null" is nil. unset are the values of the
// field that Go does not tell from an unset one.
func (b *builder) shows(v *Value, text string, way Way, unset []string) (there string, ok bool) {
	_, to := v.Ends(way)
	if slices.Contains(unset, text) {
		return b.zero(to).JSON(), true
	}
	converted, err := v.transform([]byte(text), way)
	return string(converted), err == nil
}

// wrapEdges returns what a list loses that is a single value in the older version.
func (b *builder) wrapEdges(label string, c *model.Changed) Edges {
	e := &Edge{Loss: Some, Span: c.Span, Lossy: c.Reason(), Reason: label + " is a single value before " + c.Since + ", which cannot represent further items"}
	return Edges{Down: b.tracked(e)}
}

// authored begins the reason of an edge that the author's functions decide.
func authored(up, down *Func) string {
	switch {
	case up == nil:
		return down.Name + " converts"
	case down == nil || up.Name == down.Name:
		return up.Name + " converts"
	}
	return up.Name + " and " + down.Name + " convert"
}

// byHandEdges returns what the author's conversions of a type lose. Whoever replaces a whole
// conversion answers for it.
func (t *Type) byHandEdges(b *builder) Edges {
	var edges Edges
	for _, way := range Ways {
		if t.ByHand(way) {
			from, to := b.older, b.hub
			if way == Down {
				from, to = to, from
			}
			in, out := t.Ends(way)
			edges.set(way, &Edge{
				Loss: Unknown, Span: t.Span, Lossy: "hand-written",
				Reason: model.ConversionFunc(from, in.Name, to, out.Name) + " converts " + t.Hub.Name,
			})
		}
	}
	return edges
}

// tracked completes an edge with what tracking covers.
func (b *builder) tracked(e *Edge) *Edge {
	e.Track = e.Lossy == "" && (b.hub.Tracking == nil || b.hub.Tracking.Store != model.NoStore)
	return e
}

// addedBy returns the marker of an item that was added, or nil.
func addedBy(changes []model.Change) *model.Added {
	for _, c := range changes {
		if added, ok := c.(*model.Added); ok {
			return added
		}
	}
	return nil
}

func label(t *model.Type, f *model.Field) string { return t.Ref().Name + "." + cmp.Or(f.JSON, f.Name) }
