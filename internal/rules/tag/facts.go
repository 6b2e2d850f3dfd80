package tag

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/core/spell"
)

// SuggestName ends the message about a name that does not exist: with the one of the names that it misspells, and a fix if
// that is certain, or else with another advice.
func SuggestName(d *diag.Diagnostic, span source.Span, name string, names []string, otherwise string) {
	near := spell.DidYouMean(name, names)
	if near == "" {
		d.Message += "; " + otherwise
		return
	}
	d.Message += near
	if certain := spell.Certain(name, names); certain != "" && span.Text() == name {
		d.Suggest(span, certain, "write %s", certain)
	}
}

// VersionsOf is the fact which versions a package declares.
func VersionsOf(p *model.Package) diag.Fact { return diag.About("versions", p.Path) }

// DeclaredVersions are the facts from which follows which versions a package declares.
func DeclaredVersions(p *model.Package) []diag.Fact {
	facts := []diag.Fact{VersionsOf(p)}
	for _, v := range p.Versions {
		facts = append(facts, diag.Meaning(v.Span), ArgumentsOf(v.Span))
	}
	return facts
}

// GroupOf is the fact which API group a package has.
func GroupOf(p *model.Package) diag.Fact { return diag.About("group", p.Path) }

// ArgumentsOf is the fact which arguments the tag at a span has. A tag may seem to lack one whose name is misspelt.
func ArgumentsOf(span source.Span) diag.Fact { return diag.About("arguments", span.String()) }

// JSONTagOf is the fact which json tag a field has.
func JSONTagOf(f *model.Field) diag.Fact { return diag.About("json tag", f.Span.String()) }

// ChangesOf are the facts what the markers of a field say about its changes between versions.
func ChangesOf(f *model.Field) []diag.Fact {
	var facts []diag.Fact
	for _, c := range f.Changes {
		facts = append(facts, diag.Meaning(c.Base().Span))
	}
	return facts
}

// TypeOf is the fact which type the node's field or type declares.
func (n *Node) TypeOf() diag.Fact {
	switch {
	case n.Field != nil:
		return diag.Meaning(n.Field.TypeSpan)
	case n.Owner != nil:
		return diag.Meaning(n.Owner.Span)
	}
	return diag.Fact{}
}

// NoRules is the fact that rules on the node's field or type can hold.
func (n *Node) NoRules() diag.Fact { return diag.About("rules", n.declaration()) }

// IsData reports whether JSON has values of a kind of type.
func IsData(kind model.RefKind) bool {
	return kind != model.KindInterface && kind != model.KindChan && kind != model.KindFunc
}

// ListTypeOf is the fact which type of list the node's field or type declares.
func (n *Node) ListTypeOf() diag.Fact { return diag.About("list type", n.declaration()) }

// declaration identifies the node's field or type.
func (n *Node) declaration() string {
	switch {
	case n.Field != nil:
		return n.Field.Span.String()
	case n.Owner != nil:
		return n.Owner.Span.String()
	}
	return ""
}
