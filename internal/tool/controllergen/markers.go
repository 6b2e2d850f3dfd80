package controllergen

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/controller-tools/pkg/rbac"
	"sigs.k8s.io/controller-tools/pkg/webhook"
)

// Marker is a marker that one of controller-gen's generators reads, with controller-gen's own documentation.
type Marker struct {
	Name string
	// On are what the marker describes: packages, types, fields.
	On []string
	// Summary and Details are prose, Details "" if there are none.
	Summary, Details string
	// Category is the part of controller-gen, such as "CRD validation" or "RBAC"; "" if it is not said.
	Category string
	// Arguments are in the order of their names; that without a name is the value after the equals sign.
	Arguments []Argument
	// Instead is the name of the marker that controller-gen prefers; "" for none.
	Instead string
}

// Argument is an argument of a marker.
type Argument struct {
	Name, Type, Doc string
	Optional        bool
}

// registry has the markers of all generators; nil if they cannot be registered.
var registry = sync.OnceValue(func() *markers.Registry {
	r := &markers.Registry{}
	for _, register := range []func(*markers.Registry) error{
		crdmarkers.Register, deepcopy.Generator{}.RegisterMarkers, rbac.Generator{}.RegisterMarkers, webhook.Generator{}.RegisterMarkers, applyMarkers,
	} {
		if register(r) != nil {
			return nil
		}
	}
	return r
})

// applyMarkers registers the markers of apply configurations.
func applyMarkers(r *markers.Registry) error {
	g, ok := generators[applyName]
	if !ok {
		return nil
	}
	return g.RegisterMarkers(r)
}

// targets are what markers describe, with their names.
var targets = []struct {
	markers.TargetType
	name string
}{{markers.DescribesPackage, "packages"}, {markers.DescribesType, "types"}, {markers.DescribesField, "fields"}}

// Markers returns the markers of all generators, by name.
func Markers() []Marker {
	known := map[string]*Marker{}
	if registry() == nil {
		return nil
	}
	for _, target := range targets {
		for _, d := range registry().AllDefinitions() {
			if d.Target != target.TargetType {
				continue
			}
			m := known[d.Name]
			if m == nil {
				m = &Marker{Name: d.Name}
				known[d.Name] = m
			}
			m.On = append(m.On, target.name)
			m.describe(d, registry().HelpFor(d))
		}
	}
	list := make([]Marker, 0, len(known))
	for _, name := range slices.Sorted(maps.Keys(known)) {
		list = append(list, *known[name])
	}
	return list
}

// describe adds a definition's documentation, unless there is that of another target.
func (m *Marker) describe(d *markers.Definition, help *markers.DefinitionHelp) {
	if m.Arguments == nil {
		for _, name := range slices.Sorted(maps.Keys(d.Fields)) {
			a := Argument{Name: name, Type: d.Fields[name].TypeString(), Optional: d.Fields[name].Optional}
			if help != nil {
				doc := help.FieldsHelp(d)[name]
				a.Doc = doc.Summary
			}
			m.Arguments = append(m.Arguments, a)
		}
	}
	if help == nil {
		return
	}
	m.Category = cmp.Or(m.Category, help.Category)
	m.Summary = cmp.Or(m.Summary, help.Summary)
	m.Details = cmp.Or(m.Details, help.Details)
	if m.Instead == "" && help.DeprecatedInFavorOf != nil {
		m.Instead = *help.DeprecatedInFavorOf
	}
}

// MarkerNamed returns the marker that a text begins with, which may have arguments; not ok if there is none.
func MarkerNamed(text string) (m Marker, ok bool) {
	name := ""
	if registry() != nil {
		for _, target := range targets {
			if d := registry().Lookup("+"+strings.TrimPrefix(text, "+"), target.TargetType); d != nil {
				name = d.Name
			}
		}
	}
	all := Markers()
	i := slices.IndexFunc(all, func(m Marker) bool { return m.Name == name })
	if name == "" || i < 0 {
		return Marker{}, false
	}
	return all[i], true
}
