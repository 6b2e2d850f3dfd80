package apidocs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/objects/example"
	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
)

// pairing pairs the fields of two neighbouring versions of a kind.
type pairing struct {
	// was and is are the models of the older and the newer version.
	was, is *model.Model
	// types are the types that change, by their names in both versions; nil if no steps are known.
	types map[[2]model.Name]*steps.Type
	// older and newer are the fields of the other version.
	older, newer map[*fieldtree.Node]*fieldtree.Node
	// words are what else happens to a node of either version.
	words map[*fieldtree.Node][]string
}

// step returns the types that change between two versions.
func (b *builder) step(older, newer *subject) map[[2]model.Name]*steps.Type {
	types := map[[2]model.Name]*steps.Type{}
	for _, api := range b.APIs {
		for k, step := range api.Steps {
			if api.Versions[k].Package != older.typ.Package || api.Versions[k+1].Package != newer.typ.Package {
				continue
			}
			for _, t := range step.Types {
				types[[2]model.Name{t.Older, t.Newer}] = t
			}
		}
	}
	return types
}

// pair pairs the members of two objects, lists or maps.
func (p *pairing) pair(older, newer *fieldtree.Node) {
	olds, news := older.Members(), newer.Members()
	if len(olds) == 0 || len(news) == 0 {
		return
	}
	done := map[*fieldtree.Node]bool{}
	match := func(o, n *fieldtree.Node) {
		if o != nil && n != nil && !done[o] && !done[n] {
			p.older[n], p.newer[o] = o, n
			done[o], done[n] = true, true
		}
	}
	if t := p.types[[2]model.Name{older.Struct(p.was).ID(), newer.Struct(p.is).ID()}]; t != nil {
		for _, move := range t.Moves {
			p.move(older, newer, move)
		}
		for _, f := range t.Fields {
			switch {
			case f.Older != nil && f.Newer != nil:
				match(named(olds, f.Older.JSON), named(news, f.Newer.JSON))
			case f.Older != nil:
				done[named(olds, f.Older.JSON)] = true
			default:
				done[named(news, f.Newer.JSON)] = true
			}
		}
		for _, h := range t.Hooks {
			p.together(olds, news, h, done)
		}
	}
	for _, n := range news {
		match(named(olds, n.Name), n)
	}
	for _, n := range news {
		if o := p.older[n]; o != nil {
			p.pair(o, n)
		}
	}
}

func named(fields []*fieldtree.Node, name string) *fieldtree.Node {
	i := slices.IndexFunc(fields, func(n *fieldtree.Node) bool { return n.Name == name })
	if i < 0 {
		return nil
	}
	return fields[i]
}

// move pairs a field that the versions have at different paths, or says which label or annotation it was or is.
func (p *pairing) move(older, newer *fieldtree.Node, move *steps.Move) {
	o, oldText := follow(older, move.Older)
	n, newText := follow(newer, move.Newer)
	switch {
	case o != nil && n != nil:
		p.older[n], p.newer[o] = o, n
		p.pair(o, n)
	case n != nil:
		p.words[n] = append(p.words[n], "was "+code(oldText))
	case o != nil:
		p.words[o] = append(p.words[o], "is now "+code(newText))
	}
}

// follow returns the node at a path; nil for a label or an annotation, with its text.
func follow(n *fieldtree.Node, path []steps.PathKey) (*fieldtree.Node, string) {
	text := n.Path
	for i, key := range path {
		if key.Entry && i > 0 {
			return nil, text + "['" + key.JSON + "']"
		}
		if text += "." + key.JSON; n != nil {
			n = named(n.Members(), key.JSON)
		}
		text = strings.TrimPrefix(text, ".")
	}
	return n, text
}

// together says which fields functions, or a split, convert together.
func (p *pairing) together(olds, news []*fieldtree.Node, h *steps.Hook, done map[*fieldtree.Node]bool) {
	to, from := "is now split into ", "was a part of "
	if h.Split == nil {
		to, from = "is converted to ", "is converted from "
	}
	only := func(names, others []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(others, name) })
	}
	older, newer := only(h.Older, h.Newer), only(h.Newer, h.Older)
	if len(older) == 0 || len(newer) == 0 {
		return
	}
	for _, name := range older {
		if o := named(olds, name); o != nil {
			p.words[o] = append(p.words[o], to+listed(newer))
			done[o] = true
		}
	}
	for _, name := range newer {
		if n := named(news, name); n != nil {
			p.words[n] = append(p.words[n], from+listed(older))
			done[n] = true
		}
	}
}

func listed(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = code(name)
	}
	return strings.Join(out, ", ")
}

func code(text string) string { return "`" + text + "`" }

