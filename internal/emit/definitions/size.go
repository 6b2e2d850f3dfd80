package definitions

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
	text, err := compact(crd, b.options.PreserveUnknownFields)
	if err != nil {
		return err
	}
	size, lead := len(text), fam.lead.typ
	what, advice := "has", "limit it with --max-crd-size, which leaves out the deepest descriptions, or remove embedded types of other APIs"
	if described := func() (found bool) {
		eachDescription(crd, func(int, *string) { found = true })
		return found
	}(); !described {
		what, advice = "without descriptions has", "remove embedded types of other APIs, or mark fields with +kubebuilder:validation:Schemaless and +kubebuilder:pruning:PreserveUnknownFields"
	}
	switch {
	case size > requestLimit:
		b.diags.Errorf(lead.Span, codeTooLarge, "the CustomResourceDefinition of %s %s %d KiB, but API servers store no object over %d KiB; %s", fam.kind, what, size/1024, requestLimit/1024, advice)
	case b.options.MaxSize > 0 && size > b.options.MaxSize:
		b.diags.Warnf(lead.Span, codeTooLarge, "the CustomResourceDefinition of %s %s %d bytes, and --max-crd-size allows %d; %s", fam.kind, what, size, b.options.MaxSize, advice)
	case size > lastAppliedLimit && b.options.MaxSize == 0:
		b.diags.Warnf(lead.Span, codeTooLarge, "the CustomResourceDefinition of %s %s %d KiB, and kubectl apply fails over %d KiB; use kubectl apply --server-side, or %s", fam.kind, what, size/1024, lastAppliedLimit/1024, advice)
	}
	return nil
}
