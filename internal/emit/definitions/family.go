package definitions

import (
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// props is short for the type of schemas.
type props = apiextensionsv1.JSONSchemaProps

// family is one kind in the versions of its definition.
type family struct {
	group string
	kind  string
	// versions are in Kubernetes' order of priority: v2, v1, v1beta1, v1alpha1.
	versions []member
	// lead is the leading version.
	lead member
}

// member is one version of a kind.
type member struct {
	pkg     *model.Package
	typ     *model.Type
	version string
	// declared is its +versioned:version; nil if there is none.
	declared *model.Version
}

// familyOf omits the versions of a kind that authors exclude from its definition.
func familyOf(k *emit.Kind) family {
	served := &emit.Kind{Group: k.Group, Name: k.Name}
	for _, v := range k.Versions {
		if isAPI(v.Package) && isKind(v.Type) {
			served.Versions = append(served.Versions, v)
		}
	}
	fam := family{group: k.Group, kind: k.Name}
	for _, v := range served.Versions {
		m := member{v.Package, v.Type, v.Name, served.Declared(v.Name)}
		fam.versions = append(fam.versions, m)
		if v == served.Lead() {
			fam.lead = m
		}
	}
	return fam
}

// isAPI reports whether to write the kinds of a package.
func isAPI(p *model.Package) bool {
	return p.Group != "" && !model.HasMarker(p.Markers, foreign.Skip) && !model.Skips(p.Tags, model.PartMergedCRD)
}

func isKind(t *model.Type) bool {
	return t.Kind != nil && !t.Kind.List && !t.Generic && !model.HasMarker(t.Markers, foreign.SkipVersion) &&
		!model.Skips(t.Tags, model.PartMergedCRD)
}

// distinct reports a kind that two packages have in the same version.
func (b *builder) distinct(fam family) bool {
	seen := map[string]member{}
	for _, m := range fam.versions {
		if first, twice := seen[m.version]; twice {
			b.diags.Errorf(m.typ.Span, codeVersionTwice, "two packages have kind %s in version %s of group %s; change the group, the kind or the version of one, or exclude one with +%s", fam.kind, m.version, fam.group, foreign.SkipVersion).
				Note(first.typ.Span, "the other %s", fam.kind)
			return false
		}
		seen[m.version] = m
	}
	return true
}
