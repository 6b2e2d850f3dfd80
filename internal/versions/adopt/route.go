package adopt

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// step is a function or a method of the author that converts a kind from one version to another.
type step struct {
	// name is that of the function or the method, and in the package that has it.
	name string
	in   *model.Package
	// isMethod is set on ConvertTo and ConvertFrom, which convert to and from the version that authors chose as hub:
	// any version can be that.
	isMethod bool
	from, to *model.Package
	// parameters is the number of parameters of a function.
	parameters int
}

// of returns the name of the function among those of its package.
func (s *step) of(kind string) string {
	if s.isMethod {
		return kind + "." + s.name
	}
	return s.name
}

// call returns an expression of the type error that converts, with the names of the packages in a program.
func (s *step) call(p *program, in, out string) string {
	switch {
	case s.isMethod && s.in == s.from:
		return in + "." + s.name + "(" + out + ")"
	case s.isMethod:
		return out + "." + s.name + "(" + in + ")"
	}
	return p.pkg(s.in.Path) + "." + s.name + "(" + in + ", " + out + strings.Repeat(", nil", s.parameters-2) + ")"
}

// routes finds the author's conversions between the versions of an API.
type routes struct {
	packages []*model.Package
	// newest is the hub of kinds without a method Hub.
	newest *model.Package
	// functions are those of the packages.
	functions map[*model.Package]map[string]*function
}

func newRoutes(f *Family) *routes {
	r := &routes{packages: slices.Concat(f.Older, []*model.Package{f.Hub}), newest: f.Hub, functions: map[*model.Package]map[string]*function{}}
	for _, p := range r.packages {
		r.functions[p] = functions(p)
	}
	return r
}

// steps returns the author's conversions of a kind: the methods, which conversion webhooks call, and the functions.
func (r *routes) steps(kind string) (methods, plain []*step) {
	hubs := slices.DeleteFunc(slices.Clone(r.packages), func(p *model.Package) bool { return r.functions[p][kind+"."+hubMethod] == nil })
	if len(hubs) == 0 {
		hubs = []*model.Package{r.newest}
	}
	for _, p := range r.packages {
		for _, q := range r.packages {
			if p == q {
				continue
			}
			if slices.Contains(hubs, q) && p.Type(kind) != nil && q.Type(kind) != nil {
				if r.functions[p][kind+"."+toMethod] != nil {
					methods = append(methods, &step{name: toMethod, in: p, isMethod: true, from: p, to: q})
				}
				if r.functions[p][kind+"."+fromMethod] != nil {
					methods = append(methods, &step{name: fromMethod, in: p, isMethod: true, from: q, to: p})
				}
			}
			name := model.ConversionFunc(p, kind, q, kind)
			for _, in := range []*model.Package{p, q} {
				if f := r.functions[in][name]; f != nil {
					if n := f.decl.Type.Params.NumFields(); n == 2 || n == 3 {
						plain = append(plain, &step{name: name, in: in, from: p, to: q, parameters: n})
						break
					}
				}
			}
		}
	}
	return methods, plain
}

// The methods of controller-runtime's conversion.
const (
	hubMethod  = "Hub"
	toMethod   = "ConvertTo"
	fromMethod = "ConvertFrom"
)

// find returns the shortest way between two versions of a kind, by methods if there is one. any is set if the author
// converts the kind between some versions.
func (r *routes) find(kind string, from, to *model.Package) (way []*step, any bool) {
	methods, plain := r.steps(kind)
	if way = shortestWay(methods, from, to); way == nil {
		way = shortestWay(plain, from, to)
	}
	return way, len(methods)+len(plain) > 0
}

// shortestWay returns the steps of the shortest way, nil if there is none.
func shortestWay(steps []*step, from, to *model.Package) []*step {
	by, queue := map[*model.Package]*step{from: nil}, []*model.Package{from}
	for len(queue) > 0 && by[to] == nil {
		at := queue[0]
		queue = queue[1:]
		for _, s := range steps {
			if _, seen := by[s.to]; s.from == at && !seen {
				by[s.to], queue = s, append(queue, s.to)
			}
		}
	}
	var way []*step
	for at := to; by[at] != nil; at = by[at].from {
		way = append(way, by[at])
	}
	slices.Reverse(way)
	return way
}

// namesOf returns the names of the steps for users: with the package of methods if there are several steps.
func namesOf(way []*step) string {
	var names []string
	for _, s := range way {
		name := s.name
		if s.isMethod && len(way) > 1 {
			name = s.in.Name + "." + name
		}
		names = append(names, name)
	}
	return strings.Join(names, " and ")
}

// convert returns the operation of a program that converts a kind along a way.
func (p *program) convert(kind string, way []*step) int {
	typeOf := func(q *model.Package) string { return p.pkg(q.Path) + "." + kind }
	from, to := way[0].from, way[len(way)-1].to
	if len(way) == 1 {
		return p.op("convert(func(in *%s, out *%s) error { return %s })", typeOf(from), typeOf(to), way[0].call(p, "in", "out"))
	}
	var b strings.Builder
	at := "in"
	for i, s := range way {
		out := "out"
		if i+1 < len(way) {
			out = "o" + strings.Repeat("n", i+1)
			b.WriteString(out + " := new(" + typeOf(s.to) + "); ")
		}
		b.WriteString("if err := " + s.call(p, at, out) + "; err != nil { return err }; ")
		at = out
	}
	return p.op("convert(func(in *%s, out *%s) error { %sreturn nil })", typeOf(from), typeOf(to), b.String())
}
