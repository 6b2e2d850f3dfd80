package storage

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
)

// migrator is the StorageVersionMigration of a definition.
type migrator struct {
	resource dynamic.ResourceInterface
	name     string
	// own is set if this package created it.
	own bool
}

// inCluster migrates the objects of a definition by a StorageVersionMigration, where the API server has the resource. It returns
// the name of the migration if it succeeded. If it failed, or nothing worked on it, the name is empty: a migration of our own
// reports each object that fails, and not only the first.
func (c *Cluster) inCluster(ctx context.Context, d *Definition) (string, error) {
	if d.resumed() != nil {
		return "", nil // go on with ours
	}
	m, err := c.startMigration(ctx, d)
	if m == nil || err != nil {
		return "", err
	}
	done, err := c.awaitMigration(ctx, m)
	if m.own && (err == nil || ctx.Err() == nil) {
		if gone := m.resource.Delete(ctx, m.name, metav1.DeleteOptions{}); gone != nil && !apierrors.IsNotFound(gone) && err == nil {
			err = fmt.Errorf("%s: remove the StorageVersionMigration %s: %w", d.Name, m.name, gone)
		}
	}
	switch {
	case err != nil:
		return "", err
	case !done:
		return "", c.widen(ctx, d)
	}
	return m.name, nil
}

// widen adds the versions to status.storedVersions again that objects may be stored in: the controller of Kubernetes 1.36 removes
// them also after a migration that failed.
func (c *Cluster) widen(ctx context.Context, d *Definition) error {
	for range 10 {
		now, err := c.Definition(ctx, d.Name)
		if err != nil {
			return err
		}
		stored := slices.DeleteFunc(slices.Clone(d.Stored), func(old string) bool {
			return !slices.ContainsFunc(now.Versions, func(v Version) bool { return v.Name == old })
		})
		for _, v := range now.Stored {
			if !slices.Contains(stored, v) {
				stored = append(stored, v)
			}
		}
		if now.uid != d.uid || len(stored) == len(now.Stored) {
			return nil
		}
		err = c.patch(ctx, now, true, map[string]any{"status": map[string]any{"storedVersions": stored}}, "status")
		if !apierrors.IsConflict(err) {
			if err != nil {
				err = fmt.Errorf("%s: add %s to status.storedVersions, in which objects are stored: %w", d.Name, strings.Join(d.Old(), ", "), err)
			}
			return err
		}
	}
	return fmt.Errorf("%s: %w", d.Name, errChanged)
}

// startMigration returns the migration of a definition that is not finished, or creates one. There is none if the API server does
// not have the resource, or does not let us use it.
func (c *Cluster) startMigration(ctx context.Context, d *Definition) (*migrator, error) {
	for _, version := range migrationVersions {
		resource := c.dynamic.Resource(migrations.WithVersion(version))
		list, err := resource.List(ctx, metav1.ListOptions{})
		switch {
		case apierrors.IsNotFound(err):
			continue
		case apierrors.IsForbidden(err):
			return nil, nil
		case err != nil:
			return nil, fmt.Errorf("list StorageVersionMigrations: %w", err)
		}
		for i := range list.Items {
			object := &list.Items[i]
			group, _, _ := unstructured.NestedString(object.Object, "spec", "resource", "group")
			name, _, _ := unstructured.NestedString(object.Object, "spec", "resource", "resource")
			// One that began before the storage version changed does not help: it skips objects that were written since.
			if group == d.group && name == d.plural && !finished(object) && object.GetCreationTimestamp().After(d.changed) {
				return &migrator{resource, object.GetName(), object.GetLabels()[createdBy] == manager}, nil
			}
		}
		object, err := resource.Create(ctx, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": migrations.Group + "/" + version, "kind": "StorageVersionMigration",
			"metadata": map[string]any{"generateName": d.plural + "-", "labels": map[string]any{createdBy: manager}},
			"spec":     map[string]any{"resource": map[string]any{"group": d.group, "resource": d.plural}},
		}}, metav1.CreateOptions{FieldManager: manager})
		if apierrors.IsForbidden(err) {
			return nil, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: create a StorageVersionMigration: %w", d.Name, err)
		}
		return &migrator{resource, object.GetName(), true}, nil
	}
	return nil, nil
}

// createdBy is the label of what this package creates.
const createdBy = "app.kubernetes.io/created-by"

// awaitMigration waits until a migration is finished, and reports whether it succeeded. If nothing begins with it, it has failed.
// A finished migration still runs until the API server's controller has removed the condition StorageMigrating from the
// definition. Without the migration, the controller would leave the condition for ever.
func (c *Cluster) awaitMigration(ctx context.Context, m *migrator) (bool, error) {
	var end time.Time
	for begin := time.Now(); ; {
		var object *unstructured.Unstructured
		err := retry(ctx, func() (err error) {
			object, err = m.resource.Get(ctx, m.name, metav1.GetOptions{})
			return err
		})
		switch {
		case apierrors.IsNotFound(err):
			return false, nil // somebody removed it
		case err != nil:
			return false, fmt.Errorf("read the StorageVersionMigration %s: %w", m.name, err)
		case finished(object):
			if end.IsZero() {
				end = time.Now()
			}
			if !condition(object, "Running") || time.Since(end) > c.cleanup {
				return condition(object, "Succeeded"), nil
			}
		case !condition(object, "Running") && time.Since(begin) > c.patience:
			return false, nil
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(c.poll):
		}
	}
}

func finished(object *unstructured.Unstructured) bool {
	return condition(object, "Succeeded") || condition(object, "Failed")
}

func condition(object *unstructured.Unstructured, kind string) bool {
	list, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	for _, item := range list {
		if c, ok := item.(map[string]any); ok && c["type"] == kind {
			return c["status"] == "True"
		}
	}
	return false
}
