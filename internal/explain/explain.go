// Package explain writes what people read about tags, conventions and findings:
// the pages of `kindsmith explain` and the catalogue of `kindsmith tags`.
//
// It makes up nothing: tags, conventions and the codes of findings are
// documented where they are defined.
package explain

import (
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/crd"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/lint"
	"github.com/kindsmith/kindsmith/internal/manifest"
	"github.com/kindsmith/kindsmith/internal/ruletest"
	"github.com/kindsmith/kindsmith/internal/tag"
	"github.com/kindsmith/kindsmith/internal/validate"
)

// Index finds pages.
type Index struct {
	tags  *tag.Set
	lints map[string]*lint.Definition
	codes map[string]diag.Code // by id
}

// New returns the index of everything that kindsmith knows.
func New() *Index {
	x := &Index{tags: driver.Tags(), lints: map[string]*lint.Definition{}, codes: map[string]diag.Code{}}
	for _, c := range slices.Concat(driver.Codes(), manifest.Codes(), crd.Codes(), validate.Codes(), ruletest.Codes()) {
		x.codes[c.String()] = c
	}
	for _, l := range driver.Lints() {
		x.lints[l.Name] = l
	}
	return x
}

// Page returns the page on a tag, with or without its "+" and prefix, on a
// convention, or on the code of a finding; not ok when there is nothing of that name.
func (x *Index) Page(name string) (page string, ok bool) {
	name = strings.TrimPrefix(strings.TrimSpace(name), "+")
	if d := x.tag(name); d != nil {
		return x.tagPage(d), true
	}
	if full, meanwhile := x.planned(name); full != "" {
		return plannedPage(full, meanwhile), true
	}
	if l := x.lints[name]; l != nil {
		return x.lintPage(l), true
	}
	if code, ok := x.codes[name]; ok {
		return x.codePage(code), true
	}
	return "", false
}

func (x *Index) tag(name string) *tag.Definition {
	for _, f := range x.tags.Families() {
		if d := x.tags.Lookup(f.Prefix + name); d != nil {
			return d
		}
	}
	return nil
}

func (x *Index) planned(name string) (full, meanwhile string) {
	for _, f := range x.tags.Families() {
		if meanwhile, ok := x.tags.Planned(f.Prefix + name); ok {
			return f.Prefix + name, meanwhile
		}
	}
	return "", ""
}

// Nearest returns the name that is spelt most like the given one, or "" when
// none is close.
func (x *Index) Nearest(name string) string {
	name = strings.TrimPrefix(name, "+")
	var names []string
	add := func(full string) {
		names = append(names, full)
		if _, short, ok := strings.Cut(full, ":"); ok && !strings.Contains(name, ":") {
			names = append(names, short)
		}
	}
	for _, d := range x.tags.All() {
		add(d.Name)
	}
	for _, planned := range x.tags.PlannedNames() {
		add(planned)
	}
	names = append(names, slices.Sorted(maps.Keys(x.lints))...)
	names = append(names, x.Codes()...)
	return tag.NearestOf(name, names)
}

// Codes returns the codes of all findings, sorted.
func (x *Index) Codes() []string { return slices.Sorted(maps.Keys(x.codes)) }

// codesOf returns the codes whose first half is a folder's name, sorted.
func (x *Index) codesOf(folder string) []string {
	var codes []string
	for _, code := range x.Codes() {
		if strings.HasPrefix(code, folder+"/") {
			codes = append(codes, code)
		}
	}
	return codes
}
