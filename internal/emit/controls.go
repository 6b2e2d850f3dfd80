package emit

import (
	"go/token"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/model"
)

// Controls are what the comments of a package, and of its types, say about
// which types get validators. They are those of k8s.io/code-generator's
// validation-gen; without any, every type of the package gets one.
type Controls struct {
	// Off is set when the package wants no validators, or says nothing and
	// another package of the run is to have them.
	Off   bool
	Roots []*model.Type
	// Scheme is the type that validators are registered with, nil for none.
	Scheme *model.Name
	// Explicit is set when the package says which types it wants: all of them
	// are then registered, else only kinds.
	Explicit bool
}

const schemePkg = "k8s.io/apimachinery/pkg/runtime"

// ReadControls returns what the comments of a package say about validators.
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
				continue // nobody outside could call its validator
			}
			if selects(wants, t) {
				ctl.Roots = append(ctl.Roots, t)
			}
		}
	}
	return ctl
}

// isInput reports whether another package of the run is to have the validators
// of this one, which may call what only that package has.
func isInput(m *model.Model, p *model.Package) bool {
	return slices.ContainsFunc(m.Packages, func(other *model.Package) bool {
		return other.Root && slices.Contains(other.Inputs, p.Path)
	})
}

// Registers reports whether a type goes into the scheme: kinds, and lists too
// where the package says which types it wants. A scheme that is not
// apimachinery's takes any type.
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

// selects reports whether a type is one of those that the package wants.
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

// isListMeta reports whether a struct is a list of objects by this field. What
// names types by their shape does not mean those: nobody sends lists to be kept.
func isListMeta(f *model.Field) bool {
	return f.Embedded && f.Type.ID() == model.Name{Package: metaV1, Name: "ListMeta"}
}