// changes returns the differences of a page from that of the version before.
func (b *builder) changes(page *Page) *Changes {
	newer := b.subjects[page]
	older := b.subjects[newer.previous]
	p := &pairing{was: b.m, is: b.m, types: b.step(older, newer), older: newer.older, newer: older.newer, words: map[*fieldtree.Node][]string{}}
	c := &Changes{Older: newer.previous}
	list, touched := p.compare(older, newer)
	c.List = list
	b.converted(c, older, newer, touched)
	return c
}

// since returns the differences of a page from the same page of the past.
func (b *builder) since(page *Page) *Since {
	newer, older := b.subjects[page], b.former[b.subjects[page].kind]
	s := &Since{Name: b.Past.Name, New: older == nil}
	if older != nil {
		p := &pairing{was: b.Past.Programs.Model, is: b.m, older: map[*fieldtree.Node]*fieldtree.Node{}, newer: map[*fieldtree.Node]*fieldtree.Node{}, words: map[*fieldtree.Node][]string{}}
		s.List, _ = p.compare(older, newer)
	}
	return s
}

// compare returns the differences of two trees, and the fields of the older one that differ.
func (p *pairing) compare(older, newer *subject) (list []Change, touched []*fieldtree.Node) {
	p.pair(older.tree, newer.tree)
	for n := range newer.tree.All {
		f := newer.fields[n]
		if f == nil {
			continue
		}
		o := p.older[n]
		words := p.words[n]
		switch {
		case o != nil:
			words = append(words, p.differences(older, newer, o, n)...)
			if len(words) > 0 {
				touched = append(touched, o)
			}
		case n.Parent.Parent != nil && newer.fields[above(n)] != nil && p.older[above(n)] == nil:
			continue // in a field that is new
		case len(words) == 0:
			words = []string{"is new"}
		}
		if len(words) > 0 {
			list = append(list, Change{Path: f.Path, Words: words})
		}
	}
	for o := range older.tree.All {
		f := older.fields[o]
		if f == nil || p.newer[o] != nil || above(o).Parent != nil && p.newer[above(o)] == nil {
			continue
		}
		words := p.words[o]
		if len(words) == 0 {
			words = []string{"is removed"}
		}
		touched = append(touched, o)
		list = append(list, Change{Path: f.Path, Removed: true, Words: words})
	}
	return list, touched
}

// above returns the field around a node.
func above(n *fieldtree.Node) *fieldtree.Node {
	for n = n.Parent; n.Name == "" && n.Parent != nil; {
		n = n.Parent
	}
	return n
}

// differences returns what differs between a field of the older version and the same of the newer one.
func (p *pairing) differences(older, newer *subject, o, n *fieldtree.Node) []string {
	was, is := older.fields[o], newer.fields[n]
	if was == nil {
		return nil
	}
	var words []string
	add := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	switch outside := p.older[above(n)]; {
	case was.Name != is.Name && (outside == above(o) || above(o).Parent == nil && above(n).Parent == nil):
		add("was called %s", code(was.Name))
	case outside != above(o) && (above(o).Parent != nil || above(n).Parent != nil):
		add("was %s", code(was.Path))
	}
	if was.Type != is.Type {
		add("changed from %s to %s", brief(was.Type), brief(is.Type))
	}
	if was.Default != is.Default {
		switch {
		case was.Default == "":
			add("has the default %s", code(is.Default))
		case is.Default == "":
			add("has no default any more; it was %s", code(was.Default))
		default:
			add("the default was %s, and is now %s", code(was.Default), code(is.Default))
		}
	}
	switch {
	case is.Required && !was.Required:
		add("is now required")
	case was.Required && !is.Required:
		add("is now optional")
	}
	if is.Deprecated != "" && was.Deprecated == "" {
		add("is deprecated: %s", is.Deprecated)
	}
	gone, more := values(was.Values, is.Values), values(is.Values, was.Values)
	for _, value := range slices.Clone(gone) {
		if now := p.enums(o, n)[value]; slices.Contains(more, now) {
			add("the value %s is now %s", code(value), code(now))
			gone = slices.DeleteFunc(gone, func(v string) bool { return v == value })
			more = slices.DeleteFunc(more, func(v string) bool { return v == now })
		}
	}
	if len(more) > 0 {
		add("new values: %s", listed(more))
	}
	if len(gone) > 0 {
		add("values removed: %s", listed(gone))
	}
	for _, r := range phrases(is.Rules, was.Rules) {
		add("new rule: %s", r)
	}
	for _, r := range phrases(was.Rules, is.Rules) {
		add("rule removed: %s", r)
	}
	return words
}

