package evolve

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// checkVersions checks a package's version markers and returns the versions in chronological
// order, the package's own last. It is not ok if it cannot determine the versions.
func checkVersions(p *model.Package, tags *tag.Set, bag *diag.Bag) (versions []*model.Version, ok bool) {
	ok = true
	seen := map[string]*model.Version{}
	for _, v := range p.Versions {
		span := v.NameSpan
		switch first := seen[v.Name]; {
		case v.Name == "" && span == v.Span: // reported as a missing argument
			ok = false
			continue
		case !model.IsVersion(v.Name):
			bag.Errorf(span, codeBadName, "%q is not a version; write v<major>, v<major>alpha<n> or v<major>beta<n>, such as v1beta1", v.Name)
			ok = false
			continue
		case first != nil:
			bag.Errorf(span, codeRepeated, "version %s is repeated; remove one", v.Name).Note(first.Span, "first declared here")
			continue
		}
		seen[v.Name] = v
		versions = append(versions, v)
	}
	if !model.Has(p.Tags, model.RoleAllowUnsorted) {
		checkOrder(p, versions, tags, bag)
	}
	versions, ownOK := ownLast(p, versions, tags, bag)
	checkStorage(versions, bag)
	checkRetired(p, versions, bag)
	outputOK := checkOutput(p, versions, bag)
	return versions, ok && ownOK && outputOK
}

// checkOutput reports a folder for older versions that they cannot have.
func checkOutput(p *model.Package, versions []*model.Version, bag *diag.Bag) bool {
	span := p.Span
	for i, c := range model.Find(p.Tags, model.RoleOutput) {
		v := c.Arg("")
		if v == nil {
			continue // reported
		}
		if span = v.Span; i > 0 {
			bag.Errorf(c.Span, codeOutput, "+%s is repeated; remove one", c.Name)
			return false
		}
		if _, err := model.ParseVersionsDir(v.Text); err != nil {
			bag.Errorf(span, codeOutput, "%v", err)
			return false
		}
	}
	for _, v := range versions {
		if v.Name == p.Version {
			continue
		}
		switch path := p.OlderPath(v.Name); {
		case path == p.Path:
			bag.Errorf(span, codeOutput, "version %s would be in the folder of the newest version, %s; name another folder, such as \"../old/{version}\"", v.Name, path)
			return false
		case cmp.Or(p.VersionsDir, model.DefaultVersionsDir) != model.DefaultVersionsDir && p.Module != "" && !strings.HasPrefix(path, p.Module+"/"):
			bag.Errorf(span, codeOutput, "version %s would be outside of module %s; name a folder in the module, relative to that of package %s, such as \"../old/{version}\"", v.Name, p.Module, p.Name)
			return false
		}
	}
	return true
}

func checkOrder(p *model.Package, versions []*model.Version, tags *tag.Set, bag *diag.Bag) {
	for i, v := range versions {
		if i == 0 || model.CompareVersions(versions[i-1].Name, v.Name) < 0 {
			continue
		}
		sorted := slices.Clone(versions)
		slices.SortStableFunc(sorted, func(a, b *model.Version) int {
			return model.CompareVersions(a.Name, b.Name)
		})
		d := bag.Errorf(v.NameSpan, codeOrder, "version %s is declared after the newer %s; declare them in the order %s", v.Name, versions[i-1].Name, names(sorted))
		if versions[len(versions)-1].Name == p.Version {
			d.Message += fmt.Sprintf(", or add +%s if they were released in this order", tags.WithRole(model.RoleAllowUnsorted))
		}
		return
	}
}

// checkBeside reports hand-written packages beside the newest version that have its kinds in a version that it does
// not declare.
func checkBeside(m *model.Model, p *model.Package, tags *tag.Set, bag *diag.Bag) {
	for _, q := range m.Packages {
		declared := slices.ContainsFunc(p.Versions, func(v *model.Version) bool { return v.Name == q.Version })
		if declared && q.Path == p.OlderPath(q.Version) || q == p || q.Hub == p.Path || q.Span.IsZero() || !q.Root && !q.Companion || q.Group != p.Group || q.Version == "" || !p.Beside(q) || skipped(q) {
			continue
		}
		for _, t := range q.Types {
			if own := p.Type(t.Name); own != nil && own.Kind != nil && t.Kind != nil && !t.Kind.List {
				bag.Warnf(q.Span, codeUndeclaredFolder, "%s is a version of kind %s that package %s does not declare, so nothing converts it; add +%s(name: %q) there, or +%s here",
					q.Version, t.Name, p.Name, tags.WithRole(model.RoleVersion), q.Version, foreign.Skip)
				break
			}
		}
	}
}

