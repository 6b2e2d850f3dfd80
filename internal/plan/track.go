package plan

import (
	"cmp"
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/steps"
	"github.com/kindsmith/kindsmith/internal/value"
)

// Store is where objects keep the values that another version cannot represent.
type Store string

// The stores.
const (
	Untracked       Store = ""
	StatusStore     Store = model.StatusStore
	AnnotationStore Store = model.AnnotationStore
)

// Tracked are the versions under which values are tracked; "" if they are not.
type Tracked struct {
	// Since is the version that added the value or changed its type last, for values that do
	// not come back from the older version.
	Since string `json:"since,omitempty"`
	// Until is the last version in which the value has the older version's type, for values
	// that do not come back from the hub.
	Until string `json:"until,omitempty"`
}

func (t *Tracked) set(way Way, version string) {
	if way == Up {
		t.Until = version
	} else {
		t.Since = version
	}
}

// At returns the version under which values are tracked that do not come back from the destination of a conversion; ""
// if they are not.
func (t *Tracked) At(way Way) string {
	if way == Up {
		return t.Until
	}
	return t.Since
}

// Name is the JSON name of a field since a version.
type Name struct {
	Since string `json:"since"`
	JSON  string `json:"json"`
}

// Items says how the items of a list are known in a path.
type Items struct {
	// Keys are the hub's JSON names of the key fields.
	Keys []string `json:"keys,omitempty"`
	// Set means that the items are scalars that do not repeat.
	Set bool `json:"set,omitempty"`
}

// track completes a plan with what is tracked, where, and under which versions.
func (b *builder) track(ends [][2]*model.Type) {
	b.idle(ends)
	kept := map[*Type]bool{}
	for i, t := range b.Types {
		if hub := ends[i][1]; hub.Kind != nil && !hub.Kind.List && !b.opaque(t) {
			t.Restores = len(b.Restores) > 0
			below := map[*Type]bool{}
			if up, down := b.keepsTracked(t, below); up || down {
				t.Store = b.store(hub, up)
			}
			for u := range below {
				kept[u] = kept[u] || t.Store != Untracked
			}
		}
	}
	for i, t := range b.Types {
		for _, way := range Ways {
			if !kept[t] {
				b.visitType(t, way, visitor{edge: func(e *Edge) { e.Track = false }, pair: func(*Type) {}})
			}
		}
		if !kept[t] {
			continue
		}
		b.trackEnum(t, ends[i][0], ends[i][1])
		b.trackHooks(t, ends[i][0], ends[i][1])
		for _, op := range t.Fields {
			b.trackField(op, ends[i][0], ends[i][1])
		}
	}
}

// idle marks the types that kinds have, in any version, but do not convert.
func (b *builder) idle(ends [][2]*model.Type) {
	parts, converted := map[*model.Type]bool{}, map[*Type]bool{}
	part := func(t *model.Type, in map[*model.Type]bool) {
		b.eachType(t.Ref(), in, func(*model.Type) {})
	}
	var convert func(t *Type)
	convert = func(t *Type) {
		if converted[t] {
			return
		}
		converted[t] = true
		for _, way := range Ways {
			b.visitType(t, way, visitor{edge: func(*Edge) {}, pair: convert})
		}
		if !b.opaque(t) {
			return
		}
		all := map[*model.Type]bool{} // the author's code may convert any of them
		part(b.m.Type(t.Older), all)
		part(b.m.Type(t.Hub), all)
		for i, u := range b.Types {
			if all[ends[i][0]] || all[ends[i][1]] {
				convert(u)
			}
		}
	}
	for _, t := range b.Types {
		if t.Kind {
			convert(t)
		}
	}
	for _, v := range b.hub.Versions { // a removed field may be the only one of a type, and be in other versions
		if p := b.m.Package(v.Package); p != nil {
			for _, t := range p.Types {
				if t.Kind != nil {
					part(t, parts)
				}
			}
		}
	}
	had := map[model.Name]bool{}
	for t := range parts {
		had[t.ID()] = true
		if t.Hub != nil {
			had[*t.Hub] = true
		}
	}
	for i, t := range b.Types {
		t.Idle = !converted[t] && (had[ends[i][0].ID()] || had[ends[i][1].ID()])
	}
}