// enums returns the values of a field in the newer version by those in the older one, where they differ.
func (p *pairing) enums(older, newer *fieldtree.Node) map[string]string {
	names := map[string]string{}
	for _, o := range innermost(older).Chain {
		for _, n := range innermost(newer).Chain {
			if t := p.types[[2]model.Name{o.ID(), n.ID()}]; t != nil && t.Enum != nil {
				for was, is := range t.Enum.Up {
					names[unquoted(was)] = unquoted(is)
				}
			}
		}
	}
	return names
}

// brief returns a type in words without the examples of its values.
func brief(words string) string {
	words, _, _ = strings.Cut(words, ", such as")
	return words
}

// unquoted returns a value of an enum, which is spelled as in JSON.
func unquoted(text string) string {
	s := ""
	if json.Unmarshal([]byte(text), &s) == nil {
		return s
	}
	return text
}

func innermost(n *fieldtree.Node) *fieldtree.Node {
	for n.Items != nil {
		n = n.Items
	}
	return n
}

// values returns the values that only the first list has.
func values(a, c []Value) []string {
	var only []string
	for _, v := range a {
		if !slices.ContainsFunc(c, func(o Value) bool { return o.Text == v.Text }) {
			only = append(only, v.Text)
		}
	}
	return only
}

// phrases returns the rules that only the first list has.
func phrases(a, c []Rule) []string {
	var only []string
	for _, r := range a {
		if !slices.ContainsFunc(c, func(o Rule) bool { return o.Words == r.Words }) {
			only = append(only, r.Words)
		}
	}
	return only
}

// converted adds a manifest with the fields that changed, in both versions.
func (b *builder) converted(c *Changes, older, newer *subject, touched []*fieldtree.Node) {
	maker := b.maker(older)
	try := func(nodes ...*fieldtree.Node) (before, after string) {
		e, err := maker.With(nodes...)
		if err != nil {
			return "", "" // the examples of the older version report it
		}
		object, err := json.Marshal(e.Object)
		if err != nil {
			return "", ""
		}
		out, needs, err := b.Convert(object, older.kind, newer.kind.Version)
		c.NeedsGo = c.NeedsGo || needs != nil
		if needs != nil || err != nil {
			return "", "" // without steps, no conversion is known
		}
		return b.yaml(older, e.Object), b.yaml(newer, example.Decode(out))
	}
	if c.Before, c.After = try(); c.Before == "" {
		return
	}
	var kept []*fieldtree.Node
	for _, n := range touched {
		if !example.Writes(n) {
			continue
		}
		before, after := try(append(slices.Clone(kept), n)...)
		if before == "" {
			c.LeftOut = append(c.LeftOut, n.Path)
			continue
		}
		kept, c.Before, c.After = append(kept, n), before, after
	}
}

// history adds to the fields of a page what happens to them in other versions, and their names there.
func (b *builder) history(s *subject) {
	taken := map[string]bool{}
	for _, f := range s.fields {
		taken[f.Path] = true
	}
	for n := range s.tree.All {
		f := s.fields[n]
		if f == nil {
			continue
		}
		alias := func(path string) {
			if !taken[path] {
				taken[path] = true
				f.Aliases = append(f.Aliases, path)
			}
		}
		b.past(s, n, f, alias)
		b.future(s, n, f, alias)
	}
}

// past adds the versions before.
func (b *builder) past(s *subject, n *fieldtree.Node, f *Field, alias func(string)) {
	for name := n.Name; s.previous != nil; {
		version := s.kind.Version
		before := s.older[n]
		if before == nil {
			if around := above(n); around.Parent == nil || s.older[around] != nil {
				f.Lifecycle = append(f.Lifecycle, "since "+version)
			}
			return
		}
		s, n = b.subjects[s.previous], before
		if alias(n.Path); n.Name != name {
			f.Lifecycle = append(f.Lifecycle, code(n.Name)+" before "+version)
			name = n.Name
		}
	}
}

// future adds the versions after.
func (b *builder) future(s *subject, n *fieldtree.Node, f *Field, alias func(string)) {
	deprecated := f.Deprecated != ""
	for name := n.Name; s.next != nil; {
		after := s.newer[n]
		around := above(n)
		next := b.subjects[s.next]
		if after == nil {
			if around.Parent == nil || s.newer[around] != nil {
				f.Lifecycle = append(f.Lifecycle, "removed in "+next.kind.Version)
			}
			return
		}
		s, n = next, after
		if alias(n.Path); n.Name != name {
			f.Lifecycle = append(f.Lifecycle, code(n.Name)+" since "+s.kind.Version)
			name = n.Name
		}
		if in := s.fields[n]; in != nil && in.Deprecated != "" && !deprecated {
			deprecated = true
			f.Lifecycle = append(f.Lifecycle, "deprecated in "+s.kind.Version+": "+in.Deprecated)
		}
	}
}
