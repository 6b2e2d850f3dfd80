// Package breaking compares an API with an earlier state of it: the definitions that API servers
// serve, and the Go packages that programs import. It lists what breaks clients or stored objects.
//
// [Read] reads definitions, [Compare] and [Gone] return each [Change], and [CompareNames] each [NameChange] of Go. Nothing
// here is a diagnostic: package driver reports changes.
//
// It knows neither models nor files: package driver takes the new definitions from a run which writes
// nothing, and the published ones from the disk or from package revision.
package breaking

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/crd"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
)

// Definition is a CustomResourceDefinition.
type Definition struct {
	Kind  schema.GroupKind
	typed *apiextensionsv1.CustomResourceDefinition
	root  *manifest.Node
}

// Read returns the definitions in a file and ignores other objects. It reports definitions that it
// cannot read.
func Read(file *source.File, bag *diag.Bag) []*Definition {
	var list []*Definition
	for _, d := range manifest.Parse(file, bag) {
		for _, o := range d.Objects(bag) {
			if !crd.Is(o) {
				continue
			}
			if typed := crd.Decode(o, bag); typed != nil {
				list = append(list, &Definition{
					Kind:  schema.GroupKind{Group: typed.Spec.Group, Kind: typed.Spec.Names.Kind},
					typed: typed, root: o.Root,
				})
			}
		}
	}
	return list
}

// HasVersion reports whether the definition lists a version.
func (d *Definition) HasVersion(name string) bool { return versionOf(&d.typed.Spec, name) != nil }

// Change is a difference that breaks clients or stored objects.
type Change struct {
	Code diag.Code
	Kind schema.GroupKind
	// Versions are those that have the change; none if it concerns all.
	Versions []string
	// Path leads to the value.
	Path Path
	// What says what changed, after the path; Remedy says what to do.
	What, Remedy string
	// Renamed is the name of the only new key with the schema of one that is gone, "" for other changes.
	Renamed string
	// Before is the text of the earlier definition.
	Before source.Span
}

// String returns the change as a sentence.
func (c *Change) String() string {
	subject := c.Kind.Kind
	if len(c.Versions) > 0 {
		subject += " " + strings.Join(c.Versions, ", ")
	}
	if len(c.Path) > 0 {
		subject += ": " + c.Path.String()
	}
	return subject + " " + c.What + "; " + c.Remedy
}

// Path leads from an object to one of its values.
type Path []Step

// Step is a property of an object or, without a name, the items of a list or the values of a map.
type Step struct {
	Name string
	Map  bool
}

// String returns the path as users write it, such as spec.ports[*].name.
func (p Path) String() string {
	var b strings.Builder
	for i, s := range p {
		switch {
		case s.Name == "":
			b.WriteString("[*]")
		case i > 0:
			b.WriteString("." + s.Name)
		default:
			b.WriteString(s.Name)
		}
	}
	return b.String()
}

// Compare returns what breaks if newer definitions replace earlier ones. It ignores kinds that are
// only in one list; see Gone. order is the order in which the versions of a kind convert into each other, nil if they do not.
func Compare(earlier, newer []*Definition, order func(schema.GroupKind) Order) []*Change {
	var list []*Change
	for _, d := range earlier {
		if n := find(newer, d.Kind); n != nil {
			list = append(list, d.compare(n, order(d.Kind))...)
		}
	}
	return list
}

// Gone returns a change for each kind of a group that newer definitions lack.
func Gone(earlier, newer []*Definition, group func(name string) bool) []*Change {
	var list []*Change
	for _, d := range earlier {
		if group(d.Kind.Group) && find(newer, d.Kind) == nil {
			list = append(list, &Change{
				Code: codeKind, Kind: d.Kind, Before: d.span("spec", "names", "kind"),
				What: "is no longer published", Remedy: "keep the kind, or list its versions with served: false until no cluster has objects of it",
			})
		}
	}
	return list
}

func find(list []*Definition, kind schema.GroupKind) *Definition {
	i := slices.IndexFunc(list, func(d *Definition) bool { return d.Kind == kind })
	if i < 0 {
		return nil
	}
	return list[i]
}

// span returns the position of a key of the definition.
func (d *Definition) span(path ...string) source.Span {
	return d.root.Locate(strings.Join(path, ".")).Span
}

// Order compares two versions.
type Order func(a, b string) int

// compare returns each change that breaks something if n replaces d.
func (d *Definition) compare(n *Definition, order Order) []*Change {
	var list []*Change
	before, after := &d.typed.Spec, &n.typed.Spec
	resource := func(key, what, old, new string) {
		if old != new {
			list = append(list, &Change{
				Code: codeResource, Kind: d.Kind, Before: d.span("spec", key),
				What: fmt.Sprintf("has the %s %s, was %s", what, new, old), Remedy: "keep it, or add a new kind",
			})
		}
	}
	resource("names", "plural", before.Names.Plural, after.Names.Plural)
	resource("names", "list kind", before.Names.ListKind, after.Names.ListKind)
	resource("scope", "scope", string(before.Scope), string(after.Scope))
	all := map[string]*Change{}
	for i := range before.Versions {
		v := &before.Versions[i]
		c := &comparison{kind: d.Kind, version: v.Name}
		c.compare(v, versionOf(after, v.Name), d.below(n, v.Name, order), d.root.Field("spec").Field("versions").Item(i))
		for _, change := range c.changes {
			// What several versions have in common is one change.
			key := change.Code.String() + "\x00" + change.Path.String() + "\x00" + change.What
			if first := all[key]; first != nil {
				first.Versions = append(first.Versions, v.Name)
				continue
			}
			all[key] = change
			list = append(list, change)
		}
	}
	return list
}

