package lsp

import (
	"go/ast"
	"go/token"
	"path/filepath"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/front/marker"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
)

// place is a place in a marker.
type place struct {
	view
	// line is the text of the marker after its '+', and at the place in it.
	line source.Span
	at   int
	// outer is the whole tag.
	outer *marker.Outline
	// comment is the comment with the marker, item the declaration below it; nil for none.
	comment source.Span
	item    *item
}

// item is a declaration with a comment: a package, a type, a field or a constant.
type item struct {
	scope tag.Scope
	// typ is the type that is declared or has the field; name that of the field or constant.
	typ, name string
}

// placeAt returns the place of a cursor; false if it is not in a marker.
func placeAt(v view, position protocol.Position) (*place, bool) {
	fset, syntax := v.doc.parsed()
	if syntax == nil {
		return nil, false
	}
	offset := protocol.ToOffset(v.doc.file, position)
	tf := fset.File(syntax.FileStart)
	for _, group := range syntax.Comments {
		start := tf.Offset(group.Pos())
		end := max(start, endOf(v.doc.file, tf, group))
		if offset < start || end < offset {
			continue
		}
		comment := v.doc.file.Span(start, end)
		line, ok := marker.LineAt(comment, offset)
		if !ok {
			return nil, false
		}
		p := &place{view: v, line: line, at: offset - line.Start, comment: comment, item: itemBelow(tf, syntax, group)}
		p.outer = marker.ReadOutline(line.Text(), 0)
		return p, true
	}
	return nil, false
}

// endOf returns the end of a comment. The scanner removes carriage returns from the text of comments, so that the end which
// follows from the text is too early.
func endOf(f *source.File, tf *token.File, group *ast.CommentGroup) int {
	last := group.List[len(group.List)-1]
	start := tf.Offset(last.Pos())
	if last.Text[1] == '/' {
		return f.Offset(source.Position{Line: f.Position(start).Line + 1, Column: 1}) - lineEnding(f, start)
	}
	for i := start + 2; i+1 < len(f.Content); i++ {
		if f.Content[i] == '*' && f.Content[i+1] == '/' {
			return i + 2
		}
	}
	return len(f.Content)
}

// lineEnding returns the length of what ends the line of an offset: nothing at the end of the file.
func lineEnding(f *source.File, offset int) int {
	line := f.Position(offset).Line
	start := f.Offset(source.Position{Line: line, Column: 1})
	next := f.Offset(source.Position{Line: line + 1, Column: 1})
	return next - start - len(f.Line(line))
}

// itemBelow returns the declaration that a comment belongs to: that directly below it, or a type one blank line below.
func itemBelow(tf *token.File, f *ast.File, group *ast.CommentGroup) *item {
	if f.Doc == group {
		return &item{scope: tag.OnPackage}
	}
	above := func(pos token.Pos, doc *ast.CommentGroup) bool {
		if doc == group {
			return true
		}
		if doc != nil {
			pos = doc.Pos()
		}
		return tf.Line(group.End())+2 == tf.Line(pos)
	}
	for _, decl := range f.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			doc, pos := specDoc(g, spec)
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if above(pos, doc) && group.Pos() < pos {
					return &item{scope: tag.OnType, typ: spec.Name.Name}
				}
				if spec.Pos() < group.Pos() && group.End() <= spec.End() {
					return fieldBelow(spec, group)
				}
			case *ast.ValueSpec:
				if g.Tok == token.CONST && doc == group {
					return &item{scope: tag.OnConst, typ: constType(g, spec), name: spec.Names[0].Name}
				}
			}
		}
	}
	return nil
}

// specDoc returns the comment above a declaration, and where it begins. One alone has that of its keyword.
func specDoc(g *ast.GenDecl, spec ast.Spec) (*ast.CommentGroup, token.Pos) {
	var doc *ast.CommentGroup
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		doc = spec.Doc
	case *ast.ValueSpec:
		doc = spec.Doc
	}
	if !g.Lparen.IsValid() {
		return g.Doc, g.Pos()
	}
	return doc, spec.Pos()
}

// constType returns the type that a constant is declared with, "" if it has none.
func constType(g *ast.GenDecl, of *ast.ValueSpec) string {
	name := ""
	for _, spec := range g.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if id, typed := v.Type.(*ast.Ident); typed {
			name = id.Name
		} else if len(v.Values) > 0 {
			name = ""
		}
		if v == of {
			return name
		}
	}
	return ""
}

