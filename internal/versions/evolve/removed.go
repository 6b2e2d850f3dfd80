package evolve

import (
	"go/token"
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// fields returns the fields that some version of a struct has: the newest version's, and those that
// only older versions have.
func (h *evolver) fields(t *model.Type) []*model.Field {
	return slices.Concat(t.Fields, h.former[t])
}

// readType reads the changes of a type, and returns those of its removed fields.
func (h *evolver) readType(t *model.Type) (ofFields []model.Change) {
	var own []model.Change
	for _, c := range t.Changes {
		switch base := c.Base(); {
		case base.Role == model.RoleRemoved:
		case base.Field != nil:
			ofFields = append(ofFields, c)
		default:
			own = append(own, c)
		}
	}
	h.histories[t] = h.read(onType, t.Name, own)
	return ofFields
}

// readFormer reads the removed fields of a type and their changes.
func (h *evolver) readFormer(t *model.Type, ofFields []model.Change) {
	for _, c := range t.Changes {
		if removed, ok := c.(*model.Removed); ok {
			h.readRemoved(t, removed, ofFields)
		}
	}
}

// checkOfFields reports changes of removed fields that a type does not have.
func (h *evolver) checkOfFields(t *model.Type, ofFields []model.Change) {
	for _, c := range ofFields {
		name := c.Base().Field
		if !slices.ContainsFunc(t.Changes, func(r model.Change) bool { return isRemoved(r, name.Text) }) && !isSplit(t, name.Text) {
			h.bag.Errorf(name.Span, codeRemoved, "%s has no removed field %s; put the marker on the field, or add +%s(since: …, name: %q, type: …)",
				t.Name, name.Text, h.name(model.RoleRemoved), name.Text)
		}
	}
}

func isRemoved(c model.Change, name string) bool {
	removed, ok := c.(*model.Removed)
	return ok && removed.Name.Or("") == name
}

// readRemoved adds a removed field to those that only older versions have.
func (h *evolver) readRemoved(t *model.Type, c *model.Removed, changes []model.Change) {
	v, ok := h.readChange(onType, t.Name, c)
	if !ok {
		return
	}
	if v == 0 {
		h.firstVersion(&c.ChangeBase)
		return
	}
	name := c.Name.Or("")
	goName := c.GoName.Or(goName(name))
	label := t.Name + "." + name
	switch {
	case !t.IsStruct():
		h.bag.Errorf(c.Span, codeRemoved, "%s is not a struct; +%s is for fields of structs", t.Name, c.Tag.Name)
		return
	case upperFirst(name) == "":
		h.bag.Errorf(c.Name.Place(c.Span), codeRemoved, `add the JSON name of the field, such as name: "oldPort"`).RestsOn(tag.ArgumentsOf(c.Span))
		return
	case !token.IsIdentifier(goName) || !token.IsExported(goName):
		h.bag.Errorf(c.GoName.Place(c.Name.Place(c.Span)), codeRemoved, `%q cannot be the name of a field in Go; add goName: with an exported name, such as goName: "OldPort"`, goName)
		return
	case c.Type.Or("") == "":
		h.bag.Errorf(c.Type.Place(c.Span), codeRemoved, `add the Go type that %s had, such as type: "string"`, label).RestsOn(tag.ArgumentsOf(c.Span))
		return
	}
	if c.Transform != nil && c.ToPath == nil {
		h.bag.Errorf(c.Transform.Span, codeTransform, "a transform converts to the string of a label or an annotation; add toPath:, or remove it").RestsOn(tag.ArgumentsOf(c.Span))
	}
	r, err := h.parseType(c.Type.Text, t)
	if err != nil {
		h.bag.Errorf(c.Type.Span, codeFromType, "type: %v", err)
		return
	}
	f := &model.Field{
		Name: goName, JSON: name, Type: r, Span: c.Name.Place(c.Span), TypeSpan: c.Type.Place(c.Span),
		Doc: addParagraph("", c.Doc.Or(goName+" was removed in "+c.Since+".")),
	}
	options := ""
	if c.Required.Or("") != "true" {
		f.OmitEmpty, options = true, ",omitempty"
		if kind := h.m.Underlying(r).Kind; kind == model.KindStruct || kind == model.KindParam {
			f.OmitZero, options = true, ",omitempty,omitzero"
		}
	}
	f.StructTag = "json:" + strconv.Quote(name+options)
	for _, change := range changes {
		if change.Base().Field.Text == name {
			f.Changes = append(f.Changes, change)
		}
	}
	hs := h.read(onRemoved, label, f.Changes)
	hs.removed, hs.removedBy = v, c
	h.histories[f] = hs
	h.former[t] = append(h.former[t], f)
	h.checkRemoved(t, hs)
	h.readFieldTypes(t, f)
}

// checkRemoved reports a field that is removed before it exists or before it changes.
func (h *evolver) checkRemoved(t *model.Type, hs *history) {
	c := hs.removedBy
	if of := h.of(t); of.added >= hs.removed {
		h.bag.Errorf(c.SinceSpan, codeActionOrder, "%s is removed in %s, but %s exists only since %s", hs.label, c.Since, t.Name, of.addedBy.Since).
			Note(of.addedBy.Span, "added here")
	}
	if hs.addedBy != nil && hs.added >= hs.removed {
		h.bag.Errorf(hs.addedBy.SinceSpan, codeActionOrder, "%s is added in %s, but removed in %s", hs.label, hs.addedBy.Since, c.Since).
			Note(c.Span, "removed here")
	}
	for _, s := range hs.steps {
		if base := s.change().Base(); s.version >= hs.removed {
			h.bag.Errorf(base.SinceSpan, codeActionOrder, "%s is %s in %s, but removed in %s", hs.label, base.Role, base.Since, c.Since).
				Note(c.Span, "removed here")
		}
	}
}
