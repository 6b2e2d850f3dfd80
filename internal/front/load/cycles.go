package load

import (
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// edge is an import of one package by another.
type edge struct {
	to   string
	span source.Span
}

// reportCycles reports each import cycle once, and records its packages in r.cyclic. The go command
// does not report the positions of cycles. Imports of generated files do not count, since these are
// written again.
func (r *Result) reportCycles(roots []*packages.Package) {
	if !haveCycle(roots) {
		return
	}
	graph := map[string][]edge{}
	packages.Visit(roots, nil, func(p *packages.Package) {
		if mayChange(p.Module) {
			graph[p.PkgPath] = r.imports(p)
		}
	})
	for _, root := range roots {
		if r.cyclic[root.PkgPath] {
			continue
		}
		cycle := shortestCycle(graph, root.PkgPath)
		if cycle == nil {
			continue
		}
		names := []string{root.PkgPath}
		for _, e := range cycle {
			r.cyclic[e.to] = true
			names = append(names, e.to)
		}
		r.bag.Errorf(cycle[0].span, codeTypeCheck, "import cycle not allowed: %s", strings.Join(names, " imports "))
	}
}

func haveCycle(roots []*packages.Package) bool {
	found := false
	packages.Visit(roots, nil, func(p *packages.Package) {
		found = found || slices.ContainsFunc(p.Errors, func(e packages.Error) bool { return strings.Contains(e.Msg, "import cycle not allowed") })
	})
	return found
}

// imports returns the imports of the hand-written files of a package.
func (r *Result) imports(p *packages.Package) []edge {
	var edges []edge
	for _, name := range slices.Sorted(slices.Values(p.GoFiles)) {
		content, err := r.files.ReadFile(name)
		if err != nil || r.isOutput(name, content) {
			continue
		}
		fset := token.NewFileSet()
		syntax, _ := parser.ParseFile(fset, name, content, parser.ImportsOnly)
		if syntax == nil {
			continue
		}
		src := source.NewFile(r.display(name), content)
		for _, spec := range syntax.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err == nil {
				f := fset.File(spec.Pos())
				edges = append(edges, edge{path, src.Span(f.Offset(spec.Path.Pos()), f.Offset(spec.Path.End()))})
			}
		}
	}
	return edges
}

// shortestCycle returns the shortest import cycle of a package, nil if there is none.
func shortestCycle(graph map[string][]edge, start string) []edge {
	ways := map[string][]edge{start: nil}
	for queue := []string{start}; len(queue) > 0; queue = queue[1:] {
		for _, e := range graph[queue[0]] {
			way := append(slices.Clone(ways[queue[0]]), e)
			if e.to == start {
				return way
			}
			if _, seen := ways[e.to]; !seen {
				ways[e.to] = way
				queue = append(queue, e.to)
			}
		}
	}
	return nil
}