// skipped reports whether the author excludes a package from definitions.
func skipped(p *model.Package) bool {
	return model.HasMarker(p.Markers, foreign.Skip)
}

// ownLast checks that the package's own version is declared last, and returns the list with it
// last.
func ownLast(p *model.Package, versions []*model.Version, tags *tag.Set, bag *diag.Bag) ([]*model.Version, bool) {
	if p.Version == "" {
		bag.Errorf(p.Span, codeOwnVersion,
			"package %s declares versions, but its name is not a version; the newest version's package must have its name, such as v1", p.Name)
		return versions, false
	}
	i := slices.IndexFunc(versions, func(v *model.Version) bool { return v.Name == p.Version })
	if i < 0 {
		bag.Errorf(p.Span, codeOwnVersion,
			"package %s does not declare its own version; add +%s(name: %q) after the others", p.Name, tags.WithRole(model.RoleVersion), p.Version).
			RestsOn(tag.DeclaredVersions(p)...)
		own := &model.Version{Name: p.Version, Served: true, Package: p.Path, Span: p.Span, NameSpan: p.Span}
		return append(versions, own), true
	}
	own := versions[i]
	if i == len(versions)-1 {
		return versions, true
	}
	bag.Errorf(own.NameSpan, codeOwnVersion,
		"%s is the package's own version and must be declared last: only the newest version is hand-written", own.Name).
		RestsOn(tag.DeclaredVersions(p)...)
	return append(slices.Delete(slices.Clone(versions), i, i+1), own), true
}

// checkStorage makes the version with the highest priority of Kubernetes the storage version if none is
// declared, and reports several.
func checkStorage(versions []*model.Version, bag *diag.Bag) {
	var stored *model.Version
	for _, v := range versions {
		if !v.Storage {
			continue
		}
		if stored == nil {
			stored = v
			continue
		}
		v.Storage = false
		bag.Errorf(v.StorageSpan, codeStorage, "%s and %s are both the storage version; keep one", stored.Name, v.Name).
			Note(stored.Span, "the other one")
	}
	if stored == nil && len(versions) > 0 {
		slices.MaxFunc(versions, func(a, b *model.Version) int { return version.CompareKubeAwareVersionStrings(a.Name, b.Name) }).Storage = true
	}
}

// checkRetired reports retired versions that the package declares, or that are not older than the others.
func checkRetired(p *model.Package, versions []*model.Version, bag *diag.Bag) {
	for i, r := range p.Retired {
		declared := slices.IndexFunc(versions, func(v *model.Version) bool { return v.Name == r.Name })
		switch {
		case r.Name == "": // reported as a missing argument
		case !model.IsVersion(r.Name):
			bag.Errorf(r.Span, codeBadName, "%q is not a version; write v<major>, v<major>alpha<n> or v<major>beta<n>, such as v1beta1", r.Name)
		case slices.ContainsFunc(p.Retired[:i], func(before *model.Retired) bool { return before.Name == r.Name }):
			bag.Errorf(r.Span, codeRetired, "version %s is retired twice; remove one", r.Name)
		case declared >= 0:
			bag.Errorf(r.Span, codeRetired, "version %s is retired, but the package declares it; remove one of the markers", r.Name).Note(versions[declared].Span, "declared here")
		case !model.Has(p.Tags, model.RoleAllowUnsorted) && len(versions) > 0 && model.CompareVersions(versions[0].Name, r.Name) < 0:
			bag.Errorf(r.Span, codeRetired, "version %s is newer than %s, whose objects may keep values for it; declare it with served: false in place of this marker", r.Name, versions[0].Name)
		}
	}
}

func names(versions []*model.Version) string {
	list := make([]string, len(versions))
	for i, v := range versions {
		list[i] = v.Name
	}
	return strings.Join(list, ", ")
}
