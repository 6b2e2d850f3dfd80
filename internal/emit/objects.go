package emit

import (
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule/order"
)

const runtimeObject = "k8s.io/apimachinery/pkg/runtime.Object"

// IsObject reports whether the type is a runtime.Object, gets DeepCopyObject and is
// registered: root types without +kubebuilder:object:root=false, and other types
// with +kubebuilder:object:root=true or +k8s:deepcopy-gen:interfaces.
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
	if _, ok := RegisteredGroup(p); !ok || model.Skips(p.Tags, model.PartRegister) {
		return nil
	}
	asked := AsksForRegistration(p)
	var kinds []*model.Type
	for _, t := range p.Types {
		object := IsObject(t) || asked && embedsTypeMeta(t) && t.Methods["DeepCopyObject"] != nil
		if object && token.IsExported(t.Name) && !model.Skips(t.Tags, model.PartRegister) {
			kinds = append(kinds, t)
		}
	}
	return kinds
}

// AsksForRegistration reports whether the package has register-gen's marker. It is registered even
// without kinds, and its users may depend on the names in register-gen's files.
func AsksForRegistration(p *model.Package) bool {
	value, ok := MarkerValue(p.Markers, foreign.RegisterGen)
	return ok && value != "false"
}

// RegisteredGroup returns the API group that the kinds of a package are registered with: that of the
// package or else, like register-gen's, the name of the folder above. ok is false if it has no group.
func RegisteredGroup(p *model.Package) (group string, ok bool) {
	if p.HasGroup() || !AsksForRegistration(p) {
		return p.Group, p.HasGroup()
	}
	return path.Base(path.Dir(p.Path)), true
}

// HasRegistration reports whether the package has a registration, hand-written or generated.
func HasRegistration(p *model.Package) bool {
	_, ok := RegisteredGroup(p)
	return ok && p.Version != "" && !model.Skips(p.Tags, model.PartRegister) &&
		(len(RegisteredKinds(p)) > 0 || AsksForRegistration(p) || p.NamesGroup && !p.Decls[gofile.GroupName])
}

// embedsTypeMeta reports whether a type is a struct with an embedded metav1.TypeMeta. register-gen
// registers these types.
func embedsTypeMeta(t *model.Type) bool {
	return slices.ContainsFunc(t.Fields, func(f *model.Field) bool {
		return f.Embedded && f.Type.ID() == model.Name{Package: "k8s.io/apimachinery/pkg/apis/meta/v1", Name: "TypeMeta"}
	})
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

// Scope returns the types and rules that validators of the context's package enforce.
func (c *Context) Scope() order.Scope {
	own := func(pkg string) bool { return pkg == c.Package.Path }
	return order.Scope{Own: own, Subject: func(pkg string) bool { return own(pkg) || isSubject(c.Model, pkg) }}
}

// isSubject reports whether the run generates validators for a package: it is a root, or a root has
// its validators.
func isSubject(m *model.Model, path string) bool {
	return slices.ContainsFunc(m.Packages, func(p *model.Package) bool {
		return p.Root && (p.Path == path || slices.Contains(p.Inputs, path))
	})
}
