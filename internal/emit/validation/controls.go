package validation

import (
	"go/token"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/model"
)

// controls are what the comments of a package, and of its types, say about
// which types get validators. They are those of k8s.io/code-generator's
// validation-gen; without any, every type of the package gets one.
type controls struct {
	off   bool
	roots []*model.Type
	// scheme is the type that validators are registered with, nil for none.
	scheme *model.Name
	// explicit is set when the package says which types it wants: all of them
	// are then registered, else only kinds.
	explicit bool
}

const (
	genMarker      = "k8s:validation-gen"
	registryMarker = "k8s:validation-gen-scheme-registry"
)

func readControls(c *emit.Context) controls {
	ctl := controls{scheme: &model.Name{Package: runtimePkg, Name: "Scheme"}}
	var wants []string
	for _, m := range c.Package.Markers {
		_, value, _ := strings.Cut(m.Text, "=")
		value, _, _ = strings.Cut(strings.TrimSpace(value), " ")
		switch m.Name {
		case genMarker:
			ctl.explicit = true
			wants = append(wants, value)
		case registryMarker:
			ctl.scheme = schemeName(value)
		}
	}
	if slices.Contains(wants, "false") {
		ctl.off = true
		return ctl
	}
	for _, p := range append([]string{c.Package.Path}, c.Package.Inputs...) {
		for _, t := range c.Model.Package(p).Types {
			foreign := p != c.Package.Path
			if t.Generic || t.Alias || foreign && !token.IsExported(t.Name) {
				continue
			}
			if selects(wants, t) {
				ctl.roots = append(ctl.roots, t)
			}
		}
	}
	return ctl
}

func schemeName(value string) *model.Name {
	if value == "" || value == "nil" {
		return nil
	}
	i := strings.LastIndexByte(value, '.')
	return &model.Name{Package: value[:max(i, 0)], Name: value[i+1:]}
}

// selects reports whether a type is one of those that the package wants.
func selects(wants []string, t *model.Type) bool {
	switch v, ok := emit.MarkerValue(t.Markers, genMarker); {
	case ok && v == "false":
		return false
	case ok:
		return true
	}
	if len(wants) == 0 {
		return true
	}
	for _, w := range wants {
		switch {
		case w == "*":
			return true
		case strings.HasPrefix(w, "TypesWithField="):
			if t.Field(strings.TrimPrefix(w, "TypesWithField=")) != nil {
				return true
			}
		case strings.HasPrefix(w, "TypesWithSuffix="):
			if strings.HasSuffix(t.Name, strings.TrimPrefix(w, "TypesWithSuffix=")) {
				return true
			}
		}
	}
	return false
}
