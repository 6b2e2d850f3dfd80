package evolve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/english"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// history has the changes of one item.
type history struct {
	// label names the item in messages: FooSpec.bar.
	label string
	// added is the index of the first version that has the item, addedBy its marker; nil if the
	// first version has the item.
	added   int
	addedBy *model.Added
	// removed is the index of the first version that lacks the item again, removedBy its marker; 0
	// and nil if the newest version has the item.
	removed   int
	removedBy *model.Removed
	// moves are the earlier paths of the item, oldest first, and here is the index of the first
	// version that has it where it is.
	moves []*move
	here  int
	// move is set on a field of older versions that moved.
	move *move
	// steps are the changes and the deprecation, oldest first.
	steps []step
}

// step is a change, or the deprecation, of an item: one of the two is set.
type step struct {
	changed    *model.Changed
	deprecated *model.Deprecated
	// version is the index of the version of the step.
	version int
}

// change returns the change of the step.
func (s step) change() model.Change {
	if s.deprecated != nil {
		return s.deprecated
	}
	return s.changed
}

// renames reports whether the step renames the item.
func (s step) renames() bool {
	return s.deprecated != nil && !s.deprecated.KeepsName() || s.fromName() != ""
}

// fromName is the name of the item before the step; "" if it is the same except for the prefix of
// deprecated items.
func (s step) fromName() string {
	if s.changed == nil {
		return ""
	}
	return s.changed.FromName.Or("")
}

// fromGoName is the Go name of the item before the step; "" if it follows from fromName.
func (s step) fromGoName() string {
	if s.changed == nil {
		return ""
	}
	return s.changed.FromGoName.Or("")
}

// exists reports whether a version has the item.
func (hs *history) exists(v int) bool {
	return v >= max(hs.added, hs.here) && (hs.removed == 0 || v < hs.removed)
}

// after returns the steps since a version, oldest first.
func (hs *history) after(v int) []step {
	i := slices.IndexFunc(hs.steps, func(s step) bool { return s.version > v })
	if i < 0 {
		return nil
	}
	return hs.steps[i:]
}

// deprecatedBy returns the deprecation if the version has it.
func (hs *history) deprecatedBy(v int) *model.Deprecated {
	for _, s := range hs.steps {
		if s.deprecated != nil && s.version <= v {
			return s.deprecated
		}
	}
	return nil
}

// itemKind is the kind of item that a change marker is on.
type itemKind string

const (
	onType    itemKind = "type"
	onField   itemKind = "field"
	onConst   itemKind = "constant"
	onRemoved itemKind = "removed field" // with markers on its struct
)

// scopes are the tag scopes of the kinds of items.
var scopes = map[itemKind]tag.Scope{onType: tag.OnType, onField: tag.OnField, onConst: tag.OnConst, onRemoved: tag.OnType | tag.OnField}

// itemsOf returns the items that a tag is for.
func itemsOf(def *tag.Definition) []string {
	var names []string
	for _, kind := range []itemKind{onType, onField, onConst} {
		if def.Scopes&scopes[kind] != 0 {
			names = append(names, string(kind)+"s")
		}
	}
	return names
}

// isOfType reports whether a marker on a type is a change of the type: of its name, or of the values of all its
// constants. Others are changes of removed fields.
func isOfType(c model.Change) bool {
	changed, ok := c.(*model.Changed)
	return ok && !changed.Wraps && changed.FromType == nil && (changed.Transform != nil || changed.FromName != nil) ||
		slices.Contains([]model.Role{model.RoleAdded, model.RoleDeprecated, model.RoleRemoved, model.RoleHook, model.RoleSplit}, c.Base().Role)
}

// readHistories checks all change markers of the package and fills histories.
func (h *evolver) readHistories() {
	ofFields := map[*model.Type][]model.Change{}
	for _, t := range h.pkg.Types {
		ofFields[t] = h.readType(t)
		for _, c := range t.Consts {
			h.histories[c] = h.read(onConst, c.Name, c.Changes)
		}
		h.readCases(t)
	}
	for _, t := range h.pkg.Types {
		h.readFormer(t, ofFields[t])
		for _, f := range t.Fields {
			h.histories[f] = h.read(onField, t.Name+"."+fieldLabel(f), f.Changes)
			h.readFieldTypes(t, f)
		}
		h.readSplits(t, ofFields[t])
		h.checkOfFields(t, ofFields[t])
	}
}

