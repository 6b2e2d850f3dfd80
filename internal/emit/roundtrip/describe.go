package roundtrip

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/wiretable"
)

// describe returns what Go types do not say of the values of kinds: constants, lists, and
// what conversions lose.
func (w *writer) describe(kinds [][]older) (values, fields table) {
	for _, pkg := range w.packages {
		used := map[model.Name]bool{}
		for _, versions := range kinds {
			for _, v := range versions {
				if pkg == w.hub {
					w.use(w.m.Type(v.pair.Hub).Ref(), used)
				} else if v.plan.Older.Package == pkg.Path {
					w.use(w.m.Type(v.pair.Older).Ref(), used)
				}
			}
		}
		for _, t := range pkg.Types {
			if !used[t.ID()] {
				continue
			}
			if l := w.values(t); l != nil {
				values.add(pkg, l.String())
			}
			for _, l := range w.fields(pkg, t) {
				fields.add(pkg, l)
			}
		}
	}
	return values, fields
}

// table lists literals, each with the versions that have it.
type table struct {
	literals []string
	versions map[string][]string
}

func (t *table) add(pkg *model.Package, literal string) {
	if t.versions == nil {
		t.versions = map[string][]string{}
	}
	if t.versions[literal] == nil {
		t.literals = append(t.literals, literal)
	}
	if version := emit.VersionName(pkg); !slices.Contains(t.versions[literal], version) {
		t.versions[literal] = append(t.versions[literal], version)
	}
}

// use marks a type and the types that it uses.
func (w *writer) use(r *model.Ref, used map[model.Name]bool) {
	switch {
	case r == nil:
		return
	case r.Kind != model.KindNamed:
		w.use(r.Elem, used)
		w.use(r.Key, used)
		return
	}
	for _, arg := range r.Args {
		w.use(arg, used)
	}
	t := w.m.Type(r.ID())
	if t == nil || used[t.ID()] {
		return
	}
	used[t.ID()] = true
	w.use(t.Def, used)
	for _, f := range t.Fields {
		w.use(f.Type, used)
	}
}

// goName returns the name that package reflect has for a type.
func goName(t *model.Type) string {
	if t.Instance == nil {
		return t.Name
	}
	return strings.TrimPrefix(model.Canonical(t.Instance).String(), t.Package+".")
}

// values returns the constants of an enum.
func (w *writer) values(t *model.Type) *literal {
	if len(t.Consts) == 0 {
		return nil
	}
	var texts []string
	for _, c := range t.Consts {
		text := c.Value
		if c.IsString {
			quoted, err := json.Marshal(c.Value)
			if err != nil {
				continue
			}
			text = string(quoted)
		}
		texts = append(texts, text)
	}
	l := &literal{}
	l.text("Type", goName(t))
	l.flag("Closed", model.HasBare(t.Tags, model.RoleEnum))
	l.texts("JSON", texts)
	return l
}

// fields returns what is known of a type and its fields.
func (w *writer) fields(pkg *model.Package, t *model.Type) []string {
	var list []string
	name := goName(t)
	add := func(key string, l literal) {
		if len(l) == 0 {
			return
		}
		var head literal
		head.text("Type", name)
		head.text("Key", key)
		l = append(head, l...)
		list = append(list, l.String())
	}
	if of := w.m.Struct(t.Def); of != nil && t.Def.Kind == model.KindNamed {
		t = of // of which the type is declared
	}
	pairs := w.pairs(pkg, t)
	var of literal
	of.texts("Lost", w.lost(pkg, func(p *plan.Plan, way plan.Way) bool { return pairs[p] != nil && !p.RestoresType(pairs[p], way) }))
	of.flag("Decoded", slices.ContainsFunc(w.plans, func(p *plan.Plan) bool {
		return pairs[p] != nil && (slices.ContainsFunc(pairs[p].Hooks, func(h *plan.Hook) bool { return h.Split == nil }) || wiretable.Opaque(w.m, pairs[p]))
	}))
	add("", of)
	for _, f := range t.Fields {
		if f.Skipped || t.IsTypeMeta(f) {
			continue
		}
		key := f.JSON
		if f.Inline {
			key = f.Name
		}
		ops := w.ops(pkg, t, f, pairs)
		var l literal
		kind, keys := w.listOf(f)
		if kind == "map" {
			l.texts("ListKeys", keys)
		}
		l.flag("Set", kind == "set")
		loses := func(first bool) func(*plan.Plan, plan.Way) bool {
			return func(p *plan.Plan, way plan.Way) bool {
				return ops[p] != nil && !restores(p, ops[p], way) && p.RestoresFirst(ops[p], way) == first
			}
		}
		l.texts("Lost", w.lost(pkg, loses(false)))
		l.texts("First", w.lost(pkg, loses(true)))
		missing, filled := w.missing(pkg, ops)
		l.texts("Missing", missing)
		l.flag("Filled", filled)
		l.flag("Decoded", slices.ContainsFunc(w.plans, func(p *plan.Plan) bool {
			op := ops[p]
			return op != nil && (op.Hooked || wiretable.Decodes(op.Value) || op.By != nil && wiretable.Decodes(op.By.Value))
		}))
		l.flag("Zero", w.emptied[t.ID()] && w.written(f) || slices.ContainsFunc(w.plans, func(p *plan.Plan) bool {
			return ops[p] != nil && (lacksZero(ops[p]) || movesZero(ops[p]) || w.parents[ops[p]] == loose || p.Older.Package == pkg.Path && wrapsZero(ops[p]))
		}))
		l.flag("Exact", slices.ContainsFunc(w.plans, func(p *plan.Plan) bool { return ops[p] != nil && wiretable.Decodes(ops[p].Value) }) &&
			!slices.ContainsFunc(w.plans, func(p *plan.Plan) bool { return ops[p] != nil && blurs(ops[p], f) }))
		l.flag("Late", slices.ContainsFunc(w.plans, func(p *plan.Plan) bool { return ops[p] != nil && wraps(ops[p]) }))
		add(key, l)
	}
	return list
}

