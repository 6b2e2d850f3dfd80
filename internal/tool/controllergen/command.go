// Package controllergen reads controller-gen's command line and runs those of its generators whose
// files kindsmith has no emitter for.
//
// [Parse] reads the arguments, and [Generate] runs generators: mistakes of users are diagnostics. [Is] says whether an
// argument is one of controller-gen's.
//
// These write roles, webhook manifests, patched schemas and apply configurations; the last one into a
// temporary folder. Package driver writes their files with all others. The grammar is controller-gen's own.
package controllergen

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/controller-tools/pkg/applyconfiguration"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/controller-tools/pkg/rbac"
	"sigs.k8s.io/controller-tools/pkg/schemapatcher"
	"sigs.k8s.io/controller-tools/pkg/webhook"
)

// Command is a parsed command line.
type Command struct {
	Paths []string
	// CRD and Object have the options of the generators that kindsmith has emitters for; nil if
	// they are not to run.
	CRD    *crd.Generator
	Object *deepcopy.Generator
	// Generators are the others.
	Generators []Generator

	// rules are the output rules by generator; that of "" is for generators without one.
	rules map[string]genall.OutputRule
	names []string
}

// Output says where the files of a generator go.
type Output struct {
	// Stdout prints the files, None drops them.
	Stdout, None bool
	// Config is the folder for manifests.
	Config string
	// Code is the folder for Go files; "" is that of their types.
	Code string
}

// generators are the generators that run, by name.
var generators = map[string]genall.Generator{
	applyName:     applyconfiguration.Generator{},
	"crd":         crd.Generator{},
	"object":      deepcopy.Generator{},
	"rbac":        rbac.Generator{},
	"schemapatch": schemapatcher.Generator{},
	"webhook":     webhook.Generator{},
}

// applyName is the generator whose folders markers select, and not outputs.
const applyName = "applyconfiguration"

var outputs = map[string]genall.OutputRule{
	"artifacts": genall.OutputArtifacts{},
	"dir":       genall.OutputToDirectory(""),
	"none":      genall.OutputToNothing,
	"stdout":    genall.OutputToStdout,
}

// options returns the definitions of all options.
var options = sync.OnceValues(func() (*markers.Registry, error) {
	reg := &markers.Registry{}
	var errs []error
	define := func(name string, value any) {
		d, err := markers.MakeDefinition(name, markers.DescribesPackage, value)
		if err == nil {
			err = reg.Register(d)
		}
		errs = append(errs, err)
	}
	for rule, value := range outputs {
		define("output:"+rule, value)
	}
	for name, generator := range generators {
		define(name, generator)
		for rule, value := range outputs {
			define("output:"+name+":"+rule, value)
		}
	}
	return reg, errors.Join(append(errs, genall.RegisterOptionsMarkers(reg))...)
})

// Is reports whether an argument is one of controller-gen's instead of a pattern for packages.
func Is(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	first, _, _ := strings.Cut(name, ":")
	return first == "paths" && name != arg || first == "output" && name != first || generators[first] != nil
}

