// Package lower turns loaded packages into the model.
//
// It reads names, types, comments and constants, parses markers, and resolves the references of
// tags. It does not check tags; package check does.
package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/load"
	"github.com/kindsmith/kindsmith/internal/marker"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Lower returns the model of the loaded roots and of all types that they use, with resolved
// references.
func Lower(res *load.Result, tags *tag.Set, bag *diag.Bag) *model.Model {
	l := &lowerer{res: res, tags: tags, bag: bag, packages: map[string]*packageState{}}
	for _, p := range res.Roots {
		l.root(p)
	}
	for _, p := range res.ReadOnly {
		if ps := l.state(p.Path); ps != nil {
			l.inputs(ps)
		}
	}
	for _, p := range res.Companions {
		if ps := l.state(p.Path); ps != nil {
			ps.model.Companion = true
			l.queueAll(ps)
		}
	}
	for len(l.queue) > 0 {
		next := l.queue[0]
		l.queue = l.queue[1:]
		l.declared(next)
	}
	m := &model.Model{}
	for _, ps := range l.packages {
		if ps.whole && (ps.model.Root || !ps.model.External) {
			l.comments(ps)
		}
		slices.SortStableFunc(ps.model.Types, func(a, b *model.Type) int { return ps.order[a.Name] - ps.order[b.Name] })
		m.Packages = append(m.Packages, ps.model)
	}
	m.Index()
	l.bounds(m)
	emptyLists(m)
	l.comparePairs(m)
	finishKinds(m)
	for _, p := range m.Packages {
		tag.Resolve(m, tags, p)
	}
	return m
}

type lowerer struct {
	res      *load.Result
	tags     *tag.Set
	bag      *diag.Bag
	packages map[string]*packageState
	queue    []model.Name
	// reading is the package whose markers are being read.
	reading string
	// pairs are defaults that are compared when all constants are known.
	pairs []pair
}

// packageState is a package that is being lowered.
type packageState struct {
	load  *load.Package
	model *model.Package
	done  map[string]bool
	specs map[string]typeDecl
	order map[string]int
	// consts are the constants of each declared type of the package.
	consts map[string][]*model.Const
	// owned are the comments of declarations, read the markers in others that belong to one.
	owned map[*ast.CommentGroup]bool
	read  map[source.Span]bool
	// whole is set if all types of the package are lowered.
	whole bool
}

// typeDecl is where a type is declared.
type typeDecl struct {
	file *load.File
	decl *ast.GenDecl
	spec *ast.TypeSpec
}

// state returns the package's state, or nil when the build lacks the package.
func (l *lowerer) state(path string) *packageState {
	if ps, ok := l.packages[path]; ok {
		return ps
	}
	p := l.res.Package(path)
	if p == nil || p.Types == nil {
		return nil
	}
	ps := &packageState{
		load: p, done: map[string]bool{}, specs: map[string]typeDecl{}, order: map[string]int{},
		consts: map[string][]*model.Const{}, owned: map[*ast.CommentGroup]bool{}, read: map[source.Span]bool{},
		model: &model.Package{
			Path: p.Path, Name: p.Name, Dir: p.Dir, Module: p.Module, External: p.External, Root: p.Root, Decls: p.Decls,
			Builders: p.Builders, NamesBuilder: p.NamesBuilder, GeneratedFuncs: p.Generated,
			Imports: map[string]string{},
		},
	}
	l.packages[path] = ps
	ps.model.ControllerRuntime = p.Root && l.res.Requires(p, "sigs.k8s.io/controller-runtime")
	l.packageClause(ps)
	for _, f := range p.Files {
		for _, decl := range f.Syntax.Decls {
			if g, ok := decl.(*ast.GenDecl); ok {
				for _, spec := range g.Specs {
					spec, ok := spec.(*ast.TypeSpec)
					if !ok {
						continue
					}
					if _, stale := ps.specs[spec.Name.Name]; !stale { // generated files, which are last, may declare it again
						ps.specs[spec.Name.Name] = typeDecl{f, g, spec}
						ps.order[spec.Name.Name] = len(ps.order)
					}
				}
			}
		}
	}
	for _, f := range p.Files {
		for _, decl := range f.Syntax.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if !p.Root {
					l.function(ps, decl)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if spec, ok := spec.(*ast.ValueSpec); ok && decl.Tok == token.CONST {
						l.consts(ps, decl, spec)
					}
				}
			}
		}
	}
	return ps
}

