package steps

import (
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Instances returns a model that has a type for each instance of a generic type of a version's package, so that steps pair
// instances like other types. It is the same model if there is no such type.
func Instances(m *model.Model) *model.Model {
	affected := map[string]bool{}
	for _, p := range m.Packages {
		if p.Hub != "" {
			affected[p.Path], affected[p.Hub] = true, true
		}
	}
	generic := map[model.Name]bool{}
	for _, p := range m.Packages {
		for _, t := range p.Types {
			if affected[p.Path] && t.Generic && !t.Alias {
				generic[t.ID()] = true
			}
		}
	}
	if len(generic) == 0 {
		return m
	}
	x := &instancer{declared: m, generic: generic, packages: map[string]*model.Package{}, made: map[string]*model.Type{}, used: map[model.Name]bool{}}
	out := &model.Model{Packages: slices.Clone(m.Packages)}
	for i, p := range out.Packages {
		if affected[p.Path] {
			c := *p
			c.Types = slices.Clone(p.Types)
			out.Packages[i], x.packages[p.Path] = &c, &c
			for _, t := range p.Types {
				x.used[t.ID()] = true
			}
			for name := range p.Decls {
				x.used[model.Name{Package: p.Path, Name: name}] = true
			}
		}
	}
	for _, p := range out.Packages {
		if !affected[p.Path] {
			continue
		}
		for i, t := range slices.Clone(p.Types) { // instances are added behind them
			if !t.Generic {
				p.Types[i] = x.typ(t, nil, nil)
			}
		}
	}
	out.Freeze()
	return out
}

// instancer makes types of instances.
type instancer struct {
	// declared is the model without instances.
	declared *model.Model
	// generic are the generic types whose instances become types.
	generic map[model.Name]bool
	// packages are those of the new model that have such types.
	packages map[string]*model.Package
	// made are the instances, by their spelling.
	made map[string]*model.Type
	// used are the names that instances must not have.
	used map[model.Name]bool
}

// arguments are type arguments by the names of the parameters.
type arguments map[string]*model.Ref

// typ returns a copy of a type with arguments in place of its parameters. hub are those of the newest version's type.
func (x *instancer) typ(t *model.Type, own, hub arguments) *model.Type {
	c := *t
	c.Def = x.ref(t.Def, own)
	c.Changes = x.changes(t.Changes, own)
	c.Fields = nil
	for _, f := range t.Fields {
		g := *f
		g.Type = x.ref(f.Type, own)
		g.Changes = x.changes(f.Changes, own)
		if f.Origin != nil {
			origin := *f.Origin
			origin.Type, origin.Steps = x.ref(origin.Type, hub), x.changes(origin.Steps, hub)
			g.Origin = &origin
		}
		c.Fields = append(c.Fields, &g)
	}
	c.Moves = nil
	for _, move := range t.Moves {
		moved := *move
		moved.Steps = x.changes(move.Steps, hub)
		c.Moves = append(c.Moves, &moved)
	}
	return &c
}

// changes returns changes with the types of instances.
func (x *instancer) changes(list []model.Change, args arguments) []model.Change {
	out := slices.Clone(list)
	for i, c := range out {
		if changed, ok := c.(*model.Changed); ok && changed.From != nil {
			copied := *changed
			copied.From = x.ref(changed.From, args)
			out[i] = &copied
		}
	}
	return out
}

// ref returns a reference with arguments in place of parameters, to types of instances.
func (x *instancer) ref(r *model.Ref, args arguments) *model.Ref {
	if r == nil {
		return nil
	}
	if arg := args[r.Name]; r.Kind == model.KindParam && arg != nil {
		return arg
	}
	c := *r
	c.Elem, c.Key, c.Args, c.Instance = x.ref(r.Elem, args), x.ref(r.Key, args), nil, ""
	for _, a := range r.Args {
		c.Args = append(c.Args, x.ref(a, args))
	}
	if x.generic[c.ID()] && !slices.ContainsFunc(c.Args, (*model.Ref).HasParams) {
		return x.instance(&c)
	}
	return &c
}

// instance returns a reference to the type of an instance.
func (x *instancer) instance(r *model.Ref) *model.Ref {
	if t := x.made[r.String()]; t != nil {
		return t.Instance
	}
	generic := x.declared.Type(r.ID())
	if len(generic.TypeParams) != len(r.Args) {
		return r
	}
	r.Instance = x.name(r)
	t := &model.Type{Instance: r}
	x.made[r.String()] = t
	own, hub := arguments{}, arguments{}
	for i, name := range generic.TypeParams {
		own[name] = r.Args[i]
	}
	var pair *model.Name
	if of := hubOf(x.declared, generic); of != nil && x.generic[of.ID()] {
		for i, name := range of.TypeParams {
			if i < len(r.Args) {
				hub[name] = x.inHub(r.Args[i])
			}
		}
		id := x.inHub(r).ID()
		pair = &id
	}
	*t = *x.typ(generic, own, hub)
	t.Name, t.Generic, t.TypeParams, t.Instance, t.Hub = r.Instance, false, nil, r, pair
	p := x.packages[r.Package]
	p.Types = append(p.Types, t)
	return r
}

// inHub returns a type of an older version as the newest version's.
func (x *instancer) inHub(r *model.Ref) *model.Ref {
	if r == nil {
		return nil
	}
	c := *r
	c.Elem, c.Key, c.Args, c.Instance = x.inHub(r.Elem), x.inHub(r.Key), nil, ""
	for _, a := range r.Args {
		c.Args = append(c.Args, x.inHub(a))
	}
	if t := x.declared.Type(c.ID()); t != nil && t.Hub != nil {
		c.Package, c.Name = t.Hub.Package, t.Hub.Name
	}
	return x.ref(&c, nil)
}

// name returns a name for an instance that the package does not have: Page_Item for Page[Item].
func (x *instancer) name(r *model.Ref) string {
	id := model.Name{Package: r.Package, Name: r.Identifier()}
	for n := 2; x.used[id]; n++ {
		id.Name = r.Identifier() + "_" + strconv.Itoa(n)
	}
	x.used[id] = true
	return id.Name
}
