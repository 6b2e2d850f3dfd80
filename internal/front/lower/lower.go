// Package lower turns loaded packages into the model.
//
// [Lower] takes loaded packages and the definitions of tags. A [Lowerer] keeps the types of packages that have not changed.
//
// It reads names, types, comments and constants, parses markers, and resolves the references of
// tags. It does not check tags; package check does.
//
// It follows fields into other packages, because rules on a type apply wherever the type is used. Each tag
// gets its role from its definition.
package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/front/load"
	"github.com/kindsmith/kindsmith/internal/front/marker"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Lower returns the model of the loaded roots and of all types that they use, with resolved
// references.
func Lower(res *load.Result, tags *tag.Set, bag *diag.Bag) *model.Model {
	return new(Lowerer).Lower(res, tags, bag)
}

// lowerer lowers the packages of one run.
type lowerer struct {
	res      *load.Result
	tags     *tag.Set
	bag      *diag.Bag
	kept     map[string]*lowered
	packages map[string]*packageState
	queue    []model.Name
	// now has the effects of what is being lowered.
	now *effects
	// fresh are the types that were not kept.
	fresh []*model.Type
	// pairs are defaults that are compared when all constants are known.
	pairs []pair
	// beyond are names of types that other types use and that are not queued for that.
	beyond []model.Name
}

// packageState is a package of the model.
type packageState struct {
	*lowered
	model *model.Package
	done  map[string]bool
	// whole is set if all types of the package are lowered.
	whole bool
}

// run lowers everything, except what is kept.
func run(res *load.Result, tags *tag.Set, kept map[string]*lowered) (*lowerer, *model.Model) {
	l := &lowerer{res: res, tags: tags, bag: &diag.Bag{}, kept: kept, packages: map[string]*packageState{}}
	for _, p := range l.res.Roots {
		l.root(p)
	}
	for _, p := range l.res.ReadOnly {
		if ps := l.state(p.Path); ps != nil {
			l.inputs(ps)
		}
	}
	for _, p := range l.res.Complete() {
		if ps := l.state(p.Path); ps != nil {
			l.queueAll(ps)
		}
	}
	for _, p := range l.res.Companions {
		if ps := l.state(p.Path); ps != nil {
			ps.model.Root, ps.model.Companion = false, true
			l.root(p)
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
			if ps.loose == nil {
				ps.loose = l.comments(ps.lowered)
			}
			l.apply(&ps.loose.effects)
			ps.model.Loose = ps.loose.markers
		}
		slices.SortStableFunc(ps.model.Types, func(a, b *model.Type) int { return ps.order[a.Name] - ps.order[b.Name] })
		m.Packages = append(m.Packages, ps.model)
	}
	m.Index()
	for _, t := range l.fresh {
		l.bounds(m, t)
		emptyLists(m, t)
	}
	l.comparePairs(m)
	for _, t := range l.fresh {
		t.Kind = kindOf(m, t)
		tag.ResolveType(m, l.tags, t)
	}
	return l, m
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
	if p == nil || p.Types == nil || p.Broken {
		return nil
	}
	ps := &packageState{lowered: l.kept[path], done: map[string]bool{}}
	l.packages[path] = ps
	if ps.lowered == nil || ps.load != p {
		ps.lowered = &lowered{
			load: p, specs: map[string]typeDecl{}, order: map[string]int{}, consts: map[string][]*model.Const{}, types: map[string]*declared{},
			owned: map[*ast.CommentGroup]bool{}, read: map[source.Span]bool{},
		}
		l.lower(ps.lowered)
	}
	l.apply(&ps.effects)
	own := *ps.bare
	ps.model = &own
	ps.model.ControllerRuntime = p.Root && l.res.Requires(p, "sigs.k8s.io/controller-runtime")
	return ps
}