// of returns an item's history, which is empty for items of other packages.
func (h *evolver) of(item any) *history {
	if hs := h.histories[item]; hs != nil {
		return hs
	}
	return &history{}
}

func fieldLabel(f *model.Field) string { return cmp.Or(f.JSON, f.Name) }

// read checks the change markers of one item.
func (h *evolver) read(kind itemKind, label string, changes []model.Change) *history {
	hs := &history{label: label}
	byVersion := map[int][]*model.ChangeBase{}
	var deprecated *step
	for _, change := range changes {
		v, ok := h.readChange(kind, label, change)
		if !ok {
			continue
		}
		base := change.Base()
		if i := slices.IndexFunc(byVersion[v], func(first *model.ChangeBase) bool { return kind != onType || excludes(first, base) }); i >= 0 {
			first := byVersion[v][i]
			if first.Role == model.RoleHook && base.Role == model.RoleHook {
				h.bag.Errorf(base.Span, codeTwoActions, "%s has two hooks in %s; call the functions of both from one", label, base.Since).Note(first.Span, "the other marker")
				continue
			}
			if first.Role == base.Role {
				h.bag.Errorf(base.SinceSpan, codeTwoActions, "%s is %s twice in %s; keep one marker, with both changes, or change the version of the other", label, base.Role, base.Since).
					Note(first.Span, "the other marker")
				continue
			}
			h.bag.Errorf(base.SinceSpan, codeTwoActions, "%s is %s and %s in the same version, %s; the changes must be in different versions",
				label, first.Role, base.Role, base.Since).Note(first.Span, "the other marker")
			continue
		}
		byVersion[v] = append(byVersion[v], base)
		switch c := change.(type) {
		case *model.Added:
			if v == 0 {
				h.bag.Errorf(c.SinceSpan, codeFirstVersion, "%s is the first version, which has nothing to add %s to; remove the marker", c.Since, label).
					RestsOn(tag.DeclaredVersions(h.pkg)...)
				continue
			}
			if hs.addedBy != nil {
				h.bag.Errorf(c.Span, codeTwoActions, "%s is added twice; keep the marker of the earlier version", label).
					Note(hs.addedBy.Span, "also added here")
				continue
			}
			hs.added, hs.addedBy = v, c
		case *model.Moved:
			if v == 0 {
				h.firstVersion(base)
				continue
			}
			hs.moves = append(hs.moves, &move{by: c, version: v})
			fromType := c.FromType
			if fromType == nil && c.Transform != nil && strings.HasPrefix(c.FromPath.Or(""), "metadata.") {
				fromType = &model.Value{Kind: model.StringValue, Text: "string", Span: c.Transform.Span}
			}
			if fromType != nil {
				hs.steps = append(hs.steps, step{changed: &model.Changed{ChangeBase: *base, FromType: fromType, Transform: c.Transform, Losses: c.Losses}, version: v})
			}
			hs.here = max(hs.here, v)
		case *model.Deprecated:
			if deprecated != nil {
				h.bag.Errorf(c.Span, codeTwoActions, "%s is deprecated twice; keep the first", label).
					Note(deprecated.deprecated.Span, "also deprecated here")
				continue
			}
			deprecated = &step{deprecated: c, version: v}
		case *model.Changed:
			if i := slices.IndexFunc(hs.steps, func(s step) bool { return c.Wraps && s.changed.Wraps }); i >= 0 {
				h.bag.Errorf(c.Span, codeTwoActions, "%s is wrapped twice; keep one", label).
					Note(hs.steps[i].changed.Span, "also wrapped here")
				continue
			}
			hs.steps = append(hs.steps, step{changed: c, version: v})
		}
	}
	slices.SortStableFunc(hs.steps, func(a, b step) int { return a.version - b.version })
	slices.SortFunc(hs.moves, func(a, b *move) int { return a.version - b.version })
	h.checkActionOrder(hs, deprecated)
	if deprecated != nil {
		hs.steps = append(hs.steps, *deprecated)
		slices.SortStableFunc(hs.steps, func(a, b step) int { return a.version - b.version })
	}
	return hs
}

// excludes reports whether a type cannot have two changes in one version. Splits are of other fields, and a hook converts a type
// that has another name too.
func excludes(a, b *model.ChangeBase) bool {
	roles := []model.Role{a.Role, b.Role}
	return !slices.Contains(roles, model.RoleSplit) && (a.Role == b.Role || !slices.Contains(roles, model.RoleHook) || !slices.Contains(roles, model.RoleChanged))
}

