package plan

import (
	"errors"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/value"
)

// Completion fills in what versions after Since added to a type of the hub's package, in a
// value that a function of the author made for the version Since.
type Completion struct {
	Type  model.Name `json:"type"`
	Since string     `json:"since"`
	// Fields are those that may have to be filled in, or whose values may.
	Fields []*CompletionField `json:"fields"`
}

// CompletionField is a field of a completion.
type CompletionField struct {
	// Op fills in the field if it is unset: an Add, or a Keep if only what its value holds
	// is completed.
	Op *Op `json:"op"`
	// Since is the version that the field's value is of; "" if nothing in it is completed.
	Since string `json:"since,omitempty"`
}

// Completion returns the completion of a type, or nil.
func (p *Plan) Completion(t model.Name, since string) *Completion {
	for _, c := range p.Completions {
		if c.Type == t && c.Since == since {
			return c
		}
	}
	return nil
}

// completes reports whether values of a type, made for a version, have to be completed, and
// adds the completions.
func (b *builder) completes(r *model.Ref, since string) bool {
	if !b.lacks(r, since, map[model.Name]bool{}) {
		return false
	}
	b.complete(r, since)
	return true
}

// complete adds the completions of a type that needs some.
func (b *builder) complete(r *model.Ref, since string) {
	t := b.m.Type(r.ID())
	switch {
	case t == nil:
		b.complete(r.Elem, since)
		return
	case !t.IsStruct():
		b.complete(t.Def, since)
		return
	case b.Completion(t.ID(), since) != nil:
		return
	}
	c := &Completion{Type: t.ID(), Since: since}
	b.Completions = append(b.Completions, c)
	for _, f := range t.Fields {
		if !b.m.IsConverted(f) {
			continue
		}
		field := &CompletionField{Op: &Op{Kind: Keep, Hub: b.name(t, f), Type: f.Type, Span: f.Span}}
		if b.addedLater(f, since) {
			field.Op.Kind, field.Op.Fill = Add, b.fill(t, f)
		}
		if inner := b.lastChange(f, since); b.completes(f.Type, inner) {
			field.Since = inner
		}
		if field.Op.Fill != nil || field.Since != "" {
			c.Fields = append(c.Fields, field)
		}
	}
}

// addedLater reports whether a field was added, with a default, after a version.
func (b *builder) addedLater(f *model.Field, since string) bool {
	added := addedBy(f.Changes)
	return added != nil && b.order[added.Since] > b.order[since] && added.Default != nil
}

// lacks reports whether a value of a type, made for a version, may lack a default of a later
// version.
func (b *builder) lacks(r *model.Ref, since string, seen map[model.Name]bool) bool {
	if r == nil {
		return false
	}
	if r.Elem != nil {
		return b.lacks(r.Elem, since, seen)
	}
	t := b.m.Type(r.ID())
	if t == nil || t.Package != b.hub.Path || t.Generic || seen[t.ID()] {
		return false
	}
	seen[t.ID()] = true
	if !t.IsStruct() {
		return b.lacks(t.Def, since, seen)
	}
	for _, f := range t.Fields {
		if b.addedLater(f, since) || b.lacks(f.Type, b.lastChange(f, since), seen) {
			return true
		}
	}
	return false
}

// lastChange returns the version whose type a field has in values made for a version.
func (b *builder) lastChange(f *model.Field, since string) string {
	for _, c := range retypes(f.Changes) {
		if b.order[c.Since] > b.order[since] {
			since = c.Since
		}
	}
	if added := addedBy(f.Changes); added != nil && b.order[added.Since] > b.order[since] {
		since = added.Since
	}
	return since
}

// errGo means that only Go code can convert a value.
var errGo = errors.New("only Go code can convert the value")