// root lowers all types and function signatures of a root package.
func (l *lowerer) root(p *load.Package) {
	ps := l.state(p.Path)
	if ps == nil {
		return
	}
	l.inputs(ps)
	ps.whole = true
	for _, f := range p.Files {
		if f.Generated {
			continue
		}
		for _, decl := range f.Syntax.Decls {
			switch decl := decl.(type) {
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if spec, ok := spec.(*ast.TypeSpec); ok {
						l.queue = append(l.queue, model.Name{Package: p.Path, Name: spec.Name.Name})
					}
				}
			case *ast.FuncDecl:
				l.function(ps, decl)
			}
		}
	}
}

// inputs lowers all types of the packages that a package's +k8s:validation-gen-input markers name.
func (l *lowerer) inputs(ps *packageState) {
	for _, m := range ps.model.Markers {
		if m.Name != foreign.ValidationGenInput {
			continue
		}
		_, path, _ := strings.Cut(m.Text, "=")
		path = strings.Trim(strings.TrimSpace(path), `"`)
		found := l.res.Find(path)
		if found != nil && found.Broken {
			continue // the package's own mistakes have been reported
		}
		if found == nil {
			l.bag.Errorf(m.Span, load.CodeNoInput, "package %q is not in the build; add its module to go.mod", path)
			continue
		}
		ps.model.Inputs = append(ps.model.Inputs, path)
		l.queueAll(l.state(path))
	}
}

// queueAll queues all types of a package.
func (l *lowerer) queueAll(ps *packageState) {
	ps.whole = true
	for _, name := range slices.Sorted(maps.Keys(ps.specs)) {
		l.queue = append(l.queue, model.Name{Package: ps.load.Path, Name: name})
	}
}

func (l *lowerer) function(ps *packageState, decl *ast.FuncDecl) {
	obj, ok := ps.load.Info.Defs[decl.Name].(*types.Func)
	if !ok || decl.Recv != nil {
		return
	}
	sig := obj.Signature()
	f := &model.Func{Name: decl.Name.Name, Span: l.res.Span(decl.Name.Pos(), decl.Name.End())}
	for v := range sig.Params().Variables() {
		f.Params = append(f.Params, l.ref(v.Type()))
	}
	for v := range sig.Results().Variables() {
		f.Results = append(f.Results, l.ref(v.Type()))
	}
	if ps.model.Funcs == nil {
		ps.model.Funcs = map[string]*model.Func{}
	}
	ps.model.Funcs[f.Name] = f
}

// declared lowers one declared type and queues the types that it uses.
func (l *lowerer) declared(name model.Name) {
	ps := l.state(name.Package)
	if ps == nil || ps.done[name.Name] {
		return
	}
	ps.done[name.Name] = true
	d, ok := ps.specs[name.Name]
	if !ok {
		return
	}
	obj, ok := ps.load.Info.Defs[d.spec.Name].(*types.TypeName)
	if !ok {
		return
	}
	doc, markers := l.typeComments(ps, d)
	t := &model.Type{
		Name: name.Name, Package: name.Package, Doc: doc,
		Span:    l.res.Span(d.spec.Name.Pos(), d.spec.Name.End()),
		Alias:   d.spec.Assign.IsValid(),
		Generic: d.spec.TypeParams != nil,
		Def:     l.definition(ps, d, obj),
		Consts:  ps.consts[name.Name],
		Methods: methods(ps.load.Methods[name.Name]),
	}
	t.TypeParams = typeParams(obj.Type())
	items := l.items(ps.model, markers, itemType)
	t.Tags, t.Markers, t.Default, t.Changes = items.tags, items.markers, items.def, items.changes
	if st, ok := d.spec.Type.(*ast.StructType); ok {
		if strukt, ok := obj.Type().Underlying().(*types.Struct); ok {
			t.Fields = l.fields(ps, d.file, st, strukt)
		}
	}
	t.Unions = model.UnionsOf(t)
	if i, ok := obj.Type().Underlying().(*types.Interface); ok {
		t.Methods = interfaceMethods(i)
	}
	ps.model.Types = append(ps.model.Types, t)
	if ps.load.Module != "" {
		l.follow(t)
		l.followConversions(ps, t)
	}
}

