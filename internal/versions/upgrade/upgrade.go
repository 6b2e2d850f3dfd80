// Package upgrade plans the upgrade from CustomResourceDefinitions to newer ones, without Go types: the tables by which objects
// convert, and the order in which to deploy.
//
// [Read] reads definitions, and [New] returns the [Plan]. Guesses and mistakes are diagnostics with the codes of [Codes].
//
// A schema does not say what happened to a field. The package guesses renamed, moved and retyped fields where one answer is likely,
// and reports each guess. It converts all other fields that only one version has by keeping their values.
package upgrade

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/crd"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// Options say what people know.
type Options struct {
	// Renames are fields by their former path, such as spec.copies, and their new path.
	Renames map[string]string
	// NoGuess keeps the package from guessing.
	NoGuess bool
}

// Plan is the plan of an upgrade.
type Plan struct {
	// APIs are the tables by which the objects of all versions convert, one for each group.
	APIs []*jsonconvert.API
	// Actions are what to do, in order.
	Actions []string
	// News are the fields that conversion is about, in words.
	News []string
}

// A Definition is a definition with its place.
type Definition struct {
	*apiextensionsv1.CustomResourceDefinition
	object *manifest.Object
}

// Read returns the definitions of files. It reports mistakes.
func Read(files []*source.File, bag *diag.Bag) (list []*Definition) {
	for _, file := range files {
		for _, doc := range manifest.Parse(file, bag) {
			if doc.IsKustomization() {
				continue
			}
			for _, o := range doc.Objects(bag) {
				if !crd.Is(o) {
					continue
				}
				if typed := crd.Decode(o, bag); typed != nil {
					list = append(list, &Definition{typed, o})
				}
			}
		}
	}
	return list
}

// New plans the upgrade from definitions to others. It reports guesses as warnings, and what no upgrade can do as errors.
func New(from, to []*Definition, o Options, bag *diag.Bag) *Plan {
	p := &planner{options: o, bag: bag, used: map[string]bool{}, kinds: map[string]*kind{}}
	for _, d := range to {
		p.add(find(from, d), d)
	}
	for _, d := range from {
		if find(to, d) == nil {
			bag.Warnf(d.place("metadata.name"), codeGone, "%s is not in the new file: to delete the definition deletes all objects of %s", d.Name, d.Spec.Names.Kind)
		}
	}
	p.finish()
	for _, former := range slices.Sorted(maps.Keys(o.Renames)) {
		if !p.used[former] {
			bag.Errorf(source.Span{}, codeRename, "--rename %s=%s: no neighbouring versions have the first only in the older one, and the second only in the newer one", former, o.Renames[former])
		}
	}
	return &p.Plan
}

// find returns the definition of the same kind; nil for none.
func find(list []*Definition, d *Definition) *Definition {
	for _, other := range list {
		if other.Spec.Group == d.Spec.Group && other.Spec.Names.Kind == d.Spec.Names.Kind {
			return other
		}
	}
	return nil
}

// place returns the position of a field path.
func (d *Definition) place(path string) source.Span { return d.object.Root.Locate(path).Span }

// version returns a version; nil for none.
func (d *Definition) version(name string) *apiextensionsv1.CustomResourceDefinitionVersion {
	if d == nil {
		return nil
	}
	for i := range d.Spec.Versions {
		if d.Spec.Versions[i].Name == name {
			return &d.Spec.Versions[i]
		}
	}
	return nil
}

// stored returns the name of the version in which objects are stored.
func (d *Definition) stored() string {
	for _, v := range d.Spec.Versions {
		if v.Storage {
			return v.Name
		}
	}
	return ""
}

// planner makes a plan.
type planner struct {
	Plan
	options Options
	bag     *diag.Bag
	// used are the renames that were found.
	used map[string]bool
	// kinds are by group and name; order keeps their order.
	kinds map[string]*kind
	order []*kind
}

// kind is a kind of both files.
type kind struct {
	from, to *Definition
	// schemas are the schemas of versions, oldest first.
	schemas []*schema
	// steps are the types that change between neighbours.
	steps []map[string]*jsonconvert.Type
}

// schema is the schema of a version, and where it is.
type schema struct {
	version string
	props   *apiextensionsv1.JSONSchemaProps
	of      *Definition
	path    string
}

