package definitions

import (
	"strings"

	"github.com/gobuffalo/flect"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The markers that +versioned:version overrides.
const (
	storageVersionMarker    = foreign.StorageVersion
	unservedVersionMarker   = foreign.UnservedVersion
	deprecatedVersionMarker = foreign.DeprecatedVersion
)

// specMarker and crdMarker are the interfaces of controller-gen's markers on kinds.
type (
	specMarker interface {
		ApplyToCRD(*apiextensionsv1.CustomResourceDefinitionSpec, string) error
	}
	crdMarker interface {
		ApplyToCRD(*apiextensionsv1.CustomResourceDefinition, string) error
	}
)

// definition builds the definition of a kind with all its versions.
func (b *builder) definition(fam family) *apiextensionsv1.CustomResourceDefinition {
	plural := strings.ToLower(flect.Pluralize(fam.kind))
	crd := &apiextensionsv1.CustomResourceDefinition{
		TypeMeta: metav1.TypeMeta{APIVersion: apiextensionsv1.SchemeGroupVersion.String(), Kind: "CustomResourceDefinition"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: fam.group,
			Names: apiextensionsv1.CustomResourceDefinitionNames{
				Kind: fam.kind, ListKind: fam.kind + "List", Plural: plural, Singular: strings.ToLower(fam.kind),
			},
			Scope: apiextensionsv1.NamespaceScoped,
		},
	}
	for _, m := range fam.versions {
		v := apiextensionsv1.CustomResourceDefinitionVersion{
			Name: m.version, Served: true,
			Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: b.schemas.Root(m.typ)},
		}
		if d := m.declared; d != nil {
			v.Served, v.Storage, v.Deprecated = d.Served, d.Storage, d.IsDeprecated
			v.DeprecationWarning = deprecationWarning(fam, d)
		}
		crd.Spec.Versions = append(crd.Spec.Versions, v)
	}
	// The newest version's markers are last, so that they take precedence for the whole kind.
	for i := len(fam.versions) - 1; i >= 0; i-- {
		b.applyKindMarkers(crd, fam.versions[i])
	}
	crd.Name = crd.Spec.Names.Plural + "." + crd.Spec.Group
	store(crd, fam)
	return crd
}

// store selects the storage version if none is declared: the only one, or the newest if the kind
// does not exist in the package's storage version.
func store(crd *apiextensionsv1.CustomResourceDefinition, fam family) {
	lead := fam.lead
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			return
		}
	}
	for i, m := range fam.versions {
		if m.pkg == lead.pkg && (len(fam.versions) == 1 || m.declared != nil) {
			crd.Spec.Versions[i].Storage = true
		}
	}
}

// applyKindMarkers applies the markers on one version of the kind.
func (b *builder) applyKindMarkers(crd *apiextensionsv1.CustomResourceDefinition, m member) {
	for _, p := range b.schemas.MarkersOf(m.typ) {
		if m.declared != nil && m.pkg.Generated && isVersionMarker(p.Definition.Name) {
			continue // copied from the newest version, which it describes
		}
		if p.Definition.Name == storageVersionMarker {
			for i := range crd.Spec.Versions {
				crd.Spec.Versions[i].Storage = crd.Spec.Versions[i].Storage && m.declared == nil
			}
		}
		b.checkPaths(p, m, crd)
		var err error
		switch v := p.Value.(type) {
		case specMarker:
			err = v.ApplyToCRD(&crd.Spec, m.version)
		case crdMarker:
			err = v.ApplyToCRD(crd, m.version)
		}
		if err != nil {
			b.diags.Errorf(p.Source.Span, codeMarkerValue, "+%s: %v", p.Source.Name, err)
		}
	}
}

func isVersionMarker(name string) bool {
	return name == storageVersionMarker || name == unservedVersionMarker || name == deprecatedVersionMarker
}

// deprecationWarning is the warning to clients of a deprecated version; the server has a default
// for a version without a note.
func deprecationWarning(fam family, v *model.Version) *string {
	if !v.IsDeprecated || v.Deprecated == "" {
		return nil
	}
	text := fam.group + "/" + v.Name + " " + fam.kind + " is deprecated; " + v.Deprecated
	return &text
}
