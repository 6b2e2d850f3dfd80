package schema

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// The size limits of a definition.
const (
	// lastAppliedLimit is the size limit of annotations; kubectl apply stores the whole object in
	// one.
	lastAppliedLimit = 256 * 1024
	// requestLimit is the size limit of objects in etcd.
	requestLimit = 1536 * 1024
)

// checkSize reports a definition that is too large to apply.
func (b *builder) checkSize(crd *apiextensionsv1.CustomResourceDefinition, fam family) error {
	text, err := compact(crd, nil)
	if err != nil {
		return err
	}
	lead := fam.lead.typ
	switch size := len(text); {
	case size > requestLimit:
		b.diags.Errorf(lead.Span, codeTooLarge, "the CustomResourceDefinition of %s has %d KiB, but API servers store no object over %d KiB; shorten its documentation, or remove embedded types of other APIs", fam.kind, size/1024, requestLimit/1024)
	case size > lastAppliedLimit:
		b.diags.Warnf(lead.Span, codeTooLarge, "the CustomResourceDefinition of %s has %d KiB, and kubectl apply fails over %d KiB; use kubectl apply --server-side, or shorten its documentation", fam.kind, size/1024, lastAppliedLimit/1024)
	}
	return nil
}
