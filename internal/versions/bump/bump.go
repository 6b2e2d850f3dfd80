// Package bump plans a new newest version of an API: the source of the newest version moves to a
// package of its own, and the old package becomes an older version, which is generated.
//
// [Hub] finds the newest version, and [New] plans the [Move] of each of its files. An error says why the version cannot be
// started.
package bump

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Plan is what a new version changes.
type Plan struct {
	// From and To are the folders of the old and the new package.
	From, To string
	// Older is the folder in which the old version is generated.
	Older string
	// Moves are the files that move.
	Moves []Move
	// Mentions are texts in moved files that name the old version and that people must check.
	Mentions []source.Span
}

// Move is a file that moves. Old and New are its contents.
type Move struct {
	From, To string
	Old, New []byte
}

// Hub returns the package whose source is to move: the only hand-written newest version among the
// roots. marker is the name of the tag that declares versions.
func Hub(m *model.Model, marker string) (*model.Package, error) {
	var hubs, others []*model.Package
	for _, p := range m.Packages {
		isKind := func(t *model.Type) bool { return t.Kind != nil }
		switch {
		case !p.HasGroup() || p.Version == "" || p.Span.IsZero() || p.Hub != "" || !slices.ContainsFunc(p.Types, isKind):
		case p.Root:
			hubs = append(hubs, p)
		case p.Companion:
			others = append(others, p)
		}
	}
	if len(hubs) == 0 {
		return nil, fmt.Errorf("no package is the newest version of an API: a package named like a version, with a group and a kind")
	}
	for _, p := range hubs {
		for _, q := range slices.Concat(hubs, others) {
			if p != q && p.Group == q.Group && p.Beside(q) && sameKind(p, q) && model.CompareVersions(q.Version, p.Version) < 0 {
				return nil, fmt.Errorf("%s does not declare that it is the newest version of %s: add // +%s(name: %q) above its package clause, and the same for %s behind it",
					p.Path, q.Path, marker, q.Version, p.Version)
			}
		}
	}
	if len(hubs) == 1 {
		return hubs[0], nil
	}
	var names []string
	for _, p := range hubs {
		names = append(names, p.Path)
	}
	return nil, fmt.Errorf("several packages are newest versions; name one of them: %s", strings.Join(names, ", "))
}

// sameKind reports whether packages that are not skipped have a kind of the same name.
func sameKind(p, q *model.Package) bool {
	isSkip := func(m model.Marker) bool { return m.Name == foreign.Skip }
	return !slices.ContainsFunc(slices.Concat(p.Markers, q.Markers), isSkip) && slices.ContainsFunc(p.Types, func(t *model.Type) bool {
		other := q.Type(t.Name)
		return t.Kind != nil && !t.Kind.List && other != nil && other.Kind != nil
	})
}

// New plans a newer version of a package. marker is the name of the tag that declares versions.
func New(p *model.Package, name, marker string) (*Plan, error) {
	if err := checkName(p, name); err != nil {
		return nil, err
	}
	for _, t := range p.Types {
		for _, m := range t.Markers {
			argument := map[string]string{foreign.UnservedVersion: "served: false", foreign.DeprecatedVersion: "deprecated: \"…\""}[m.Name]
			if argument != "" {
				return nil, fmt.Errorf("%s: +%s is about version %s, which is about to be generated; write %s in // +%s(name: %q) above the package clause instead", m.Span, m.Name, p.Version, argument, marker, p.Version)
			}
		}
	}
	b := &builder{pkg: p, name: name, marker: marker, edits: map[string][]edit{}}
	b.From, b.To = p.Dir, filepath.Join(filepath.Dir(p.Dir), name)
	moved := *p
	moved.Dir = b.To
	b.Older = moved.OlderDir(p.Version)
	if entries, err := os.ReadDir(b.To); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s exists already", b.To)
	}
	b.declare()
	return &b.Plan, b.move()
}

func checkName(p *model.Package, name string) error {
	if !model.IsVersion(name) {
		return fmt.Errorf("%q is not a version; write v<major>, v<major>alpha<n> or v<major>beta<n>, such as v2 or v2alpha1", name)
	}
	for _, v := range p.Versions {
		if v.Name == name {
			return fmt.Errorf("%s is declared already", name)
		}
	}
	if model.CompareVersions(name, p.Version) <= 0 && !model.Has(p.Tags, model.RoleAllowUnsorted) {
		return fmt.Errorf("%s is not newer than %s", name, p.Version)
	}
	return nil
}

// builder builds a plan.
type builder struct {
	Plan
	pkg          *model.Package
	name, marker string
	// edits are by the base name of the file.
	edits map[string][]edit
}

// edit replaces a part of a file.
type edit struct {
	start, end int
	text       string
}

func (b *builder) edit(span source.Span, text string) {
	file := filepath.Base(span.File.Path)
	b.edits[file] = append(b.edits[file], edit{span.Start, span.End, text})
}

