package driver

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/front/load"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/tool/revision"
	"github.com/kindsmith/kindsmith/internal/versions/breaking"
)

// BreakingConfig configures a run of Breaking.
type BreakingConfig struct {
	Config
	// Against is what to compare with: a file or folder with CustomResourceDefinitions, or else a
	// git revision; "" is the folder that definitions are written to.
	Against string
}

// Breaking reports what would break clients or stored objects if the definitions of the packages
// replaced published ones. Compared with a revision, it also reports what would break programs that
// import the packages. It reports mistakes in the packages only if they are errors. It writes no
// files.
func Breaking(cfg BreakingConfig, bag *diag.Bag) error { return new(Workspace).Breaking(cfg, bag) }

// Breaking is like the function Breaking, but reuses previous runs.
func (w *Workspace) Breaking(cfg BreakingConfig, bag *diag.Bag) error {
	if err := cfg.complete(); err != nil {
		return err
	}
	cfg.silent = true
	mistakes := &diag.Bag{}
	out, err := w.Generate(cfg.Config, mistakes)
	if err != nil {
		return err
	}
	if mistakes.HasErrors() {
		for _, d := range mistakes.All() {
			bag.Add(d)
		}
		return nil
	}
	before, after := out.definitions(bag)
	c := &comparer{cfg: &cfg.Config, model: out.model, changes: out.Changes(), severity: diag.Error, bag: bag}
	if cfg.Against == "" {
		if len(before) == 0 && len(after) > 0 {
			return fmt.Errorf("%s has no definitions of these packages to compare with; name a revision or a folder with --against", cfg.CRDDir)
		}
		c.definitions(before, after)
		return nil
	}
	before, err = readDefinitions(cfg.below(cfg.Against), cfg.name, bag)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c.revision(cfg.Against, after)
	case err != nil:
		return err
	case len(before) == 0 && !bag.HasErrors():
		return fmt.Errorf("%s has no CustomResourceDefinitions", cfg.Against)
	}
	c.definitions(before, after)
	return nil
}

// definitions returns the definitions that a run has found and written.
func (o *Output) definitions(bag *diag.Bag) (before, after []*breaking.Definition) {
	for _, f := range o.Files {
		if !f.manifest {
			continue
		}
		if f.Previous != nil {
			before = append(before, breaking.Read(source.NewFile(f.Name, f.Previous), bag)...)
		}
		if f.Content != nil {
			after = append(after, breaking.Read(source.NewFile(f.Name, f.Content), bag)...)
		}
	}
	return before, after
}

// PublishedByControllerGen reports whether controller-gen wrote a definition in the folder for them.
func (cfg *Config) PublishedByControllerGen() bool {
	files, err := manifest.Files([]string{cfg.below(cfg.CRDDir)}, nil)
	return err == nil && slices.ContainsFunc(files, func(f *source.File) bool {
		return strings.HasPrefix(provenance.Of(f.Path, f.Content).Generator, "controller-gen")
	})
}

// readDefinitions returns the definitions in a file, or in the files below a folder.
func readDefinitions(path string, name func(string) string, bag *diag.Bag) ([]*breaking.Definition, error) {
	files, err := manifest.Files([]string{path}, nil)
	var list []*breaking.Definition
	for _, f := range files {
		list = append(list, breaking.Read(source.NewFile(name(f.Path), f.Content), bag)...)
	}
	return list, err
}

// comparer reports changes.
type comparer struct {
	cfg   *Config
	model *model.Model
	// changes are the files that generate would write: see Output.
	changes  map[string][]byte
	severity diag.Severity
	bag      *diag.Bag
}

// warn warns of changes in the definitions that a run overwrites.
func (cfg *Config) warn(out *Output, bag *diag.Bag) {
	if cfg.silent {
		return
	}
	changed := &Output{}
	for _, f := range out.Files {
		if f.manifest && f.Changed() {
			changed.Files = append(changed.Files, f)
		}
	}
	ignored := &diag.Bag{} // a damaged file is written again
	before, after := changed.definitions(ignored)
	c := &comparer{cfg: cfg, model: out.model, severity: diag.Warning, bag: bag}
	c.definitions(before, after)
}

// definitions compares definitions.
func (c *comparer) definitions(before, after []*breaking.Definition) {
	groups := map[string]bool{}
	for _, p := range c.model.Packages {
		if p.Root && p.HasGroup() {
			groups[p.Group] = true
		}
	}
	changes := breaking.Compare(before, after, c.order)
	changes = append(changes, breaking.Gone(before, after, func(name string) bool { return groups[name] })...)
	for _, change := range changes {
		c.mark(change, before)
		severity := c.severity
		if change.Code == breaking.CodeMiddle {
			severity = diag.Error
		}
		d := &diag.Diagnostic{Severity: severity, Code: change.Code, Span: c.declaration(change), Message: change.String()}
		if d.Span.IsZero() {
			d.Span = change.Before
		} else if !change.Before.IsZero() {
			d.Note(change.Before, "published here")
		}
		c.bag.Add(d)
	}
}

