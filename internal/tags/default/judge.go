package defaulttag

import (
	"encoding/json"
	"slices"

	"github.com/kindsmith/kindsmith/internal/defaulting"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/internal/tag"
	"github.com/kindsmith/kindsmith/internal/value"
)

// broken is a rule that a default does not satisfy, and where.
type broken struct {
	node *tag.Node
	tag  *model.Constraint
	// value is what breaks it. Where the default leaves it out, absent is set and
	// value is the object that lacks it.
	value  *value.Value
	absent bool
}

// judge returns the rules that a default for a place breaks, in it and in
// everything below. Rules that depend on more than the default are left out, and
// so are the defaults that it leaves to other fields: these are judged there.
func judge(n *tag.Node, v *value.Value) []broken {
	j := &judging{}
	j.place(n, v, nil, false)
	return j.found
}

type judging struct{ found []broken }

// place looks at the tags at a place and on its type, and then at what is below.
func (j *judging) place(n *tag.Node, v *value.Value, object map[string]any, absent bool) {
	if j.tags(n, v, object, absent) || n.Says(opaqueTag) {
		return
	}
	if v.Kind == value.Null && n.IsPointer() {
		return
	}
	_, chain := n.Model.Resolve(n.Value())
	for _, t := range chain {
		own := t == n.Owner && n.Scope == tag.OnType // whose tags are the place's
		if !own && j.tags(tag.TypeNode(n.Model, n.Tags, t), v, nil, absent) {
			return
		}
		if model.Says(t.Constraints, opaqueTag) {
			return
		}
	}
	if v.Kind == value.Null || value.HasOwnJSON(n.Model, n.Value()) {
		return
	}
	switch u := n.Underlying(); u.Kind {
	case model.KindStruct:
		if t := n.Model.Struct(n.Value()); t != nil {
			j.object(n, t, v)
		}
	case model.KindSlice:
		for _, item := range v.Items {
			j.place(n.Elem(), item, nil, false)
		}
	case model.KindMap:
		for _, m := range v.Members {
			key := &value.Value{Kind: value.String, Text: m.Key, Start: m.Start, End: m.End}
			j.place(n.Key(), key, nil, false)
			j.place(n.Elem(), m.Value, nil, false)
		}
	}
}

const opaqueTag = "k8s:opaqueType"

// tags judges the tags of one place. It returns true when nothing else there is
// to be looked at.
func (j *judging) tags(n *tag.Node, v *value.Value, object map[string]any, absent bool) (done bool) {
	var found []broken
	unset := !tag.IsSet(n.Model, n.Type, plain(v))
	for _, c := range n.Siblings {
		switch tag.JudgeOf(n, c, tag.Literal{Value: plain(v), Object: object}) {
		case tag.Unset:
			done = true
		case tag.Broken:
			b := broken{n, c, v, absent}
			if b.is(func(r rule.Rule) bool { return r.Around }) {
				j.found = append(j.found, b) // whatever the field itself says
			} else {
				found = append(found, b)
			}
		}
	}
	if done {
		return true
	}
	if unset {
		// What is required and not there need not satisfy anything else.
		presence := slices.DeleteFunc(slices.Clone(found), func(b broken) bool {
			return !b.is(func(r rule.Rule) bool { return slices.Contains(r.Errors, rule.Error{Type: "Required"}) })
		})
		if len(presence) > 0 {
			j.found = append(j.found, presence...)
			return true
		}
	}
	j.found = append(j.found, found...)
	return false
}

// is reports whether one of the rules of the broken tag has a property.
func (b broken) is(property func(rule.Rule) bool) bool {
	return slices.ContainsFunc(tag.Rules(b.node, b.tag), property)
}

// object judges the fields of a struct as they are once the object is decoded
// and all defaults are set.
func (j *judging) object(n *tag.Node, t *model.Type, v *value.Value) {
	type field struct {
		node           *tag.Node
		value          *value.Value
		absent, judged bool
	}
	var fields []field
	object := map[string]any{}
	for _, f := range t.Fields {
		node := tag.FieldNode(n.Model, n.Tags, t, f)
		switch {
		case f.Skipped:
		case f.Inline:
			if inner := n.Model.Struct(f.Type); inner != nil && inner != t && !node.IsPointer() {
				j.object(n, inner, v)
			}
		default:
			has, absent, own := decoded(n.Model, t, f, v)
			object[f.JSON] = plain(has)
			fields = append(fields, field{node, has, absent, own})
		}
	}
	for _, f := range fields {
		if !f.judged {
			j.place(f.node, f.value, object, f.absent)
		}
	}
}

// decoded returns the value of a field of the struct that v is an object of. own
// is set when it is the field's own default, which is judged by itself.
func decoded(m *model.Model, t *model.Type, f *model.Field, v *value.Value) (has *value.Value, absent, own bool) {
	has = v.Member(f.JSON)
	absent = has == nil || has.Kind == value.Null
	if absent {
		has = &value.Value{}
		if !value.HasOwnJSON(m, f.Type) { // otherwise always set, whatever it holds
			has = value.Zero(m, f.Type)
		}
		has.Start, has.End = v.Start, v.End
	}
	if tag.IsSet(m, f.Type, plain(has)) && tag.ShapeOf(m, f.Type) != tag.Structs {
		return has, absent, false
	}
	if e, ok := defaulting.OfField(m, t, f); ok && !e.IsAuto() && (absent || !isFree(m, f.Type)) && e.Value.Kind != value.Null {
		return e.Value, false, true
	}
	return has, absent, false
}

// isFree reports whether Go can tell that a value of the type was given.
func isFree(m *model.Model, r *model.Ref) bool { return defaulting.KindOf(m, r) != defaulting.Scalar }

// plain returns a value as package tag has them.
func plain(v *value.Value) any {
	switch v.Kind {
	case value.Bool:
		return v.Text == "true"
	case value.Number:
		return json.Number(v.Text)
	case value.String:
		return v.Text
	case value.Array:
		list := make([]any, len(v.Items))
		for i, item := range v.Items {
			list[i] = plain(item)
		}
		return list
	case value.Object:
		object := map[string]any{}
		for _, m := range v.Members {
			object[m.Key] = plain(m.Value)
		}
		return object
	}
	return nil
}
