package adopt

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// code is the author's code that converts what no marker describes.
type code struct {
	name string
	*function
	// of is the struct that the function converts.
	of *model.Type
	// kept is set if generated code can call the function for the struct.
	kept bool
}

// author finds the author's code behind a difference: the function of the innermost struct on its path that has one.
// Generated code calls functions in the package of the older version.
func (p *Proof) author(d *ConversionDifference, hub *model.Package, r *routes) *code {
	from, to := p.version.Package, hub
	if p.From == hub.Version {
		from, to = hub, p.version.Package
	}
	for i, t := range slices.Backward(d.owners) {
		name := model.ConversionFunc(from, p.version.pair(t), to, t.Name) // the struct is of the result
		for _, in := range []*model.Package{p.version.Package, hub} {
			if f := r.functions[in][name]; f != nil && f.byHand && f.decl.Body != nil {
				return &code{name: name, function: f, of: t, kept: i > 0 && in == p.version.Package}
			}
		}
	}
	for _, s := range slices.Backward(p.way) {
		if f := r.functions[s.in][s.of(p.Kind.Name)]; f != nil && f.byHand && f.decl.Body != nil {
			return &code{name: s.of(p.Kind.Name), function: f, of: p.Kind}
		}
	}
	return nil
}

// pair returns the name of the type that is paired with one of the version or of the newest.
func (v *Version) pair(t *model.Type) string {
	generated := v.model.Package(v.Path)
	if t.Package == v.Path {
		if g := generated.Type(t.Name); g != nil && g.Hub != nil {
			return g.Hub.Name
		}
	} else if g := generated.PairOf(t.ID()); g != nil {
		return g.Name
	}
	return t.Name
}

// sets returns the first node of the function that gives a field a value: an assignment to the field, or its key in a
// literal. Without one, it is the name of the function.
func (c *code) sets(field *model.Field) (at ast.Node) {
	at = c.decl.Name
	found := false
	ast.Inspect(c.decl.Body, func(n ast.Node) bool {
		if found || field == nil {
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = n.Tok != token.DEFINE && slices.ContainsFunc(n.Lhs, func(x ast.Expr) bool {
				s, ok := x.(*ast.SelectorExpr)
				return ok && s.Sel.Name == field.Name
			})
		case *ast.KeyValueExpr:
			key, ok := n.Key.(*ast.Ident)
			found = ok && key.Name == field.Name
		}
		if found {
			at = n
		}
		return true
	})
	return at
}

// keep finds the author's code behind the differences, and compares again with the functions that generated code can
// call.
func (p *Prover) keep(ctx context.Context, a *Adoption, proofs []*Proof) error {
	var names []string
	r := newRoutes(a.Family)
	for _, proof := range proofs {
		if proof.By == "" || len(proof.Differences) == 0 {
			continue
		}
		for _, d := range proof.Differences {
			d.code = proof.author(d, a.Hub, r)
			if d.code != nil && d.code.kept && proof.version.Declared && a.after(proof.version) == a.Hub.Version { // generated code calls conversions of neighbours
				proof.Kept = append(proof.Kept, d.code.name)
			}
		}
		slices.Sort(proof.Kept)
		proof.Kept = slices.Compact(proof.Kept)
		names = append(names, proof.Kept...)
	}
	if len(names) == 0 {
		return nil
	}
	with, err := p.Prove(ctx, a, names...)
	if len(a.Unable) > 0 {
		with = nil
	}
	for i, proof := range proofs {
		if i >= len(with) {
			proof.Kept = nil
		} else if len(proof.Kept) > 0 {
			proof.KeptDifferences = len(with[i].Differences)
		}
	}
	return err
}

// propose adds to the report of a difference how to keep the author's code.
func (c *code) propose(w *diag.Diagnostic, p *Proof, d *ConversionDifference, a *Adoption, tags *tag.Set) {
	if slices.Contains(p.Kept, c.name) {
		result := "all objects are equal then"
		if p.KeptDifferences > 0 {
			result = fmt.Sprintf("%d paths differ then", p.KeptDifferences)
		}
		w.Note(c.span(c.decl.Name), "keep this function: generated code calls it for each %s; %s", c.of.Name, result)
		return
	}
	if c.kept && !p.version.Declared {
		w.Note(c.span(c.decl.Name), "keep this function when %s can be paired with %s: generated code calls it for each %s", p.version.Version, a.Hub.Version, c.of.Name)
		return
	}
	if d.field == nil {
		return
	}
	owner := d.owners[len(d.owners)-1].Name
	argument, name, in, out := "downgrade", "Downgrade"+owner, owner, owner+"Before"
	if p.To == a.Hub.Version {
		argument, name, in, out = "upgrade", "Upgrade"+owner, out, in
	}
	w.Note(c.span(c.sets(d.field)), "to keep this code, move it into a hook: func %s(in *%s, out *%s) in package %s, where %sBefore has the fields of %s that it needs, and the marker %s on %s",
		name, in, out, a.Hub.Name, owner, p.version.Version, marker(tags, model.RoleHook, "since", a.after(p.version), argument, name), owner)
}

// after returns the version after an older one.
func (a *Adoption) after(v *Version) string {
	return a.next(v.Version, func(older *model.Package) bool {
		return slices.ContainsFunc(a.Versions, func(w *Version) bool { return w.Package == older && w.Declared })
	})
}
