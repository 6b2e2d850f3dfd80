package evolve

import (
	"cmp"
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
)

// history is what happened to one item, over the versions.
type history struct {
	// label names the item in messages: FooSpec.bar.
	label string
	// added is the index of the first version that has the item, by addedBy
	// (nil: the item was always there).
	added   int
	addedBy *model.Change
	// steps are the changes and the deprecation, oldest first.
	steps []step
}

// step is a change, or the deprecation, of an item.
type step struct {
	*model.Change
	// version is the index of the version in which it happened.
	version int
}

// exists reports whether the item is in a version.
func (hs *history) exists(v int) bool { return v >= hs.added }

// after returns the steps that lead from a version to the newest, oldest first.
func (hs *history) after(v int) []step {
	i := slices.IndexFunc(hs.steps, func(s step) bool { return s.version > v })
	if i < 0 {
		return nil
	}
	return hs.steps[i:]
}

// deprecatedBy returns the deprecation if it holds in the version.
func (hs *history) deprecatedBy(v int) *model.Change {
	for _, s := range hs.steps {
		if s.Action == model.Deprecated && s.version <= v {
			return s.Change
		}
	}
	return nil
}

// itemKind is what a change marker stands on.
type itemKind string

const (
	onType  itemKind = "type"
	onField itemKind = "field"
	onConst itemKind = "constant"
)

// changeArgs are the arguments of the actions that are built, since excepted.
var changeArgs = map[model.Action]map[itemKind][]string{
	model.Added: {
		onType:  {},
		onField: {"default", "lossy"},
		onConst: {"downgradeTo", "lossy"},
	},
	model.Changed: {
		onField: {"fromName", "fromType", "upgradeWith", "downgradeWith", "lossy"},
		onConst: {"fromName"},
	},
	model.Deprecated: {
		onType:  {"note", "keepName"},
		onField: {"note", "keepName"},
		onConst: {"note", "keepName"},
	},
}

// planned are the actions whose markers are known and not built yet, with what
// happens meanwhile.
var planned = map[model.Action]string{
	model.Removed: "older versions do not have the field",
	model.Moved:   "in older versions the field is where it is now",
	model.Wrapped: "older versions have the list too",
	model.Hook:    "the functions are not called",
}

// readHistories checks every change marker of the package and fills histories.
func (h *hub) readHistories() {
	for _, t := range h.pkg.Types {
		h.histories[t] = h.read(onType, t.Name, t.Changes)
		for _, f := range t.Fields {
			h.histories[f] = h.read(onField, t.Name+"."+fieldLabel(f), f.Changes)
			h.readFieldTypes(t, f)
		}
		for _, c := range t.Consts {
			h.histories[c] = h.read(onConst, c.Name, c.Changes)
		}
	}
}

// of returns an item's history. Items of other packages never changed.
func (h *hub) of(item any) *history {
	if hs := h.histories[item]; hs != nil {
		return hs
	}
	return &history{}
}

func fieldLabel(f *model.Field) string { return cmp.Or(f.JSON, f.Name) }

// read checks the change markers of one item.
func (h *hub) read(kind itemKind, label string, changes []*model.Change) *history {
	hs := &history{label: label}
	byVersion := map[int]*model.Change{}
	var deprecated *step
	for _, c := range changes {
		v, ok := h.readChange(kind, label, c)
		if !ok {
			continue
		}
		if first := byVersion[v]; first != nil {
			h.bag.Errorf(at(c, "since"), codeTwoActions, "%s is %s and %s in one version, %s; these must happen in different versions",
				label, first.Action, c.Action, c.Since).Note(first.Span, "the other marker is here")
			continue
		}
		byVersion[v] = c
		switch c.Action {
		case model.Added:
			if hs.addedBy != nil {
				h.bag.Errorf(c.Span, codeTwoActions, "%s is added twice; keep the marker of the version that had it first", label).
					Note(hs.addedBy.Span, "also added here")
				continue
			}
			hs.added, hs.addedBy = v, c
		case model.Deprecated:
			if deprecated != nil {
				h.bag.Errorf(c.Span, codeTwoActions, "%s is deprecated twice; keep the first", label).
					Note(deprecated.Span, "also deprecated here")
				continue
			}
			deprecated = &step{c, v}
		default:
			hs.steps = append(hs.steps, step{c, v})
		}
	}
	slices.SortStableFunc(hs.steps, func(a, b step) int { return a.version - b.version })
	h.checkActionOrder(hs, deprecated)
	if deprecated != nil {
		hs.steps = append(hs.steps, *deprecated)
		slices.SortStableFunc(hs.steps, func(a, b step) int { return a.version - b.version })
	}
	return hs
}

