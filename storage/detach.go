package storage

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Detach makes a definition independent of its conversion webhook, so that the webhook can be uninstalled before the objects: it
// moves all objects to the storage version like [Cluster.Run], and then stops serving the other versions and sets the conversion
// strategy None, in one write. Objects stay readable and writable in the storage version.
//
// If Result has failures, the definition is as it was.
func (c *Cluster) Detach(ctx context.Context, name string, o Options) (*Result, error) {
	for range 5 {
		d, err := c.Definition(ctx, name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(d.Versions, Version{d.Storage, true}) {
			return nil, fmt.Errorf("%s: the definition does not serve its storage version %s, and could serve no other without a webhook: set served: true for %[2]s first", name, d.Storage)
		}
		r, err := c.Run(ctx, name, o)
		if err != nil || len(r.Failures) > 0 {
			return r, err
		}
		detached, err := c.detach(ctx, name, r)
		if detached || err != nil {
			return r, err
		}
	}
	return nil, fmt.Errorf("%s: %w", name, errChanged)
}

// detach changes a definition whose objects are all in the storage version. It reports false if the definition has changed.
func (c *Cluster) detach(ctx context.Context, name string, r *Result) (bool, error) {
	d, err := c.Definition(ctx, name)
	if err != nil {
		return false, err
	}
	if d.Storage != r.Storage || len(d.Old()) > 0 {
		return false, nil
	}
	type operation struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value"`
	}
	patch := []operation{{"test", "/metadata/uid", d.uid}, {"test", "/metadata/resourceVersion", d.resourceVersion}}
	var stopped []string
	for i, v := range d.Versions {
		if v.Served && v.Name != d.Storage {
			patch = append(patch, operation{"replace", fmt.Sprintf("/spec/versions/%d/served", i), false})
			stopped = append(stopped, v.Name)
		}
	}
	if d.webhook {
		patch = append(patch, operation{"replace", "/spec/conversion", map[string]any{"strategy": "None"}})
	}
	if len(patch) == 2 {
		return true, nil
	}
	text, err := json.Marshal(patch)
	if err != nil {
		return false, err
	}
	_, err = c.crds().Patch(ctx, name, types.JSONPatchType, text, metav1.PatchOptions{FieldManager: manager})
	switch {
	case apierrors.IsConflict(err), apierrors.IsInvalid(err) && c.moved(ctx, d): // a test of the patch failed
		return false, nil
	case err != nil:
		return false, fmt.Errorf("%s: stop serving older versions: %w", name, err)
	}
	r.Stopped = stopped
	return true, nil
}

// moved reports whether a definition is another one than it was.
func (c *Cluster) moved(ctx context.Context, d *Definition) bool {
	now, err := c.Definition(ctx, d.Name)
	return err == nil && now.resourceVersion != d.resourceVersion
}
