package apidocs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/example"
	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/rules/rule/words"
)

// examples adds the valid manifests of a page. Those of choices are at the choices.
func (b *builder) examples(page *Page) {
	s := b.subjects[page]
	maker := b.maker(s)
	least, most := b.manifest(s, maker.Minimal), b.manifest(s, maker.Full)
	if least != "" {
		page.Examples = append(page.Examples, Example{"Minimal", least})
	}
	if most != "" && most != least {
		page.Examples = append(page.Examples, Example{"With all fields", most})
	}
}

// manifest makes a manifest, and reports one that cannot be valid; "" then.
func (b *builder) manifest(s *subject, make func() (example.Example, error)) string {
	e, err := make()
	if unsatisfied := (*example.Unsatisfied)(nil); errors.As(err, &unsatisfied) {
		b.bag.Errorf(b.place(s, unsatisfied.Node), codeNoExample, "%s %s: %v; write a valid value with +kubebuilder:example=<JSON>", s.kind.Version, s.kind.Kind, err)
		return ""
	}
	return b.yaml(s, e.Object)
}

// place returns the field of a node that the project declares, or the kind.
func (b *builder) place(s *subject, n *fieldtree.Node) source.Span {
	for ; n != nil; n = n.Parent {
		if n.Member == nil {
			continue
		}
		if p := b.m.Package(n.Owner.Package); p != nil && !p.IsDependency() {
			return n.Member.Field.Span
		}
	}
	return s.typ.Span
}

// yaml prints a manifest. Build returns the errors, which are bugs: all values of JSON have YAML.
func (b *builder) yaml(s *subject, object any) string {
	text, err := example.YAML(s.tree, object)
	if err != nil {
		b.failed = errors.Join(b.failed, fmt.Errorf("%s %s: %w", s.kind.Version, s.kind.Kind, err))
	}
	return text
}

// errors adds what happens if manifests break rules.
func (b *builder) errors(page *Page) {
	s := b.subjects[page]
	for _, broken := range b.maker(s).Breaks() {
		at := broken.Node
		for at.Name == "" && at.Parent != nil {
			at = at.Parent
		}
		if s.fields[at] == nil && at.Parent != nil {
			continue
		}
		e := Error{Path: at.Path, Words: strings.Join(words.Of(broken.Rule), "; "), Message: shortened(broken.Error)}
		if broken.Object != nil {
			e.Object = b.yaml(s, short(broken.Object))
		}
		if broken.Old != nil {
			e.Before = b.yaml(s, short(broken.Old))
		}
		if !slices.Contains(page.Errors, e) { // a tag and a marker may say the same
			page.Errors = append(page.Errors, e)
		}
	}
}

// The sizes of values in manifests that show an error.
const (
	longest = 60 // characters
	most    = 3  // items
)

// shortened returns a message in which long runs of one character are cut.
func shortened(text string) string {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(` "[]`, r) }) {
		if n := utf8.RuneCountInString(word); n > longest && strings.Trim(word, word[:1]) == "" {
			text = strings.ReplaceAll(text, word, fmt.Sprintf("%s… (%d characters)", string([]rune(word)[:12]), n))
		}
	}
	return text
}

// short returns a value with long strings and lists cut. What is cut says so.
func short(v any) any {
	switch v := v.(type) {
	case string:
		if n := utf8.RuneCountInString(v); n > longest {
			return fmt.Sprintf("%s… (%d characters)", string([]rune(v)[:12]), n)
		}
	case []any:
		out := make([]any, 0, most+1)
		for i, item := range v {
			if i == most-1 && len(v) > most {
				return append(out, fmt.Sprintf("… (%d items)", len(v)))
			}
			out = append(out, short(item))
		}
		return out
	case map[string]any:
		out := map[string]any{}
		keys := sortedKeys(v)
		for i, key := range keys {
			if i == most*4-1 && len(v) > most*4 {
				out["…"] = fmt.Sprintf("(%d keys)", len(v))
				return out
			}
			name, _ := short(key).(string)
			out[name] = short(v[key])
		}
		return out
	}
	return v
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