// declare declares the version, and makes the storage version explicit, so that it stays.
func (b *builder) declare() {
	p := b.pkg
	line := func(name, rest string) string {
		return "// +" + b.marker + "(name: " + strconv.Quote(name) + rest + ")\n"
	}
	marked := false // the old version is the storage version
	for _, t := range p.Types {
		for _, m := range t.Markers {
			if m.Name == foreign.StorageVersion {
				b.edit(m.Span.Lines(), "")
				marked = true
			}
		}
	}
	for _, m := range p.Markers {
		if m.Name == foreign.VersionName {
			text := m.Span.Text()
			b.edit(m.Span, text[:strings.LastIndex(text, p.Version)]+b.name)
		}
	}
	if len(p.Versions) == 0 {
		b.edit(b.aboveClause(), line(p.Version, ", storage: true")+line(b.name, ""))
		return
	}
	last := p.Versions[len(p.Versions)-1]
	stored := last
	for _, v := range p.Versions {
		if v.Storage && !marked {
			stored = v
		}
	}
	explicit := stored.Storage && stored.StorageSpan != stored.Span
	if end := strings.LastIndexByte(stored.Span.Text(), ')'); !explicit && end >= 0 {
		b.edit(source.Span{File: stored.Span.File, Start: stored.Span.Start + end, End: stored.Span.Start + end}, ", storage: true")
	}
	after := last.Span.Lines()
	after.Start = after.End
	b.edit(after, line(b.name, ""))
}

// aboveClause returns the empty span in which to add markers of the package: behind the marker with
// its group, or else above the package clause.
func (b *builder) aboveClause() source.Span {
	at := b.pkg.Span.Lines()
	at.End = at.Start
	for _, m := range b.pkg.Markers {
		if m.Name == foreign.GroupName {
			at = m.Span.Lines()
			at.Start = at.End
		}
	}
	return at
}

// move plans the files that move: all that kindsmith did not generate, and test data.
func (b *builder) move() error {
	entries, err := os.ReadDir(b.From)
	if err != nil {
		return err
	}
	for _, e := range entries {
		from := filepath.Join(b.From, e.Name())
		switch {
		case e.IsDir() && e.Name() == "testdata":
			err = filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				return b.add(path, func(content []byte) ([]byte, error) { return content, nil })
			})
		case e.Type().IsRegular():
			err = b.add(from, func(content []byte) ([]byte, error) { return b.rewrite(from, content) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add plans to move a file, unless kindsmith generated it.
func (b *builder) add(from string, rewrite func([]byte) ([]byte, error)) error {
	old, err := os.ReadFile(from)
	if err != nil || provenance.Of(from, old).Ours {
		return err
	}
	rel, err := filepath.Rel(b.From, from)
	if err != nil {
		return err
	}
	content, err := rewrite(old)
	b.Moves = append(b.Moves, Move{From: from, To: filepath.Join(b.To, rel), Old: old, New: content})
	return err
}

// rewrite returns a file of the package as one of the new package.
func (b *builder) rewrite(name string, content []byte) ([]byte, error) {
	if filepath.Ext(name) != ".go" {
		return content, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	edits := b.edits[filepath.Base(name)]
	replace := func(n ast.Node, text string) {
		edits = append(edits, edit{fset.Position(n.Pos()).Offset, fset.Position(n.End()).Offset, text})
	}
	if rest, ok := strings.CutPrefix(file.Name.Name, b.pkg.Version); ok && (rest == "" || rest == "_test") {
		replace(file.Name, b.name+rest)
	}
	if clause := "// Package " + b.pkg.Name + " "; file.Doc != nil && strings.HasPrefix(file.Doc.List[0].Text, clause) {
		start := fset.Position(file.Doc.Pos()).Offset
		edits = append(edits, edit{start, start + len(clause), "// Package " + strings.Replace(b.pkg.Name, b.pkg.Version, b.name, 1) + " "})
	}
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil && path == b.pkg.Path {
			alias := ""
			if spec.Name == nil {
				alias = b.pkg.Name + " "
			}
			replace(spec.Path, alias+strconv.Quote(b.path()))
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit := versionOf(n); lit != nil && lit.Value == strconv.Quote(b.pkg.Version) {
			replace(lit, strconv.Quote(b.name))
		}
		return true
	})
	content = apply(content, edits)
	return content, b.mention(filepath.Join(b.To, filepath.Base(name)), content)
}

// path returns the import path of the new package.
func (b *builder) path() string { return path.Join(path.Dir(b.pkg.Path), b.name) }

// versionOf returns the version in a literal such as schema.GroupVersion{Group: "shop.example.com",
// Version: "v1"}, nil for other nodes.
func versionOf(n ast.Node) *ast.BasicLit {
	lit, ok := n.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	if t, ok := lit.Type.(*ast.SelectorExpr); !ok || t.Sel.Name != "GroupVersion" {
		return nil
	}
	for _, e := range lit.Elts {
		if field, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := field.Key.(*ast.Ident); ok && key.Name == "Version" {
				value, _ := field.Value.(*ast.BasicLit)
				return value
			}
		}
	}
	return nil
}

// webhook begins the markers of webhooks, whose paths have versions.
const webhook = "kubebuilder:webhook"

// mention notes the literals and the markers of webhooks that name the old version.
func (b *builder) mention(name string, content []byte) error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	word := regexp.MustCompile(`\b` + b.pkg.Version + `\b`)
	f := source.NewFile(name, content)
	note := func(n ast.Node) {
		b.Mentions = append(b.Mentions, f.Span(fset.Position(n.Pos()).Offset, fset.Position(n.End()).Offset))
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && lit.Value[0] == '"' && word.MatchString(lit.Value) {
			note(lit)
		}
		_, imports := n.(*ast.ImportSpec)
		return !imports
	})
	for _, group := range file.Comments {
		for _, c := range group.List {
			if strings.Contains(c.Text, "+"+webhook) && word.MatchString(c.Text) {
				note(c)
			}
		}
	}
	return nil
}

// apply makes edits, which do not overlap.
func apply(content []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, content[at:e.start]...), e.text...)
		at = e.end
	}
	return append(out, content[at:]...)
}
