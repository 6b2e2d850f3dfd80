package apidocs

import (
	"cmp"
	"go/doc"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/objects/example"
	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
)

// Diagnostic codes.
var (
	codes = diag.Firm(diag.Everything)

	codeNoExample = codes.New("docs/no-example", "The examples in the documentation are valid, and kindsmith finds no valid value of a field: rules in CEL and regular expressions can ask for anything. Write one with `+kubebuilder:example=<JSON>` above the field, or above a field around it.")
)

// Codes returns the codes that this package reports.
func Codes() []diag.Code { return codes.All() }

// Input is what documentation is made from.
type Input struct {
	Programs *rule.Programs
	// Engine judges examples.
	Engine verdict.Engine
	// APIs are the steps between versions.
	APIs []*steps.API
	// Past is what the API was earlier; nil to compare with nothing.
	Past *Past
	// Convert converts an object to another version. needs is what only Go code does.
	Convert func(object []byte, kind schema.GroupVersionKind, to string) (out []byte, needs, err error)
}

// Past is an API as it was.
type Past struct {
	// Name names it, such as a git revision.
	Name     string
	Programs *rule.Programs
}

// Build makes the documentation of all kinds of the packages that the model's patterns name. It reports fields of which
// no valid example is found; an error is a bug.
func Build(in Input, bag *diag.Bag) (*Site, error) {
	b := &builder{Input: in, m: in.Programs.Model, bag: bag, subjects: map[*Page]*subject{}, former: map[schema.GroupVersionKind]*subject{}}
	if in.Past != nil {
		b.readPast()
	}
	site := &Site{}
	for _, packages := range b.groups() {
		site.Groups = append(site.Groups, b.group(packages))
	}
	return site, b.failed
}

type builder struct {
	Input
	m        *model.Model
	bag      *diag.Bag
	subjects map[*Page]*subject
	// former are the subjects of the past.
	former map[schema.GroupVersionKind]*subject
	// bare means that there are no examples.
	bare bool
	// failed are errors that are bugs.
	failed error
}

// readPast adds the fields that kinds had in the past.
func (b *builder) readPast() {
	of := &builder{Input: Input{Programs: b.Past.Programs}, m: b.Past.Programs.Model, bare: true}
	for _, packages := range of.groups() {
		for _, p := range packages {
			for _, t := range p.Types {
				if isKind(t) {
					s := of.subject(p, t)
					of.fields(s, s.tree)
					b.former[s.kind] = s
				}
			}
		}
	}
}

func (b *builder) subject(p *model.Package, t *model.Type) *subject {
	return &subject{
		typ: t, tree: fieldtree.New(b.Programs, t), kind: schema.GroupVersionKind{Group: p.Group, Version: p.Version, Kind: t.Name},
		fields: map[*fieldtree.Node]*Field{}, older: map[*fieldtree.Node]*fieldtree.Node{}, newer: map[*fieldtree.Node]*fieldtree.Node{},
	}
}

// subject is what a page is about.
type subject struct {
	typ  *model.Type
	tree *fieldtree.Node
	kind schema.GroupVersionKind
	// fields are the fields of nodes, and older and newer the nodes in neighbouring versions.
	fields       map[*fieldtree.Node]*Field
	older, newer map[*fieldtree.Node]*fieldtree.Node
	// next is the page of the newer version, and previous that of the older one.
	next, previous *Page
}

func (b *builder) maker(s *subject) *example.Maker {
	return &example.Maker{Kind: s.kind, Root: s.tree, Model: b.m, Engine: b.Engine}
}

// groups returns the packages of each group with kinds, the newest version first.
func (b *builder) groups() [][]*model.Package {
	byGroup := map[string][]*model.Package{}
	for _, p := range b.m.Packages {
		if p.Root && p.HasGroup() && p.Version != "" && slices.ContainsFunc(p.Types, isKind) {
			byGroup[p.Group] = append(byGroup[p.Group], p)
		}
	}
	var groups [][]*model.Package
	for _, packages := range byGroup {
		order := b.order(packages)
		slices.SortFunc(packages, func(a, c *model.Package) int {
			return cmp.Or(cmp.Compare(order[c.Version], order[a.Version]), version.CompareKubeAwareVersionStrings(c.Version, a.Version), cmp.Compare(a.Path, c.Path))
		})
		groups = append(groups, packages)
	}
	slices.SortFunc(groups, func(a, c []*model.Package) int { return cmp.Compare(a[0].Group, c[0].Group) })
	return groups
}

// order returns the place in time of the versions that a newest version declares.
func (b *builder) order(packages []*model.Package) map[string]int {
	order := map[string]int{}
	for _, p := range packages {
		for i, v := range p.Versions {
			order[v.Name] = i + 1
		}
	}
	return order
}

