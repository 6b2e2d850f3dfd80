package policy

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/rule/unions"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// normalised is one union of an object, or that of each value of lists and maps.
type normalised struct {
	// patches is the list of JSON patches that normalise the union.
	patches expr.Expr
	// reads and clears are the paths of the discriminator, and of the members, as of value.at.
	reads, clears [][]string
	// status is set if the union is below the field status.
	status bool
}

func (n normalised) equal(o normalised) bool {
	return n.status == o.status && expr.Equal(n.patches, o.patches)
}

// affects reports whether the normalisation of a union can remove what that of a later one reads or
// removes.
func (n normalised) affects(later normalised) bool {
	return slices.ContainsFunc(n.clears, func(cleared []string) bool {
		return slices.ContainsFunc(slices.Concat(later.reads, later.clears), func(path []string) bool {
			return len(path) >= len(cleared) && slices.Equal(cleared, path[:len(cleared)])
		})
	})
}

// mutations returns the mutations of a policy, each as a list of patches. API servers apply one after
// the other, and encode and decode the object for each. A union that an earlier one affects is in a
// later mutation: in that, a member that was removed does not exist.
func mutations(found []normalised) []expr.Expr {
	var list []expr.Expr
	in := make([]int, len(found))
	for i, u := range found {
		for k, earlier := range found[:i] {
			if earlier.affects(u) {
				in[i] = max(in[i], in[k]+1)
			}
		}
		if in[i] == len(list) {
			list = append(list, u.patches)
		} else {
			list[in[i]] = expr.Add(list[in[i]], u.patches)
		}
	}
	return list
}

// walk finds the unions of one type, in the order in which package union visits them: those of a
// struct precede those below it.
type walk struct {
	context *emit.Context
	plans   *unions.Plans
	found   []normalised
	// open are the structs that are being visited, and whether they contain themselves.
	open []*visit
}

type visit struct {
	typ    *model.Type
	itself bool
}

// object visits the objects of a kind.
func (w *walk) object(t *model.Type) {
	w.declared(t, value{now: expr.Expr(&expr.Var{Name: "object"}), old: &expr.Var{Name: "oldObject"}, sure: true})
}

// declared visits a value of a declared struct.
func (w *walk) declared(t *model.Type, v value) {
	n := w.plans.Of(t)
	if n == nil {
		return
	}
	if i := slices.IndexFunc(w.open, func(o *visit) bool { return o.typ == t }); i >= 0 {
		w.open[i].itself = true
		w.impossible(t.Span, "the unions of "+t.Name, t.Name+" contains itself, and CEL cannot visit values of any depth")
		return
	}
	now, before := &visit{typ: t}, len(w.found)
	w.open = append(w.open, now)
	w.node(n, t.Package, v)
	w.open = w.open[:len(w.open)-1]
	if now.itself { // no union of it, in place of those at some depths
		w.found = w.found[:before]
	}
}

// node visits a value; owner is the package of the tags.
func (w *walk) node(n *unions.Node, owner string, v value) {
	if n.Struct != nil {
		w.declared(n.Struct, v)
	}
	for _, u := range n.Unions {
		w.union(u, owner, v)
	}
	for _, inline := range []bool{false, true} {
		for _, f := range n.Fields {
			switch {
			case f.Inline != inline:
			case inline:
				w.node(f.Node, owner, v)
			default:
				w.node(f.Node, owner, v.field(f.Path.JSON))
			}
		}
	}
	switch {
	case len(n.Keys) > 0:
		if n.Elem != nil {
			w.node(n.Elem, owner, v.items(w.context.Model, n.Keys, nil))
		}
		for _, item := range n.Items {
			w.node(item.Node, owner, v.items(w.context.Model, n.Keys, item.Keys))
		}
	case n.Elem != nil:
		w.node(n.Elem, owner, v.values())
	}
}

// union adds a union.
func (w *walk) union(u unions.Union, owner string, v value) {
	projection := w.context.ProjectionOf(owner)
	request := union.Request{Level: union.Level(projection.Level), Options: map[string]bool{}}
	for _, o := range projection.Options {
		request.Options[o] = true
	}
	t := u.Table(w.context.Model)
	if !request.Holds(t.Under) {
		return
	}
	if t.Algorithm == union.Older {
		w.impossible(span(w.context.Model, u), "this union", "the older text of KEP-1027 deduces the discriminator, also on creates")
		return
	}
	if !request.Holds(t.DiscriminatorUnder) {
		return
	}
	d := discriminator{name: t.Discriminator, bool: t.Bool}
	for _, m := range t.Members {
		if request.Holds(m.Under) {
			d.selects(m.Value, m.Name)
		}
	}
	if len(d.members) == 0 {
		return
	}
	for _, empty := range t.Values {
		if !slices.ContainsFunc(empty.Excluded, func(c union.Condition) bool { return request.Holds([]union.Condition{c}) }) {
			d.selects(empty.Value, "")
		}
	}
	w.found = append(w.found, v.normalised(&d))
}

// impossible reports unions that the kind's policy leaves as they are.
func (w *walk) impossible(at source.Span, what, reason string) {
	if !w.context.Diags.Has(at, codeUnion) {
		w.context.Diags.Warnf(at, codeUnion, "the MutatingAdmissionPolicy of %s does not normalise %s: %s; normalise %s in a webhook", w.context.Kind.Name, what, reason, w.context.Kind.Name)
	}
}

// span returns the position of a union: the first field that says that there is one.
func span(m *model.Model, u unions.Union) source.Span {
	field := u.Members[0].Field
	if u.Discriminator != nil {
		field = &u.Discriminator.Field
	}
	_, f := field.Fields(m)
	return f.Span
}
