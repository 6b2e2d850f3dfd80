// Package emit is the room of output: one folder an emitter, which turns the model of a package, of an API group, or of the run
// into files.
//
// The model of all versions, rules and steps enter; files and diagnostics leave. It may know core, rules, objects and versions.
// Emitters never import tags or each other.
//
// An [Emitter] gets a [Context], and returns each [File]. Mistakes of users go to the bag of the context; an error is a bug.
//
// Output is byte-for-byte deterministic and reads like hand-written code, because people review it. The file of a run names the
// packages it is made from: driver does not write it in a run without some of these, whose part would be lost.
package emit

import (
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/schema"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
)

// Emitter writes one kind of output.
type Emitter struct {
	// Name is the emitter's name in `--only`.
	Name string
	// Part is what the emitter writes, as diagnostics name it.
	Part diag.Parts
	// Summary describes the output in one sentence.
	Summary string
	// Files are the names of the files that the emitter may write into a package.
	// The driver uses them to find files that it no longer writes.
	Files []string
	// Folder is where the emitter's files are.
	Folder Folder
	// Owns reports whether a file of the folder of manifests is the emitter's, by its name; nil means that all are.
	Owns func(name string) bool
	// Optional means that the emitter runs only if it is requested, and for packages
	// that already have its files.
	Optional bool
	// Calls is the name of the emitter whose functions the files call, if a package need not have these. Without it, the
	// emitter runs only if it is requested.
	Calls string
	// Yields means that the emitter adds to what hand-written code declares. Its files,
	// where another generator wrote them, count as hand-written.
	Yields bool
	// Codes are the codes that the emitter reports.
	Codes []diag.Code
	// Scope selects what Emit is called for.
	Scope Scope
	// Check reports mistakes in a package, even one without kinds. It is called for each package
	// before the first Emit. It may be nil.
	Check func(c *Context)
	// Emit returns the files for the context. It reports users' mistakes to c.Diags; an error is a
	// bug.
	Emit func(c *Context) ([]File, error)
	// Once returns the files for all packages, as with PerRun. It is called after Emit, and may be nil.
	Once func(c *Context) ([]File, error)
}

// Context is the input of an emitter.
type Context struct {
	Model *model.Model
	// Package is the package to write for; for a kind or a group, its leading package.
	Package *model.Package
	// Kind and Group are set in their scopes.
	Kind  *Kind
	Group *Group
	Tags  *tag.Set
	// Rules are the rules of the model.
	Rules *rule.Programs
	// Steps are what changes between neighbouring versions.
	Steps []*steps.API
	// Files is the file system of the run.
	Files *source.FS
	// Formatter formats Go files; nil caches nothing.
	Formatter *gofile.Formatter
	Diags     *diag.Bag
	Options   Options

	// before is the number of errors that were reported before this unit.
	before int
}

// Failed reports whether there are errors about this unit: its files cannot be written. Errors about
// other units do not matter, nor those about parts that the run does not write.
func (c *Context) Failed() bool { return c.Diags.Errors() > c.before }

// Configured is the fact that the conversion webhook of a run is the one that the project asks for: a mistake in its settings
// may leave it out.
var Configured = diag.About("settings", "")

// KindOf is the fact that a type with markers of a kind is one, and has its fields.
func KindOf(t model.Name) diag.Fact { return diag.About("kind", t.String()) }

// Options are the options of a run that affect the output.
type Options struct {
	// Header is the text at the top of every generated Go file: Go comments, such as
	// a licence.
	Header string
	// Aliases are the import paths that Go files use for dependencies.
	Aliases gofile.Aliases
	// Runs reports whether the run writes the files of an emitter; nil means that it writes all.
	Runs func(emitter string) bool
	// Kept returns the exported names that generated files of a package declare and that the run does not write; nil
	// means that there are none.
	Kept func(*model.Package) map[string]bool
	// Place returns the path of a file of a package; nil means that the files are beside their sources.
	Place func(*model.Package, File) string
	// TestMain finds the TestMain of a package's hand-written tests.
	TestMain func(*model.Package) *TestMain
	// Projection selects the conditional rules of published schemas.
	Projection rule.Projection
	// Definition returns the CustomResourceDefinition of a kind, as YAML; nil if there is none.
	Definition func(group, kind string) ([]byte, error)
	// Complete is like Definition, with the rules that CRDs.WithoutRules leaves out.
	Complete func(group, kind string) ([]byte, error)
	// PolicyActions are what the policies with the rules of kinds do; without any, definitions have the rules.
	PolicyActions []string
	// Settings are the places of settings, for diagnostics about them.
	Settings Places
	// Policies returns the files of the admission policies of all kinds; nil if the project has no folder for them.
	Policies func() ([]File, error)
	// Deploy are settings of the manifests that run webhooks.
	Deploy Deploy
	// TypedWebhooks returns the configurations of webhooks that hand-written markers describe, as YAML; nil if
	// there are none.
	TypedWebhooks func() ([]byte, error)
	// OpenAPI is the package with all OpenAPI definitions; nil if each package has its own.
	OpenAPI *GoPackage
	// Dependencies selects the rules of types in other modules. Context.Rules has no others.
	Dependencies rule.Policy
	CRDs         CRDs
}