// pairs returns the conversions of a type's counterpart in the hub, by plan.
func (w *writer) pairs(pkg *model.Package, t *model.Type) map[*plan.Plan]*plan.Type {
	hub := t.ID()
	if pkg != w.hub {
		if t.Hub == nil {
			return nil
		}
		hub = *t.Hub
	}
	return w.pairsOf(hub)
}

func (w *writer) pairsOf(hub model.Name) map[*plan.Plan]*plan.Type {
	pairs := map[*plan.Plan]*plan.Type{}
	for _, p := range w.plans {
		pairs[p] = pairOf(p, hub)
	}
	return pairs
}

// ops returns the operations on a field's counterpart in the hub, by plan.
func (w *writer) ops(pkg *model.Package, t *model.Type, f *model.Field, pairs map[*plan.Plan]*plan.Type) map[*plan.Plan]*plan.Op {
	owner, hub := t.ID(), f.Name
	if pkg != w.hub {
		hub = ""
		if t.Hub != nil {
			owner = *t.Hub
		}
		for p, pair := range pairs {
			if pair == nil || p.Older.Package != pkg.Path {
				continue
			}
			for _, op := range pair.Fields {
				switch {
				case op.Older == nil || op.Older.Go != f.Name:
				case op.Hub != nil:
					hub = op.Hub.Go
				case op.By != nil:
					owner, moved := w.hubEnd(p, op.By)
					ops := w.hubOps(owner, moved)
					ops[p] = op
					return ops
				default:
					return map[*plan.Plan]*plan.Op{p: op}
				}
			}
		}
	}
	return w.hubOps(owner, hub)
}

// hubOps returns the operations on a field of the hub, by plan. A struct that an older version lacks has
// none but those that move into it.
func (w *writer) hubOps(owner model.Name, field string) map[*plan.Plan]*plan.Op {
	ops := map[*plan.Plan]*plan.Op{}
	for p, pair := range w.pairsOf(owner) {
		if ops[p] = operation(pair, field); pair != nil {
			continue
		}
		for _, t := range p.Types {
			for _, op := range t.Fields {
				if op.Kind != plan.Move {
					continue
				}
				if at, name := w.hubEnd(p, op); at == owner && name == field {
					ops[p] = op
				}
			}
		}
	}
	return ops
}

// operation returns the operation on a field of the hub, or nil.
func operation(pair *plan.Type, hub string) *plan.Op {
	if pair == nil {
		return nil
	}
	for _, op := range pair.Fields {
		if op.Hub != nil && op.Hub.Go == hub {
			return op
		}
	}
	return nil
}

// hubEnd returns the struct in the hub and the field that a moved field is.
func (w *writer) hubEnd(p *plan.Plan, move *plan.Op) (owner model.Name, field string) {
	path := move.HubPath
	if len(path) > 1 {
		if t := w.m.Struct(path[len(path)-2].Type); t != nil {
			owner = t.ID()
		}
	}
	for _, t := range p.Types {
		if len(path) == 1 && slices.Contains(t.Fields, move) {
			owner = t.Hub
		}
	}
	return owner, path[len(path)-1].Go
}

// lost returns the versions by way of which values of a package's version are lost: in the
// conversion to the hub, or in that to the other version.
func (w *writer) lost(pkg *model.Package, loses func(*plan.Plan, plan.Way) bool) []string {
	up := slices.ContainsFunc(w.plans, func(p *plan.Plan) bool { return p.Older.Package == pkg.Path && loses(p, plan.Up) })
	var via []string
	for _, p := range w.plans {
		if p.Older.Package != pkg.Path && (up || loses(p, plan.Down)) {
			via = append(via, p.Older.Name)
		}
	}
	if up {
		via = append(via, w.plans[0].Hub.Name)
	}
	return via
}