// opaque reports whether only the author's code converts a type.
func (b *builder) opaque(t *Type) bool {
	own := func(n model.Name) bool { return value.HasOwnJSON(b.m, b.m.Type(n).Ref()) }
	return t.Skip || t.UpByHand || t.DownByHand || t.Value == nil && (own(t.Older) || own(t.Hub))
}

// keepsTracked reports whether values of a type have parts that are tracked on the way up or
// down. It adds the types that they consist of.
func (b *builder) keepsTracked(t *Type, below map[*Type]bool) (up, down bool) {
	if below[t] || b.opaque(t) {
		return false, false
	}
	below[t] = true
	for _, way := range Ways {
		b.visitType(t, way, visitor{
			edge: func(e *Edge) { up, down = up || e.Track && way == Up, down || e.Track && way == Down },
			pair: func(u *Type) {
				u1, d1 := b.keepsTracked(u, below)
				up, down = up || u1, down || d1
			},
		})
	}
	return up, down
}

// store returns where objects of a kind keep values. API servers ignore the status of objects
// that clients create or update. So by default the status only has values that objects show
// when they are read: those of the hub, which is stored.
func (b *builder) store(kind *model.Type, up bool) Store {
	store := ""
	if b.hub.Tracking != nil {
		store = b.hub.Tracking.Store
	}
	switch {
	case store == model.NoStore:
		return Untracked
	case store == string(AnnotationStore), store == "" && (up || !b.stored() || !steps.HasStatusStore(b.m, kind)):
		return AnnotationStore
	}
	return StatusStore
}

// stored reports whether the hub is the storage version.
func (b *builder) stored() bool {
	return slices.ContainsFunc(b.hub.Versions, func(v *model.Version) bool { return v.Storage && v.Name == b.hub.Version })
}

func (b *builder) trackEnum(t *Type, older, hub *model.Type) {
	if t.Enum == nil {
		return
	}
	for _, way := range Ways {
		tracked := false
		b.visitType(t, way, visitor{edge: func(e *Edge) { tracked = tracked || e.Track }, pair: func(*Type) {}})
		switch {
		case !tracked:
		case way == Down:
			t.Enum.Since = b.versionAt(b.newest(hub.Ref()))
		default:
			t.Enum.Until = b.versionAt(b.unchangedUntil(older.Ref()))
		}
	}
}

func (b *builder) trackField(op *Op, older, hub *model.Type) {
	if op.Kind == Move {
		b.trackMove(op, hub)
		return
	}
	var h *model.Field
	if op.Hub != nil {
		h = hub.Field(op.Hub.Go)
		op.Names = b.names(hub, h)
		op.Items = items(b.m, h)
	}
	if op.Kind == Drop && op.Hooked {
		f := older.Field(op.Older.Go)
		op.Names, op.Last = b.formerNames(older, f), b.last(older, f)
	}
	for _, way := range Ways {
		switch {
		case op.Kind == Keep && (op.Value.Kind == Chain || op.Value.Kind == Wrap) && (b.tracksValue(op.Value, way) || b.tracksEmpty(op.Value)):
			changes := retypes(older.Field(op.Older.Go).Origin.Steps)
			if way == Down {
				op.set(way, b.versionAt(max(b.order[changes[len(changes)-1].Since], b.newest(h.Type))))
			} else {
				until := min(b.sameUntil(changes), b.unchangedUntil(op.Value.Older))
				if w := op.Value.wrap(); w != nil { // of which only empty values are tracked as a whole
					until = b.order[w.Since] - 1
				}
				op.set(way, b.versionAt(until))
			}
		case op.Edges.At(way) == nil || !op.Edges.At(way).Track:
		case op.Kind == Drop:
			f := older.Field(op.Older.Go)
			until := b.unchangedUntil(op.Type)
			for _, c := range f.Origin.Steps {
				if _, isRemoved := c.(*model.Removed); isRemoved {
					until = min(until, b.order[c.Base().Since]-1)
				}
			}
			changes := retypes(f.Origin.Steps)
			op.set(way, b.versionAt(min(until, b.sameUntil(changes))))
			op.Names, op.Last = b.formerNames(older, f), b.last(older, f)
		case op.Kind == Add:
			op.set(way, b.versionAt(b.changedAt(h)))
		}
	}
	for _, f := range []*Field{op.Older, op.Hub} {
		if f != nil && (op.Since != "" || op.Until != "" || op.Hooked) {
			of := older
			if f == op.Hub {
				of = hub
			}
			f.Zero = Written(b.m, of.Field(f.Go))
			if op.Kind == Keep && op.Value.Transformed() {
				f.Zero = cmp.Or(b.leftOut(f, of.Field(f.Go).Type), f.Zero)
			}
		}
	}
}