// lower lowers a package without its types.
func (l *lowerer) lower(d *lowered) {
	p := d.load
	d.bare = &model.Package{
		Path: p.Path, Name: p.Name, Dir: p.Dir, Module: p.Module, External: p.External, Root: p.Root, Decls: p.Decls,
		Builders: p.Builders, NamesBuilder: p.NamesBuilder, NamesGroup: p.NamesGroup(), GeneratedFuncs: p.Generated,
		Imports: map[string]string{},
	}
	defer l.record(&d.effects, p.Path)()
	l.packageClause(d)
	for _, f := range p.Files {
		for _, decl := range f.Syntax.Decls {
			if g, ok := decl.(*ast.GenDecl); ok {
				for _, spec := range g.Specs {
					spec, ok := spec.(*ast.TypeSpec)
					if !ok {
						continue
					}
					if _, stale := d.specs[spec.Name.Name]; !stale { // generated files, which are last, may declare it again
						d.specs[spec.Name.Name] = typeDecl{f, g, spec}
						d.order[spec.Name.Name] = len(d.order)
					}
				}
			}
		}
	}
	for _, f := range p.Files {
		for _, decl := range f.Syntax.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				// Defaulting functions of generated files are generated again.
				if !f.Generated || !p.Root && !gofile.IsDefaulting(decl.Name.Name) {
					l.function(d, decl)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if spec, ok := spec.(*ast.ValueSpec); ok && decl.Tok == token.CONST {
						l.consts(d, decl, spec)
					}
				}
			}
		}
	}
}

// root lowers all types of a root package.
func (l *lowerer) root(p *load.Package) {
	ps := l.state(p.Path)
	if ps == nil {
		return
	}
	l.inputs(ps)
	ps.whole = true
	for _, name := range slices.Sorted(maps.Keys(ps.specs)) {
		if !ps.specs[name].file.Generated {
			l.queue = append(l.queue, model.Name{Package: p.Path, Name: name})
		}
	}
}

