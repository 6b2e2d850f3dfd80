// Package versiondrift reports rules that apply in one version of a kind but not in
// another.
package versiondrift

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/lint"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeDiffers = codes.New("versiondrift/differs", "A tag differs between two hand-written versions of a kind. Make it the same, or list the difference in "+FileName+" with a reason.")
	codeStale   = codes.New("versiondrift/stale", "An entry of "+FileName+" lists a difference that does not exist. Remove the entry.")
	codeReason  = codes.New("versiondrift/reason", "An entry of "+FileName+" has no reason. Add one.")
	codeBadFile = codes.New("versiondrift/bad-file", "The file of exceptions cannot be read, or an entry does not have the form that `kindsmith explain versiondrift` shows.")
)

// Definition returns the convention.
func Definition() *lint.Definition {
	return &lint.Definition{
		Name:    "versiondrift",
		Summary: "Hand-written versions of a kind have the same tags, or list differences with reasons.",
		Doc: "All versions of a kind represent the same object. An object that one version accepts and another rejects cannot be updated through the other. " +
			"Generated older versions have the newest version's tags, except for tags under `+versioned:since` or `+versioned:until`. Hand-written versions can drift apart.\n\n" +
			"Each hand-written version is compared with the next newer one: the tags and defaults of the kinds, of all types that they use, and of their fields. Fields correspond by JSON name, or as `+versioned:changed` in the newest version says. " +
			"Fields of different kinds of types, such as a string and a number, are not compared.\n\n" +
			"List intended differences in `" + FileName + "`, in the folder above the newest one:\n\n" +
			"```yaml\n- type: DatabaseSpec\n  field: Replicas # omit for a tag on the type itself\n  tag: k8s:maximum\n  versions: [v1beta1, v1]\n  reason: v1 allows more, but v1beta1 clients never request it\n```",
		Good: tag.Code(`
			// in v1beta1 and in v1
			// +k8s:optional
			// +k8s:maximum=15
			Replicas *int32 \'json:"replicas,omitempty"\'`),
		Bad: tag.Code(`
			// in v1beta1; v1 has +k8s:maximum=15
			// +k8s:optional
			// +k8s:maximum=10
			Replicas *int32 \'json:"replicas,omitempty"\'`),
		Codes: codes.All(),
		Run:   run,
	}
}

// FileName is the file of exceptions, in the folder above that of the newest version.
const FileName = "versiondrift.yaml"

func run(pass *lint.Pass) {
	m, tags, bag := pass.Model, pass.Tags, pass.Diags
	for _, versions := range groups(m) {
		newest := versions[len(versions)-1]
		listed := readExceptions(pass.Files, filepath.Dir(newest.Dir), newest.Span, bag)
		for i := range len(versions) - 1 {
			c := &comparison{m: m, tags: tags, older: versions[i], newer: versions[i+1], seen: map[[2]model.Name]bool{}}
			c.kinds()
			for _, d := range c.found {
				if !listed.excuse(c, d) {
					d.report(c, bag)
				}
			}
		}
		listed.reportStale(pass.Files, versions, bag)
	}
}

// groups returns the hand-written versions of each group, oldest first.
func groups(m *model.Model) [][]*model.Package {
	byGroup := map[string][]*model.Package{}
	var names []string
	for _, p := range m.Packages {
		if !p.Root || p.Generated || p.Group == "" || p.Version == "" || p.Span.IsZero() {
			continue
		}
		if byGroup[p.Group] == nil {
			names = append(names, p.Group)
		}
		byGroup[p.Group] = append(byGroup[p.Group], p)
	}
	var all [][]*model.Package
	for _, name := range names {
		versions := byGroup[name]
		slices.SortFunc(versions, func(a, b *model.Package) int {
			return cmp.Or(cmp.Compare(age(m, a), age(m, b)), model.CompareVersions(a.Version, b.Version), cmp.Compare(a.Path, b.Path))
		})
		all = append(all, versions)
	}
	return all
}

// age returns the index of a version among those that its newest version declares; -1 if none does.
func age(m *model.Model, p *model.Package) int {
	newest := cmp.Or(m.Package(p.Hub), p)
	return slices.IndexFunc(newest.Versions, func(v *model.Version) bool { return v.Package == p.Path })
}
