package load

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/kindsmith/kindsmith/internal/core/diag"
)

// facts is what the texts of files say beside their syntax.
type facts struct {
	// Methods are the methods declared in the package, by receiver type, then name.
	Methods map[string]map[string]Method
	// Decls are the names of package-level declarations in hand-written files.
	Decls map[string]bool
	// Builders are the hand-written scheme builders of a root: by variable, the
	// expression that functions are registered with. NamesBuilder is set if hand-written
	// code mentions the variables that are generated otherwise.
	Builders     map[string]string
	NamesBuilder bool
	// Generated are the existing generated functions; none for roots, whose files are written
	// again.
	Generated map[string]bool

	// marked are the words in the markers of a root.
	marked map[string]bool
	// described is set if a marker of a root is about types, or may be.
	described    bool
	registration registration
}

func newFacts() facts {
	return facts{
		Methods: map[string]map[string]Method{}, Decls: map[string]bool{}, Builders: map[string]string{}, Generated: map[string]bool{}, marked: map[string]bool{},
	}
}

// add adds the facts of a later file.
func (f *facts) add(other *facts) {
	for receiver, methods := range other.Methods {
		for name, m := range methods {
			f.addMethod(receiver, name, m)
		}
	}
	maps.Copy(f.Decls, other.Decls)
	maps.Copy(f.Builders, other.Builders)
	maps.Copy(f.Generated, other.Generated)
	maps.Copy(f.marked, other.marked)
	f.NamesBuilder = f.NamesBuilder || other.NamesBuilder
	f.described = f.described || other.described
	f.registration.add(other.registration)
}

func (f *facts) addMethod(receiver, name string, m Method) {
	if f.Methods[receiver] == nil {
		f.Methods[receiver] = map[string]Method{}
	}
	f.Methods[receiver][name] = m
}

// part is one file of a package that may change, with what its text says.
type part struct {
	facts
	// file is nil if the file is not parsed.
	file  *File
	found diag.Bag
}

// include adds a file to the package.
func (p *Package) include(of *part) {
	p.add(&of.facts)
	for _, d := range of.found.All() {
		p.found.Add(d)
	}
	if of.file != nil {
		p.Files = append(p.Files, of.file)
	}
}

// reread reads all files of a package again, as a first load does.
func (r *Result) reread(p *Package, meta *packages.Package) *Package {
	if r.fresh == nil {
		r.fresh = map[string]bool{}
	}
	r.fresh[p.Path] = true
	for _, f := range p.Files {
		if !slices.Contains(r.old[p.Path].Files, f) { // those are dropped with the old package
			r.drop(f)
		}
	}
	again := r.prepare(meta)
	r.loaded[p.Path] = again
	again.Broken = again.found.HasErrors() || r.cyclic[p.Path]
	r.check(again, meta)
	return again
}

// keptPart returns a file that an earlier load has parsed; nil if it has changed, or what it is read with.
func (r *Result) keptPart(p *Package, name string) *part {
	old := r.old[p.Path]
	if old == nil || r.fresh[p.Path] || old.listed != p.listed || old.parts[name] == nil || old.parts[name].found.HasErrors() || r.files.Unrecorded().Digest(name) != old.states[name] {
		return nil
	}
	p.states[name] = r.files.Digest(name) // which records it
	p.mixed = true
	return old.parts[name]
}

// readPart reads and parses a file.
func (r *Result) readPart(p *Package, meta *packages.Package, name string, comments bool) (*part, error) {
	content, err := r.read(p, meta, name)
	if err != nil {
		return nil, err
	}
	of := &part{facts: newFacts()}
	of.file = r.parse(p, of, name, content, comments)
	return of, nil
}