// last returns the conversion of a removed field's value to the type that the field had last, nil if that is not known.
func (b *builder) last(older *model.Type, f *model.Field) *Value {
	if f.Origin.Type == nil {
		return nil
	}
	return b.chain(label(older, f), b.name(older, f), f.Type, f.Origin.Type, retypes(f.Origin.Steps))
}

// tracksEmpty reports whether an empty single value is tracked, which is no item of the hub's list.
func (b *builder) tracksEmpty(v *Value) bool {
	return v.AbsentIfEmpty() && b.tracksValue(v, Down)
}

// tracksValue reports whether a part of a value is tracked.
func (b *builder) tracksValue(v *Value, way Way) bool {
	found := false
	b.visitValue(v, way, visitor{
		edge: func(e *Edge) { found = found || e.Track },
		pair: func(t *Type) { found = found || b.Tracks(t, way) },
	})
	return found
}

// versionAt returns the name of a version.
func (b *builder) versionAt(order int) string {
	return b.hub.Versions[max(0, min(order, len(b.hub.Versions)-1))].Name
}

// newest returns the last version that changed something in a type of the hub.
func (b *builder) newest(r *model.Ref) int {
	at := 0
	b.eachType(r, nil, func(t *model.Type) {
		for _, c := range changesIn(t) {
			at = max(at, b.order[c.Base().Since])
		}
	})
	return at
}

// unchangedUntil returns the last version in which a type of the older version is as it is.
func (b *builder) unchangedUntil(r *model.Ref) int {
	until := len(b.hub.Versions) - 1
	b.eachType(r, nil, func(t *model.Type) {
		var changes []model.Change
		for _, f := range t.Fields {
			if f.Origin != nil {
				changes = append(changes, f.Origin.Steps...)
			}
		}
		if t.Hub != nil {
			if hub := b.m.Type(*t.Hub); hub != nil {
				changes = append(changes, changesIn(hub)...)
			}
		}
		for _, c := range changes {
			if at := b.order[c.Base().Since]; at > b.order[b.Older.Name] {
				until = min(until, at-1)
			}
		}
	})
	return until
}

// changesIn returns the changes of a type's fields and constants, with those that were added or removed.
func changesIn(t *model.Type) []model.Change {
	changes := slices.DeleteFunc(slices.Clone(t.Changes), func(c model.Change) bool {
		changed, ok := c.(*model.Changed)
		return ok && changed.Field == nil // of the type's name
	})
	for _, f := range t.Fields {
		changes = append(changes, f.Changes...)
	}
	for _, c := range t.Consts {
		changes = append(changes, c.Changes...)
	}
	return changes
}

// sameUntil returns the last version before the hub in which a value has the same JSON as before the
// changes of its type.
func (b *builder) sameUntil(changes []*model.Changed) int {
	for _, c := range changes {
		if c.Wraps || c.Form != nil || c.UpgradeWith.Or("") != "" || c.DowngradeWith.Or("") != "" {
			return b.order[c.Since] - 1
		}
	}
	return len(b.hub.Versions) - 2
}

