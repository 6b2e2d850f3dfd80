package jsonconvert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// FileFormat is the format of files of tables that this package reads and writes.
const FileFormat = 2

// File is the tables of API groups in a file: what is needed to convert objects without their types. The functions that steps
// name are not in the file.
type File struct {
	Format int    `json:"format"`
	APIs   []*API `json:"apis"`
}

// NewFile returns the file of tables.
func NewFile(apis ...*API) *File {
	return &File{Format: FileFormat, APIs: append([]*API{}, apis...)}
}

// ReadFile reads a file of tables. A field that this package does not know is an error: to ignore it would convert objects
// wrongly.
func ReadFile(text []byte) (*File, error) {
	var head struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("not a file of conversion tables: %w", err)
	}
	switch {
	case head.Format == 0:
		return nil, errors.New("not a file of conversion tables: it has no format")
	case head.Format < FileFormat:
		return nil, fmt.Errorf("the file of conversion tables has the old format %d; write it again with kindsmith model --tables or kindsmith plan", head.Format)
	case head.Format > FileFormat:
		return nil, fmt.Errorf("the file of conversion tables has format %d, and this program reads format %d; update the program", head.Format, FileFormat)
	}
	f := &File{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(f); err != nil {
		return nil, fmt.Errorf("this program cannot read the file of conversion tables; write it again with the same release of kindsmith: %w", err)
	}
	if i := slices.Index(f.APIs, nil); i >= 0 {
		return nil, fmt.Errorf("API %d of the file of conversion tables is null; write the file again with kindsmith model --tables or kindsmith plan", i)
	}
	return f, nil
}

// Functions returns the names of the functions that the steps call, sorted.
func (a *API) Functions() []string {
	var names []string
	var value func(v *Value)
	value = func(v *Value) {
		if v == nil {
			return
		}
		if v.Call != nil {
			names = append(names, v.Call.Up, v.Call.Down)
		}
		value(v.Elem)
		value(v.List)
	}
	for k := range a.Steps {
		for _, t := range a.Steps[k].Types {
			if t == nil {
				continue
			}
			names = append(names, t.Up, t.Down)
			value(t.Value)
			for i := range t.Fields {
				names = append(names, t.Fields[i].DefaultFunc)
				value(&t.Fields[i].Value)
			}
			for i := range t.Moves {
				value(&t.Moves[i].Value)
			}
			for i := range t.Hooks {
				names = append(names, t.Hooks[i].Up, t.Hooks[i].Down)
			}
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
}

// Converters returns a converter for each API. Functions of the author are those given; the conversion of a value fails that needs
// another.
func (f *File) Converters(funcs map[string]Func) ([]*Converter, error) {
	var converters []*Converter
	for _, api := range f.APIs {
		whole := *api
		whole.Funcs = map[string]Func{}
		for _, name := range api.Functions() {
			if whole.Funcs[name] = funcs[name]; whole.Funcs[name] == nil {
				whole.Funcs[name] = func([]byte) ([]byte, error) {
					return nil, &Error{Reason: Invalid, Err: fmt.Errorf("only the Go code of %s converts this value", name)}
				}
			}
		}
		c, err := New(&whole)
		if err != nil {
			return nil, fmt.Errorf("the API group %q: %w", api.Group, err)
		}
		converters = append(converters, c)
	}
	return converters, nil
}
