package steps

import (
	"errors"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
)

// errGo means that only Go code can convert a value.
var errGo = errors.New("only Go code can convert the value")

// refusal is a default, or a value in it, that a transform of a later step refuses.
type refusal struct {
	transform string
	// value is what the default's text has there.
	value *value.Value
	error
}

// checkDefaults reports the defaults of added fields that transforms of later steps refuse.
func (a *API) checkDefaults(bag *diag.Bag) {
	for k, s := range a.Steps {
		for _, t := range s.Types {
			for _, f := range t.Fields {
				if added, ok := f.change.(*model.Added); ok && f.Default != "" && added.Default.Or("") != "" {
					a.checkDefault(k, t, f, added, bag)
				}
			}
		}
	}
}

func (a *API) checkDefault(k int, t *Type, f *Field, added *model.Added, bag *diag.Bag) {
	v, _ := value.Parse(added.Default.Text)
	for at := f; v != nil && k+1 < len(a.Steps); {
		k++
		s := a.Steps[k]
		next := s.named(t.Name)
		if next == nil {
			continue // it stays the same
		}
		i := slices.IndexFunc(next.Fields, func(f *Field) bool { return f.Older != nil && f.Older.JSON == at.Newer.JSON })
		if i < 0 {
			continue
		}
		if at = next.Fields[i]; at.Newer == nil || next.Up != nil {
			return
		}
		up, err := a.upgrade(s, at.Value, v)
		var r *refusal
		if errors.As(err, &r) {
			bag.Errorf(value.Written{Text: added.Default.Text, Span: added.Default.Span}.At(r.value.Start, r.value.End), codeRefused,
				"the transform %s of %s refuses this value of the default of %s.%s: %v; write a value that it converts", r.transform, s.Newer, t.Name, at.Newer.Go[len(at.Newer.Go)-1], r.error)
		}
		if err != nil {
			return
		}
		v = up
	}
}

// upgrade returns a JSON value as the newer version of a step has it. It fails with errGo, or with a refusal.
func (a *API) upgrade(s *Step, v *Value, j *value.Value) (*value.Value, error) {
	switch {
	case v == nil || v.Kind == Same || j.Kind == value.Null:
		return j, nil
	case v.Kind == Impossible || v.Kind == Call && v.change.Form == nil && v.Up != nil:
		return nil, errGo
	case v.Kind == Call && v.Up == nil:
		return j, nil
	case v.Kind == Call:
		text, err := v.Up.Transform.Convert([]byte(j.JSON()), true)
		if err != nil {
			return nil, &refusal{v.Up.Transform.Name, j, err}
		}
		up, _ := value.Parse(string(text))
		if up == nil {
			return nil, errGo
		}
		place(up, j.Start, j.End)
		return up, nil
	case v.Kind == Pair:
		return a.upgradeType(s, s.named(v.Type), j)
	case v.Kind == Pointer:
		return a.upgrade(s, v.Elem, j)
	case v.Kind == Wrap:
		item, err := a.upgrade(s, v.Elem, j)
		return &value.Value{Kind: value.Array, Items: []*value.Value{item}, Start: j.Start, End: j.End}, err
	}
	out := *j
	out.Items, out.Members = nil, nil
	for _, item := range j.Items {
		up, err := a.upgrade(s, v.Elem, item)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, up)
	}
	for _, member := range j.Members {
		up, err := a.upgrade(s, v.Elem, member.Value)
		if err != nil {
			return nil, err
		}
		member.Value = up
		out.Members = append(out.Members, member)
	}
	return &out, nil
}

// upgradeType is upgrade for the values of a type; nil is one that stays the same.
func (a *API) upgradeType(s *Step, t *Type, j *value.Value) (*value.Value, error) {
	switch {
	case t == nil:
		return j, nil
	case t.Up != nil || len(t.Hooks)+len(t.Moves) > 0:
		return nil, errGo
	case t.Enum != nil:
		if up, _ := value.Parse(t.Enum.Up[j.JSON()]); up != nil {
			place(up, j.Start, j.End)
			return up, nil
		}
		return j, nil
	case t.Value != nil:
		return a.upgrade(s, t.Value, j)
	}
	out := *j
	out.Members = nil
	for _, member := range j.Members {
		i := slices.IndexFunc(t.Fields, func(f *Field) bool { return f.Older != nil && f.Older.JSON == member.Key })
		if i >= 0 && t.Fields[i].Newer == nil {
			continue
		}
		if i >= 0 {
			up, err := a.upgrade(s, t.Fields[i].Value, member.Value)
			if err != nil {
				return nil, err
			}
			member = value.Member{Key: t.Fields[i].Newer.JSON, Value: up}
		}
		out.Members = append(out.Members, member)
	}
	for _, f := range t.Fields {
		if f.DefaultFunc != nil {
			return nil, errGo
		}
		if v, _ := value.Parse(f.Default); v != nil && f.Older == nil {
			place(v, j.Start, j.End)
			out.Members = append(out.Members, value.Member{Key: f.Newer.JSON, Value: v})
		}
	}
	return &out, nil
}

// place sets the position of a value that a conversion has made.
func place(v *value.Value, start, end int) {
	v.Start, v.End = start, end
	for _, item := range v.Items {
		place(item, start, end)
	}
	for _, m := range v.Members {
		place(m.Value, start, end)
	}
}
