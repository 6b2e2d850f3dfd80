package crd

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// generated replaces the five random characters that a server appends to a generateName.
const generated = "xxxxx"

// maxGeneratedBase is the length to which the server cuts a generateName.
const maxGeneratedBase = 63 - len(generated)

// admitted is an object in the state in which a server validates it.
type admitted struct {
	value   map[string]any
	meta    *metav1.ObjectMeta
	unknown []string
}

// admit performs the steps of a server before validation: it drops unknown fields and nulls, reads
// metadata, and sets defaults. It drops malformed metadata of a stored object; in other objects
// that is an error.
func (v *version) admit(written map[string]any, stored bool) (*admitted, field.ErrorList) {
	a := &admitted{value: runtime.DeepCopyJSON(written), meta: &metav1.ObjectMeta{}}
	meta, found, unknown, err := objectmeta.GetObjectMetaWithOptions(a.value, objectmeta.ObjectMetaOptions{
		DropMalformedFields: stored, ReturnUnknownFieldPaths: true,
	})
	if err != nil {
		return a, field.ErrorList{field.Invalid(field.NewPath("metadata"), field.OmitValueType{}, err.Error())}
	}
	if found && meta != nil {
		a.meta = meta
	}
	a.unknown = unknown
	if !v.definition.typed.Spec.PreserveUnknownFields {
		a.unknown = append(a.unknown, pruning.PruneWithOptions(a.value, v.structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})...)
		defaulting.PruneNonNullableNullsWithoutDefaults(a.value, v.structural)
	}
	fieldErr, paths := objectmeta.CoerceWithOptions(nil, a.value, v.structural, false, objectmeta.CoerceOptions{
		DropInvalidFields: stored, ReturnUnknownFieldPaths: true,
	})
	if fieldErr != nil {
		return a, field.ErrorList{fieldErr}
	}
	a.unknown = append(a.unknown, paths...)
	v.complete(a.meta)
	if err := objectmeta.SetObjectMeta(a.value, a.meta); err != nil {
		return a, field.ErrorList{field.InternalError(field.NewPath("metadata"), err)}
	}
	defaulting.Default(a.value, v.structural)
	return a, nil
}

// complete sets the metadata that a server takes from the request.
func (v *version) complete(meta *metav1.ObjectMeta) {
	if meta.Name == "" && meta.GenerateName != "" {
		meta.Name = meta.GenerateName[:min(len(meta.GenerateName), maxGeneratedBase)] + generated
	}
	switch {
	case !v.definition.namespaced():
		meta.Namespace = ""
	case meta.Namespace == "":
		meta.Namespace = metav1.NamespaceDefault
	}
}

func (d *definition) namespaced() bool {
	return d.typed.Spec.Scope == apiextensionsv1.NamespaceScoped
}

// carryOver copies the fields that an update keeps from the stored object unless it sets them, like
// the server.
func (v *version) carryOver(object, old *admitted) {
	before := old.meta
	if before.ResourceVersion == "" {
		before.ResourceVersion = "1"
	}
	now := object.meta
	if now.ResourceVersion == "" {
		now.ResourceVersion = before.ResourceVersion
	}
	if now.UID == "" {
		now.UID = before.UID
	}
	now.Generation = before.Generation
	if !before.CreationTimestamp.IsZero() {
		now.CreationTimestamp = before.CreationTimestamp
	}
	if !before.DeletionTimestamp.IsZero() {
		now.DeletionTimestamp = before.DeletionTimestamp
	}
	if now.DeletionGracePeriodSeconds == nil {
		now.DeletionGracePeriodSeconds = before.DeletionGracePeriodSeconds
	}
	// Manifests have no status, and updates of the object do not change it.
	if _, has := object.value["status"]; !has && old.value["status"] != nil && v.hasStatus() {
		object.value["status"] = runtime.DeepCopyJSONValue(old.value["status"])
	}
}

// hasStatus reports whether the status is a subresource.
func (v *version) hasStatus() bool {
	for _, version := range v.definition.typed.Spec.Versions {
		if version.Name == v.gvk.Version {
			return version.Subresources != nil && version.Subresources.Status != nil
		}
	}
	return false
}