// followConversions queues the types of conversion functions: an older version may use a type that
// the newest does not use.
func (l *lowerer) followConversions(ps *packageState, t *model.Type) {
	for _, f := range t.Fields {
		for _, c := range f.Changes {
			changed, ok := c.(*model.Changed)
			if !ok {
				continue
			}
			for _, function := range []*model.Value{changed.UpgradeWith, changed.DowngradeWith} {
				if fn := ps.model.Funcs[function.Or("")]; fn != nil {
					for _, r := range slices.Concat(fn.Params, fn.Results) {
						l.followRef(r)
					}
				}
			}
		}
	}
}

// definition returns the type on the right side of a declaration: for `type B A` it returns A, not
// the underlying type of A.
func (l *lowerer) definition(ps *packageState, d typeDecl, obj *types.TypeName) *model.Ref {
	if _, ok := d.spec.Type.(*ast.StructType); ok {
		return &model.Ref{Kind: model.KindStruct}
	}
	if tv, ok := ps.load.Info.Types[d.spec.Type]; ok && tv.Type != nil {
		return l.ref(tv.Type)
	}
	return l.ref(obj.Type().Underlying())
}

func methods(all map[string]load.Method) map[string]*model.Method {
	if len(all) == 0 {
		return nil
	}
	out := make(map[string]*model.Method, len(all))
	for name, m := range all {
		out[name] = &model.Method{Pointer: m.Pointer, Result: m.Result}
	}
	return out
}

func interfaceMethods(i *types.Interface) map[string]*model.Method {
	out := map[string]*model.Method{}
	for m := range i.Methods() {
		out[m.Name()] = &model.Method{}
	}
	return out
}

// follow queues every declared type in the JSON form of t. It ignores unexported fields of other
// packages.
func (l *lowerer) follow(t *model.Type) {
	l.followRef(t.Def)
	root := l.packages[t.Package].load.Root
	for _, f := range t.Fields {
		if f.Exported() || f.Embedded || root {
			l.followRef(f.Type)
		}
	}
}

func (l *lowerer) followRef(r *model.Ref) {
	if r == nil {
		return
	}
	if r.Kind == model.KindNamed {
		l.queue = append(l.queue, r.ID())
	}
	l.followRef(r.Elem)
	l.followRef(r.Key)
	for _, a := range r.Args {
		l.followRef(a)
	}
}

func (l *lowerer) fields(ps *packageState, file *load.File, syntax *ast.StructType, strukt *types.Struct) []*model.Field {
	var fields []*model.Field
	i := 0
	for _, af := range syntax.Fields.List {
		names := af.Names
		if len(names) == 0 {
			names = []*ast.Ident{nil}
		}
		for _, ident := range names {
			if i >= strukt.NumFields() {
				return fields // a declaration that did not type-check
			}
			fields = append(fields, l.field(ps, file, af, ident, strukt.Field(i), strukt.Tag(i)))
			i++
		}
	}
	return fields
}

func (l *lowerer) field(ps *packageState, file *load.File, af *ast.Field, ident *ast.Ident, v *types.Var, structTag string) *model.Field {
	f := &model.Field{
		Name: v.Name(), Embedded: v.Embedded(), Type: l.ref(v.Type()), StructTag: structTag,
		TypeSpan: l.res.Span(af.Type.Pos(), af.Type.End()),
	}
	f.Span = f.TypeSpan
	if ident != nil {
		f.Span = l.res.Span(ident.Pos(), ident.End())
	}
	if af.Tag != nil {
		f.TagSpan = l.res.Span(af.Tag.Pos(), af.Tag.End())
	}
	wire(f)
	pos := af.Pos()
	if af.Doc != nil {
		pos = af.Doc.Pos()
	}
	markers := l.foreignAbove(ps, file, pos)
	if af.Doc != nil {
		ps.owned[af.Doc] = true
		span := l.res.Span(af.Doc.Pos(), af.Doc.End())
		f.Doc = marker.Prose(span)
		markers = append(markers, marker.Scan(span)...)
	}
	items := l.items(ps.model, markers, itemField)
	f.Tags, f.Markers, f.Default, f.Changes = items.tags, items.markers, items.def, items.changes
	return f
}

