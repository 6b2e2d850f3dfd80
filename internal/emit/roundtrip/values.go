package roundtrip

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
)

// enums are the constants of enums as Go literals, each with the versions that have these.
type enums struct {
	texts    []string
	versions map[string][]string
}

// values returns the constants of the enums that kinds use.
func (w *writer) values(kinds []kind) *enums {
	of := &enums{versions: map[string][]string{}}
	for _, p := range append(slices.Clone(w.older), w.hub) {
		used := map[model.Name]bool{}
		for _, k := range kinds {
			for _, t := range append(slices.Clone(k.older), k.hub) {
				if t.Package == p.Path {
					w.use(t.Ref(), used)
				}
			}
		}
		for _, t := range p.Types {
			if text := literal(t); used[t.ID()] && text != "" {
				of.add(text, emit.VersionName(p))
			}
		}
	}
	return of
}

func (of *enums) add(text, version string) {
	if of.versions[text] == nil {
		of.texts = append(of.texts, text)
	}
	of.versions[text] = append(of.versions[text], version)
}

// use marks a type and the types that it uses.
func (w *writer) use(r *model.Ref, used map[model.Name]bool) {
	r.Declared(func(name model.Name) {
		t := w.m.Type(name)
		if t == nil || used[t.ID()] {
			return
		}
		used[t.ID()] = true
		w.use(t.Def, used)
		for _, f := range t.Fields {
			w.use(f.Type, used)
		}
	})
}

// literal returns the inside of the literal of an enum; "" for other types.
func literal(t *model.Type) string {
	if len(t.Consts) == 0 {
		return ""
	}
	var texts []string
	for _, c := range t.Consts {
		text := c.Value
		if c.IsString {
			quoted, err := json.Marshal(c.Value)
			if err != nil {
				continue
			}
			text = string(quoted)
		}
		texts = append(texts, text)
	}
	name := t.Name
	if t.Instance != nil { // as package reflect has it
		name = strings.TrimPrefix(model.Canonical(t.Instance).String(), t.Package+".")
	}
	closed := ""
	if model.HasBare(t.Tags, model.RoleEnum) {
		closed = "Closed: true, "
	}
	return "Type: " + strconv.Quote(name) + ", " + closed + "JSON: " + stringList(texts)
}

// stringList returns a Go literal.
func stringList(texts []string) string {
	var quoted []string
	for _, v := range texts {
		if strconv.CanBackquote(v) && strings.Contains(v, `"`) {
			quoted = append(quoted, "`"+v+"`")
		} else {
			quoted = append(quoted, strconv.Quote(v))
		}
	}
	return "[]string{" + strings.Join(quoted, ", ") + "}"
}
