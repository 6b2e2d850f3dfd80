package storage

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// An entry of managedFields says in which version a client wrote its fields. API servers answer a server-side apply with the
// status 500 if an entry names a version that the definition no longer has. So a migration moves the entries of versions that are
// not served to another version before they can go.

// unserved returns the versions that the definition has and does not serve.
func (d *Definition) unserved() (all []string) {
	for _, v := range d.Versions {
		if !v.Served {
			all = append(all, v.Name)
		}
	}
	return all
}

// named returns the versions of a group in the managedFields of an object.
func named(object *metav1.PartialObjectMetadata, group string) (all []string) {
	for _, f := range object.ManagedFields {
		if gv, err := schema.ParseGroupVersion(f.APIVersion); err == nil && gv.Group == group && !slices.Contains(all, gv.Version) {
			all = append(all, gv.Version)
		}
	}
	return all
}

// stale reports whether the managedFields of an object name a version that is not served.
func (d *Definition) stale(object *metav1.PartialObjectMetadata) bool {
	unserved := d.unserved()
	return slices.ContainsFunc(named(object, d.group), func(v string) bool { return slices.Contains(unserved, v) })
}

// moveFields writes an object with managedFields that name served versions only. The API server stores it in the storage version
// by the way. If another client is first, it reads the object again: unlike its storage version, its managedFields are still old.
func (m *migration) moveFields(ctx context.Context, object *metav1.PartialObjectMetadata) error {
	objects := m.objects.Namespace(object.Namespace)
	for range 10 {
		fields, err := m.renamed(object.ManagedFields)
		if err != nil {
			return err
		}
		text, err := json.Marshal([]any{
			map[string]any{"op": "replace", "path": "/metadata/resourceVersion", "value": object.ResourceVersion}, // a conflict if it is another
			map[string]any{"op": "replace", "path": "/metadata/managedFields", "value": fields},
		})
		if err != nil {
			return err
		}
		err = retry(ctx, func() error {
			_, err := objects.Patch(ctx, object.Name, types.JSONPatchType, text, metav1.PatchOptions{FieldManager: manager})
			return err
		})
		if !apierrors.IsConflict(err) {
			return err
		}
		err = retry(ctx, func() (err error) {
			object, err = objects.Get(ctx, object.Name, metav1.GetOptions{})
			return err
		})
		if err != nil || !m.stale(object) {
			return err
		}
	}
	return apierrors.NewConflict(schema.GroupResource{Group: m.group, Resource: m.plural}, object.Name, errChanged)
}

// renamed returns managedFields with the served version of the migration in place of those that are not served. Entries that are
// of the same writer then become one.
func (m *migration) renamed(entries []metav1.ManagedFieldsEntry) ([]metav1.ManagedFieldsEntry, error) {
	var out []metav1.ManagedFieldsEntry
	unserved := m.unserved()
	for _, e := range entries {
		if gv, err := schema.ParseGroupVersion(e.APIVersion); err == nil && gv.Group == m.group && slices.Contains(unserved, gv.Version) {
			e.APIVersion = m.group + "/" + m.version
		}
		i := slices.IndexFunc(out, func(o metav1.ManagedFieldsEntry) bool {
			return o.Manager == e.Manager && o.Operation == e.Operation && o.Subresource == e.Subresource && o.APIVersion == e.APIVersion
		})
		if i < 0 {
			out = append(out, e)
			continue
		}
		fields, err := union(out[i].FieldsV1, e.FieldsV1)
		if err != nil {
			return nil, fmt.Errorf("the managedFields of %s: %w", e.Manager, err)
		}
		out[i].FieldsV1 = fields
		if e.Time != nil && (out[i].Time == nil || e.Time.After(out[i].Time.Time)) {
			out[i].Time = e.Time
		}
	}
	return out, nil
}

// union returns the fields of two entries.
func union(a, b *metav1.FieldsV1) (*metav1.FieldsV1, error) {
	all := &fieldpath.Set{}
	for _, f := range []*metav1.FieldsV1{a, b} {
		if f == nil {
			continue
		}
		raw, err := f.MarshalJSON() // how it is kept differs between versions of apimachinery
		if err != nil {
			return nil, err
		}
		set := &fieldpath.Set{}
		if err := set.FromJSON(bytes.NewReader(raw)); err != nil {
			return nil, err
		}
		all = all.Union(set)
	}
	raw, err := all.ToJSON()
	if err != nil {
		return nil, err
	}
	fields := &metav1.FieldsV1{}
	return fields, fields.UnmarshalJSON(raw)
}