func (l *lowerer) consts(ps *packageState, decl *ast.GenDecl, spec *ast.ValueSpec) {
	doc := spec.Doc
	if doc == nil && !decl.Lparen.IsValid() {
		doc = decl.Doc
	}
	for _, ident := range spec.Names {
		c, ok := ps.load.Info.Defs[ident].(*types.Const)
		if !ok || ident.Name == "_" {
			continue
		}
		value, isString := constantText(c.Val())
		obj := l.declaredAs(c.Type())
		if obj == nil {
			if ps.model.Consts == nil {
				ps.model.Consts = map[string]*model.Const{}
			}
			ps.model.Consts[ident.Name] = &model.Const{
				Name: ident.Name, Value: value, IsString: isString, Span: l.res.Span(ident.Pos(), ident.End()),
			}
			continue
		}
		if obj.Pkg() != ps.load.Types {
			continue
		}
		mc := &model.Const{
			Name: ident.Name, Value: value, IsString: isString,
			Span: l.res.Span(ident.Pos(), ident.End()),
		}
		if doc != nil {
			ps.owned[doc] = true
			span := l.res.Span(doc.Pos(), doc.End())
			mc.Doc = marker.Prose(span)
			items := l.items(ps.model, marker.Scan(span), itemConst)
			mc.Tags, mc.Markers, mc.Changes = items.tags, items.markers, items.changes
		}
		ps.consts[obj.Name()] = append(ps.consts[obj.Name()], mc)
	}
}

// declaredAs returns the declaration that a type is of, nil if it has none.
func (l *lowerer) declaredAs(t types.Type) types.Object {
	switch t := t.(type) {
	case *types.Alias:
		if l.isMarked(t) {
			return t.Obj()
		}
		return l.declaredAs(t.Rhs())
	case *types.Named:
		return t.Obj()
	}
	return nil
}

var versionName = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// packageClause reads the comments above the package clauses of a package.
func (l *lowerer) packageClause(ps *packageState) {
	p := ps.model
	if versionName.MatchString(p.Name) {
		p.Version = p.Name
	}
	for _, f := range ps.load.Files {
		// For its importers, a generated older version is an API like any other.
		if f.Generated && ps.load.Root {
			continue
		}
		for _, spec := range f.Syntax.Imports {
			name, path := importName(spec, ps.load)
			p.Imports[name] = path
		}
		if p.Span.IsZero() {
			p.Span = l.res.Span(f.Syntax.Name.Pos(), f.Syntax.Name.End())
		}
		for _, group := range f.Syntax.Comments {
			if group.End() > f.Syntax.Package {
				break
			}
			ps.owned[group] = true
			span := l.res.Span(group.Pos(), group.End())
			if f.Syntax.Doc == group && p.Doc == "" {
				p.Doc = marker.Prose(span)
			}
			items := l.items(p, marker.Scan(span), itemPackage)
			p.Tags = append(p.Tags, items.tags...)
			p.Markers = append(p.Markers, items.markers...)
			p.Versions = append(p.Versions, items.versions...)
			if items.tracking != nil {
				p.Tracking = items.tracking
			}
		}
	}
	for _, m := range p.Markers {
		switch m.Name {
		case foreign.GroupName:
			p.Group = nameIn(m)
			p.Core = p.Group == ""
		case foreign.VersionName:
			p.Version = nameIn(m)
		}
	}
	for _, v := range p.Versions {
		v.Package = p.Path
		if v.Name != p.Version {
			v.Package = p.Path[:strings.LastIndexByte(p.Path, '/')+1] + v.Name
		}
	}
}

// nameIn returns the name that a marker gives after its equals sign.
func nameIn(m model.Marker) string {
	_, name, _ := strings.Cut(m.Text, "=")
	name, _, _ = strings.Cut(name, "//")
	return strings.Trim(strings.TrimSpace(foreign.WithoutComment(name)), `"`)
}
