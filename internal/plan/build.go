package plan

import (
	"errors"
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/steps"
	"github.com/kindsmith/kindsmith/internal/value"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// Build returns the plans of all older versions of a model, except for those whose types are mistaken.
func Build(m *model.Model) Plans {
	plans := Plans{}
	m = steps.Instances(m)
	for _, hub := range m.Packages {
		if hub.Mistaken {
			continue
		}
		// A default is of the version that added the field, so later versions come first.
		for _, v := range slices.Backward(hub.Versions) {
			if older := m.Package(v.Package); older != nil && older.Hub == hub.Path {
				plans[older.Path] = build(m, older, hub, plans)
			}
		}
	}
	return plans
}

func hubOf(m *model.Model, t *model.Type) *model.Type {
	if t.Hub == nil {
		return nil
	}
	return m.Type(*t.Hub)
}

// builder builds one plan.
type builder struct {
	*Plan
	m          *model.Model
	older, hub *model.Package
	// order is the position of each version of the group.
	order map[string]int
	// later are the plans of later versions.
	later Plans
}

func build(m *model.Model, older, hub *model.Package, later Plans) *Plan {
	b := &builder{
		Plan: &Plan{
			Group: hub.Group, Older: Version{older.Version, older.Path}, Hub: Version{hub.Version, hub.Path}, Model: m,
		},
		m: m, older: older, hub: hub, order: map[string]int{}, later: later,
	}
	for i, v := range hub.Versions {
		b.order[v.Name] = i
		b.Versions = append(b.Versions, v.Name)
	}
	for _, r := range hub.Restores {
		b.Restores = append(b.Restores, jsonconvert.Restore{Annotation: r.Annotation, Version: r.Version})
	}
	// A pair refers to types that may be declared later.
	var ends [][2]*model.Type
	for _, t := range older.Types {
		if h := hubOf(m, t); h != nil && !t.Generic {
			pair := &Type{
				Older: t.ID(), Hub: h.ID(), Kind: t.Kind != nil, Enum: b.enum(t, h),
				Skip:       model.Skips(t.Tags, model.PartConversion) || model.Skips(h.Tags, model.PartConversion),
				UpByHand:   older.Funcs[model.ConversionFunc(older, t.Name, hub, h.Name)] != nil,
				DownByHand: older.Funcs[model.ConversionFunc(hub, h.Name, older, t.Name)] != nil,
				Span:       h.Span,
			}
			pair.Edges = pair.byHandEdges(b)
			b.Types = append(b.Types, pair)
			ends = append(ends, [2]*model.Type{t, h})
		}
	}
	b.index()
	// Scalar types come first: chains depend on whether their values are kept.
	for i, t := range b.Types {
		if older, hub := ends[i][0], ends[i][1]; !older.IsStruct() || !hub.IsStruct() {
			t.Value = b.value(older.Def, hub.Def)
		}
	}
	moved := map[*model.Field]bool{}
	for i, t := range b.Types {
		b.moves(t, ends[i][0], ends[i][1], moved)
	}
	for i, t := range b.Types {
		if t.Value == nil {
			b.fields(t, ends[i][0], ends[i][1], moved)
		}
	}
	for _, t := range b.Types {
		for _, op := range t.Fields {
			if op.Kind == Move {
				b.parents(t, op)
			}
		}
	}
	b.casts(ends)
	b.track(ends)
	return b.Plan
}

func (b *builder) fields(t *Type, older, hub *model.Type, moved map[*model.Field]bool) {
	moves := t.Fields // the parents come first
	t.Fields = nil
	byHub := map[string]*model.Field{}
	for _, f := range older.Fields {
		if f.Origin != nil && f.Origin.Field != "" {
			byHub[f.Origin.Field] = f
		}
	}
	for _, h := range hub.Fields {
		if !b.m.IsConverted(h) || hub.IsTypeMeta(h) {
			continue // a scheme, or whoever converts objects, sets the TypeMeta
		}
		op := &Op{Kind: Add, Hub: b.name(hub, h), Moved: moved[h], Span: h.Span}
		if f := byHub[h.Name]; f != nil {
			op.Kind, op.Older = Keep, b.name(older, f)
			op.Value = b.chain(label(hub, h), op.Older, f.Type, h.Type, retypes(f.Origin.Steps))
			op.Value.HubEmptyIsAbsent = op.Value.Kind == Chain && op.Hub.OmitEmpty
			b.blurs(label(hub, h), op.Value, op.Older, op.Hub, retypes(f.Origin.Steps))
		} else if op.Type = h.Type; !op.Moved {
			op.Fill, op.Edges = b.fill(hub, h), b.addedEdges(label(hub, h), h)
			if added := addedBy(h.Changes); added != nil && b.hooked(older, hub, h, added.Since) {
				op.Hooked, op.Edges = true, Edges{}
			}
		}
		t.Fields = append(t.Fields, op)
	}
	for _, f := range older.Fields {
		if f.Origin != nil && f.Origin.Field == "" {
			op := &Op{Kind: Drop, Older: b.name(older, f), Type: f.Type, Moved: f.Origin.Moved, Span: f.Span}
			if !op.Moved {
				op.Edges = b.removedEdges(label(older, f), f)
				for _, c := range f.Origin.Steps {
					if removed, ok := c.(*model.Removed); ok && b.hooked(older, hub, f, removed.Since) {
						op.Hooked, op.Edges = true, Edges{}
					}
				}
			}
			t.Fields = append(t.Fields, op)
		}
	}
	t.Fields = append(t.Fields, moves...)
	b.hooks(t, older, hub)
}

func (b *builder) name(of *model.Type, f *model.Field) *Field {
	out := &Field{Go: f.Name, JSON: f.JSON, Inline: f.Inline}
	if of.Package == b.hub.Path && b.m.Promotes(f) {
		out.Accessor = model.ConversionAccessor(of.Name, f.Name)
	}
	switch u := b.m.Underlying(f.Type); {
	case u.IsScalar():
		out.OmitEmpty = f.OmitEmpty || f.OmitZero
	case u.Kind == model.KindSlice || u.Kind == model.KindMap:
		out.OmitEmpty = f.OmitEmpty
	case u.Kind == model.KindPointer:
		out.OmitEmpty = f.OmitZero && value.HasIsZero(u.Elem)
	case u.Kind == model.KindStruct:
		out.OmitZero = f.OmitZero
	}
	return out
}

// chain returns the conversion of a value whose type has changed in steps, oldest first.
func (b *builder) chain(label string, f *Field, older, hub *model.Ref, changes []*model.Changed) *Value {
	if len(changes) == 0 {
		return b.value(older, hub)
	}
	v := &Value{
		Kind: Chain, Older: older, Hub: hub,
		Elem:  b.value(older, changes[0].From),
		Steps: b.steps(label, hub, changes),
	}
	v.EmptyIsAbsent = f.OmitEmpty
	direct := b.value
	if i := slices.IndexFunc(changes, func(c *model.Changed) bool { return c.Wraps }); i >= 0 {
		wraps := func(w *Value) *Value {
			w.EmptyIsAbsent, w.Edges = f.OmitEmpty && !v.Transformed(), b.wrapEdges(label, changes[i])
			w.Since = changes[i].Since
			return w
		}
		for _, s := range v.Steps {
			if s.Value.Kind == Wrap {
				wraps(s.Value)
			}
		}
		if v.Transformed() {
			return v
		}
		direct = func(older, hub *model.Ref) *Value { return wraps(b.wrap(older, hub)) }
		if len(changes) == 1 {
			return direct(older, hub)
		}
	}
	if direct := direct(older, hub); direct.possible() && b.keeps(v.Elem) {
		v.Direct = direct
	}
	return v
}

// wrap returns the conversion of a single value, or a pointer to it, to a list.
func (b *builder) wrap(older, hub *model.Ref) *Value {
	list, single := b.m.Underlying(hub), older
	if list.Kind != model.KindSlice {
		return &Value{Kind: Impossible, Older: older, Hub: hub}
	}
	if older.Kind == model.KindPointer && (b.m.Underlying(list.Elem).Kind != model.KindPointer || older.Elem.Kind == model.KindPointer) {
		single = older.Elem
	}
	return &Value{Kind: Wrap, Older: older, Hub: hub, Elem: b.value(single, list.Elem)}
}

// keeps reports whether a conversion between paired types changes no value.
func (b *builder) keeps(v *Value) bool {
	if v == nil {
		return true
	}
	if v.Kind == Pair {
		t := b.Of(v.Older.ID(), v.Hub.ID())
		return t.Value != nil && t.Enum == nil && !t.UpByHand && !t.DownByHand
	}
	return b.keeps(v.Key) && b.keeps(v.Elem)
}

// steps returns the steps that changes make, the last of which ends in a type.
func (b *builder) steps(label string, last *model.Ref, changes []*model.Changed) []*Step {
	var steps []*Step
	for i, c := range changes {
		to := last
		if i+1 < len(changes) {
			to = changes[i+1].From
		}
		if c.Wraps && c.Form != nil {
			item := b.m.Underlying(to).Elem
			steps = append(steps, &Step{
				Since: c.Since, Value: b.value(c.From, item), Up: b.changer(c, nil), Down: b.changer(c, nil), Edges: b.transformEdges(label, c),
			}, &Step{Since: c.Since, Value: b.wrap(item, to)})
			continue
		}
		steps = append(steps, &Step{
			Since: c.Since, Value: b.step(c, to),
			Up: b.changer(c, c.UpgradeWith), Down: b.changer(c, c.DowngradeWith),
			Completes: c.UpgradeWith.Or("") != "" && b.completes(to, c.Since),
			Edges:     b.stepEdges(label, c, to),
		})
	}
	return steps
}

// changer returns what converts a change of type in a direction: a transform, a function or nothing.
func (b *builder) changer(c *model.Changed, name *model.Value) *Func {
	if c.Form != nil {
		return &Func{Name: c.Form.Name, Fails: true, Transform: (*jsonconvert.Transform)(c.Form)}
	}
	return b.function(name)
}

func (b *builder) function(name *model.Value) *Func {
	if name.Or("") == "" {
		return nil
	}
	fn := b.hub.Funcs[name.Text]
	return &Func{Name: name.Text, Fails: fn != nil && len(fn.Results) > 1}
}

// retypes returns the changes of type among changes.
func retypes(changes []model.Change) []*model.Changed {
	var list []*model.Changed
	for _, change := range changes {
		if c, ok := change.(*model.Changed); ok && c.From != nil {
			list = append(list, c)
		}
	}
	return list
}

// fill returns the value of an added field in objects of the older version.
func (b *builder) fill(t *model.Type, f *model.Field) *Fill {
	added := addedBy(f.Changes)
	if added == nil || added.Default == nil {
		return nil
	}
	fill := &Fill{Since: added.Since, Type: f.Type}
	if !value.NamesFunction(added.Default.Text) {
		fill.JSON = added.Default.Text
		op := b.at(added.Since).keeps(t, f)
		if j, _ := value.Parse(fill.JSON); op != nil && j != nil {
			up, err := b.upgrade(b.at(added.Since), op.Value, j)
			if err == nil {
				fill.JSON = up.JSON()
				return fill
			}
			if errors.As(err, &fill.Refused) {
				fill.Refused.Span = value.Written{Text: fill.JSON, Span: added.Default.Span}.At(fill.Refused.start, fill.Refused.end)
			}
			fill.Type, fill.Value = op.Value.Older, op.Value
		}
		return fill
	}
	fill.Func = b.function(added.Default)
	changes := slices.DeleteFunc(retypes(f.Changes), func(c *model.Changed) bool { return b.order[c.Since] <= b.order[added.Since] })
	slices.SortStableFunc(changes, func(x, y *model.Changed) int { return b.order[x.Since] - b.order[y.Since] })
	fill.Steps = b.steps(label(t, f), f.Type, changes)
	if len(changes) > 0 {
		fill.Type = changes[0].From
	}
	fill.Completes = b.completes(fill.Type, fill.Since)
	return fill
}

// at returns the plan of a later version; nil for the hub.
func (b *builder) at(version string) *Plan {
	for _, p := range b.later {
		if p.Hub.Package == b.hub.Path && p.Older.Name == version {
			return p
		}
	}
	return nil
}

// keeps returns the operation of a hub's field that the older version has; nil if there is none.
func (p *Plan) keeps(t *model.Type, f *model.Field) *Op {
	if p == nil {
		return nil
	}
	for _, pair := range p.Types {
		for _, op := range pair.Fields {
			if pair.Hub == t.ID() && op.Kind == Keep && op.Hub.Go == f.Name {
				return op
			}
		}
	}
	return nil
}

// value returns the conversion between two types.
func (b *builder) value(older, hub *model.Ref) *Value {
	v := &Value{Older: older, Hub: hub}
	if b.Of(older.ID(), hub.ID()) != nil {
		v.Kind = Pair
		return v
	}
	if older.Equal(hub) {
		v.Kind = Same
		return v
	}
	a, c := b.m.Underlying(older), b.m.Underlying(hub)
	switch {
	case a.IsScalar() && c.IsScalar():
		v.Kind = Cast
	case a.Kind != c.Kind:
		v.Kind = Impossible
	case a.Kind == model.KindPointer:
		v.Kind, v.Elem = Pointer, b.value(a.Elem, c.Elem)
	case a.Kind == model.KindSlice:
		v.Kind, v.Elem = List, b.value(a.Elem, c.Elem)
	case a.Kind == model.KindArray:
		v.Kind, v.Elem = Array, b.value(a.Elem, c.Elem)
	case a.Kind == model.KindMap:
		v.Kind, v.Key, v.Elem = Map, b.value(a.Key, c.Key), b.value(a.Elem, c.Elem)
	default:
		v.Kind = Impossible
	}
	return v
}

// step returns the conversion of a change between two types of the hub's package. Go converts
// structs with the same fields.
func (b *builder) step(c *model.Changed, to *model.Ref) *Value {
	if c.Wraps {
		return b.wrap(c.From, to)
	}
	v := b.value(c.From, to)
	for e := v; e != nil; e = e.Elem {
		if e.Kind == Impossible && b.m.Underlying(e.Older).Kind == model.KindStruct && b.m.Underlying(e.Hub).Kind == model.KindStruct {
			e.Kind = Cast
		}
	}
	return v
}