// below returns the version of a newer definition whose objects keep values for a version that is gone; "" if there is none.
// The version is between two others: conversions go through it. Versions with the same JSON keep nothing.
func (d *Definition) below(n *Definition, gone string, order Order) (older string) {
	if c := d.typed.Spec.Conversion; order == nil || n.HasVersion(gone) || c != nil && c.Strategy == apiextensionsv1.NoneConverter {
		return ""
	}
	newer := false
	for _, v := range d.typed.Spec.Versions {
		switch side := order(v.Name, gone); {
		case !n.HasVersion(v.Name):
		case side > 0:
			newer = true
		case older == "" || order(v.Name, older) > 0:
			older = v.Name
		}
	}
	if !newer {
		return ""
	}
	return older
}

func versionOf(spec *apiextensionsv1.CustomResourceDefinitionSpec, name string) *apiextensionsv1.CustomResourceDefinitionVersion {
	for i := range spec.Versions {
		if spec.Versions[i].Name == name {
			return &spec.Versions[i]
		}
	}
	return nil
}

// comparison compares two states of one version.
type comparison struct {
	kind    schema.GroupKind
	version string
	changes []*Change
}

func (c *comparison) add(code diag.Code, at place, remedy, what string, args ...any) *Change {
	change := &Change{
		Code: code, Kind: c.kind, Versions: []string{c.version}, Path: slices.Clone(at.path),
		What: fmt.Sprintf(what, args...), Remedy: remedy, Before: at.span(),
	}
	c.changes = append(c.changes, change)
	return change
}

// place is a value, with its schema in the earlier definition.
type place struct {
	path Path
	node *manifest.Node
}

// span returns the position of the schema.
func (p place) span() source.Span { return p.node.Place().Span }

// below returns the place of a part of a value, with its schema at the given keys.
func (p place) below(s Step, keys ...string) place {
	inner := place{path: append(slices.Clone(p.path), s), node: p.node}
	for _, key := range keys {
		if node := inner.node.Field(key); node != nil { // else nearby, in a file without positions
			inner.node = node
		}
	}
	return inner
}

// compare compares two states of the version. The newer one is nil if it is gone; older is then what below returns.
func (c *comparison) compare(before, after *apiextensionsv1.CustomResourceDefinitionVersion, older string, node *manifest.Node) {
	at := place{node: node.Field("name")}
	switch {
	case older != "":
		c.add(CodeMiddle, at, "declare it with served: false, and remove "+older+" first", "is gone, but objects of the older %s may keep values for it", older)
		return
	case after == nil && before.Served:
		c.add(codeVersion, at, "keep serving it until its clients have moved", "is gone")
		return
	case after == nil:
		c.add(codeVersion, at, "list it with served: false until no object is stored in it", "is gone; servers refuse this while status.storedVersions lists it")
		return
	case !before.Served:
		return
	case !after.Served:
		c.add(codeVersion, at, "keep serving it until its clients have moved", "is no longer served")
		return
	}
	c.subresources(before, after, node)
	if before.Schema == nil || after.Schema == nil || before.Schema.OpenAPIV3Schema == nil || after.Schema.OpenAPIV3Schema == nil {
		return
	}
	c.schema(place{node: node.Field("schema").Field("openAPIV3Schema")}, before.Schema.OpenAPIV3Schema, after.Schema.OpenAPIV3Schema)
}

// subresources compares subresources and selectable fields.
func (c *comparison) subresources(before, after *apiextensionsv1.CustomResourceDefinitionVersion, node *manifest.Node) {
	was, is := cmp.Or(before.Subresources, &apiextensionsv1.CustomResourceSubresources{}), cmp.Or(after.Subresources, &apiextensionsv1.CustomResourceSubresources{})
	at := place{node: node.Field("subresources")}
	const keep = "keep it, or change it in a new version"
	switch {
	case was.Status != nil && is.Status == nil:
		c.add(codeSubresource, at, keep, "has no status subresource any more")
	case was.Status == nil && is.Status != nil:
		c.add(codeSubresource, place{node: node.Field("name")}, "add it in a new version", "has a status subresource: servers now ignore the status in writes to the object")
	}
	switch {
	case was.Scale != nil && is.Scale == nil:
		c.add(codeSubresource, at, keep, "has no scale subresource any more")
	case was.Scale != nil && text(was.Scale) != text(is.Scale):
		c.add(codeSubresource, at, keep, "has a scale subresource with other paths")
	}
	for _, f := range before.SelectableFields {
		if !slices.Contains(after.SelectableFields, f) {
			c.add(codeSubresource, place{node: node.Field("selectableFields")}, keep, "has no selectable field %s any more", f.JSONPath)
		}
	}
}