// isKind reports whether a type is a kind of objects that is published.
func isKind(t *model.Type) bool {
	return t.Kind != nil && !t.Kind.List && !model.HasMarker(t.Markers, foreign.SkipVersion, foreign.Skip)
}

func (b *builder) group(packages []*model.Package) *Group {
	g := &Group{Name: cmp.Or(packages[0].Group, "core")}
	versions := map[string]*Version{}
	for _, p := range packages {
		if versions[p.Version] == nil {
			versions[p.Version] = &Version{Name: p.Version}
			g.Versions = append(g.Versions, versions[p.Version])
		}
	}
	kinds := map[string]*Kind{}
	for _, p := range packages {
		for _, t := range p.Types {
			if !isKind(t) {
				continue
			}
			k := kinds[t.Name]
			if k == nil {
				k = &Kind{Name: t.Name, Synopsis: new(doc.Package).Synopsis(text(t.Doc))}
				kinds[t.Name] = k
				g.Kinds = append(g.Kinds, k)
			}
			page := &Page{Group: g, Kind: k, Version: versions[p.Version], Status: status(t, p, packages), Doc: text(t.Doc)}
			k.Pages = append(k.Pages, page)
			b.subjects[page] = b.subject(p, t)
		}
	}
	slices.SortFunc(g.Kinds, func(a, c *Kind) int { return cmp.Compare(a.Name, c.Name) })
	for _, k := range g.Kinds {
		if len(k.Pages) == 1 {
			k.Pages[0].Status.Storage = true
		}
		b.kind(k)
		k.Since, k.Gone = g.lifetime(k)
	}
	for _, v := range g.Versions {
		v.Status = g.status(v)
	}
	return g
}

// lifetime returns the version that has added a kind, and that which has removed it; "" if none has.
func (g *Group) lifetime(k *Kind) (since, gone string) {
	newest := slices.Index(g.Versions, k.Pages[0].Version)
	oldest := slices.Index(g.Versions, k.Pages[len(k.Pages)-1].Version)
	if oldest < len(g.Versions)-1 {
		since = g.Versions[oldest].Name
	}
	if newest > 0 {
		gone = g.Versions[newest-1].Name
	}
	return since, gone
}

// status returns the status of a version for all its kinds.
func (g *Group) status(v *Version) Status {
	all := Status{Storage: true, Deprecated: true}
	for _, k := range g.Kinds {
		for _, p := range k.Pages {
			if p.Version == v {
				all.Served = all.Served || p.Status.Served
				all.Storage = all.Storage && p.Status.Storage
				all.Deprecated = all.Deprecated && p.Status.Deprecated
				all.Note = p.Status.Note
			}
		}
	}
	if !all.Deprecated {
		all.Note = ""
	}
	return all
}

// status returns the status of a kind: as the newest version's package declares it for the version, or by the kind's markers.
func status(kind *model.Type, p *model.Package, packages []*model.Package) Status {
	for _, newest := range packages {
		for _, v := range newest.Versions {
			if v.Name == p.Version {
				return Status{Served: v.Served, Storage: v.Storage, Deprecated: v.IsDeprecated, Note: v.Deprecated}
			}
		}
	}
	s := Status{Served: !model.HasMarker(kind.Markers, foreign.UnservedVersion), Storage: model.HasMarker(kind.Markers, foreign.StorageVersion)}
	for _, m := range kind.Markers {
		if strings.HasPrefix(m.Name, foreign.DeprecatedVersion) {
			s.Deprecated = true
			_, note, _ := strings.Cut(m.Text, "=")
			s.Note = strings.Trim(note, "\"`")
		}
	}
	return s
}

// kind fills in the pages of a kind.
func (b *builder) kind(k *Kind) {
	for i, page := range k.Pages {
		s := b.subjects[page]
		page.Fields = b.fields(s, s.tree)
		if i > 0 {
			newer := b.subjects[k.Pages[i-1]]
			s.next, newer.previous = k.Pages[i-1], page
		}
	}
	for _, page := range k.Pages {
		if s := b.subjects[page]; s.previous != nil {
			page.Changes = b.changes(page)
		}
	}
	for _, page := range k.Pages {
		b.history(b.subjects[page])
		if b.Past != nil {
			page.Since = b.since(page)
		}
		b.examples(page)
		b.errors(page)
	}
}

// text returns a comment without what is not for users: the text below dashes, and lines that begin with TODO.
func text(doc string) string {
	var kept []string
	for line := range strings.SplitSeq(doc, "\n") {
		if strings.HasPrefix(line, "---") {
			break
		}
		if !strings.HasPrefix(line, "TODO") {
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

func lower(s string) string { return strings.ToLower(s) }