func (p *planner) add(from, to *Definition) {
	k := &kind{from: from, to: to}
	p.order = append(p.order, k)
	if from != nil && from.Spec.Scope != to.Spec.Scope {
		p.bag.Errorf(to.place("spec.scope"), codeFixed, "%s changes the scope from %s to %s, which API servers refuse", to.Name, from.Spec.Scope, to.Spec.Scope)
	}
	for _, d := range []*Definition{from, to} {
		if d == nil {
			continue
		}
		for i, v := range d.Spec.Versions {
			s := &schema{version: v.Name, of: d, path: fmt.Sprintf("spec.versions[%d].schema.openAPIV3Schema", i), props: &apiextensionsv1.JSONSchemaProps{}}
			if v.Schema != nil && v.Schema.OpenAPIV3Schema != nil {
				s.props = v.Schema.OpenAPIV3Schema
			}
			at := slices.IndexFunc(k.schemas, func(o *schema) bool { return o.version == v.Name })
			if at < 0 {
				k.schemas = append(k.schemas, s)
				continue
			}
			if !same(k.schemas[at].props, s.props) {
				p.bag.Warnf(s.place(), codeChanged, "%s of %s differs between the files; the plan converts by the new one", v.Name, to.Name)
			}
			k.schemas[at] = s
		}
	}
	slices.SortStableFunc(k.schemas, func(a, b *schema) int { return model.CompareVersions(a.version, b.version) })
	for i := 1; i < len(k.schemas); i++ {
		k.steps = append(k.steps, p.step(k, k.schemas[i-1], k.schemas[i]))
	}
	if k.differs() && (to.Spec.Conversion == nil || to.Spec.Conversion.Strategy != apiextensionsv1.WebhookConverter) {
		p.bag.Errorf(to.place("spec.conversion.strategy"), codeStrategy, "the versions of %s differ, and the new definition has no conversion webhook: API servers would drop fields", to.Name)
	}
}

// differs reports whether objects of different versions differ in more than their apiVersion.
func (k *kind) differs() bool {
	return slices.ContainsFunc(k.steps, func(types map[string]*jsonconvert.Type) bool { return len(types) > 0 })
}

func (s *schema) place() source.Span { return s.of.place(s.path) }

// finish makes the tables and the order.
func (p *planner) finish() {
	groups := map[string][]*kind{}
	var names []string
	for _, k := range p.order {
		group := k.to.Spec.Group
		if groups[group] == nil {
			names = append(names, group)
		}
		groups[group] = append(groups[group], k)
	}
	for _, group := range names {
		if api := tables(group, groups[group]); api != nil {
			p.APIs = append(p.APIs, api)
		}
	}
	p.deploy()
}

// tables returns the tables of a group; nil if its kinds have one version.
func tables(group string, kinds []*kind) *jsonconvert.API {
	api := &jsonconvert.API{Group: group}
	var versions []string
	for _, k := range kinds {
		for _, s := range k.schemas {
			if !slices.Contains(versions, s.version) {
				versions = append(versions, s.version)
			}
		}
	}
	if len(versions) < 2 {
		return nil
	}
	slices.SortFunc(versions, model.CompareVersions)
	for i, name := range versions {
		api.Versions = append(api.Versions, jsonconvert.Version{Name: name, Kinds: map[string]jsonconvert.Schema{}})
		if i > 0 {
			api.Steps = append(api.Steps, jsonconvert.Step{Older: versions[i-1], Newer: name, Types: map[string]*jsonconvert.Type{}})
		}
	}
	for _, k := range kinds {
		name, list := k.to.Spec.Names.Kind, cmp.Or(k.to.Spec.Names.ListKind, k.to.Spec.Names.Kind+"List")
		api.Kinds = append(api.Kinds, jsonconvert.Kind{Name: name, Store: jsonconvert.Annotation}, jsonconvert.Kind{Name: list, Item: name})
		for i, s := range k.schemas {
			at := slices.Index(versions, s.version)
			api.Versions[at].Kinds[name], api.Versions[at].Kinds[list] = jsonconvert.Schema{}, jsonconvert.Schema{}
			if i == 0 {
				continue
			}
			// A group may have versions between, which this kind lacks.
			maps.Copy(api.Steps[at-1].Types, k.steps[i-1])
		}
	}
	return api
}

// deploy says what to do, in order.
func (p *planner) deploy() {
	var first, apply, migrate, last []string
	for _, k := range p.order {
		name := k.to.Name
		if k.from == nil {
			apply = append(apply, fmt.Sprintf("apply the new definition %s", name))
			continue
		}
		if k.differs() {
			first = append(first, fmt.Sprintf("deploy the conversion webhook of %s with this plan, and wait until it is ready", name))
		}
		gone := k.gone()
		stored := k.from.stored()
		switch {
		case slices.Contains(gone, stored):
			apply = append(apply, fmt.Sprintf("apply %s with %s added: objects are stored in it, so API servers refuse a definition without it", name, strings.Join(gone, ", ")))
		case len(gone) > 0:
			apply = append(apply, fmt.Sprintf("apply %s with %s added, unless kindsmith storage plan %s says it can be removed", name, strings.Join(gone, ", "), name))
		default:
			apply = append(apply, "apply "+name)
		}
		if stored != k.to.stored() || len(gone) > 0 {
			migrate = append(migrate, fmt.Sprintf("kindsmith storage run %s, so all objects are stored in %s", name, k.to.stored()))
		}
		if len(gone) > 0 {
			last = append(last, fmt.Sprintf("apply %s as it is in the new file, without %s", name, strings.Join(gone, ", ")))
		}
	}
	p.Actions = slices.Concat(first, apply, migrate, last)
}

// gone returns the versions that the new definition lacks.
func (k *kind) gone() (names []string) {
	for _, v := range k.from.Spec.Versions {
		if k.to.version(v.Name) == nil {
			names = append(names, v.Name)
		}
	}
	return names
}
