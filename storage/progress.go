package storage

import (
	"context"
	"encoding/json"
	"fmt"
)

// progressAnnotation of a definition says how far a migration is, so that the next run goes on there.
const progressAnnotation = "kindsmith.dev/storage-progress"

// failuresKept is the number of failed objects that the progress names. If more fail, the next run writes all objects after them
// again.
const failuresKept = 100

// progress is how far a migration is. It is valid as long as the definition is as it was: every object before the continue token
// was written in the storage version, besides those that failed.
type progress struct {
	Generation int64  `json:"generation"`
	Storage    string `json:"storage"`
	// Continue is the token of the next page. It is empty when all pages are done, and only failed objects are left.
	Continue string `json:"continue,omitempty"`
	Done     int    `json:"done"`
	Failed   []key  `json:"failed,omitempty"`
}

// key names an object of a definition.
type key struct {
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// resumed returns the progress that a definition has, and nil if there is none for it as it is.
func (d *Definition) resumed() *progress {
	p := &progress{}
	if d.progress == "" || json.Unmarshal([]byte(d.progress), p) != nil || p.Generation != d.generation || p.Storage != d.Storage {
		return nil
	}
	return p
}

// keep stores progress in a definition; nil removes it.
func (c *Cluster) keep(ctx context.Context, d *Definition, p *progress) error {
	var value any
	if p != nil {
		text, err := json.Marshal(p)
		if err != nil {
			return err
		}
		value = string(text)
	} else if d.progress == "" {
		return nil
	}
	err := retry(ctx, func() error {
		return c.patch(ctx, d, false, map[string]any{"metadata": map[string]any{"annotations": map[string]any{progressAnnotation: value}}})
	})
	if err != nil {
		return fmt.Errorf("%s: keep the progress in the annotation %s: %w", d.Name, progressAnnotation, err)
	}
	return nil
}
