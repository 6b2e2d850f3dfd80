package adopt

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/versions/evolve"
)

// Config configures a run.
type Config struct {
	// Written is the model of the packages as they are written, without computed versions, and Files are those
	// that it was read from.
	Written *model.Model
	Files   *source.FS
	// Load is like Written, with files in the place of those on the disk.
	Load func(overlay map[string][]byte, bag *diag.Bag) (*model.Model, *source.FS, error)
	Tags *tag.Set
	// Renames are the renames that the user confirms: the new name of an item by the old one, both as
	// Type.name; "" denies them.
	Renames map[string]string
	// Assume takes guesses for confirmed.
	Assume bool
	// Incomplete proposes markers also for versions that they do not describe completely, of which generate
	// then reports what is missing.
	Incomplete bool
	// Defaults are values, in JSON, that fields of the newest version get in objects of versions that lack
	// them, by Type.name.
	Defaults map[string]string
	// Restores are the annotations in which the existing conversions store the objects that they convert.
	Restores []string
}

// Adoption is what markers can do for an API.
type Adoption struct {
	*Family
	// Files are the changed files of the newest version, by path.
	Files map[string][]byte
	// Versions are the hand-written older versions, oldest first.
	Versions []*Version
	Guesses  []*Guess
	// Incomplete is that of the configuration.
	Incomplete bool
	// Model has the versions that would be generated.
	Model *model.Model
	// Unable are the errors of generate because of which functions are not called to compare conversions.
	Unable []*diag.Diagnostic
}

// Version is a hand-written older version.
type Version struct {
	*model.Package
	// Declared is set if the newest version declares it in the end. Others cannot be paired with it.
	Declared bool
	// Differences are what would be generated in another way.
	Differences []*Difference
	// Mistakes are the errors of markers that were tried, and of the newest version itself.
	Mistakes []*diag.Diagnostic

	// raw has the packages as they are written, and model the version as it would be generated.
	raw, model *model.Model
}

// Equal reports whether the version can be generated.
func (v *Version) Equal() bool { return v.Declared && len(v.Differences)+len(v.Mistakes) == 0 }

// Kept returns the kinds that only the older version has. They stay hand-written.
func (v *Version) Kept() []string {
	kept := v.kept()
	var kinds []string
	for _, t := range v.Types {
		if isObject(t) && kept[t.Name] {
			kinds = append(kinds, t.Name)
		}
	}
	return kinds
}

// kept returns the types that only the older version's own kinds use.
func (v *Version) kept() map[string]bool {
	old, generated := v.raw.Package(v.Path), v.model.Package(v.Path)
	if old == nil || generated == nil || !generated.Generated {
		return nil
	}
	return keptTypes(old, v.model, generated)
}

// Difference is a difference between a hand-written version and what would be generated.
type Difference struct {
	// Item is the type, or Type.name, and Message what differs.
	Item, Message string
	Span          source.Span
	// SameJSON is set if the JSON is the same.
	SameJSON bool
	// Reason says why adopt proposes no marker, "" if that is all.
	Reason string
	// Guess is set if the difference waits for its confirmation.
	Guess *Guess
}

// run is a run for one API.
type run struct {
	Config
	*Family
	overlay map[string][]byte
	files   *source.FS
	// raw has the packages as they are written, with the markers so far; projected has what would be
	// generated.
	raw, projected *model.Model
	errors         []*diag.Diagnostic
	// refused are the reasons why differences have no marker, by their keys.
	refused map[string]string
	guesses []*Guess
	open    map[string]*Guess
}

// Adopt proposes markers for the older versions of an API.
func (c Config) Adopt(f *Family) (*Adoption, error) {
	a, err := c.adopt(f)
	if err != nil || c.Incomplete || !slices.ContainsFunc(a.Versions, func(v *Version) bool { return !v.Declared }) {
		return a, err
	}
	// What stays out does not count in markers.
	rest := &Family{Hub: f.Hub}
	for _, v := range a.Versions {
		if v.Declared {
			rest.Older = append(rest.Older, v.Package)
		}
	}
	if len(rest.Older) == 0 {
		a.Files = nil
		return a, nil
	}
	b, err := c.Adopt(rest)
	if err != nil {
		return nil, err
	}
	for _, v := range a.Versions {
		if !v.Declared {
			b.Versions = append(b.Versions, v)
		}
	}
	slices.SortFunc(b.Versions, func(x, y *Version) int { return model.CompareVersions(x.Version, y.Version) })
	b.Family = f
	return b, nil
}

