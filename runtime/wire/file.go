package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// FileFormat is the format of files of tables that this package reads and writes.
const FileFormat = 1

// File is the tables of API groups in a file: what is needed to convert objects without their types.
type File struct {
	Format int      `json:"format"`
	Tables []*Table `json:"tables"`
}

// ReadFile reads a file of tables. A field that this package does not know is an error: to ignore it would
// convert objects wrongly.
func ReadFile(text []byte) (*File, error) {
	var h struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, fmt.Errorf("not a file of conversion tables: %w", err)
	}
	if h.Format != FileFormat {
		return nil, fmt.Errorf("the file of conversion tables has format %d, and this program reads format %d", h.Format, FileFormat)
	}
	f := &File{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(f); err != nil {
		return nil, fmt.Errorf("this program cannot read the file of conversion tables, which another version of kindsmith may have written: %w", err)
	}
	return f, nil
}

// Groups returns the tables by their group and hub.
func (f *File) Groups() [][]*Table {
	var groups [][]*Table
	for _, t := range f.Tables {
		i := slices.IndexFunc(groups, func(g []*Table) bool { return g[0].Group == t.Group && g[0].Hub == t.Hub })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], t)
	}
	return groups
}

// Converters returns a converter for each group. Functions of the author are those given; the
// conversion of a value fails that needs another.
func (f *File) Converters(funcs map[string]Func) ([]*Converter, error) {
	var converters []*Converter
	for _, tables := range f.Groups() {
		var conversions []Conversion
		for _, t := range tables {
			all := map[string]Func{}
			for _, name := range t.Functions() {
				if all[name] = funcs[name]; all[name] == nil {
					all[name] = func([]byte) ([]byte, error) {
						return nil, &Error{Reason: Invalid, Err: fmt.Errorf("only the Go code of %s converts this value", name)}
					}
				}
			}
			conversions = append(conversions, Conversion{t, all})
		}
		c, err := New(conversions...)
		if err != nil {
			return nil, err
		}
		converters = append(converters, c)
	}
	return converters, nil
}

// Functions returns the names of the functions that the table cannot do without, sorted.
func (t *Table) Functions() []string {
	var names []string
	var value func(v *Value)
	value = func(v *Value) {
		if v != nil {
			names = append(names, v.Up, v.Down)
			value(v.Each)
			value(v.Wrap)
			for i := range v.Chain {
				value(&v.Chain[i])
			}
		}
	}
	for i := range t.Types {
		typ := &t.Types[i]
		names = append(names, typ.Up, typ.Down)
		for j := range typ.Fields {
			names = append(names, typ.Fields[j].FillFunc)
			value(&typ.Fields[j].Value)
		}
		for j := range typ.Moves {
			value(&typ.Moves[j].Value)
		}
		for _, h := range typ.Hooks {
			names = append(names, h.Up, h.Down)
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
}
