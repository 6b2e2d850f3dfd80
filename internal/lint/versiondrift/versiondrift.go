// Package versiondrift is about rules that hold in one version of a kind and not
// in another.
package versiondrift

import (
	"cmp"
	"path/filepath"
	"slices"

	"k8s.io/apimachinery/pkg/version"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/lint"
	"github.com/kindsmith/kindsmith/internal/model"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeDiffers = codes.New("versiondrift/differs", "A tag is not the same in two hand-written versions of a kind. Make it the same, or list the difference in "+FileName+" with its reason.")
	codeStale   = codes.New("versiondrift/stale", "The difference that an entry of "+FileName+" excuses is not there. Remove the entry.")
	codeReason  = codes.New("versiondrift/reason", "An entry of "+FileName+" does not say why the versions differ. Give it a reason.")
	codeBadFile = codes.New("versiondrift/bad-file", "The file of exceptions cannot be read, or an entry has not got the form that `kindsmith explain versiondrift` shows.")
)

// Definition returns the convention.
func Definition() *lint.Definition {
	return &lint.Definition{
		Name:    "versiondrift",
		Summary: "Hand-written versions of a kind have the same tags, or say why not.",
		Doc: "The versions of a kind are one object in several forms: what one accepts and another rejects cannot be read back in the other. " +
			"Older versions that kindsmith writes have the newest version's tags, unless `+versioned:since` or `+versioned:until` says otherwise; versions that are kept by hand drift apart unnoticed.\n\n" +
			"Each hand-written version is compared with the next newer one: the tags and defaults of the kinds, of all types that they lead to, and of their fields, paired by JSON name, or as `+versioned:changed` on the newest version says. " +
			"Fields of which one is of another sort than the other, such as a string and a number, are not compared.\n\n" +
			"Differences that are meant are listed in `" + FileName + "` in the folder that holds the versions' folders:\n\n" +
			"```yaml\n- type: DatabaseSpec\n  field: Replicas # left out for a tag on the type itself\n  tag: k8s:maximum\n  versions: [v1beta1, v1]\n  reason: v1 allows more, and v1beta1 clients never ask for it\n```",
		Good:  "// in v1beta1 and in v1\n// +k8s:optional\n// +k8s:maximum=15\nReplicas *int32 `json:\"replicas,omitempty\"`",
		Bad:   "// in v1beta1; v1 has +k8s:maximum=15\n// +k8s:optional\n// +k8s:maximum=10\nReplicas *int32 `json:\"replicas,omitempty\"`",
		Codes: codes.All(),
		Run:   run,
	}
}

// FileName is the file with the exceptions, in the folder that the folders of a
// group's versions are in.
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
			return cmp.Or(version.CompareKubeAwareVersionStrings(a.Version, b.Version), cmp.Compare(a.Path, b.Path))
		})
		all = append(all, versions)
	}
	return all
}
