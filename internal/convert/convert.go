// Package convert converts manifests between the versions of their kinds, by evaluating plans. It
// compiles no Go code but the author's functions, on request.
//
// Functions of the author run in a program of package goprogram with the generated code. eval decides whether
// a tracked value fits its field.
package convert

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/eval"
	"github.com/kindsmith/kindsmith/internal/goprogram"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/internal/verdict"
	"github.com/kindsmith/kindsmith/internal/wiretable"
	"github.com/kindsmith/kindsmith/runtime/wire"
)

// The forms of documents.
const (
	YAML = "yaml"
	JSON = "json"
)

// Converter converts objects of the kinds of a model. It is not safe for concurrent use.
type Converter struct {
	// Form is the form that Documents writes: YAML or JSON; "" is that of each document.
	Form string
	// KeepUnknown means that objects of kinds that the packages do not have are printed as they are. Else they are errors.
	KeepUnknown bool
	families    []*family
}

// family is a package with its older versions.
type family struct {
	group string
	// kinds are the versions of each kind, the newest first.
	kinds map[string][]string
	// wire converts between the versions; nil if there is one.
	wire *wire.Converter
	// fills are the functions that fill in fields, by the text that takes the place of their results.
	fills map[string]*function
	// refused are the texts of functions that fail.
	refused []string
	// needed are the functions that the conversion of an object could not call.
	needed []*function
	// dir is the folder of the newest version, and calls has the import paths of the older versions whose
	// conversions need functions.
	dir   string
	calls map[string]bool
	// program calls functions; nil for none.
	program *goprogram.Program
}

// New returns the converter of a model's kinds.
func New(programs *rule.Programs) (*Converter, error) {
	m, c := programs.Model, &Converter{}
	plans, set := plan.Build(m), eval.New(programs)
	for _, hub := range m.Packages {
		if hub.Hub != "" || hub.External && !hub.Root || hub.Group == "" && !hub.Core {
			continue
		}
		f := &family{group: hub.Group, kinds: map[string][]string{}, fills: map[string]*function{}, dir: hub.Dir, calls: map[string]bool{}}
		f.add(hub)
		var conversions []wire.Conversion
		for _, v := range slices.Backward(hub.Versions) {
			if p := plans[v.Package]; p != nil && p.Hub.Package == hub.Path {
				f.add(m.Package(p.Older.Package))
				conversions = append(conversions, f.conversion(m, p, set))
			}
		}
		if len(f.kinds) == 0 {
			continue
		}
		if len(conversions) > 0 {
			var err error
			if f.wire, err = wire.New(conversions...); err != nil {
				return nil, err
			}
		}
		c.families = append(c.families, f)
	}
	return c, nil
}

// add adds the kinds of a version.
func (f *family) add(p *model.Package) {
	for _, t := range p.Types {
		if t.Kind != nil {
			f.kinds[t.Name] = append(f.kinds[t.Name], p.Version)
		}
	}
}

// conversion returns a plan as what package wire evaluates.
func (f *family) conversion(m *model.Model, p *plan.Plan, set *eval.Set) wire.Conversion {
	table := wiretable.New(p)
	c := wire.Conversion{Table: table.Table, Funcs: map[string]wire.Func{}}
	for _, fn := range table.Funcs {
		if fn.Fits != nil {
			c.Funcs[fn.Name] = func(value []byte) ([]byte, error) { return value, set.Fits(fn.Fits, value) }
			continue
		}
		missing := newFunction(m, p, fn)
		fill := ""
		if fn.Op != nil && fn.Op.Kind == plan.Add && !fn.Op.Hub.Inline {
			fill = "the result of a function for " + filepath.ToSlash(fn.Op.Span.String()) + " of kindsmith convert"
		}
		f.calls[p.Older.Package] = true
		f.missing(c.Funcs, fn.Name, missing, fill)
		unable := c.Funcs[fn.Name]
		c.Funcs[fn.Name] = func(value []byte) ([]byte, error) {
			if f.program != nil {
				return f.call(p.Older.Package, fn.Name, value)
			}
			return unable(value)
		}
	}
	return c
}

// missing adds a function that cannot be called. If it fills in a field, a text takes the place of its
// result, unless that is needed.
func (f *family) missing(funcs map[string]wire.Func, name string, missing *function, fill string) {
	if fill != "" {
		f.fills[fill] = missing
	}
	funcs[name] = func([]byte) ([]byte, error) {
		if fill != "" && !slices.Contains(f.refused, fill) {
			return []byte(`["` + fill + `"]`), nil
		}
		f.needed = append(f.needed, missing)
		return nil, missing
	}
}