func (c Config) adopt(f *Family) (*Adoption, error) {
	r := &run{Config: c, Family: f, refused: map[string]string{}, open: map[string]*Guess{}}
	r.raw, r.files = c.Written, c.Files
	declared, _, err := apply(r.files.ReadFile, nil, r.declare())
	if err != nil {
		return nil, err
	}
	if err := r.load(declared); err != nil {
		return nil, err
	}
	for i := len(f.Older) - 1; i >= 0; i-- {
		if err := r.describe(f.Older[i], f.next(f.Older[i].Version, nil)); err != nil {
			return nil, err
		}
	}
	return r.finish()
}

// load computes the versions that files give.
func (r *run) load(overlay map[string][]byte) error {
	bag := &diag.Bag{}
	raw, files, err := r.Load(overlay, bag)
	if err != nil {
		return err
	}
	r.overlay, r.raw, r.files = overlay, raw, files
	r.projected = r.project(raw, files, bag)
	r.errors = slices.DeleteFunc(bag.All(), func(d *diag.Diagnostic) bool { return d.Severity != diag.Error })
	return nil
}

// project computes the older versions as if their types were not hand-written.
func (r *run) project(raw *model.Model, files *source.FS, bag *diag.Bag) *model.Model {
	m := &model.Model{Packages: slices.Clone(raw.Packages)}
	for i, p := range m.Packages {
		if slices.ContainsFunc(r.Older, func(old *model.Package) bool { return old.Path == p.Path }) {
			empty := *p
			empty.Types, empty.Funcs, empty.Decls = nil, nil, maps.Clone(p.Decls)
			for _, t := range p.Types {
				if raw.Package(r.Hub.Path).Type(t.Name) == nil {
					delete(empty.Decls, t.Name) // a type of the newest version may have the name
				}
			}
			m.Packages[i] = &empty
		}
	}
	m.Index()
	return evolve.Project(m, r.Tags, files, bag)
}

// declare returns the edits that declare the versions.
func (r *run) declare() []edit {
	hub := r.raw.Package(r.Hub.Path)
	// Declared versions, which are generated, order the others.
	last := hub.Span.Lines()
	last.End = last.Start
	for _, m := range hub.Markers {
		if m.Name == foreign.GroupName {
			last = m.Span.Lines()
		}
	}
	if n := len(hub.Versions); n > 0 {
		last = hub.Versions[n-1].Span.Lines()
	}
	var edits []edit
	for _, p := range slices.Concat(r.Older, []*model.Package{hub}) {
		if slices.ContainsFunc(hub.Versions, func(v *model.Version) bool { return v.Name == p.Version }) {
			continue
		}
		at := last.End
		if i := slices.IndexFunc(hub.Versions, func(v *model.Version) bool { return model.CompareVersions(v.Name, p.Version) > 0 }); i >= 0 {
			at = hub.Versions[i].Span.Lines().Start
		}
		edits = append(edits, edit{path: pathOf(hub, last), start: at, end: at, text: "// " + marker(r.Tags, model.RoleVersion, r.version(p)...) + "\n"})
	}
	for _, key := range r.Restores {
		if !restores(hub, key) {
			text := marker(r.Tags, model.RoleRestore, "annotation", key, "version", hub.Version)
			edits = append(edits, edit{path: pathOf(hub, last), start: last.End, end: last.End, text: "// " + text + "\n"})
		}
	}
	return edits
}

// restores reports whether a marker of the newest version names an annotation in which conversions have stored objects.
func restores(hub *model.Package, annotation string) bool {
	return slices.ContainsFunc(hub.Restores, func(r *model.Restore) bool { return r.Annotation == annotation })
}