// inputs lowers all types of the packages that a package's +k8s:validation-gen-input and
// +k8s:defaulter-gen-input markers name.
func (l *lowerer) inputs(ps *packageState) {
	lists := map[string]*[]string{foreign.ValidationGenInput: &ps.model.Inputs, foreign.DefaulterGenInput: &ps.model.DefaultInputs}
	for _, m := range ps.model.Markers {
		list := lists[m.Name]
		if list == nil {
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
		*list = append(*list, path)
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

func (l *lowerer) function(p *lowered, decl *ast.FuncDecl) {
	obj, ok := p.load.Info.Defs[decl.Name].(*types.Func)
	if !ok || decl.Recv != nil {
		return
	}
	sig := obj.Signature()
	f := &model.Func{Name: decl.Name.Name, Span: l.res.Span(decl.Name.Pos(), decl.Name.End())}
	if decl.Doc != nil {
		covers := func(c *ast.Comment) bool {
			return strings.TrimSpace(strings.TrimPrefix(c.Text, "//")) == "+"+foreign.DefaulterGen+"=covers"
		}
		f.Covers = slices.ContainsFunc(decl.Doc.List, covers)
	}
	for v := range sig.Params().Variables() {
		f.Params = append(f.Params, l.ref(v.Type()))
	}
	for v := range sig.Results().Variables() {
		f.Results = append(f.Results, l.ref(v.Type()))
	}
	if p.bare.Funcs == nil {
		p.bare.Funcs = map[string]*model.Func{}
	}
	p.bare.Funcs[f.Name] = f
}

// declared adds one declared type to the model and queues the types that it uses.
func (l *lowerer) declared(name model.Name) {
	ps := l.state(name.Package)
	if ps == nil || ps.done[name.Name] {
		return
	}
	ps.done[name.Name] = true
	d := ps.types[name.Name]
	if d == nil {
		if d = l.declaration(ps.lowered, name.Name); d == nil {
			return
		}
		ps.types[name.Name] = d
		l.fresh = append(l.fresh, d.typ)
	}
	l.apply(&d.effects)
	ps.model.Types = append(ps.model.Types, d.typ)
	l.queue = append(l.queue, d.uses...)
	l.beyond = append(l.beyond, d.beyond...)
}

// declaration lowers one declared type, or returns nil if the package does not declare it.
func (l *lowerer) declaration(p *lowered, name string) *declared {
	d, ok := p.specs[name]
	if !ok {
		return nil
	}
	obj, ok := p.load.Info.Defs[d.spec.Name].(*types.TypeName)
	if !ok {
		return nil
	}
	out := &declared{}
	defer l.record(&out.effects, p.load.Path)()
	doc, markers := l.typeComments(p, d)
	t := &model.Type{
		Name: name, Package: p.load.Path, Doc: doc,
		Span:    l.res.Span(d.spec.Name.Pos(), d.spec.Name.End()),
		Alias:   d.spec.Assign.IsValid(),
		Generic: d.spec.TypeParams != nil,
		Def:     l.definition(p, d, obj),
		Consts:  p.consts[name],
		Methods: methods(p.load.Methods[name]),
	}
	t.TypeParams, t.Constraints = l.typeParams(obj.Type())
	items := l.items(p.bare, markers, itemType)
	t.Tags, t.Markers, t.Default, t.Changes = items.tags, items.markers, items.def, items.changes
	if st, ok := d.spec.Type.(*ast.StructType); ok {
		if strukt, ok := obj.Type().Underlying().(*types.Struct); ok {
			t.Fields = l.fields(p, d.file, st, strukt)
		}
	}
	if i, ok := obj.Type().Underlying().(*types.Interface); ok {
		t.Methods = interfaceMethods(i)
	}
	out.typ = t
	out.follow(p)
	return out
}

// definition returns the type on the right side of a declaration: for `type B A` it returns A, not
// the underlying type of A.
func (l *lowerer) definition(p *lowered, d typeDecl, obj *types.TypeName) *model.Ref {
	if _, ok := d.spec.Type.(*ast.StructType); ok {
		return &model.Ref{Kind: model.KindStruct}
	}
	if tv, ok := p.load.Info.Types[d.spec.Type]; ok && tv.Type != nil {
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
		out[name] = &model.Method{Pointer: m.Pointer, Result: m.Result, Param: m.Param}
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

func (l *lowerer) fields(p *lowered, file *load.File, syntax *ast.StructType, strukt *types.Struct) []*model.Field {
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
			fields = append(fields, l.field(p, file, af, ident, strukt.Field(i), strukt.Tag(i)))
			i++
		}
	}
	return fields
}

func (l *lowerer) field(p *lowered, file *load.File, af *ast.Field, ident *ast.Ident, v *types.Var, structTag string) *model.Field {
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
	markers := l.foreignAbove(p, file, pos)
	if af.Doc != nil {
		p.owned[af.Doc] = true
		span := l.res.Span(af.Doc.Pos(), af.Doc.End())
		f.Doc = l.prose(span)
		markers = append(markers, marker.Scan(span)...)
	}
	items := l.items(p.bare, markers, itemField)
	f.Tags, f.Markers, f.Default, f.Changes = items.tags, items.markers, items.def, items.changes
	return f
}

func (l *lowerer) consts(p *lowered, decl *ast.GenDecl, spec *ast.ValueSpec) {
	doc := spec.Doc
	if doc == nil && !decl.Lparen.IsValid() {
		doc = decl.Doc
	}
	for i, ident := range spec.Names {
		c, ok := p.load.Info.Defs[ident].(*types.Const)
		if !ok || ident.Name == "_" {
			continue
		}
		value, isString := constantText(c.Val())
		obj := l.declaredAs(c.Type())
		if obj == nil {
			if p.bare.Consts == nil {
				p.bare.Consts = map[string]*model.Const{}
			}
			p.bare.Consts[ident.Name] = &model.Const{
				Name: ident.Name, Value: value, IsString: isString, Span: l.res.Span(ident.Pos(), ident.End()),
			}
			if spec.Type == nil && isString {
				p.bare.Consts[ident.Name].Among = l.among(p, decl, spec)
			}
			continue
		}
		if obj.Pkg() != p.load.Types {
			continue
		}
		mc := &model.Const{
			Name: ident.Name, Value: value, IsString: isString,
			Span: l.res.Span(ident.Pos(), ident.End()), Alias: i < len(spec.Values) && isName(spec.Values[i]),
		}
		if doc != nil {
			p.owned[doc] = true
			span := l.res.Span(doc.Pos(), doc.End())
			mc.Doc = l.prose(span)
			items := l.items(p.bare, marker.Scan(span), itemConst)
			mc.Tags, mc.Markers, mc.Changes = items.tags, items.markers, items.changes
		}
		p.consts[obj.Name()] = append(p.consts[obj.Name()], mc)
	}
}

// prose returns the text of a comment for readers.
func (l *lowerer) prose(span source.Span) string {
	if l.res.Descriptions() {
		return marker.Description(span)
	}
	return marker.Prose(span)
}

// isName reports whether an expression is the name of a constant.
func isName(e ast.Expr) bool {
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return true
	}
	return false
}

// among returns the declared type of the constants before one in its block; "" if there is none.
func (l *lowerer) among(p *lowered, decl *ast.GenDecl, spec *ast.ValueSpec) string {
	name := ""
	for _, s := range decl.Specs {
		if s == ast.Spec(spec) {
			break
		}
		if c, ok := p.load.Info.Defs[s.(*ast.ValueSpec).Names[0]].(*types.Const); ok {
			if obj := l.declaredAs(c.Type()); obj != nil && obj.Pkg() == p.load.Types {
				name = obj.Name()
			}
		}
	}
	return name
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

// dots adds the names of a package that is imported as ".".
func (l *lowerer) dots(p *model.Package, path string, span source.Span) {
	if p.Dots == nil {
		p.Dots = map[string]source.Span{}
	}
	for _, name := range l.res.Exported(path) {
		p.Dots[name] = span
	}
}

// packageClause reads the comments above the package clauses of a package.
func (l *lowerer) packageClause(d *lowered) {
	p := d.bare
	if versionName.MatchString(p.Name) {
		p.Version = p.Name
	}
	for _, f := range d.load.Files {
		// For its importers, a generated older version is an API like any other.
		if f.Generated && d.load.Root {
			continue
		}
		for _, spec := range f.Syntax.Imports {
			name, path := importName(spec, d.load)
			p.Imports[name] = path
			if spec.Name != nil && spec.Name.Name == "." {
				l.dots(p, path, l.res.Span(spec.Path.Pos(), spec.Path.End()))
			}
		}
		if p.Span.IsZero() {
			p.Span = l.res.Span(f.Syntax.Name.Pos(), f.Syntax.Name.End())
		}
		for _, group := range f.Syntax.Comments {
			if group.End() > f.Syntax.Package {
				break
			}
			d.owned[group] = true
			span := l.res.Span(group.Pos(), group.End())
			if f.Syntax.Doc == group && p.Doc == "" {
				p.Doc = l.prose(span)
			}
			items := l.items(p, marker.Scan(span), itemPackage)
			p.Tags = append(p.Tags, items.tags...)
			p.Markers = append(p.Markers, items.markers...)
			p.Versions = append(p.Versions, items.versions...)
			p.Restores = append(p.Restores, items.restores...)
			p.Retired = append(p.Retired, items.retired...)
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
	pattern := l.res.VersionsDir()
	for _, t := range model.Find(p.Tags, model.RoleOutput) {
		if v := t.Arg(""); v != nil {
			pattern = v.Text
		}
	}
	p.VersionsDir, _ = model.ParseVersionsDir(pattern)
	for _, v := range p.Versions {
		v.Package = p.Path
		if v.Name != p.Version {
			v.Package = p.OlderPath(v.Name)
		}
	}
}

// nameIn returns the name that a marker gives after its equals sign.
func nameIn(m model.Marker) string {
	_, name, _ := strings.Cut(m.Text, "=")
	name, _, _ = strings.Cut(name, "//")
	return strings.Trim(strings.TrimSpace(foreign.WithoutComment(name)), `"`)
}
