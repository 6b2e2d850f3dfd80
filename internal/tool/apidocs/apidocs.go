// Package apidocs has the reference documentation of an API for people who write manifests, as data.
//
// [Build] makes the data from the model, the rules and the steps between versions, once; packages html and markdown
// below print it. A [Page] is about a kind in one version. Texts are decided here: rules in words, types in words, what
// changed in a version. Phrases have code in backquotes, and comments are as in Go.
//
// A field has the path that kubectl explain takes, such as spec.users.name, which is its anchor. The names that it has
// in other versions are aliases.
package apidocs

// Signature is in the first line of each file.
const Signature = "Written by kindsmith docs."

// Site is the documentation of all groups.
type Site struct {
	Groups []*Group
	// Try is what judges manifests in a page; nil for none.
	Try *Try
}

// Try is an evaluator for browsers.
type Try struct {
	// WASM is the program, Programs the rules that it reads; both are compressed with gzip.
	WASM, Programs []byte
	// Exec is the script that runs the program.
	Exec []byte
	// Code is the program of the project's own code, compressed with gzip; nil for none.
	Code []byte
}

// Pages calls yield with all pages, by group, kind and version.
func (s *Site) Pages(yield func(*Page) bool) {
	for _, g := range s.Groups {
		for _, k := range g.Kinds {
			for _, p := range k.Pages {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// Group is an API group.
type Group struct {
	// Name is the name, "core" for the group without one.
	Name string
	// Versions are in chronological order, the newest first.
	Versions []*Version
	Kinds    []*Kind
}

// Version is a version of a group. Its status is what holds for all kinds that it has; each kind of controller-gen has its own.
type Version struct {
	Name string
	Status
}

// Status is what API servers do with a version.
type Status struct {
	Served, Storage bool
	Deprecated      bool
	// Note is what users of a deprecated version should do.
	Note string
}

// Kind is a kind in all its versions.
type Kind struct {
	Name string
	// Synopsis is the first sentence of the newest version's comment.
	Synopsis string
	// Since is the version that has added the kind, Gone that which has removed it; "" if none of the group has.
	Since, Gone string
	// Pages are the versions, the newest first.
	Pages []*Page
}

// Page is a kind in one version.
type Page struct {
	Group   *Group
	Kind    *Kind
	Version *Version
	// Status is that of the kind in this version.
	Status Status
	// Doc is the comment of the kind.
	Doc    string
	Fields []*Field
	// Examples are valid manifests.
	Examples []Example
	// Changes are the differences from the version before, Older; nil for the oldest version.
	Changes *Changes
	// Since are the differences from an earlier state of the API; nil if there is none to compare with.
	Since  *Since
	Errors []Error
}

// Name is the path of the page in the site, without an extension: db.example.com/v1/database.
func (p *Page) Name() string { return p.Group.Name + "/" + p.Version.Name + "/" + lower(p.Kind.Name) }

// All calls yield with all fields of the page, in order.
func (p *Page) All(yield func(*Field) bool) { all(p.Fields, yield) }

func all(fields []*Field, yield func(*Field) bool) bool {
	for _, f := range fields {
		if !yield(f) || !all(f.Fields, yield) {
			return false
		}
	}
	return true
}

// Field is a field of an object.
type Field struct {
	Name string
	// Path is the anchor, and Aliases are the paths in other versions.
	Path    string
	Aliases []string
	// Type is the type in words.
	Type     string
	Required bool
	// Deprecated is what to use instead, as Go's comments have it.
	Deprecated string
	Doc        string
	// Default is JSON; "" for none.
	Default string
	// Values are those of an enum. Open means that others are allowed too.
	Values []Value
	Open   bool
	Rules  []Rule
	// Choices are the unions of the object's fields.
	Choices []Choice
	// Lifecycle has what happens to the field in other versions.
	Lifecycle []string
	// Same is the path of the field with the same type, which has the fields; "" if the field has its own.
	Same   string
	Fields []*Field
}

// Value is a value of an enum.
type Value struct{ Text, Doc string }

// Rule is a rule on a field.
type Rule struct {
	// Words is a phrase such as "at most 63 characters".
	Words string
	// Tag is the marker as written in Go; "" for none. CEL is the rule as an expression about self; "" if there is none.
	Tag, CEL string
	// Schema are the keywords of a published schema; none for a rule in CEL.
	Schema []string
}

// Choice is a union: a choice between fields.
type Choice struct {
	// Words introduces the choice. Discriminator is the name of the field that makes it; "" for none.
	Words         string
	Discriminator string
	Options       []Option
}

// Option is one possibility of a choice.
type Option struct {
	// Value is that of the discriminator, Member the field that is set; "" for none.
	Value, Member string
	// Clears are the fields that are removed if an update of the discriminator selects this option.
	Clears []string
	// Example is a manifest with it.
	Example string
}

// Example is a valid manifest.
type Example struct{ Title, YAML string }

// Changes are the differences between two versions.
type Changes struct {
	Older *Page
	List  []Change
	// Before and After are one manifest in both versions; "" if Go functions convert it, which do not run.
	Before, After string
	// LeftOut are the fields which the manifest lacks, because Go functions convert them.
	LeftOut []string
	// NeedsGo means that Go functions did not run.
	NeedsGo bool
}

// Since are the differences from an earlier state of the API.
type Since struct {
	// Name names that state.
	Name string
	// New means that it did not have the kind in this version.
	New  bool
	List []Change
}

// LacksManifests returns the number of versions whose manifests lack fields, or are missing, because Go functions did not run.
func (s *Site) LacksManifests() int {
	n := 0
	for p := range s.Pages {
		if c := p.Changes; c != nil && c.NeedsGo {
			n++
		}
	}
	return n
}

// Change is a difference of a field.
type Change struct {
	// Path is the field in this version, or in the older one if Removed is set.
	Path    string
	Removed bool
	Words   []string
}

// Error is an error that a manifest can have.
type Error struct {
	// Path is the field with the rule, Words the rule.
	Path, Words string
	// Message is the error; "" if there is no manifest that shows it.
	Message string
	// Object is the part of a manifest with the error, and Before the same part before an update; "" for a new object.
	Object, Before string
}
