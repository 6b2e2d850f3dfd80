// Package explain writes the documentation of tags, conventions and diagnostic
// codes: the pages of `kindsmith explain` and the catalogue of `kindsmith tags`.
//
// [New] returns an [Index], which finds and prints a page by its name.
//
// It contains no documentation itself: tags, conventions and diagnostic codes are
// documented where they are defined.
//
// examples has an example for each code: a project with the mistake and the same project without, as lines
// which begin with `-`, `+` or a space. Package conformance/pages runs them: the first is reported for its
// own code, the second for nothing, and a fix removes the diagnostic.
package explain

import (
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/objects/crd"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/objects/ruletest"
	"github.com/kindsmith/kindsmith/internal/objects/validate"
	"github.com/kindsmith/kindsmith/internal/rules/lint"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/tool/apidocs"
	"github.com/kindsmith/kindsmith/internal/tool/controllergen"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/project"
	"github.com/kindsmith/kindsmith/internal/versions/adopt"
	"github.com/kindsmith/kindsmith/internal/versions/convert"
	"github.com/kindsmith/kindsmith/internal/versions/upgrade"
)

// Index finds pages.
type Index struct {
	tags  *tag.Set
	lints map[string]*lint.Definition
	codes map[string]diag.Code // by id
	// examples are by id of the code.
	examples map[string]*Example
}

// New returns the index of all pages.
func New() *Index {
	x := &Index{tags: driver.Tags(), lints: map[string]*lint.Definition{}, codes: map[string]diag.Code{}, examples: examples()}
	for _, c := range slices.Concat(driver.Codes(), project.Codes(), manifest.Codes(), crd.Codes(), validate.Codes(), convert.Codes(), adopt.Codes(), upgrade.Codes(), apidocs.Codes(), ruletest.Codes()) {
		x.codes[c.String()] = c
	}
	for _, l := range driver.Lints() {
		x.lints[l.Name] = l
	}
	return x
}

// Page returns the page of a tag or a marker of controller-gen, with or without its "+" and prefix, of
// a convention, of a diagnostic code, or of kindsmith.yaml; not ok if the name is unknown.
func (x *Index) Page(name string) (page string, ok bool) {
	name = strings.TrimPrefix(strings.TrimSpace(name), "+")
	if d := x.tag(name); d != nil {
		return x.tagPage(d), true
	}
	if name == foreign.KubebuilderXValidation || name == xValidation {
		return celPage(), true
	}
	if l := x.lints[name]; l != nil {
		return x.lintPage(l), true
	}
	if name == project.FileName {
		return settingsPage(), true
	}
	if code, ok := x.codes[name]; ok {
		return x.codePage(code), true
	}
	if m, ok := marker(name); ok {
		return x.markerPage(m), true
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

// Nearest returns the name with the most similar spelling, or "" if none is similar.
func (x *Index) Nearest(name string) string {
	name = strings.TrimPrefix(name, "+")
	var names []string
	for _, full := range x.Names() {
		names = append(names, full)
		if _, short, ok := strings.Cut(full, ":"); ok && !strings.Contains(name, ":") {
			names = append(names, short)
		}
	}
	return spell.Nearest(name, names)
}

// Names returns the names of all pages: tags, markers of controller-gen, conventions, codes and kindsmith.yaml.
func (x *Index) Names() []string {
	var names []string
	for _, d := range x.tags.All() {
		names = append(names, d.Name)
	}
	for _, m := range controllergen.Markers() {
		if strings.HasPrefix(m.Name, foreign.KubebuilderPrefix) {
			names = append(names, m.Name)
		}
	}
	return slices.Concat(names, slices.Sorted(maps.Keys(x.lints)), x.Codes(), []string{project.FileName})
}

// Codes returns all diagnostic codes, sorted.
func (x *Index) Codes() []string { return slices.Sorted(maps.Keys(x.codes)) }

// Example returns the example of a code; nil if it has none.
func (x *Index) Example(code string) *Example { return x.examples[code] }

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

// documentation is the address of the documentation.
const documentation = "https://github.com/kindsmith/kindsmith/blob/main/docs/"

// Help returns the page of a code and the address of the documentation that it belongs to.
func (x *Index) Help(code diag.Code) (page, uri string) {
	folder, _, _ := strings.Cut(code.String(), "/")
	for _, d := range x.tags.All() {
		if d.Folder() == folder {
			return x.codePage(code), documentation + "reference/tags.md#" + anchor(d.Name)
		}
	}
	return x.codePage(code), documentation + "guides/lint.md"
}