// checkActionOrder reports actions out of the order added, changed, deprecated.
func (h *evolver) checkActionOrder(hs *history, deprecated *step) {
	for _, s := range hs.steps {
		if hs.addedBy != nil && s.version < hs.added {
			h.bag.Errorf(s.changed.SinceSpan, codeActionOrder,
				"%s is changed in %s, before it is added in %s", hs.label, s.changed.Since, hs.addedBy.Since).
				Note(hs.addedBy.Span, "added here")
		}
		if deprecated != nil && s.version > deprecated.version {
			h.bag.Errorf(s.changed.SinceSpan, codeActionOrder,
				"%s is changed in %s, after it is deprecated in %s; a deprecated item stays as it is", hs.label, s.changed.Since, deprecated.deprecated.Since).
				Note(deprecated.deprecated.Span, "deprecated here")
		}
	}
	for _, m := range hs.moves {
		if hs.addedBy != nil && m.version < hs.added {
			h.bag.Errorf(m.by.SinceSpan, codeActionOrder, "%s is moved in %s, before it is added in %s", hs.label, m.by.Since, hs.addedBy.Since).
				Note(hs.addedBy.Span, "added here")
		}
		if deprecated != nil && m.version > deprecated.version {
			h.bag.Errorf(m.by.SinceSpan, codeActionOrder, "%s is moved in %s, after it is deprecated in %s; a deprecated item stays as it is", hs.label, m.by.Since, deprecated.deprecated.Since).
				Note(deprecated.deprecated.Span, "deprecated here")
		}
	}
	if deprecated != nil && hs.addedBy != nil && deprecated.version < hs.added {
		h.bag.Errorf(deprecated.deprecated.SinceSpan, codeActionOrder,
			"%s is deprecated in %s, before it is added in %s", hs.label, deprecated.deprecated.Since, hs.addedBy.Since).
			Note(hs.addedBy.Span, "added here")
	}
}

// readChange checks one change marker and returns the index of its version. It is not ok if the
// marker is invalid.
func (h *evolver) readChange(kind itemKind, label string, change model.Change) (v int, ok bool) {
	c := change.Base()
	def := h.tags.Lookup(c.Tag.Name)
	if kind == onField && c.Role == model.RoleRemoved {
		h.bag.Errorf(c.Span, codeRemoved, "+%s describes a field that %s lacks; put it on the struct, with name: and type:, and remove the field", c.Tag.Name, h.pkg.Version)
		return 0, false
	}
	switch {
	case def.Scopes&scopes[kind] == 0:
		h.bag.Errorf(c.Tag.NameSpan, codeWrongItem, "+%s is for %s, and %s is a %s; remove the marker", c.Tag.Name, english.And(itemsOf(def)), label, kind)
		return 0, false
	case kind == onType && !isOfType(change):
		other := "remove the marker"
		if c.Role == model.RoleChanged {
			other = "fromName: with the previous Go name of the type"
		}
		h.bag.Errorf(c.Span, codeWrongItem, "+%s on a type is about a field that was removed from it; add field: with the JSON name of the field, or %s", c.Tag.Name, other)
		return 0, false
	}
	h.checkArgs(kind, def, c.Tag)
	h.checkLosses(c.Tag)
	if c.Since == "" {
		h.bag.Errorf(c.Span, codeNoSince, "+%s has no version; add since: with the version of the change, such as since: %q", c.Tag.Name, h.pkg.Version).
			RestsOn(tag.ArgumentsOf(c.Span))
		return 0, false
	}
	v, declared := h.index[c.Since]
	if !declared {
		h.undeclared(c.SinceSpan, c.Since)
		return 0, false
	}
	if d, ok := change.(*model.Deprecated); ok && kind == onType && d.KeepName != nil && !d.KeepsName() {
		h.bag.Errorf(d.KeepName.Span, codeBadArgument, "%s keeps its name, which programs use: a type is only marked; remove keepName", label)
		return 0, false
	}
	if changed, ok := change.(*model.Changed); ok {
		return v, h.checkChanged(kind, label, changed, v)
	}
	return v, true
}

