package emit

import (
	"go/token"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
)

const runtimeObject = "k8s.io/apimachinery/pkg/runtime.Object"

// IsObject reports whether the type is a runtime.Object, gets DeepCopyObject and is
// registered: root types without +kubebuilder:object:root=false, and other types
// with +kubebuilder:object:root=true or +k8s:deepcopy-gen:interfaces.
// +kubebuilder:object:root=false says otherwise, and any other type that asks
// for it by +kubebuilder:object:root=true or +k8s:deepcopy-gen:interfaces.
func IsObject(t *model.Type) bool {
	if t.Generic || t.Alias {
		return false
	}
	if v, ok := MarkerValue(t.Markers, foreign.ObjectRoot); ok {
		return v == "" || v == "true"
	}
	return t.Kind != nil || slices.Contains(MarkerList(t.Markers, foreign.DeepCopyInterfaces), runtimeObject)
}

// RegisteredKinds returns the package's types to register with a scheme, in order of
// declaration.
func RegisteredKinds(p *model.Package) []*model.Type {
	if p.Group == "" || model.Skips(p.Constraints, "register") {
		return nil
	}
	var kinds []*model.Type
	for _, t := range p.Types {
		if IsObject(t) && token.IsExported(t.Name) && !model.Skips(t.Constraints, "register") {
			kinds = append(kinds, t)
		}
	}
	return kinds
}

// MarkerValue returns the value after '=' of the last marker with the given name, and
// whether such a marker exists.
func MarkerValue(list []model.Marker, name string) (value string, ok bool) {
	for _, m := range list {
		if m.Name == name {
			_, value, _ = strings.Cut(m.Text, "=")
			value, ok = strings.TrimSpace(strings.TrimPrefix(value, "=")), true
		}
	}
	return value, ok
}

// MarkerList returns the comma-separated values of all markers with the given name.
func MarkerList(list []model.Marker, name string) []string {
	var values []string
	for _, m := range list {
		if m.Name != name {
			continue
		}
		_, text, _ := strings.Cut(m.Text, "=")
		for v := range strings.SplitSeq(text, ",") {
			if v = strings.TrimSpace(v); v != "" && !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
	}
	return values
}

// IsMetadata reports whether validators of a package skip a type because API servers
// validate it in every object, with the type's rules at the server's level. A run that
// also generates for the package of these types validates them like any other.
func IsMetadata(m *model.Model, t *model.Type, p *model.Package) bool {
	if t.Package != metaV1 || p.Path == metaV1 || isSubject(m, metaV1) {
		return false
	}
	return t.Name == "TypeMeta" || t.Name == "ObjectMeta" || t.Name == "ListMeta"
}

// IsForeignAlpha reports whether a rule of a type's tags is an alpha rule on a type of
// another module's API. Such a rule is compared with that API's own hand-written
// validation and never enforced, so it does not apply where the type is embedded.
func IsForeignAlpha(m *model.Model, owner *model.Type, r rule.Rule, p *model.Package) bool {
	under := rule.Outermost(r)
	return len(under) > 0 && under[0].Level == rule.Alpha && owner.Package != p.Path && !isSubject(m, owner.Package)
}

// isSubject reports whether the run generates for a package: it is a root, or a
// root has its validators.
func isSubject(m *model.Model, path string) bool {
	return slices.ContainsFunc(m.Packages, func(p *model.Package) bool {
		return p.Root && (p.Path == path || slices.Contains(p.Inputs, path))
	})
}

const metaV1 = "k8s.io/apimachinery/pkg/apis/meta/v1"
