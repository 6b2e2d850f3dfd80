package evolve

import (
	"cmp"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// pathStep is a field on a path through an object. Items means that the path goes on in the items of the
// field's list or map.
type pathStep struct {
	owner *model.Type
	field *model.Field
	items bool
	// outside is set on the metadata of a kind and on the fields of it, which have one name in all
	// versions.
	outside bool
}

// move is a field that had another path before a version.
type move struct {
	by *model.Moved
	// version is the index of the version that moved it.
	version int
	// common is the struct that both paths begin in. Older and hub lead from it to the field.
	common     *model.Type
	older, hub []pathStep
	// entry is set if older leads to the labels or the annotations of the kind, and hubEntry if hub does.
	entry, hubEntry *model.Entry
	// steps are the changes of the field.
	steps []step
}

// readMoves resolves the previous paths of moved fields, and adds the fields there to those that
// only older versions have.
func (h *evolver) readMoves() {
	for _, t := range h.pkg.Types {
		for _, f := range t.Fields {
			hs := h.of(f)
			from := hs.added
			for _, m := range hs.moves {
				h.readMove(t, f, hs, m, from)
				from = m.version
			}
		}
	}
	for _, t := range h.pkg.Types {
		for _, f := range h.former[t] {
			if hs := h.of(f); hs.removedBy != nil && hs.removedBy.ToPath != nil {
				h.readMoveOut(t, f, hs)
			}
		}
	}
}

// readMove reads one move of a field that was at the previous path since an earlier version.
func (h *evolver) readMove(t *model.Type, f *model.Field, hs *history, m *move, from int) {
	path := m.by.FromPath
	switch {
	case path.Or("") == "":
		h.bag.Errorf(path.Place(m.by.Span), codeMoved, `add the previous path of %s, such as fromPath: "spec.old.name"`, hs.label).RestsOn(tag.ArgumentsOf(m.by.Span))
		return
	case f.Inline || f.Embedded:
		h.bag.Errorf(m.by.Span, codeInlined, "%s is embedded and has no JSON name to move", hs.label)
		return
	}
	if strings.HasPrefix(path.Text, "metadata.") {
		h.readEntry(t, f, hs, m, from)
		return
	}
	parents, owner, name := h.resolve(t, f, hs, m)
	if owner == nil {
		return
	}
	if other := h.named(owner, name, m.version-1); other != nil {
		h.bag.Errorf(path.Span, codeMoved, "%s is the path of %s in %s", path.Text, h.of(other).label, h.versions[m.version-1].Name).
			Note(other.Span, "declared here")
		return
	}
	if owner != t && h.typeAt(f, m.version-1).HasParams() {
		h.bag.Errorf(path.Span, codeMoved, "the type of %s has a type parameter of %s, so the field cannot have been in %s; declare a struct for each instance", hs.label, t.Name, owner.Name)
		return
	}
	g := *f
	_, was := h.fieldAt(f, m.version-1)
	if g.JSON = name; name == was {
		g.Name, _ = h.fieldAt(f, m.version-1)
	} else {
		g.Name = goName(name)
	}
	g.Type, g.Changes = h.typeAt(f, m.version-1), nil
	g.StructTag = renameStructTag(f.StructTag, f.JSON, name)
	g.Doc = renameDoc(renameDoc(f.Doc, f.Name, g.Name), f.JSON, name)
	if len(parents) == 0 && owner == t && g.Name == f.Name && name == f.JSON {
		h.bag.Errorf(path.Span, codeMoved, "%s is the present path of %s; remove the marker", path.Text, hs.label)
		return
	}
	m.older = slices.Concat(parents, []pathStep{{owner: owner, field: &g}})
	h.histories[&g] = before(hs, owner.Name+"."+name, m, from)
	h.former[owner] = append(h.former[owner], &g)
	h.checkMove(hs, m, from)
}

// before returns the history of a field at a path that it had since a version, until it moved.
func before(hs *history, label string, m *move, from int) *history {
	before := &history{label: label, added: hs.added, addedBy: hs.addedBy, here: from, removed: m.version, move: m}
	for _, s := range hs.steps {
		if s.version < m.version {
			before.steps = append(before.steps, s)
		}
	}
	m.steps = hs.steps
	return before
}

// entryPath matches the path of a label or an annotation.
var entryPath = regexp.MustCompile(`^metadata\.(annotations|labels)(?:\['([^']*)'\]|\["([^"]*)"\]|\.([a-zA-Z0-9_-]+))$`)

// readEntry reads the move of a field that was a label or an annotation.
func (h *evolver) readEntry(t *model.Type, f *model.Field, hs *history, m *move, from int) {
	fail := func(format string, args ...any) *diag.Diagnostic {
		return h.bag.Errorf(m.by.FromPath.Span, codeMoved, format, args...)
	}
	in, key, ok := h.entryAt(m.by.FromPath, "from")
	if !ok {
		return
	}
	r := h.typeAt(f, m.version-1)
	if !h.m.Underlying(single(r)).IsString() {
		fail("%s is %s, and labels and annotations are strings; add a transform from strings, such as transform: \"integer\"", hs.label, h.withArticle(r)).
			RestsOn(tag.ArgumentsOf(m.by.Span))
		return
	}
	kind, path, entry := h.kindOf(t, in, h.newest(), m.version-1)
	if kind == nil {
		fail("%s is in no kind with metadata", hs.label)
		return
	}
	m.common, m.hub = kind, slices.Concat(path, []pathStep{{owner: t, field: f}})
	m.entry = &model.Entry{Key: key, Type: r}
	g := &model.Field{Name: key, JSON: key, Type: r}
	m.older = slices.Concat(entry, []pathStep{{owner: &model.Type{Name: in}, field: g}})
	for _, other := range h.entries[kind] {
		if o := h.of(other); o.move.entry.Key == key && o.move.older[1] == m.older[1] && o.exists(m.version-1) {
			fail("%s was the same: %s moves from it too", m.by.FromPath.Text, h.of(o.move.hub[len(o.move.hub)-1].field).label)
			return
		}
	}
	h.histories[g] = before(hs, m.by.FromPath.Text, m, from)
	h.entries[kind] = append(h.entries[kind], g)
	h.checkMove(hs, m, from)
}

// readMoveOut reads the move of a removed field to a label or an annotation.
func (h *evolver) readMoveOut(t *model.Type, f *model.Field, hs *history) {
	c := hs.removedBy
	fail := func(format string, args ...any) *diag.Diagnostic {
		return h.bag.Errorf(c.ToPath.Span, codeMoved, format, args...)
	}
	in, key, ok := h.entryAt(c.ToPath, "to")
	if !ok {
		return
	}
	m := &move{
		by:      &model.Moved{ChangeBase: c.ChangeBase, FromPath: c.ToPath, Transform: c.Transform, Losses: c.Losses},
		version: hs.removed, steps: slices.Clone(hs.steps), hubEntry: &model.Entry{Key: key, Type: f.Type},
	}
	switch {
	case c.Transform != nil:
		m.hubEntry.Type = model.Builtin("string")
		changed := &model.Changed{ChangeBase: c.ChangeBase, FromType: c.Type, Transform: c.Transform, From: f.Type, Losses: c.Losses}
		if h.checkTransform(hs, changed, f.Type, m.hubEntry.Type); changed.Form == nil {
			return // reported
		}
		m.steps = append(m.steps, step{changed: changed, version: m.version})
	case !h.m.Underlying(single(f.Type)).IsString():
		fail("%s is %s, and labels and annotations are strings; add a transform to strings, such as transform: \"integer\"", hs.label, h.withArticle(f.Type)).
			RestsOn(tag.ArgumentsOf(c.Span))
		return
	}
	kind, path, entry := h.kindOf(t, in, m.version-1, m.version-1)
	if kind == nil {
		fail("%s is in no kind with metadata", hs.label)
		return
	}
	m.common, m.older = kind, slices.Concat(path, []pathStep{{owner: t, field: f}})
	m.hub = slices.Concat(entry, []pathStep{{owner: &model.Type{Name: in}, field: &model.Field{Name: key, JSON: key, Type: m.hubEntry.Type}}})
	for _, g := range h.entries[kind] {
		if by := h.of(g).move; by.entry.Key == key && by.older[1] == m.hub[1] {
			label := h.of(by.hub[len(by.hub)-1].field).label
			if by.version > m.version {
				fail("%s is %s since %s; put +%s(since: %q, fromPath: …) on %[2]s in place of this marker, with the path of %[6]s", c.ToPath.Text, label, by.by.Since, h.name(model.RoleMoved), c.Since, hs.label)
			} else {
				fail("%s was %s before %s; use another key", c.ToPath.Text, label, by.by.Since)
			}
			return
		}
	}
	for _, g := range h.left[kind] {
		if by := h.of(g).move; by.hubEntry.Key == key && by.hub[1] == m.hub[1] {
			fail("%s becomes the same: two fields cannot have one key", h.of(g).label)
			return
		}
	}
	hs.move = m
	h.left[kind] = append(h.left[kind], f)
	h.checkMove(hs, m, hs.added)
}

// entryAt reads the path of a label or an annotation: the name of the map, and the key in it. It is not
// ok if the path is wrong, which is reported.
func (h *evolver) entryAt(path *model.Value, preposition string) (in, key string, ok bool) {
	parts := entryPath.FindStringSubmatch(path.Text)
	if parts == nil {
		h.bag.Errorf(path.Span, codeMoved, "fields move %s labels and annotations of the metadata; write metadata.annotations['example.com/key'] or metadata.labels['example.com/key']", preposition)
		return "", "", false
	}
	in, key = parts[1], cmp.Or(parts[2], parts[3], parts[4])
	if problems := validation.IsQualifiedName(key); len(problems) > 0 {
		h.bag.Errorf(path.Span, codeMoved, "%q is not the key of a label or an annotation: %s", key, problems[0])
		return "", "", false
	}
	if in == "annotations" && key == jsonconvert.TrackingAnnotation(h.pkg.Group) {
		h.bag.Errorf(path.Span, codeMoved, "objects keep tracked values in the annotation %s; use another key", key)
		return "", "", false
	}
	return in, key, true
}

// kindOf returns the kind that has a struct, the path to the struct in a version, and the path to the
// labels or the annotations of the kind. The kind is nil if there is none in another version.
func (h *evolver) kindOf(t *model.Type, in string, v, exists int) (kind *model.Type, path, entry []pathStep) {
	for _, kind := range h.pkg.Types {
		if kind.Kind == nil || kind.Kind.List || !h.of(kind).exists(exists) {
			continue
		}
		paths, metadata := h.pathsTo(kind, t, v, nil), kind.FieldByJSON("metadata")
		if len(paths) == 0 || metadata == nil {
			continue
		}
		if owner := h.m.Struct(metadata.Type); owner != nil && owner.FieldByJSON(in) != nil {
			return kind, slices.Clone(paths[0]), []pathStep{{owner: kind, field: metadata, outside: true}, {owner: owner, field: owner.FieldByJSON(in), outside: true}}
		}
	}
	return nil, nil, nil
}

// resolve returns the parents of a moved field at its previous path, from the struct that both paths
// have in common, the struct that had the field, and its name there. The struct is nil if the path is
// wrong.
func (h *evolver) resolve(t *model.Type, f *model.Field, hs *history, m *move) (parents []pathStep, owner *model.Type, name string) {
	path := m.by.FromPath
	if relative, ok := strings.CutPrefix(path.Text, "."); ok {
		m.common, m.hub = t, []pathStep{{owner: t, field: f}}
		return h.walk(t, relative, m, true)
	}
	var best [][]pathStep
	var root *model.Type
	for _, kind := range h.pkg.Types {
		if kind.Kind == nil || kind.Kind.List || !h.of(kind).exists(m.version-1) {
			continue
		}
		found := h.pathsTo(kind, t, h.newest(), nil)
		if len(found) == 0 {
			continue
		}
		if _, owner, _ := h.walk(kind, path.Text, m, false); root == nil || owner != nil && best == nil {
			root = kind
			if owner != nil {
				best = found
			}
		}
	}
	if root == nil {
		h.bag.Errorf(path.Span, codeMoved, "%s is in no kind; write the previous path from %s, with a dot before it, such as fromPath: %q", hs.label, t.Name, "."+path.Text)
		return nil, nil, ""
	}
	if parents, owner, name = h.walk(root, path.Text, m, true); owner == nil {
		return nil, nil, ""
	}
	common := -1
	for _, to := range best {
		n := 0
		for n < len(parents) && n < len(to) && parents[n] == to[n] {
			n++
		}
		if n > common {
			common = n
			m.hub = append(slices.Clone(to[n:]), pathStep{owner: t, field: f})
		}
	}
	parents = parents[common:]
	m.common = m.hub[0].owner
	return parents, owner, name
}

// pathsTo returns the paths from a struct to another in a version.
func (h *evolver) pathsTo(from, to *model.Type, v int, seen []*model.Type) [][]pathStep {
	if from == to {
		return [][]pathStep{nil}
	}
	if slices.Contains(seen, from) {
		return nil
	}
	seen = append(seen, from)
	var paths [][]pathStep
	for _, f := range h.fields(from) {
		if f.Skipped || !h.of(f).exists(v) {
			continue
		}
		next, items := h.structOf(h.typeAt(f, v))
		if next == nil {
			continue
		}
		for _, rest := range h.pathsTo(next, to, v, seen) {
			paths = append(paths, append([]pathStep{{owner: from, field: f, items: items}}, rest...))
		}
	}
	return paths
}

// structOf returns the package's struct that a type leads to, and whether it leads through a list or
// a map.
func (h *evolver) structOf(r *model.Ref) (t *model.Type, items bool) {
	for range 64 {
		u := h.m.Underlying(r)
		switch u.Kind {
		case model.KindPointer:
			r = u.Elem
		case model.KindSlice, model.KindArray, model.KindMap:
			r, items = u.Elem, true
		default:
			if s := h.m.Struct(r); s != nil && s.Package == h.pkg.Path {
				return s, items
			}
			return nil, items
		}
	}
	return nil, false
}

// walk follows a path in the version before a move. It returns the parents, the struct at the end and
// the name of the field in it; nil and a diagnostic if there is no such path.
func (h *evolver) walk(root *model.Type, path string, m *move, report bool) (parents []pathStep, owner *model.Type, name string) {
	v := m.version - 1
	segments := strings.Split(path, ".")
	fail := func(format string, args ...any) ([]pathStep, *model.Type, string) {
		if report {
			h.bag.Errorf(m.by.FromPath.Span, codeMoved, format, args...)
		}
		return nil, nil, ""
	}
	for _, segment := range segments[:len(segments)-1] {
		name, items := strings.CutSuffix(segment, "[]")
		if name == "" || strings.ContainsAny(name, "[]") {
			return fail("%q is not the path of a field; write the JSON names of fields with dots between them, and [] behind lists and maps, such as spec.servers[].port", path)
		}
		f := h.named(root, name, v)
		if f == nil {
			return fail("%s has no field %s in %s; if it was removed, add +%s(since: %q, name: %q, type: …) to %[1]s",
				root.Name, name, h.versions[v].Name, h.name(model.RoleRemoved), m.by.Since, name)
		}
		through := h.through(root, f, v)
		next, isList := h.structOf(h.typeAt(f, v))
		switch {
		case isList && !items:
			return fail("%s is a list or a map; write %s[] for its items", name, name)
		case !isList && items:
			return fail("%s is not a list; remove []", name)
		case next == nil:
			return fail("%s is not a struct of package %s, so it cannot have had the field", name, h.pkg.Name)
		}
		parents = append(parents, through...)
		parents[len(parents)-1].items = items
		root = next
	}
	name = segments[len(segments)-1]
	if !token.IsIdentifier(goName(name)) || strings.ContainsFunc(name, notInName) {
		return fail("%q is not the path of a field: it ends in %q; a name has letters, digits and any of -_.$, such as spec.old.port", path, name)
	}
	return parents, root, name
}

// named returns the field of a struct, or of its inlined structs, with a JSON name in a version.
func (h *evolver) named(t *model.Type, name string, v int) *model.Field {
	path := h.find(t, name, v, 0)
	if len(path) == 0 {
		return nil
	}
	return path[len(path)-1].field
}

// through returns the path to a field that named has found.
func (h *evolver) through(t *model.Type, f *model.Field, v int) []pathStep {
	_, name := h.fieldAt(f, v)
	return h.find(t, name, v, 0)
}

func (h *evolver) find(t *model.Type, name string, v, depth int) []pathStep {
	for _, f := range h.fields(t) {
		if _, jsonName := h.fieldAt(f, v); h.of(f).exists(v) && !f.Inline && jsonName == name && name != "" {
			return []pathStep{{owner: t, field: f}}
		}
	}
	for _, f := range t.Fields {
		if inlined := h.m.Struct(f.Type); f.Inline && inlined != nil && h.of(f).exists(v) && depth < 16 {
			if below := h.find(inlined, name, v, depth+1); below != nil {
				return append([]pathStep{{owner: t, field: f}}, below...)
			}
		}
	}
	return nil
}

// checkMove reports paths that cannot be converted.
func (h *evolver) checkMove(hs *history, m *move, from int) {
	path := m.by.FromPath
	for _, side := range [][]pathStep{m.older, m.hub} {
		for i, at := range side[:len(side)-1] {
			label := h.of(at.field).label
			if at.items {
				h.bag.Errorf(path.Span, codeMoved, "%s is a list or a map, and a field cannot move into or out of items; both paths must be in the same item", cmp.Or(label, fieldLabel(at.field)))
				return
			}
			next := side[i+1].owner
			if next == m.common || slices.ContainsFunc(side[:i+1], func(other pathStep) bool { return other.owner == next }) {
				h.bag.Errorf(path.Span, codeMoved, "the path goes through %s twice", next.Name)
				return
			}
			if users := h.users(next, m.version-1); len(users) > 1 {
				h.bag.Errorf(path.Span, codeMoved, "%s and %s both have type %s, and %s moves in one of them only; give the field a separate type there",
					users[0], users[1], next.Name, hs.label)
				return
			}
			if slices.ContainsFunc(h.of(at.field).steps, func(s step) bool { return s.changed != nil && s.changed.From != nil }) {
				h.bag.Errorf(path.Span, codeMoved, "the type of %s changes, so no field can move into or out of it; convert the field with +%s", label, h.name(model.RoleHook))
				return
			}
		}
	}
	for _, at := range m.older[:len(m.older)-1] {
		if first := h.of(at.field); !first.exists(from) {
			h.bag.Errorf(path.Span, codeMoved, "%s does not exist in %s, but %s does; add +%s(since: …) to %[3]s", first.label, h.versions[from].Name, hs.label, h.name(model.RoleAdded))
			return
		}
	}
}

// users returns the labels of the fields that have a struct as their type in a version or in the
// newest.
func (h *evolver) users(t *model.Type, v int) []string {
	var users []string
	for _, owner := range h.pkg.Types {
		if len(owner.Def.Args) > 0 && h.uses(owner.Def, t) {
			users = append(users, owner.Name)
		}
		for _, f := range h.fields(owner) {
			for _, at := range []int{v, h.newest()} {
				if h.uses(h.typeAt(f, at), t) && h.of(f).exists(at) && h.of(f).move == nil {
					users = append(users, h.of(f).label)
					break
				}
			}
		}
	}
	return users
}

// uses reports whether a type leads to a struct, or a type argument in it does.
func (h *evolver) uses(r *model.Ref, t *model.Type) bool {
	if r == nil {
		return false
	}
	used, _ := h.structOf(r)
	return used == t || h.uses(r.Elem, t) || h.uses(r.Key, t) || slices.ContainsFunc(r.Args, func(a *model.Ref) bool { return h.uses(a, t) })
}

// moves adds the moved fields of an older version to its types. name returns the Go name of a field
// there.
func (h *evolver) moves(p *model.Package, v int, name func(pathStep) string) {
	for _, t := range h.pkg.Types {
		for _, f := range slices.Concat(h.former[t], h.entries[t]) {
			hs := h.of(f)
			if hs.move == nil || !hs.exists(v) {
				continue
			}
			m := hs.move
			common := p.PairOf(m.common.ID())
			if common == nil || p.PairOf(t.ID()) == nil {
				continue
			}
			out := &model.Move{Since: m.by.Since, Span: m.by.Span, Lossy: m.by.Reason()}
			for _, at := range m.older {
				switch {
				case at.outside:
					out.Older = append(out.Older, at.field.Name)
				case m.entry == nil:
					out.Older = append(out.Older, name(at))
				}
			}
			if m.entry != nil {
				out.OlderEntry = &model.Entry{Key: m.entry.Key, Type: h.typeAt(f, v)}
			}
			for _, at := range m.hub {
				if m.hubEntry == nil || at.outside {
					out.Hub = append(out.Hub, at.field.Name)
				}
			}
			out.HubEntry = m.hubEntry
			for _, s := range (&history{steps: m.steps}).after(v) {
				out.Steps = append(out.Steps, s.change())
			}
			common.Moves = append(common.Moves, out)
			h.checkByHand(p, v, m)
		}
	}
}

// checkByHand reports hand-written conversions of structs on the paths of a moved field.
func (h *evolver) checkByHand(p *model.Package, v int, m *move) {
	next := h.next(v)
	for _, side := range [][]pathStep{m.older, m.hub} {
		for _, at := range side[1:] {
			owner := p.PairOf(at.owner.ID())
			if owner == nil {
				continue
			}
			up, down := conversions(p, owner.Name, next, h.typeNameAt(at.owner, v+1))
			for _, name := range []string{up, down} {
				if byOne(name, p, next) {
					h.bag.Errorf(m.by.FromPath.Span, codeMoved, "%s is hand-written, so no field can move into or out of %s; move it in a hand-written conversion of %s",
						name, at.owner.Name, m.common.Name)
					return
				}
			}
		}
	}
}
