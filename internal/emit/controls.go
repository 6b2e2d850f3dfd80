package emit

import (
	"go/token"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Controls are the settings in the comments of a package and its types that select
// the types that get validators. They are those of k8s.io/code-generator's
// validation-gen; without any, every type of the package gets one.
type Controls struct {
	// Off means that the package gets no validators: it disables them, or has no
	// settings and another package of the run gets its validators.
	Off   bool
	Roots []*model.Type
	// Scheme is the type that validators are registered with, nil for none.
	Scheme *model.Name
	// Explicit means that the package selects types. All of these are registered, else
	// only kinds.
	Explicit bool
}

const schemePkg = "k8s.io/apimachinery/pkg/runtime"

// ReadControls returns the settings of a package.
func ReadControls(m *model.Model, p *model.Package) Controls {
	ctl := Controls{Scheme: &model.Name{Package: schemePkg, Name: "Scheme"}}
	var wants []string
	for _, marker := range p.Markers {
		_, value, _ := strings.Cut(marker.Text, "=")
		value, _, _ = strings.Cut(strings.TrimSpace(value), " ")
		switch marker.Name {
		case foreign.ValidationGen:
			ctl.Explicit = true
			wants = append(wants, value)
		case foreign.ValidationGenRegistry:
			ctl.Scheme = schemeName(value)
		}
	}
	if slices.Contains(wants, "false") || !ctl.Explicit && isInput(m, p) {
		ctl.Off = true
		return ctl
	}
	for _, path := range append([]string{p.Path}, p.Inputs...) {
		for _, t := range m.Package(path).Types {
			if t.Generic || t.Alias || !token.IsExported(t.Name) {
				continue // other packages cannot call its validator
			}
			if selects(wants, t) {
				ctl.Roots = append(ctl.Roots, t)
			}
		}
	}
	return ctl
}

// isInput reports whether another package of the run gets the validators of this
// one. They may call functions of that package.
func isInput(m *model.Model, p *model.Package) bool {
	return slices.ContainsFunc(m.Packages, func(other *model.Package) bool {
		return other.Root && slices.Contains(other.Inputs, p.Path)
	})
}

// Registers reports whether a type is registered: kinds, and also lists if the
// package selects types. A scheme other than apimachinery's accepts any type.
func (ctl Controls) Registers(t *model.Type) bool {
	switch {
	case ctl.Scheme == nil:
		return false
	case ctl.Scheme.Package != schemePkg:
		return true
	case t.Kind == nil:
		return t.Methods["DeepCopyObject"] != nil
	default:
		return ctl.Explicit || !t.Kind.List
	}
}

func schemeName(value string) *model.Name {
	if value == "" || value == "nil" {
		return nil
	}
	i := strings.LastIndexByte(value, '.')
	return &model.Name{Package: value[:max(i, 0)], Name: value[i+1:]}
}

// selects reports whether the package selects a type.
func selects(wants []string, t *model.Type) bool {
	switch v, ok := MarkerValue(t.Markers, foreign.ValidationGen); {
	case ok && v == "false":
		return false
	case ok:
		return true
	}
	if len(wants) == 0 {
		return true
	}
	if slices.ContainsFunc(t.Fields, isListMeta) {
		return false
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

// isListMeta reports whether this field makes a struct a list of objects. Selecting
// types by their fields does not select lists, which are never stored.
func isListMeta(f *model.Field) bool {
	return f.Embedded && f.Type.ID() == model.ListMeta
}