// convert converts an object. missing is a function that its conversion needs.
//
// Many objects need no function that fills in a field: a tracked value replaces its result, or
// the next conversion drops it. On the way to an older version the result is only compared with the
// field, which need not be tracked if it is equal. So a text that no field has takes the place of
// the result, and the function is needed if that text is in the output.
func (f *family) convert(object []byte, to string) (out []byte, missing *function, err error) {
	f.refused, f.needed = nil, nil
	out, err = f.wire.Convert(nil, object, to)
	for fill := range f.fills {
		if bytes.Contains(out, []byte(fill)) {
			f.refused = append(f.refused, fill)
		}
	}
	if len(f.refused) > 0 {
		out, err = f.wire.Convert(nil, object, to) // for the path
	}
	// The conversion may go on without a function's result: it drops a tracked value instead, or
	// tracks one that it need not.
	if len(f.needed) > 0 {
		missing = f.needed[0]
	}
	return out, missing, err
}

// Object converts an object of a kind to another version of it. needs is what only Go code of the packages does.
func (c *Converter) Object(text []byte, kind schema.GroupVersionKind, to string) (out []byte, needs, err error) {
	f, unknown := c.find(kind, Target{Version: to})
	if unknown != nil {
		return nil, nil, errors.New(unknown.message)
	}
	out, missing, err := f.convert(text, to)
	if missing != nil {
		return nil, missing, nil
	}
	return out, nil, err
}

// Target is the version to which objects are converted.
type Target struct {
	// Group is the group whose objects are converted, "" for all.
	Group, Version string
}

// Target reads a version of the converter's kinds: v1 or group/v1.
func (c *Converter) Target(text string) (Target, error) {
	t := Target{Version: text}
	if group, version, ok := strings.Cut(text, "/"); ok {
		t.Group, t.Version = group, version
	}
	for _, v := range c.versions() {
		if v.Version == t.Version && (t.Group == "" || t.Group == v.Group) {
			return t, nil
		}
	}
	return t, fmt.Errorf("no kind has the version %q; the versions are: %s", text, strings.Join(c.Versions(), ", "))
}

// Versions returns the versions that kinds have, sorted.
func (c *Converter) Versions() []string {
	var all []string
	for _, v := range c.versions() {
		all = append(all, v.String())
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (c *Converter) versions() []schema.GroupVersion {
	var all []schema.GroupVersion
	for _, f := range c.families {
		for _, versions := range f.kinds {
			for _, v := range versions {
				all = append(all, schema.GroupVersion{Group: f.group, Version: v})
			}
		}
	}
	return all
}

// Kinds returns the number of kinds.
func (c *Converter) Kinds() int {
	n := 0
	for _, f := range c.families {
		n += len(f.kinds)
	}
	return n
}

// find returns the family that converts objects of a kind. If there is none, unknown says why.
func (c *Converter) find(kind schema.GroupVersionKind, to Target) (f *family, unknown *unknownError) {
	var versions []string
	var kinds []schema.GroupVersionKind
	for _, f := range c.families {
		for name := range f.kinds {
			if !strings.HasSuffix(name, "List") || f.kinds[strings.TrimSuffix(name, "List")] == nil {
				for _, v := range f.kinds[name] {
					kinds = append(kinds, schema.GroupVersionKind{Group: f.group, Kind: name, Version: v})
				}
			}
		}
		if f.group != kind.Group || f.kinds[kind.Kind] == nil {
			continue
		}
		if has := f.kinds[kind.Kind]; !slices.Contains(has, kind.Version) {
			versions = append(versions, has...)
		} else if to.Group != "" && to.Group != f.group {
			return nil, &unknownError{codeUnknownVersion, fmt.Sprintf("%s is of the group %s, and --to is a version of %s", kind.Kind, f.group, to.Group)}
		} else if !slices.Contains(has, to.Version) {
			return nil, &unknownError{codeUnknownVersion, fmt.Sprintf("%s cannot be converted to %s; its versions are: %s", kind.Kind, to.Version, strings.Join(has, ", "))}
		} else {
			return f, nil
		}
	}
	if len(versions) > 0 {
		return nil, &unknownError{codeUnknownVersion, fmt.Sprintf("%s has no version %q; its versions are: %s", kind.Kind, kind.Version, strings.Join(versions, ", "))}
	}
	return nil, &unknownError{codeUnknownKind, verdict.Undefined(kind, kinds) + "; --keep-unknown prints other objects as they are"}
}