// version returns the arguments that declare a version, from the markers of its kinds.
func (r *run) version(p *model.Package) []string {
	args := []string{"name", p.Version}
	kinds, unserved, stored := 0, 0, 0
	deprecated := ""
	for _, t := range p.Types {
		if !isObject(t) {
			continue
		}
		if kinds++; stores(t) {
			stored++
		}
		for _, m := range t.Markers {
			switch {
			case strings.HasPrefix(m.Name, foreign.UnservedVersion):
				unserved++
			case strings.HasPrefix(m.Name, foreign.DeprecatedVersion):
				deprecated = "true"
				if _, text, ok := strings.Cut(m.Text, "warning="); ok {
					deprecated = strings.Trim(text, "\"`")
				}
			}
		}
	}
	if deprecated != "" {
		args = append(args, "deprecated", deprecated)
	}
	if unserved == kinds {
		args = append(args, "served", "false")
	}
	if stored > 0 && !slices.ContainsFunc(slices.Concat(r.Older, []*model.Package{r.Hub}), func(q *model.Package) bool {
		return q.Path != p.Path && slices.ContainsFunc(q.Types, stores)
	}) {
		args = append(args, "storage", "true")
	}
	return args
}

// stores reports whether a marker of a kind makes its version the storage version.
func stores(t *model.Type) bool {
	return slices.ContainsFunc(t.Markers, func(m model.Marker) bool { return strings.HasPrefix(m.Name, foreign.StorageVersion) })
}

// most is how often the differences of a version are compared again. Fields that go may take types with
// them, and changed types show differences inside.
const most = 4

// describe adds the markers of one version.
func (r *run) describe(older *model.Package, next string) error {
	for pass := range most {
		old, generated := r.raw.Package(older.Path), r.projected.Package(older.Path)
		if old == nil || generated == nil || !generated.Generated {
			return nil // a mistake that finish reports
		}
		p := &proposer{
			tags: r.Tags, model: r.projected, before: r.raw, hub: r.projected.Package(r.Hub.Path), old: old, generated: generated, versions: r.Older,
			since: next, renames: r.Renames, assume: r.Assume, defaults: r.Defaults,
		}
		list := slices.DeleteFunc(compare(r.raw, old, r.projected, generated), func(d *difference) bool {
			_, refused := r.refused[d.key()]
			return refused
		})
		p.propose(list, pass > 0)
		for d, guess := range p.open {
			r.open[d.key()] = guess
			r.refused[d.key()] = ""
		}
		for d, why := range p.refused {
			r.refused[d.key()] = why
		}
		for _, g := range p.guesses {
			if !slices.ContainsFunc(r.guesses, func(h *Guess) bool { return h.From == g.From && h.To == g.To }) {
				r.guesses = append(r.guesses, g)
			}
		}
		changed, err := r.try(p.edits)
		if err != nil {
			return err
		}
		if !changed {
			if pass > 0 {
				break
			}
			continue
		}
	}
	// What is still different is so in versions before, and not because of them.
	old, generated := r.raw.Package(older.Path), r.projected.Package(older.Path)
	if old != nil && generated != nil {
		for _, d := range compare(r.raw, old, r.projected, generated) {
			if _, ok := r.refused[d.key()]; !ok {
				r.refused[d.key()] = ""
			}
		}
	}
	return nil
}

// try makes edits, except those that are mistakes.
func (r *run) try(edits []edit) (changed bool, err error) {
	before := *r
	overlay, known := r.overlay, r.errors
	for len(edits) > 0 {
		files, done, err := apply(before.files.ReadFile, overlay, edits)
		if err != nil {
			return false, err
		}
		if err := r.load(files); err != nil {
			return false, err
		}
		var wrong []*difference
		for _, d := range r.errors {
			for _, a := range done {
				if d.Span.File != nil && sameFile(a.path, d.Span, files) && d.Span.Start < a.to && a.from <= d.Span.Start && a.by != nil {
					r.refused[a.by.key()] = d.Message
					wrong = append(wrong, a.by)
				}
			}
		}
		if len(wrong) == 0 {
			if len(r.errors) > len(known) && len(edits) > 1 {
				return r.oneByOne(overlay, edits)
			}
			if len(r.errors) > len(known) {
				r.refused[edits[0].by.key()] = r.errors[len(r.errors)-1].Message
				break
			}
			return true, nil
		}
		edits = slices.DeleteFunc(slices.Clone(edits), func(e edit) bool { return slices.Contains(wrong, e.by) })
	}
	*r = before
	return false, nil
}

