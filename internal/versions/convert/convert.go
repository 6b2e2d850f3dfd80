// Package convert converts manifests between the versions of their kinds, by evaluating the steps between versions. It
// compiles no Go code but the author's functions, on request.
//
// [New] takes a model, and [FromFile] a file of tables. The [Converter] takes documents; an object that it cannot convert is
// a diagnostic with a code of [Codes].
//
// Functions of the author run in a program of package goprogram.
package convert

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/goprogram"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
	"github.com/kindsmith/kindsmith/internal/versions/steptable"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
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
	// json converts between the versions; nil if there is one.
	json *jsonconvert.Converter
	// funcs are the functions that the conversions call, and dir is the folder of the newest version; none for a file of tables.
	funcs []steptable.Func
	dir   string
	// program calls functions; nil for none.
	program *goprogram.Program
	calls   calls
}

// calls are the calls of functions in the conversion of one object without a program.
type calls struct {
	// filled are the texts that took the place of defaults, and refused those that must not.
	filled, refused []string
	// needed are the functions that could not be called.
	needed []*function
}

// New returns the converter of a model's kinds.
func New(m *model.Model) (*Converter, error) {
	c, apis := &Converter{}, map[string]*steps.API{}
	for _, api := range steps.Build(m) {
		apis[api.Newest] = api
	}
	for _, hub := range m.Packages {
		if hub.Hub != "" || hub.External && !hub.Root || hub.Group == "" && !hub.Core {
			continue
		}
		f := &family{group: hub.Group, kinds: map[string][]string{}, dir: hub.Dir}
		if api := apis[hub.Path]; api == nil {
			f.add(hub)
		} else {
			for _, v := range slices.Backward(api.Versions) {
				f.add(m.Package(v.Package))
			}
			if err := f.converts(m, steptable.New(api)); err != nil {
				return nil, err
			}
		}
		if len(f.kinds) > 0 {
			c.families = append(c.families, f)
		}
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

// converts makes the converter of the table of an API.
func (f *family) converts(m *model.Model, table *steptable.Table) (err error) {
	api := *table.API
	api.Funcs, f.funcs = map[string]jsonconvert.Func{}, table.Funcs
	for _, fn := range table.Funcs {
		unable := f.missing(newFunction(m, fn), fn.Default)
		api.Funcs[fn.Name] = func(value []byte) ([]byte, error) {
			if f.program != nil {
				return f.call(fn.Name, value)
			}
			return unable(value)
		}
	}
	f.json, err = jsonconvert.New(&api)
	return err
}

// missing returns what takes the place of a function that cannot be called. If the function returns a default, it is a text in its place,
// unless that is needed.
func (f *family) missing(fn *function, isDefault bool) jsonconvert.Func {
	text := "the result of the function " + fn.name + " of kindsmith convert"
	return func([]byte) ([]byte, error) {
		if isDefault && !slices.Contains(f.calls.refused, text) {
			f.calls.filled = append(f.calls.filled, text)
			return []byte(`["` + text + `"]`), nil
		}
		f.calls.needed = append(f.calls.needed, fn)
		return nil, fn
	}
}

// convert converts an object. missing is a function that its conversion needs.
//
// Many objects need no function that fills in a field: a tracked value replaces its result, or
// the next conversion drops it. On the way to an older version the result is only compared with the
// field, which need not be tracked if it is equal. So a text that no field has takes the place of
// the result, and the function is needed if that text is in the output, or if another conversion refuses it.
func (f *family) convert(object []byte, to string) (out []byte, missing *function, err error) {
	f.calls = calls{}
	out, err = f.json.Convert(nil, object, to)
	if len(f.calls.needed) == 0 {
		for _, text := range f.calls.filled {
			if err != nil || bytes.Contains(out, []byte(text)) {
				f.calls.refused = append(f.calls.refused, text)
			}
		}
		if first := err; len(f.calls.refused) > 0 {
			if out, err = f.json.Convert(nil, object, to); first != nil && len(f.calls.needed) == 0 {
				out, err = nil, first
			}
		}
	}
	// The conversion may go on without a function's result: it drops a tracked value instead, or
	// tracks one that it need not.
	if len(f.calls.needed) > 0 {
		missing = f.calls.needed[0]
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
