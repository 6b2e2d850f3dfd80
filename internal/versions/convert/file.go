package convert

import (
	"fmt"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
	"github.com/kindsmith/kindsmith/internal/versions/steptable"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// Tables returns the tables of a model's kinds, by which objects convert without the types.
func Tables(m *model.Model) *jsonconvert.File {
	file := jsonconvert.NewFile()
	for _, api := range steps.Build(m) {
		if len(api.Kinds) > 0 {
			file.APIs = append(file.APIs, steptable.New(api).API)
		}
	}
	return file
}

// FromFile returns the converter of the kinds of a file of tables.
func FromFile(file *jsonconvert.File) (*Converter, error) {
	c := &Converter{}
	for _, of := range file.APIs {
		api, f := *of, &family{group: of.Group, kinds: map[string][]string{}}
		for _, k := range api.Kinds {
			for _, v := range slices.Backward(api.Versions) {
				if _, has := v.Kinds[k.Name]; has || v.Kinds == nil {
					f.kinds[k.Name] = append(f.kinds[k.Name], v.Name)
				}
			}
		}
		api.Funcs = map[string]jsonconvert.Func{}
		for _, name := range api.Functions() {
			api.Funcs[name] = f.missing(&function{name: name}, isDefault(&api, name))
		}
		var err error
		if f.json, err = jsonconvert.New(&api); err != nil {
			return nil, fmt.Errorf("the tables of the API group %q: %w", api.Group, err)
		}
		c.families = append(c.families, f)
	}
	return c, nil
}

// isDefault reports whether a function returns the default of a field.
func isDefault(api *jsonconvert.API, name string) bool {
	for k := range api.Steps {
		for _, t := range api.Steps[k].Types {
			if t != nil && slices.ContainsFunc(t.Fields, func(f jsonconvert.Field) bool { return f.DefaultFunc == name }) {
				return true
			}
		}
	}
	return false
}