// oneByOne makes the edits of each difference that are no mistakes together with those before.
func (r *run) oneByOne(overlay map[string][]byte, edits []edit) (changed bool, err error) {
	if err := r.load(overlay); err != nil {
		return false, err
	}
	before, known := r.files, len(r.errors)
	var good []edit
	for len(edits) > 0 {
		by := edits[0].by
		of := slices.DeleteFunc(slices.Clone(edits), func(e edit) bool { return e.by != by })
		edits = slices.DeleteFunc(edits, func(e edit) bool { return e.by == by })
		files, _, err := apply(before.ReadFile, overlay, slices.Concat(good, of))
		if err != nil {
			return false, err
		}
		if err := r.load(files); err != nil {
			return false, err
		}
		if len(r.errors) > known {
			r.refused[by.key()] = r.errors[len(r.errors)-1].Message
			continue
		}
		good = append(good, of...)
	}
	files, _, err := apply(before.ReadFile, overlay, good)
	if err != nil {
		return false, err
	}
	return len(good) > 0, r.load(files)
}

// sameFile reports whether a span is in a file of the overlay.
func sameFile(path string, s source.Span, files map[string][]byte) bool {
	return bytes.Equal(files[path], s.File.Content) && strings.HasSuffix(path, s.File.Path[strings.LastIndexByte(s.File.Path, '/')+1:])
}

// finish compares all versions with what the markers give.
func (r *run) finish() (*Adoption, error) {
	a := &Adoption{Family: r.Family, Files: r.overlay, Guesses: r.guesses, Incomplete: r.Incomplete, Model: r.projected}
	for _, older := range r.Older {
		v := &Version{Package: older, Declared: true, Mistakes: r.errors, raw: r.raw, model: r.projected}
		a.Versions = append(a.Versions, v)
		old, generated := r.raw.Package(older.Path), r.projected.Package(older.Path)
		if old == nil || generated == nil || !generated.Generated {
			v.Differences = append(v.Differences, &Difference{Item: "package " + older.Name, Message: "cannot be generated", Span: older.Span})
			continue
		}
		for _, d := range compare(r.raw, old, r.projected, generated) {
			if d.aspect == nested {
				continue
			}
			v.Differences = append(v.Differences, &Difference{Item: d.item, Message: d.message, Span: d.span, SameJSON: d.sameJSON, Reason: r.refused[d.key()], Guess: r.open[d.key()]})
		}
	}
	return a, r.checkPairs(a)
}

// checkPairs computes the versions with those that stay hand-written, and marks those that cannot be paired
// with the newest.
func (r *run) checkPairs(a *Adoption) error {
	if !slices.ContainsFunc(a.Versions, func(v *Version) bool { return !v.Equal() }) {
		return nil
	}
	bag := &diag.Bag{}
	raw, files, err := r.Load(r.overlay, bag)
	if err != nil {
		return err
	}
	some := *r
	some.Family = &Family{Hub: r.Hub}
	for _, v := range a.Versions {
		if v.Equal() {
			some.Older = append(some.Older, v.Package)
		}
	}
	some.project(raw, files, bag)
	if !bag.HasErrors() {
		return nil
	}
	for _, v := range a.Versions {
		in := func(d *diag.Diagnostic) bool {
			return d.Severity == diag.Error && d.Span.File != nil && slices.ContainsFunc(v.Types, func(t *model.Type) bool { return t.Span.File != nil && t.Span.File.Path == d.Span.File.Path })
		}
		if !v.Equal() && slices.ContainsFunc(bag.All(), in) {
			v.Declared = false
		}
	}
	if slices.ContainsFunc(a.Versions, func(v *Version) bool { return !v.Declared }) {
		return nil
	}
	for _, v := range a.Versions {
		v.Declared = v.Equal()
	}
	return nil
}