// Parse parses a command line. An error says what to write instead.
func Parse(args []string) (*Command, error) {
	c := &Command{rules: map[string]genall.OutputRule{}}
	var errs []error
	for _, arg := range args {
		errs = append(errs, c.add(arg))
	}
	for _, name := range slices.Sorted(maps.Keys(c.rules)) {
		if name != "" && !slices.Contains(c.names, name) {
			errs = append(errs, fmt.Errorf("output:%s: no generator %s; add %s", name, name, name))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if len(c.names) == 0 {
		return nil, fmt.Errorf("no generators; add %s, or write kindsmith generate [packages] to run all parts of kindsmith", strings.Join(slices.Sorted(maps.Keys(generators)), ", "))
	}
	return c, nil
}

// add adds an argument.
func (c *Command) add(arg string) error {
	reg, err := options()
	if err != nil {
		return err
	}
	if !Is(arg) {
		return fmt.Errorf("%s: not an option of controller-gen, like the other arguments; for packages write paths=%s", arg, arg)
	}
	d := reg.Lookup("+"+arg, markers.DescribesPackage)
	if d == nil {
		return fmt.Errorf("%s: unknown output rule; write output:<rule> or output:<generator>:<rule>, with one of the generators %s and the rules %s",
			arg, strings.Join(slices.Sorted(maps.Keys(generators)), ", "), "dir=<dir>, artifacts:config=<dir>,code=<dir>, none, stdout")
	}
	value, err := d.Parse("+" + arg)
	if err != nil {
		return fmt.Errorf("%s: %s%s", arg, firstOf(err), takes(d))
	}
	if generators[d.Name] != nil && slices.Contains(c.names, d.Name) {
		return fmt.Errorf("%s: %s is repeated; remove one", arg, d.Name)
	}
	switch value := value.(type) {
	case genall.InputPaths:
		c.Paths = append(c.Paths, value...)
	case genall.OutputRule:
		parts := strings.Split(d.Name, ":")
		of := strings.Join(parts[1:len(parts)-1], "")
		if of == applyName && value != genall.OutputToNothing && value != genall.OutputToStdout {
			return fmt.Errorf("%s: packages select the folder of apply configurations, by +kubebuilder:ac:output:package", arg)
		}
		c.rules[of] = value
	case crd.Generator:
		if i := slices.IndexFunc(value.CRDVersions, func(v string) bool { return v != "v1" }); i >= 0 {
			return fmt.Errorf("%s: unknown version %q of CustomResourceDefinitions; write v1", arg, value.CRDVersions[i])
		}
		c.CRD = &value
	case deepcopy.Generator:
		c.Object = &value
	case rbac.Generator:
		g := Generator{Name: d.Name, HeaderFile: value.HeaderFile, Year: value.Year}
		value.HeaderFile, value.Year = "", ""
		g.Options = value
		c.Generators = append(c.Generators, g)
	case schemapatcher.Generator:
		c.Generators = append(c.Generators, Generator{Name: d.Name, Options: value, types: true, patches: value.ManifestsPath})
	case applyconfiguration.Generator:
		g := Generator{Name: d.Name, HeaderFile: value.HeaderFile, types: true, writes: true}
		value.HeaderFile, value.OmitToolVersion = "", nil
		g.Options = value
		c.Generators = append(c.Generators, g)
	case webhook.Generator:
		g := Generator{Name: d.Name, HeaderFile: value.HeaderFile, Year: value.Year}
		value.HeaderFile, value.Year = "", ""
		g.Options = value
		c.Generators = append(c.Generators, g)
	}
	if generators[d.Name] != nil {
		c.names = append(c.names, d.Name)
	}
	return nil
}

// firstOf returns the message of the first of the parser's errors; the others follow from it.
func firstOf(err error) string {
	var list loader.ErrList
	if errors.As(err, &list) && len(list) > 0 {
		err = list[0]
	}
	if wrong := (*markers.ScannerError)(nil); errors.As(err, &wrong) {
		return wrong.Msg
	}
	return err.Error()
}

// takes lists the arguments of an option.
func takes(d *markers.Definition) string {
	if d.Empty() || d.AnonymousField() {
		return ""
	}
	return "; the arguments of " + d.Name + " are " + strings.Join(slices.Sorted(maps.Keys(d.Fields)), ", ")
}

// Output returns where the files of a generator go. Like controller-gen, a generator without a
// rule writes manifests to config/<generator>, unless there is a rule for all generators.
func (c *Command) Output(generator string) Output {
	rule := c.rules[generator]
	if rule == nil {
		rule = c.rules[""]
	}
	switch rule := rule.(type) {
	case genall.OutputToDirectory:
		return Output{Config: folder(rule), Code: folder(rule)}
	case genall.OutputArtifacts:
		return Output{Config: folder(rule.Config), Code: string(rule.Code)}
	case nil:
		return Output{Config: "config/" + generator}
	default:
		return Output{Stdout: rule == genall.OutputToStdout, None: rule == genall.OutputToNothing}
	}
}

// folder returns the folder of a rule; that without a name is the current one.
func folder(rule genall.OutputToDirectory) string {
	if rule == "" {
		return "."
	}
	return string(rule)
}