// fieldBelow returns the field of a struct that a comment is above.
func fieldBelow(spec *ast.TypeSpec, group *ast.CommentGroup) *item {
	s, ok := spec.Type.(*ast.StructType)
	if !ok || s.Fields == nil {
		return nil
	}
	for _, f := range s.Fields.List {
		if f.Doc != group {
			continue
		}
		name := ""
		if len(f.Names) > 0 {
			name = f.Names[0].Name
		} else {
			name = embeddedName(f.Type)
		}
		return &item{scope: tag.OnField, typ: spec.Name.Name, name: name}
	}
	return nil
}

// embeddedName returns the name of an embedded field.
func embeddedName(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.SelectorExpr:
			return x.Sel.Name
		case *ast.IndexExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// withModel calls a function with the model of the document's package, nil if it is not known. The model is locked meanwhile.
func (p *place) withModel(do func(m *model.Model, pkg *model.Package)) {
	if p.in == nil {
		do(nil, nil)
		return
	}
	p.in.mu.Lock()
	defer p.in.mu.Unlock()
	dir := filepath.Dir(p.doc.path)
	if m := p.in.good[dir]; m != nil {
		for _, pkg := range m.Packages {
			if pkg.Dir == dir && !pkg.Generated {
				do(m, pkg)
				return
			}
		}
	}
	do(nil, nil)
}

// node returns the node of the declaration; nil if the model does not have it, as of a field that was just written.
func (p *place) node(m *model.Model, pkg *model.Package) *tag.Node {
	if m == nil || p.item == nil {
		return nil
	}
	tags := p.in.server.tags
	if p.item.scope == tag.OnPackage {
		return &tag.Node{Model: m, Tags: tags, Scope: tag.OnPackage, Package: pkg, Type: &model.Ref{}}
	}
	t := pkg.Type(p.item.typ)
	if t == nil {
		return nil
	}
	switch p.item.scope {
	case tag.OnType:
		return tag.TypeNode(m, tags, t)
	case tag.OnField:
		if f := t.Field(p.item.name); f != nil {
			return tag.FieldNode(m, tags, t, f)
		}
	case tag.OnConst:
		for _, c := range t.Consts {
			if c.Name == p.item.name {
				return tag.ConstNode(m, tags, t, c)
			}
		}
	}
	return nil
}

// level is one tag of a chain such as +k8s:eachVal=+k8s:maxLength, with the node that it is on. The node is nil if it is
// not known.
type level struct {
	outline *marker.Outline
	def     *tag.Definition
	scope   tag.Scope
	node    *tag.Node
	// use is the tag with resolved references.
	use *model.Tag
}

// levels returns the tags of a marker, outermost first.
func (p *place) levels(node *tag.Node) []level {
	scope := tag.Scope(0)
	if p.item != nil {
		scope = p.item.scope
	}
	var list []level
	for o := p.outer; o != nil; o = o.Inner {
		l := level{outline: o, def: p.in.server.tags.Lookup(o.Name.Text), scope: scope, node: node, use: useOf(o)}
		if l.def != nil {
			l.use.Role, l.use.At = l.def.Role, l.def.Payload.Applies
		}
		if l.def != nil && node != nil {
			node.ResolveArgs(l.use)
		}
		list = append(list, l)
		if node != nil && l.def != nil && node.Scope != tag.OnPackage {
			node = node.Inside(l.use)
		} else {
			node = nil
		}
		if scope = innerScope(l); node != nil {
			scope = node.Scope
		}
	}
	return list
}

// innerScope returns the scope of the tag inside of another one if types are not known.
func innerScope(l level) tag.Scope {
	if l.def == nil {
		return 0
	}
	switch l.def.Payload.Applies {
	case model.AtElement, model.AtItem:
		return tag.OnValue | tag.OnMapValue
	case model.AtKey:
		return tag.OnKey
	case model.AtField:
		return tag.OnField
	}
	return l.scope
}

// useOf returns an outline as a tag without its inner tag. References are resolved later.
func useOf(o *marker.Outline) *model.Tag {
	use := &model.Tag{Name: o.Name.Text}
	for _, a := range o.Args {
		arg := model.Arg{Value: model.Value{Text: a.Value.Text}}
		if a.Name != nil {
			arg.Name = a.Name.Text
		}
		use.Args = append(use.Args, arg)
	}
	if o.Payload != nil {
		use.Payload = &model.Value{Text: o.Payload.Text}
	}
	return use
}

// span returns the text of a token.
func (p *place) span(t marker.Token) source.Span { return p.line.Sub(t.Start, t.End) }