// eachType visits the declared types that a type consists of.
func (b *builder) eachType(r *model.Ref, seen map[*model.Type]bool, visit func(*model.Type)) {
	if seen == nil {
		seen = map[*model.Type]bool{}
	}
	if r == nil {
		return
	}
	if t := b.m.Type(r.ID()); t != nil && !seen[t] {
		seen[t] = true
		visit(t)
		b.eachType(t.Def, seen, visit)
		for _, f := range t.Fields {
			b.eachType(f.Type, seen, visit)
		}
	}
	b.eachType(r.Elem, seen, visit)
	b.eachType(r.Key, seen, visit)
}

// names returns the JSON names of a field since the versions between the older one and the
// hub, if one of them differs from the hub's.
func (b *builder) names(owner *model.Type, f *model.Field) []Name {
	var names []Name
	differs, last := false, ""
	for _, v := range b.hub.Versions[b.order[b.Older.Name]:] {
		name := b.nameIn(v, owner, f)
		if name == "" {
			continue
		}
		if v.Name != b.Older.Name {
			differs = differs || name != f.JSON
			if name != last {
				names = append(names, Name{v.Name, name})
			}
		}
		last = name
	}
	if !differs {
		return nil
	}
	return names
}

// nameIn returns the JSON name of a field of the hub in a version, "" if it has none.
func (b *builder) nameIn(v *model.Version, owner *model.Type, f *model.Field) string {
	if v.Name == b.Hub.Name {
		return f.JSON
	}
	p := b.m.Package(v.Package)
	if p == nil {
		return ""
	}
	for _, t := range p.Types {
		if t.Hub == nil || *t.Hub != owner.ID() {
			continue
		}
		for _, g := range t.Fields {
			if g.Origin != nil && g.Origin.Field == f.Name {
				return g.JSON
			}
		}
	}
	return ""
}

// formerNames returns the JSON names of a field that the hub lacks, since the versions after
// the older one, if they differ from its name there.
func (b *builder) formerNames(older *model.Type, f *model.Field) []Name {
	removed := f.Origin.Steps[len(f.Origin.Steps)-1]
	var names []Name
	last := f.JSON
	for _, v := range b.hub.Versions[b.order[b.Older.Name]:] {
		p := b.m.Package(v.Package)
		if p == nil {
			continue
		}
		for _, t := range p.Types {
			if t.Hub == nil || *t.Hub != *older.Hub {
				continue
			}
			for _, g := range t.Fields {
				if g.Origin != nil && slices.Contains(g.Origin.Steps, removed) && g.JSON != last {
					last = g.JSON
					names = append(names, Name{v.Name, last})
				}
			}
		}
	}
	return names
}

// items returns how the items of a field's list are known; nil if by their index.
func items(m *model.Model, f *model.Field) *Items {
	switch list := m.ListAt(f.Tags, f.Markers, f.Type); {
	case list.Type == model.ListSet:
		return &Items{Set: true}
	case list.Type == model.ListMap && len(list.Keys) > 0:
		return &Items{Keys: list.Keys}
	}
	return nil
}

// Written returns the zero value of a field as Go writes it; "" if it writes none.
func Written(m *model.Model, f *model.Field) string { return steps.Written(m, f) }

// leftOut returns the value of a field, other than null, that Go leaves out; "" if there is none, or if it is empty in JSON.
func (b *builder) leftOut(f *Field, r *model.Ref) string {
	u := b.m.Underlying(r)
	switch zero := b.zero(r); {
	case u.Kind == model.KindPointer && f.OmitEmpty:
		if zero = b.zero(u.Elem); zero.Kind != value.Null {
			return zero.JSON()
		}
	case f.OmitZero:
		return zero.JSON()
	}
	return ""
}

func (b *builder) zero(r *model.Ref) *value.Value { return steps.Zero(b.m, r) }