// checkArgs reports arguments that a tag does not have on a kind of item, and booleans with other
// values.
func (h *evolver) checkArgs(kind itemKind, def *tag.Definition, c *model.Tag) {
	args := def.ArgsOn(scopes[kind])
	known := make([]string, len(args))
	for i, a := range args {
		known[i] = a.Name
	}
	for _, a := range c.Args {
		i := slices.Index(known, a.Name)
		switch {
		case i < 0:
			d := h.bag.Errorf(a.Span, codeUnknownArgument, "+%s on a %s has no argument %q", c.Name, kind, a.Name).Voids(tag.ArgumentsOf(c.Span))
			unused := slices.DeleteFunc(slices.Clone(known), func(name string) bool { return c.Arg(name) != nil })
			tag.SuggestName(d, a.Span, a.Name, unused, "it takes "+english.And(known))
		case slices.Equal(args[i].Kinds, []model.ValueKind{model.BoolValue}) && a.Value.Kind != model.BoolValue:
			h.bag.Errorf(a.Value.Span, codeBadArgument, "%s must be true or false", a.Name)
		}
	}
}

// checkLosses reports what a marker says wrongly about the values that a conversion loses.
func (h *evolver) checkLosses(c *model.Tag) {
	lossy, lossless := c.Arg(tag.ArgLossy.Name), c.Arg(tag.ArgLossless.Name)
	switch {
	case lossy == nil:
	case lossy.Kind != model.StringValue || strings.TrimSpace(lossy.Text) == "":
		h.bag.Errorf(lossy.Span, codeBadArgument, `lossy is the reason why values may be lost, such as lossy: "older clients do not use it"`)
	case lossless.Or("") == "true":
		h.bag.Errorf(lossless.Span, codeBadArgument, "a conversion is lossless or lossy; keep one of the arguments").Note(lossy.Span, "the other one")
	}
}

// undeclared reports a version that the package does not declare.
func (h *evolver) undeclared(span source.Span, name string) {
	h.bag.Errorf(span, codeUndeclared, "version %s is not declared; the versions are %s", name, names(h.versions)).RestsOn(tag.DeclaredVersions(h.pkg)...)
}

// firstVersion reports a change in the first version.
func (h *evolver) firstVersion(c *model.ChangeBase) {
	h.bag.Errorf(c.SinceSpan, codeFirstVersion, "%s is the first version, which has no changes; remove the marker", c.Since).
		RestsOn(tag.DeclaredVersions(h.pkg)...)
}

func (h *evolver) checkChanged(kind itemKind, label string, c *model.Changed, v int) bool {
	if kind == onType {
		if v == 0 {
			h.firstVersion(&c.ChangeBase)
			return false
		}
		h.checkFromPrefix(label, c)
		return h.checkTypeName(h.pkg.Type(label), c, v)
	}
	if c.FromType != nil && strings.TrimSpace(c.FromType.Text) == "" {
		h.bag.Errorf(c.FromType.Span, codeFromType, "fromType is empty; write the Go type before %s, or remove it", c.Since)
		return false
	}
	if c.FromName == nil && c.FromType == nil && !c.Wraps {
		what := `fromName: "<previous name>" or fromType: "<previous type>"`
		if kind == onConst {
			what = `fromName: "<previous value>"`
		}
		h.bag.Errorf(c.Span, codeNoChange, "the marker has no change; add %s", what).RestsOn(tag.ArgumentsOf(c.Span))
		return false
	}
	if v == 0 {
		h.firstVersion(&c.ChangeBase)
		return false
	}
	h.checkFromPrefix(label, c)
	if !h.checkFromName(kind, c) {
		return false
	}
	if c.FromType == nil && c.Transform != nil {
		h.bag.Errorf(c.Transform.Span, codeTransform, "a transform converts between types; add fromType: with the type before %s", c.Since).RestsOn(tag.ArgumentsOf(c.Span))
	}
	if c.FromType == nil && !c.Wraps {
		for _, d := range []direction{up, down} {
			if function := d.of(c); function.Or("") != "" {
				h.bag.Errorf(function.Span, codeNoChange, "%s converts between types, but the type does not change; add fromType, or remove it", d.arg).RestsOn(tag.ArgumentsOf(c.Span))
			}
		}
	}
	return true
}

// checkFromPrefix reports a previous name with the prefix of deprecated items.
func (h *evolver) checkFromPrefix(label string, c *model.Changed) {
	if _, prefixed := cutDeprecated(c.FromName.Or("")); prefixed {
		h.bag.Errorf(c.FromName.Span, codeDeprecatedPrefix,
			"fromName must not begin with the prefix of deprecated items: %s cannot become undeprecated", label)
	}
}