// order returns the order in which the versions of a kind convert into each other; nil if they do not, or if it is unusual: it
// is not known of a version that is gone.
func (c *comparer) order(name schema.GroupKind) breaking.Order {
	kind := c.kind(name)
	if kind == nil {
		return nil
	}
	if hub := kind.Lead().Package; len(hub.Versions) < 2 || model.Has(hub.Tags, model.RoleAllowUnsorted) {
		return nil
	}
	return model.CompareVersions
}

// mark completes the remedy of a field that seems to be renamed: it names the marker with which earlier versions keep the
// earlier name.
func (c *comparer) mark(change *breaking.Change, before []*breaking.Definition) {
	kind := c.kind(change.Kind)
	if kind == nil || change.Renamed == "" {
		return
	}
	newest := kind.Lead()
	path, name := renamed(change)
	_, field := c.locate(newest.Type, path)
	version, bump := newest.Name, ""
	if slices.ContainsFunc(before, func(d *breaking.Definition) bool { return d.Kind == change.Kind && d.HasVersion(newest.Name) }) {
		version = model.NextVersion(newest.Name)
		bump = "run kindsmith bump " + version + ", and "
	}
	if field == nil || version == "" {
		return
	}
	change.Remedy = fmt.Sprintf("if it is now called %s, %sadd +%s(since: %q, fromName: %q) to %s",
		change.Renamed, bump, Tags().WithRole(model.RoleChanged), version, name, field.Name)
}

// renamed returns the path of the new field of a change, and the name of the earlier one.
func renamed(change *breaking.Change) (path breaking.Path, earlier string) {
	path = slices.Clone(change.Path)
	last := &path[len(path)-1]
	earlier, last.Name = last.Name, change.Renamed
	return path, earlier
}

// declaration returns the position of a value in the Go source, or of the nearest value that it is a
// part of.
func (c *comparer) declaration(change *breaking.Change) source.Span {
	kind := c.kind(change.Kind)
	if kind == nil {
		return source.Span{}
	}
	path := change.Path
	if change.Renamed != "" {
		path, _ = renamed(change)
	}
	span, _ := c.locate(typeOf(kind, change.Versions), path)
	return span
}

// locate returns the position of the value at a path, or of the nearest value that it is a part of, and the value's field, nil
// if the type has none there.
func (c *comparer) locate(t *model.Type, path breaking.Path) (span source.Span, field *model.Field) {
	span = t.Span
	value := model.Named(t.Package, t.Name)
	for _, step := range path {
		field = nil
		if step.Name == "" {
			elem, _ := c.model.Deref(value)
			value = c.model.Underlying(elem).Elem
		} else if s := c.model.Struct(value); s == nil {
			break
		} else if _, field = c.model.FieldByJSON(s, step.Name); field == nil {
			break
		} else {
			value = field.Type
			if !field.Span.IsZero() {
				span = field.Span
			}
		}
		if value == nil {
			break
		}
	}
	return span, field
}

// kind returns a kind of the model, nil if it has none of that name.
func (c *comparer) kind(name schema.GroupKind) *emit.Kind {
	for _, k := range emit.Kinds(c.model) {
		if k.Group == name.Group && k.Name == name.Kind {
			return k
		}
	}
	return nil
}

// typeOf returns the type of a kind in the first of the versions that the model has, or in any if none is given.
func typeOf(k *emit.Kind, versions []string) *model.Type {
	for _, v := range k.Versions {
		if len(versions) == 0 || slices.Contains(versions, v.Name) {
			return v.Type
		}
	}
	return k.Lead().Type
}

// revision compares with a revision.
func (c *comparer) revision(name string, after []*breaking.Definition) (err error) {
	tree, err := revision.Extract(c.cfg.Dir, name)
	if err != nil {
		return fmt.Errorf("%s is neither a file or folder nor a revision: %w", name, err)
	}
	defer func() { err = errors.Join(err, tree.Remove()) }()
	dir, ok := tree.Path(c.cfg.below(c.cfg.CRDDir))
	if !ok {
		return fmt.Errorf("%s is outside of the git repository", c.cfg.CRDDir)
	}
	before, err := readDefinitions(dir, tree.Display, c.bag)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	c.definitions(before, after)
	names, err := c.names(tree)
	if err == nil && len(before) == 0 && names == 0 {
		return fmt.Errorf("revision %s has neither definitions in %s nor these packages", name, c.cfg.CRDDir)
	}
	return err
}