// upgrade returns a JSON value of the older version as the hub has it. It fails with errGo, or with a Refusal.
func (b *builder) upgrade(p *Plan, v *Value, j *value.Value) (*value.Value, error) {
	v = v.At(Up)
	switch {
	case j.Kind == value.Null || v.Kind == Same || v.Kind == Cast:
		return j, nil
	case v.Kind == Pair:
		return b.upgradePair(p, p.Of(v.Older.ID(), v.Hub.ID()), j)
	case v.Kind == Pointer:
		return b.upgrade(p, v.Elem, j)
	case v.Kind == Chain:
		up, err := b.upgrade(p, v.Elem, j)
		for _, s := range v.Steps {
			if err != nil {
				return nil, err
			}
			if up, err = b.upgradeStep(p, s, up); err != nil {
				refused := &Refusal{}
				if errors.As(err, &refused) { // the value may be one that an earlier step made
					refused.start, refused.end = j.Start, j.End
				}
			}
		}
		return up, err
	case v.Kind == Wrap && v.EmptyIsAbsent && value.IsZero(b.m, v.Older, j):
		return &value.Value{}, nil
	case v.Kind == Wrap:
		item, err := b.upgrade(p, v.Elem, j)
		return &value.Value{Kind: value.Array, Items: []*value.Value{item}}, err
	case v.Kind == Impossible:
		return nil, errGo
	}
	out := *j
	out.Items, out.Members = nil, nil
	for _, item := range j.Items {
		up, err := b.upgrade(p, v.Elem, item)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, up)
	}
	for _, member := range j.Members {
		up, err := b.upgrade(p, v.Elem, member.Value)
		if err != nil {
			return nil, err
		}
		member.Value = up
		out.Members = append(out.Members, member)
	}
	return &out, nil
}

// upgradeStep returns a JSON value after a step.
func (b *builder) upgradeStep(p *Plan, s *Step, j *value.Value) (*value.Value, error) {
	switch {
	case s.Up == nil:
		return b.upgrade(p, s.Value, j)
	case s.Up.Transform == nil:
		return nil, errGo
	}
	text, err := s.Up.Transform.Convert([]byte(j.JSON()), true)
	if err != nil {
		return nil, &Refusal{Since: s.Since, Transform: s.Up.Transform.Name, Reason: err.Error()}
	}
	if j, _ = value.Parse(string(text)); j == nil {
		return nil, errGo
	}
	return j, nil
}

func (b *builder) upgradePair(p *Plan, t *Type, j *value.Value) (*value.Value, error) {
	hub := b.m.Type(t.Hub).Ref()
	switch {
	case t.UpByHand || value.HasOwnJSON(b.m, hub):
		return nil, errGo
	case t.Enum != nil:
		for _, c := range t.Enum.Up {
			if c.From.Value == j.Text {
				return &value.Value{Kind: j.Kind, Text: c.To.Value}, nil
			}
		}
		return j, nil
	case t.Value != nil:
		return b.upgrade(p, t.Value, j)
	}
	kept, added := map[string]*Op{}, []*Op{}
	p.flatten(t, kept, &added)
	out := *j
	out.Members = nil
	for _, member := range j.Members {
		if op := kept[member.Key]; op != nil {
			up, err := b.upgrade(p, op.Value, member.Value)
			if err != nil {
				return nil, err
			}
			member = value.Member{Key: op.Hub.JSON, Value: up}
		}
		out.Members = append(out.Members, member)
	}
	for _, op := range added {
		switch fill, _ := value.Parse(op.Fill.JSON); {
		case fill == nil || op.Fill.Value != nil || op.Fill.Refused != nil:
			return nil, errGo
		case op.Hub.Inline:
			out.Members = append(out.Members, fill.Members...)
		default:
			out.Members = append(out.Members, value.Member{Key: op.Hub.JSON, Value: fill})
		}
	}
	return &out, nil
}

// flatten collects the operations on the keys of an object: those that both versions have, by
// their older key, and those that are filled in.
func (p *Plan) flatten(t *Type, kept map[string]*Op, added *[]*Op) {
	for _, op := range t.Fields {
		switch {
		case op.Kind == Add && op.Fill != nil:
			*added = append(*added, op)
		case op.Kind != Keep:
		case op.Hub.Inline:
			v := op.Value
			for v.Kind == Pointer {
				v = v.Elem
			}
			if inlined := p.Of(v.Older.ID(), v.Hub.ID()); v.Kind == Pair && inlined != nil && inlined.Value == nil {
				p.flatten(inlined, kept, added)
			}
		case op.Older.JSON != "":
			kept[op.Older.JSON] = op
		}
	}
}