// GoPackage is a Go package that a run writes.
type GoPackage struct{ Path, Name string }

// CRDs are settings of CustomResourceDefinitions.
type CRDs struct {
	// Options are how schemas are written.
	schema.Options
	// MaxDescription is the maximum length of a description in bytes; longer ones end after a
	// sentence or word. 0 leaves out descriptions, nil limits nothing.
	MaxDescription *int
	// MaxSize is the maximum size of a definition in bytes, as compact JSON: descriptions are left out,
	// the deepest first, until it fits. 0 limits nothing.
	MaxSize int
	// Slim writes two files: the complete definition, and one that is limited to MaxSize, or has no
	// descriptions if that is 0.
	Slim bool
	// PreserveUnknownFields is the value of spec.preserveUnknownFields; nil omits it.
	PreserveUnknownFields *bool
	// WithoutRules leaves out rules about values: a policy has these.
	WithoutRules bool
	// Conversion is the webhook of kinds whose versions differ in JSON; nil if it is not known.
	Conversion *ConversionWebhook
}

// TestMain is a hand-written TestMain.
type TestMain struct {
	// Name is the function's name; Decl is the complete declaration.
	Name, Decl source.Span
}

// TestMain returns the TestMain of the package's hand-written tests, or nil.
func (c *Context) TestMain() *TestMain {
	if c.Options.TestMain == nil {
		return nil
	}
	return c.Options.TestMain(c.Package)
}

// File is one file to write.
type File struct {
	// Name is the file's name. A Go file goes into the package's folder.
	Name string
	// Folder is the folder of the file.
	Folder Folder
	// Content is the whole file.
	Content []byte
	// Note tells users what they may not expect in the file; "" for nothing.
	Note string
	// Sources are the import paths of the packages that the file of an emitter PerRun is made from.
	Sources []string
	// Yields means that a hand-written file at the path stays as it is. First is set on a file that people go on
	// with: it is written only if there is none, without a header.
	Yields, First bool
	// Cause returns why the file has, or does not have, the value at a path as of package docdiff. It
	// is nil for files other than definitions.
	Cause func(path []string, has bool) Cause
}

// Cause is why a file has a value, or has none.
type Cause struct {
	// Span is the marker or the declaration; zero for options and for what the tool always does.
	Span source.Span
	Text string
}

// Folder is a folder that a run writes to.
type Folder int

const (
	// InPackage is the folder of Context.Package.
	InPackage Folder = iota
	// InCRDs is the run's folder of CustomResourceDefinitions.
	InCRDs
	// InSlimCRDs is the run's folder of slim CustomResourceDefinitions.
	InSlimCRDs
	// InPolicies is the run's folder of MutatingAdmissionPolicies.
	InPolicies
	// InOpenAPI is the run's folder of the package with all OpenAPI definitions.
	InOpenAPI
	// InWebhooks is the run's folder of configurations of admission webhooks.
	InWebhooks
	// InKustomize is the run's folder of kustomizations: that of InWebhooks.
	InKustomize
	// AboveCRDs is the folder above that of CustomResourceDefinitions.
	AboveCRDs
	// InChart is the run's folder of a Helm chart.
	InChart
	// InOLM is the run's folder of manifests for the Operator Lifecycle Manager.
	InOLM
	// AbovePackage is the folder above that of Context.Package.
	AbovePackage
)

// IsOfManifests reports whether the folder is for manifests.
func (f Folder) IsOfManifests() bool {
	return f != InPackage && f != AbovePackage && f != InOpenAPI
}

// PackageName returns the name of a package of the model, "" for others.
func (c *Context) PackageName(path string) string {
	if p := c.Model.Package(path); p != nil {
		return p.Name
	}
	return ""
}

// NewFile returns an empty Go file of the package. It has the run's header and
// reserves the package's names.
func (c *Context) NewFile() *gofile.File {
	f := gofile.New(c.Package.Path, c.Package.Name)
	f.SetHeader(c.Options.Header)
	f.SetFormatter(c.Formatter)
	f.SetNames(c.PackageName)
	f.SetAliases(c.Options.Aliases)
	for name := range c.Package.Decls {
		f.Reserve(name)
	}
	return f
}

// Local returns the name of a local variable in a number of loops: names of nested variables are
// numbered, and they do not shadow declarations of the package.
func (c *Context) Local(name string, loops int) string {
	if loops > 0 {
		name += strconv.Itoa(loops + 1)
	}
	for c.Package.Decls[name] {
		name += "_"
	}
	return name
}