// missing returns the versions that lack a field, and whether their objects get a value for it. What
// moves, or is restored, and the parents of that are behind the other fields.
func (w *writer) missing(pkg *model.Package, ops map[*plan.Plan]*plan.Op) (from []string, filled bool) {
	for _, p := range w.plans {
		op, own := ops[p], p.Older.Package == pkg.Path
		switch {
		case op == nil:
		case op.Kind == plan.Move:
			from, filled = append(from, p.Older.Name), true
		case op.Kind == plan.Drop || own && w.parents[op] != "":
			for _, v := range p.Versions {
				if v != p.Older.Name {
					from = append(from, v)
				}
			}
			return from, true
		case own:
		case op.Kind == plan.Add:
			from, filled = append(from, p.Older.Name), filled || op.Fill != nil || op.Moved || op.Hooked || w.parents[op] != ""
		case op.Value.Wraps() && op.Since == "" || w.parents[op] != "": // an empty list is lost
			from, filled = append(from, p.Older.Name), true
		}
	}
	return from, filled
}

// parent says whether parents of moved fields come back as they were.
type parent string

const (
	exact parent = "exact"
	// loose means that an empty one may be absent when it comes back.
	loose parent = "loose"
)

// readParents finds the parents of moved fields.
func (w *writer) readParents() {
	w.parents, w.emptied = map[*plan.Op]parent{}, map[model.Name]bool{}
	for _, p := range w.plans {
		for _, t := range p.Types {
			for _, op := range t.Fields {
				for _, of := range op.Above {
					if w.parents[of] == "" {
						w.parents[of] = exact
					}
					if op.Parents == (plan.Tracked{}) || decodes(op) || of.Kind != plan.Keep { // what moved into a third version hides that it is empty
						w.parents[of] = loose
					}
					types := []*model.Ref{of.Type}
					if of.Value != nil {
						types = []*model.Ref{of.Value.Older, of.Value.Hub}
					}
					for _, r := range types {
						if t := w.m.Struct(r); t != nil {
							w.empty(t.ID())
						}
					}
				}
			}
		}
	}
}

// empty notes that objects of a type may be left out if they have only zero values, so that other versions do not get them.
func (w *writer) empty(t model.Name) {
	w.emptied[t] = true
	for _, pair := range w.pairsOf(t) {
		if pair != nil {
			w.emptied[pair.Older] = true
		}
	}
}

// restores reports whether the value of a field comes back.
func restores(p *plan.Plan, op *plan.Op, way plan.Way) bool {
	if op.By != nil {
		return p.RestoresValue(op.By.Value, way)
	}
	return p.RestoresField(op, way)
}

// lacksZero reports whether the zero value of a field that a version lacks is not tracked: Go writes it for an absent
// one.
func lacksZero(op *plan.Op) bool {
	return !op.Hooked && (op.Kind == plan.Drop && op.Older.Zero != "" || op.Kind == plan.Add && op.Hub.Zero != "" && op.Fill == nil)
}

// movesZero reports whether the zero value of a moved field, for which no parent is created, is
// written.
func movesZero(op *plan.Op) bool {
	move, path := op.By, op.HubPath
	switch {
	case op.Kind == plan.Move:
		move = op
	case move == nil:
		return false
	case op.Hub == nil:
		path = move.OlderPath
	default:
		path = move.HubPath
	}
	entry, _ := move.Entry()
	return path[len(path)-1].Zero != "" || decodes(move) || entry != nil
}

// wrapsZero reports whether a single value that became a list is lost if it is empty.
func wrapsZero(op *plan.Op) bool {
	return op.Value != nil && op.Value.AbsentIfEmpty() && op.Until == ""
}

// blurs reports whether Go code converts a value, so that a zero one may become absent. What transforms convert comes
// back, unless Go leaves out zero values in one of the versions.
func blurs(op *plan.Op, f *model.Field) bool {
	switch {
	case op.Hooked || op.By != nil && wiretable.Decodes(op.By.Value):
		return true
	case !wiretable.Decodes(op.Value):
		return false
	}
	omits := func(f *plan.Field) bool { return f.OmitEmpty || f.OmitZero }
	return op.Kind != plan.Keep || !op.Value.Transformed() || op.Value.Wraps() || f.Type.Kind != model.KindPointer && (omits(op.Older) || omits(op.Hub))
}

// wraps reports whether a value is a single one in the older version, and an empty one is tracked.
func wraps(op *plan.Op) bool {
	return op.Value != nil && op.Value.Wraps() && (op.Since != "" || op.Until != "")
}

// decodes reports whether Go code converts a moved value, or it is wrapped: an empty one may be absent
// then.
func decodes(op *plan.Op) bool { return op.Value.Wraps() || wiretable.Decodes(op.Value) }

// written reports whether Go writes the zero value of a field.
func (w *writer) written(f *model.Field) bool {
	kind := w.m.Underlying(f.Type).Kind
	return !f.OmitZero && (!f.OmitEmpty || kind == model.KindStruct || kind == model.KindArray)
}

// listOf returns how the items of a list are identified: "map", with the keys, "set" or "".
func (w *writer) listOf(f *model.Field) (kind string, keys []string) {
	list := w.m.ListAt(f.Tags, f.Markers, f.Type)
	kind = list.Identity
	if kind == model.ListAtomic && list.By == "" {
		kind = ""
	}
	return kind, list.Keys
}
