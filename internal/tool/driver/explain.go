package driver

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	crdgen "sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/deepcopy"
	"github.com/kindsmith/kindsmith/internal/emit/definitions"
	"github.com/kindsmith/kindsmith/internal/tool/controllergen"
	"github.com/kindsmith/kindsmith/internal/tool/docdiff"
)

// Explained is a file that differs, with the causes.
type Explained struct {
	Name string
	// Added and Removed are set if only one side has the file.
	Added, Removed bool
	// Causes are in the order of the file. That of an added or removed file has no place.
	Causes []Cause
}

// Cause is a difference in a file, with its cause.
type Cause struct {
	emit.Cause
	// At is the place in the file, Mark whether there is a value more, "+", one less, "-", or another,
	// "~", and Values are these.
	At, Mark, Values string
	// Also is the number of further differences with the same cause.
	Also int
}

// Explain returns why the files of a run differ from those on the disk.
func (o *Output) Explain() []Explained {
	var list []Explained
	for _, f := range o.Files {
		if !f.Changed() {
			continue
		}
		list = append(list, f.explain(f.Previous))
	}
	return list
}

// The names of the emitters for whose files controller-gen has generators too.
var copiesName, schemaName = deepcopy.Emitter().Name, definitions.Emitter().Name

// ExplainControllerGen returns why the definitions of a run differ from those that controller-gen
// writes with the options, and which methods of deep copies only one of the two has: their bodies
// always differ. The other generators are controller-gen's. What controller-gen reports are warnings.
func (o *Output) ExplainControllerGen(cfg Config, options *crdgen.Generator, bag *diag.Bag) ([]Explained, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	var selected []controllergen.Generator
	if cfg.selects(schemaName) {
		selected = append(selected, controllergen.Definitions(options))
	}
	if cfg.selects(copiesName) {
		selected = append(selected, controllergen.Copies())
	}
	found := &diag.Bag{}
	made, err := controllergen.Generate(controllergen.Config{
		Dir: cfg.Dir, Patterns: cfg.Patterns, BuildTags: cfg.BuildTags, Files: cfg.Files,
	}, selected, found)
	if err != nil {
		return nil, err
	}
	bag.Demote(found, "this is what controller-gen reports")
	theirs := map[string][]byte{}
	for _, f := range made {
		theirs[f.Name] = f.Content
	}
	var list []Explained
	for _, f := range o.Files {
		var e Explained
		switch {
		case f.Content == nil:
			continue
		case f.manifest:
			name := filepath.Base(f.Path)
			e = f.explain(theirs[name])
			delete(theirs, name)
		case f.by == copiesName && !f.pkg.Generated:
			name := filepath.Join(f.pkg.Dir, filepath.Base(f.Path))
			e = f.explainMethods(theirs[name])
			delete(theirs, name)
		}
		if e.Added || len(e.Causes) > 0 {
			list = append(list, e)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		e := Explained{Name: name, Removed: true}
		if filepath.IsAbs(name) {
			e = o.withoutCopies(cfg, name)
		} else {
			cause, err := o.without(theirs[name])
			if err != nil {
				return nil, err
			}
			e.Causes = []Cause{{Cause: cause}}
		}
		list = append(list, e)
	}
	return list, nil
}

// explainMethods returns the methods that only the file or another one has; nil is none.
func (f *File) explainMethods(other []byte) Explained {
	e := Explained{Name: f.Name, Added: other == nil}
	if e.Added {
		e.Causes = []Cause{{Cause: emit.Cause{
			Span: f.pkg.Span, Text: "controller-gen copies only packages and types with +" + foreign.ObjectGenerate + " or +" + foreign.ObjectRoot,
		}}}
		return e
	}
	e.Causes = slices.DeleteFunc(f.explainGo(other), func(c Cause) bool { return c.Mark == "~" || !strings.HasPrefix(c.At, "func ") })
	return e
}

// withoutCopies returns why a run has no methods for a package, to which controller-gen writes a file.
func (o *Output) withoutCopies(cfg Config, path string) Explained {
	e := Explained{Name: cfg.name(path), Removed: true, Causes: []Cause{{Cause: emit.Cause{Text: "kindsmith copies no type of the package"}}}}
	for _, p := range o.model.Packages {
		if p.Dir == filepath.Dir(path) {
			e.Causes[0].Span = p.Span
		}
	}
	return e
}

// without returns why a run has no definition that controller-gen writes.
func (o *Output) without(definition []byte) (emit.Cause, error) {
	var crd struct {
		Spec struct {
			Group string
			Names struct{ Kind string }
		}
	}
	if err := yaml.Unmarshal(definition, &crd); err != nil {
		return emit.Cause{}, err
	}
	for _, p := range o.model.Packages {
		if t := p.Type(crd.Spec.Names.Kind); p.Group == crd.Spec.Group && t != nil {
			return emit.Cause{Span: t.Span, Text: "kindsmith makes no definition of " + t.Name}, nil
		}
	}
	return emit.Cause{Text: fmt.Sprintf("no package has the kind %s of group %s", crd.Spec.Names.Kind, crd.Spec.Group)}, nil
}

// explain returns why a file differs from other content; nil is none.
func (f *File) explain(before []byte) Explained {
	e := Explained{Name: f.Name, Added: before == nil, Removed: f.Content == nil}
	switch {
	case e.Added && f.cause != nil:
		e.Causes = []Cause{{Cause: f.cause([]string{"spec", "names", "kind"}, true)}}
	case e.Added:
		e.Causes = []Cause{{Cause: emit.Cause{Text: "written by " + f.by}}}
	case e.Removed:
		e.Causes = []Cause{{Cause: f.gone()}}
	case strings.HasSuffix(f.Path, ".go"):
		e.Causes = f.explainGo(before)
	default:
		e.Causes = f.explainYAML(before)
	}
	return e
}

// gone returns why a file is removed.
func (f *File) gone() emit.Cause {
	if from := provenance.Of(f.Path, f.Previous).Sources; len(from) > 0 {
		return emit.Cause{Text: "made from " + strings.Join(from, ", ") + ", which does not have the kind any more"}
	}
	if f.pkg != nil {
		return emit.Cause{Span: f.pkg.Span, Text: fmt.Sprintf("package %s has nothing for %s any more", f.pkg.Path, f.by)}
	}
	return emit.Cause{Text: "nothing writes it any more"}
}

func (f *File) explainYAML(before []byte) []Cause {
	found, err := docdiff.Texts(before, f.Content)
	if err != nil || len(bytes.TrimSpace(before)) == 0 {
		return []Cause{{Cause: emit.Cause{Text: "the file is damaged and is written again"}}}
	}
	var list []Cause
	shared := map[emit.Cause]int{} // causes that may have many differences
	for _, d := range found {
		c := Cause{At: describe(d.Path), Mark: mark(d.Before != nil, d.After != nil), Values: valuesOf(d), Cause: emit.Cause{Text: "written by " + f.by}}
		if f.cause != nil {
			c.Cause = f.cause(d.Path, d.After != nil)
		}
		if c.Span.IsZero() || slices.Contains(d.Path, "description") {
			if i, ok := shared[c.Cause]; ok {
				list[i].Also++
				continue
			}
			shared[c.Cause] = len(list)
		}
		list = append(list, c)
	}
	if len(found) == 0 {
		list = append(list, Cause{At: "comments", Mark: "~", Cause: emit.Cause{Text: "the header, or the packages of the definition"}})
	}
	return list
}

func mark(was, is bool) string {
	switch {
	case !was:
		return "+"
	case !is:
		return "-"
	}
	return "~"
}

// valuesOf returns the values of a difference; "" if the path ends with the value.
func valuesOf(d docdiff.Difference) string {
	switch {
	case d.Before != nil && d.After != nil:
		return docdiff.Text(d.Before) + " -> " + docdiff.Text(d.After)
	case d.Before != nil:
		d.After = d.Before
	}
	if len(d.Path) > 0 && fmt.Sprint(d.After) == d.Path[len(d.Path)-1] {
		return ""
	}
	return docdiff.Text(d.After)
}

// describe returns a path for users: in schemas that of the field, with the keyword.
func describe(path []string) string {
	i := slices.Index(path, "openAPIV3Schema")
	if i < 3 {
		return strings.Join(path, ".")
	}
	var field strings.Builder
	rest := path[i+1:]
	for len(rest) > 0 {
		switch {
		case rest[0] == "properties" && len(rest) > 1:
			field.WriteString("." + rest[1])
			rest = rest[2:]
			continue
		case rest[0] == "items" || rest[0] == "additionalProperties":
			field.WriteString("[*]")
			rest = rest[1:]
			continue
		}
		break
	}
	at := path[2]
	if field.Len() > 0 {
		at += " " + strings.TrimPrefix(field.String(), ".")
	}
	return strings.TrimSpace(at + " " + strings.Join(rest, " "))
}

// explainGo returns the declarations that differ, with the types that they are for.
func (f *File) explainGo(before []byte) []Cause {
	was, is := declarations(before), declarations(f.Content)
	all := maps.Clone(was)
	maps.Copy(all, is)
	var list []Cause
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if was[name] == is[name] {
			continue
		}
		c := Cause{At: name, Mark: mark(was[name] != "", is[name] != ""), Cause: emit.Cause{Text: "written by " + f.by}}
		for _, word := range words.FindAllString(name, -1) {
			if f.pkg == nil {
				break
			}
			if t := f.pkg.Type(word); t != nil {
				c.Cause = emit.Cause{Span: t.Span, Text: fmt.Sprintf("the type %s, for %s", t.Name, f.by)}
			}
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		list = append(list, Cause{At: "comments", Mark: "~", Cause: emit.Cause{Text: "written by " + f.by}})
	}
	return list
}

// words are the parts of a name such as Convert_v1beta1_Order_To_v1_Order.
var words = regexp.MustCompile(`[\pL\pN]+`)

// declarations returns the declarations of a Go file by name, and as text. A file that does not
// parse has none.
func declarations(content []byte) map[string]string {
	all := map[string]string{}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", content, parser.SkipObjectResolution)
	if err != nil {
		return all
	}
	add := func(name string, node ast.Node) {
		var text bytes.Buffer
		if format.Node(&text, fset, node) == nil {
			all[name] = text.String()
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil && len(d.Recv.List) > 0 {
				var of bytes.Buffer
				if format.Node(&of, fset, d.Recv.List[0].Type) == nil {
					name = "(" + of.String() + ")." + name
				}
			}
			add("func "+name, d)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add("type "+s.Name.Name, s)
				case *ast.ValueSpec:
					add(d.Tok.String()+" "+s.Names[0].Name, s)
				case *ast.ImportSpec:
					add("import "+s.Path.Value, s)
				}
			}
		}
	}
	return all
}
