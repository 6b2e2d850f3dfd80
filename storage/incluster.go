package storage

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// inCluster migrates the objects of a definition by a StorageVersionMigration, where the API server has the resource. It returns
// the name of the migration if it succeeded. If it failed, or nothing worked on it, the name is empty: a migration of our own
// reports each object that fails, and not only the first.
func (c *Cluster) inCluster(ctx context.Context, d *Definition) (string, error) {
	if d.resumed() != nil {
		return "", nil // go on with ours
	}
	name, own, err := c.startMigration(ctx, d)
	if name == "" || err != nil {
		return "", err
	}
	done, err := c.awaitMigration(ctx, name)
	if own && (err == nil || ctx.Err() == nil) {
		if gone := c.dynamic.Resource(migrations).Delete(ctx, name, metav1.DeleteOptions{}); gone != nil && !apierrors.IsNotFound(gone) && err == nil {
			err = fmt.Errorf("%s: remove the StorageVersionMigration %s: %w", d.Name, name, gone)
		}
	}
	if !done {
		name = ""
	}
	return name, err
}

// startMigration returns the migration of a definition that is not finished, or creates one. There is none if the API server does
// not have the resource, or does not let us use it.
func (c *Cluster) startMigration(ctx context.Context, d *Definition) (name string, own bool, err error) {
	list, err := c.dynamic.Resource(migrations).List(ctx, metav1.ListOptions{})
	if apierrors.IsNotFound(err) || apierrors.IsForbidden(err) {
		return "", false, nil
	} else if err != nil {
		return "", false, fmt.Errorf("list StorageVersionMigrations: %w", err)
	}
	for i := range list.Items {
		object := &list.Items[i]
		group, _, _ := unstructured.NestedString(object.Object, "spec", "resource", "group")
		resource, _, _ := unstructured.NestedString(object.Object, "spec", "resource", "resource")
		// One that began before the storage version changed does not help: it skips objects that were written since.
		if group == d.group && resource == d.plural && !finished(object) && object.GetCreationTimestamp().After(d.changed) {
			return object.GetName(), object.GetLabels()[createdBy] == manager, nil
		}
	}
	object, err := c.dynamic.Resource(migrations).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": migrations.GroupVersion().String(), "kind": "StorageVersionMigration",
		"metadata": map[string]any{"generateName": d.plural + "-", "labels": map[string]any{createdBy: manager}},
		"spec":     map[string]any{"resource": map[string]any{"group": d.group, "resource": d.plural}},
	}}, metav1.CreateOptions{FieldManager: manager})
	if apierrors.IsForbidden(err) {
		return "", false, nil
	} else if err != nil {
		return "", false, fmt.Errorf("%s: create a StorageVersionMigration: %w", d.Name, err)
	}
	return object.GetName(), true, nil
}

// createdBy is the label of what this package creates.
const createdBy = "app.kubernetes.io/created-by"

// awaitMigration waits until a migration is finished, and reports whether it succeeded. If nothing begins with it, it has failed.
func (c *Cluster) awaitMigration(ctx context.Context, name string) (bool, error) {
	for begin := time.Now(); ; {
		var object *unstructured.Unstructured
		err := retry(ctx, func() (err error) {
			object, err = c.dynamic.Resource(migrations).Get(ctx, name, metav1.GetOptions{})
			return err
		})
		switch {
		case apierrors.IsNotFound(err):
			return false, nil // somebody removed it
		case err != nil:
			return false, fmt.Errorf("read the StorageVersionMigration %s: %w", name, err)
		case finished(object):
			return condition(object, "Succeeded"), nil
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