// names compares the Go packages of the API with those of a revision, and returns how many that has.
func (c *comparer) names(tree *revision.Tree) (int, error) {
	config := c.cfg.ModelConfig
	old, err := config.past(tree)
	if err != nil {
		return 0, err
	}
	dir := config.Dir
	helpers := withHelpers(old, config.Files)
	paths := slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(packages(old), maps.Keys(helpers)))))
	before, err := load.Export(dir, paths, config.BuildTags, nil)
	if err != nil {
		return 0, fmt.Errorf("revision %s: %w", tree.Name, err)
	}
	now := slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return c.model.Package(path) == nil && helpers[path] == nil })
	for _, path := range paths {
		if newest := c.newest(old, path); newest != "" && !slices.Contains(now, newest) {
			now = append(now, newest)
		}
	}
	after, err := load.Export(c.cfg.Dir, now, config.BuildTags, c.changes)
	if err != nil {
		return 0, err
	}
	for _, path := range slices.Sorted(maps.Keys(before.Packages)) {
		p := after.Packages[path]
		if p == nil && helpers[path] != nil {
			c.reportName(c.placeOf(helpers[path]), "package %s, over all versions, is gone; write it again: kindsmith generate --helpers", path)
			continue
		}
		if p == nil {
			c.reportName(c.placeOf(old.Package(path)), "package %s is gone; keep it, for example with deprecated aliases", path)
			continue
		}
		for _, change := range breaking.CompareNames(before.Packages[path], p, after.Packages[c.newest(old, path)]) {
			at := c.model.Package(path)
			span := c.placeOf(helpers[path])
			if at != nil && span.IsZero() {
				span = at.Span
			}
			if change.Pos.IsValid() {
				file, pos := after.Position(change.Pos)
				span = source.Place(c.cfg.name(file), pos)
			}
			remedy := "keep the name, for example as a deprecated alias"
			switch {
			case change.Type != "" && at != nil && at.Generated:
				remedy = fmt.Sprintf("if a type of the newest version replaces it, add fromName: %q to that type's markers; else declare it in a file of the package", change.Type)
			case change.Member:
				remedy = "keep it"
			}
			c.reportName(span, "package %s: %s; %s", path, change.Message, remedy)
		}
	}
	return len(before.Packages), nil
}

// newest returns the import path of the package that is the newest version now, instead of one that was: its source has moved
// there, for example by kindsmith bump. It returns "" for other packages.
func (c *comparer) newest(old *model.Model, path string) string {
	was, is := old.Package(path), c.model.Package(path)
	if was == nil || was.Generated || was.Hub != "" || is == nil || !is.Generated {
		return ""
	}
	return is.Hub
}

// placeOf returns where the version of an earlier package is declared now; else where its group is.
func (c *comparer) placeOf(old *model.Package) source.Span {
	var span source.Span
	for _, p := range c.model.Packages {
		// A generated version in a folder that the configuration does not name has no group.
		if old == nil || !p.HasGroup() || p.Span.IsZero() || old.HasGroup() && p.Group != old.Group {
			continue
		}
		if p.Version == old.Version {
			return p.Span
		}
		if span.IsZero() {
			span = p.Span
		}
	}
	return span
}

// withHelpers returns the newest version's package by the import path of the package over all versions that kindsmith wrote,
// but for those that other modules cannot import.
func withHelpers(m *model.Model, files *source.FS) map[string]*model.Package {
	found := map[string]*model.Package{}
	for _, p := range m.Packages {
		above := path.Dir(p.Path)
		if len(p.Versions) < 2 || p.External || p.Path == p.Module || isInternal(above) {
			continue
		}
		for _, e := range Emitters() {
			for _, name := range e.Files {
				content, err := files.ReadFile(filepath.Join(filepath.Dir(p.Dir), name))
				if e.Folder == emit.AbovePackage && err == nil && provenance.Of(name, content).Ours {
					found[above] = p
				}
			}
		}
	}
	return found
}

func isInternal(path string) bool { return strings.Contains("/"+path+"/", "/internal/") }

func (c *comparer) reportName(span source.Span, format string, args ...any) {
	c.bag.Add(&diag.Diagnostic{Severity: c.severity, Code: breaking.CodeGo, Span: span, Message: fmt.Sprintf(format, args...)})
}

// packages returns the import paths of the packages that declare the API or a part of it, but for
// those that other modules cannot import. It includes generated versions in other folders than those of the
// configuration.
func packages(m *model.Model) []string {
	parts := m.Parts(func(p *model.Package, _ *model.Type) bool { return p.Root && p.HasGroup() })
	paths := map[string]bool{}
	add := func(p *model.Package) {
		if p != nil && !p.External && !isInternal(p.Path) {
			paths[p.Path] = true
		}
	}
	for name := range parts {
		add(m.Package(name.Package))
	}
	for _, p := range m.Packages {
		if (p.Root || p.Companion) && allGenerated(p) && model.IsVersion(p.Name) {
			add(p)
		}
	}
	return slices.Sorted(maps.Keys(paths))
}