// checkActionOrder reports actions out of the order added, changed, deprecated.
func (h *hub) checkActionOrder(hs *history, deprecated *step) {
	for _, s := range hs.steps {
		if hs.addedBy != nil && s.version < hs.added {
			h.bag.Errorf(at(s.Change, "since"), codeActionOrder,
				"%s is changed in %s, before it is added in %s", hs.label, s.Since, hs.addedBy.Since).
				Note(hs.addedBy.Span, "added here")
		}
		if deprecated != nil && s.version > deprecated.version {
			h.bag.Errorf(at(s.Change, "since"), codeActionOrder,
				"%s is changed in %s, after it is deprecated in %s; a deprecated item stays as it is", hs.label, s.Since, deprecated.Since).
				Note(deprecated.Span, "deprecated here")
		}
	}
	if deprecated != nil && hs.addedBy != nil && deprecated.version < hs.added {
		h.bag.Errorf(at(deprecated.Change, "since"), codeActionOrder,
			"%s is deprecated in %s, before it is added in %s", hs.label, deprecated.Since, hs.addedBy.Since).
			Note(hs.addedBy.Span, "added here")
	}
}

// readChange checks one change marker by itself and returns the index of its
// version. It is not ok when the marker does not count.
func (h *hub) readChange(kind itemKind, label string, c *model.Change) (v int, ok bool) {
	if meanwhile, isPlanned := planned[c.Action]; isPlanned {
		h.bag.Warnf(c.Span, codePlanned, "+%s is not supported yet: %s", h.name(model.Role(c.Action)), meanwhile)
		return 0, false
	}
	args, allowed := changeArgs[c.Action][kind]
	if !allowed {
		h.bag.Warnf(c.Span, codePlanned, "+%s on a %s is not supported yet: older versions have %s as it is now", h.name(model.Role(c.Action)), kind, label)
		return 0, false
	}
	for _, name := range sortedKeys(c.Args) {
		if !slices.Contains(args, name) {
			h.bag.Errorf(at(c, name), codeUnknownArgument, "+%s on a %s has no argument %q; it takes %s",
				h.name(model.Role(c.Action)), kind, name, list(append([]string{"since"}, args...), "and"))
		}
	}
	if c.Since == "" {
		h.bag.Errorf(c.Span, codeNoSince, "+%s does not say in which version; write since: %q, or the version it was", h.name(model.Role(c.Action)), h.pkg.Version)
		return 0, false
	}
	v, declared := h.index[c.Since]
	if !declared {
		h.bag.Errorf(at(c, "since"), codeUndeclared, "version %s is not declared; the versions are %s", c.Since, names(h.versions))
		return 0, false
	}
	if c.Action == model.Changed {
		return v, h.checkChanged(kind, label, c, v)
	}
	if keep, given := c.Args["keepName"]; given && keep != "true" && keep != "false" {
		h.bag.Errorf(at(c, "keepName"), codeBadArgument, "keepName is true or false")
	}
	return v, true
}

func (h *hub) checkChanged(kind itemKind, label string, c *model.Change, v int) bool {
	from, hasName := c.Args["fromName"]
	_, hasType := c.Args["fromType"]
	if !hasName && !hasType {
		what := `fromName: "<its name before>" or fromType: "<its type before>"`
		if kind == onConst {
			what = `fromName: "<its value before>"`
		}
		h.bag.Errorf(c.Span, codeNoChange, "the marker does not say what changed; write %s", what)
		return false
	}
	if v == 0 {
		h.bag.Errorf(at(c, "since"), codeFirstVersion, "%s is the first version: nothing can have changed in it; remove the marker", c.Since)
		return false
	}
	if _, prefixed := cutDeprecated(from); prefixed {
		h.bag.Errorf(at(c, "fromName"), codeDeprecatedPrefix,
			"fromName must not begin with the prefix of deprecated items: %s cannot have been deprecated and come back", label)
	}
	if hasName && kind == onField && upperFirst(from) == "" {
		h.bag.Errorf(at(c, "fromName"), codeBadArgument, "fromName is the field's name in JSON before the change, such as prevBar")
		return false
	}
	if !hasType {
		for _, f := range []string{"upgradeWith", "downgradeWith"} {
			if c.Arg(f) != "" {
				h.bag.Errorf(at(c, f), codeNoChange, "%s converts between types, but the type did not change; add fromType, or remove it", f)
			}
		}
	}
	return true
}
