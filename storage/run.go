package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/util/flowcontrol"
)

// DefaultRate is the number of objects that a migration writes in a second.
const DefaultRate = 50

// writers is the number of writes at the same time. A conversion webhook may take long for each.
const writers = 10

// Options configure a migration.
type Options struct {
	// Rate limits the writes in a second, by default to DefaultRate. The migrator of an API server has its own limits.
	Rate float64
	// Progress, if set, is called after each object, never by two goroutines at once.
	Progress func(Progress)
}

// Progress is how far a migration is.
type Progress struct {
	// Done objects are in the storage version, or failed. Total is what the API server estimates, and at least Done.
	Done, Failed, Total int
}

// Result is what a migration did.
type Result struct {
	// Storage is the storage version, and Stored are the versions that objects may be in now.
	Storage string
	Stored  []string
	// Resumed is the number of objects that an earlier run had done already.
	Resumed int
	// Done is the number of objects in the storage version, with those of earlier runs. It is 0 if there was nothing to do, or if
	// the migrator of the API server did it.
	Done int
	// Migrator is the name of the API server's own migration, if there was one.
	Migrator string
	// Fields is the number of objects whose managedFields named a version that is not served.
	Fields int
	// Failures are the objects that the API server refused to write. If there are any, Stored is as before.
	Failures []Failure
	// Stopped are the versions that Detach stopped serving.
	Stopped []string
}

// Failure is an object that the API server refused to write.
type Failure struct {
	// Namespace is empty for objects of the cluster.
	Namespace, Name string
	Err             error
}

func (f Failure) String() string {
	if f.Namespace == "" {
		return f.Name
	}
	return f.Namespace + "/" + f.Name
}

// errChanged means that a definition changed while its objects moved.
var errChanged = errors.New("the definition changes again and again while its objects are written; run the migration when it is stable")

// Run writes all objects of a definition in its storage version, and then removes the other versions from status.storedVersions.
// It changes nothing in the objects: an empty server-side apply makes the API server store them again. If the definition has
// versions that it does not serve, their names in managedFields become that of a served version, because API servers refuse to
// apply objects that name a version that is gone.
//
// Run can be stopped at any time. The next one goes on where it was, if the definition has not changed. A definition that changes
// meanwhile makes Run begin again. Result.Failures are objects that the API server refuses, such as invalid ones; an error is
// anything else, such as an API server that does not answer.
func (c *Cluster) Run(ctx context.Context, name string, o Options) (*Result, error) {
	for range 5 {
		d, err := c.Definition(ctx, name)
		if err != nil {
			return nil, err
		}
		r := &Result{Storage: d.Storage, Stored: d.Stored}
		if len(d.Old()) == 0 && len(d.unserved()) == 0 {
			return r, c.keep(ctx, d, nil)
		}
		if err := c.settled(ctx, d); err != nil {
			return nil, err
		}
		if len(d.Old()) > 0 {
			if r.Migrator, err = c.inCluster(ctx, d); err != nil {
				return nil, err
			}
		}
		if r.Migrator == "" || len(d.unserved()) > 0 {
			if err := c.write(ctx, d, r, o); err != nil {
				return nil, err
			}
			if len(r.Failures) > 0 {
				return r, nil
			}
		}
		narrowed, err := c.narrow(ctx, d)
		if err != nil {
			return nil, err
		}
		if narrowed {
			r.Stored = []string{d.Storage}
			return r, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", name, errChanged)
}

// settled waits until all API servers store objects as a definition says: they learn of a new storage version some time after it
// was written.
func (c *Cluster) settled(ctx context.Context, d *Definition) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(min(c.settle, time.Until(d.changed.Add(c.settle)))):
		return nil
	}
}

// narrow removes all versions besides the storage version from the stored ones. It reports whether the definition is still the one
// whose objects were written.
func (c *Cluster) narrow(ctx context.Context, d *Definition) (bool, error) {
	for range 10 {
		now, err := c.Definition(ctx, d.Name)
		if err != nil {
			return false, err
		}
		if now.uid != d.uid || now.generation != d.generation || now.Storage != d.Storage {
			return false, nil
		}
		if len(now.Old()) > 0 {
			err = c.patch(ctx, now, true, map[string]any{"status": map[string]any{"storedVersions": []string{d.Storage}}}, "status")
			if apierrors.IsConflict(err) {
				continue
			}
			if err != nil {
				return false, fmt.Errorf("%s: narrow status.storedVersions to %s: %w", d.Name, d.Storage, err)
			}
		}
		return true, c.keep(ctx, now, nil)
	}
	return false, fmt.Errorf("%s: %w", d.Name, errChanged)
}

// migration is one pass over the objects of a definition.
type migration struct {
	*Cluster
	*Definition
	objects metadata.Getter // in the version of requests
	version string
	limit   flowcontrol.RateLimiter
	report  func(Progress)

	all      bool // writes all objects, and not only those with managedFields to move
	progress progress
	total    int
	mu       sync.Mutex // guards what follows
	done     int
	fields   int
	failures []Failure
	err      error // the first that is not about one object
}

// write writes all objects that are left. Without old stored versions, or after the migrator of the API server, these are the
// objects with managedFields to move.
func (c *Cluster) write(ctx context.Context, d *Definition, r *Result, o Options) error {
	resource, err := d.through()
	if err != nil {
		return err
	}
	if o.Rate <= 0 {
		o.Rate = DefaultRate
	}
	m := &migration{
		Cluster: c, Definition: d, objects: c.objects.Resource(resource), version: resource.Version, report: o.Progress,
		limit:    flowcontrol.NewTokenBucketRateLimiter(float32(o.Rate), writers),
		all:      len(d.Old()) > 0 && r.Migrator == "",
		progress: progress{Generation: d.generation, Storage: d.Storage},
	}
	defer m.limit.Stop()
	defer func() {
		slices.SortFunc(m.failures, func(a, b Failure) int { return strings.Compare(a.String(), b.String()) })
		r.Failures, r.Fields = m.failures, m.fields
		if m.all {
			r.Done = m.done
		}
	}()
	left := true
	if p := d.resumed(); p != nil && m.all {
		r.Resumed, m.progress, m.done, m.total, left = p.Done, *p, p.Done, p.Done+len(p.Failed), p.Continue != ""
		if err := m.again(ctx, p.Failed); err != nil {
			return err
		}
	}
	if !left {
		return nil
	}
	return m.pages(ctx, d, m.progress.Continue, func(list *metav1.PartialObjectMetadataList) error {
		m.total = m.done + len(m.failures) + len(list.Items)
		if list.RemainingItemCount != nil {
			m.total += int(*list.RemainingItemCount)
		}
		if err := m.writeAll(ctx, list.Items); err != nil {
			return err
		}
		return m.checkpoint(ctx, list.Continue)
	})
}

// checkpoint keeps the progress after a page.
func (m *migration) checkpoint(ctx context.Context, token string) error {
	if !m.all {
		return nil // objects whose managedFields have moved are not written again
	}
	if len(m.failures) > failuresKept {
		return nil // the next run begins before the first object that the progress cannot name
	}
	m.progress.Continue, m.progress.Done, m.progress.Failed = token, m.done, nil
	for _, f := range m.failures {
		m.progress.Failed = append(m.progress.Failed, key{f.Namespace, f.Name})
	}
	if token == "" && len(m.failures) == 0 {
		return nil // all is done, and narrow removes the progress
	}
	return m.keep(ctx, m.Definition, &m.progress)
}

// again writes objects that failed in an earlier run.
func (m *migration) again(ctx context.Context, failed []key) error {
	var objects []metav1.PartialObjectMetadata
	for _, k := range failed {
		var object *metav1.PartialObjectMetadata
		err := retry(ctx, func() (err error) {
			object, err = m.objects.Namespace(k.Namespace).Get(ctx, k.Name, metav1.GetOptions{})
			return err
		})
		switch {
		case apierrors.IsNotFound(err):
			m.step(nil)
		case err != nil && answered(err):
			m.step(&Failure{k.Namespace, k.Name, err})
		case err != nil:
			return fmt.Errorf("%s: read %s: %w", m.Name, Failure{Namespace: k.Namespace, Name: k.Name}, err)
		default:
			objects = append(objects, *object)
		}
	}
	return m.writeAll(ctx, objects)
}

// writeAll writes objects, some at the same time. The error is not about one of them.
func (m *migration) writeAll(ctx context.Context, objects []metav1.PartialObjectMetadata) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	queue := make(chan *metav1.PartialObjectMetadata)
	var working sync.WaitGroup
	for range min(writers, len(objects)) {
		working.Add(1)
		go func() {
			defer working.Done()
			for object := range queue {
				if err := m.one(ctx, object); err != nil {
					m.fail(err)
					stop()
				}
			}
		}()
	}
	for i := range objects {
		if !m.all && !m.stale(&objects[i]) {
			m.step(nil)
			continue
		}
		if m.limit.Wait(ctx) != nil {
			break
		}
		queue <- &objects[i]
	}
	close(queue)
	working.Wait()
	if m.err != nil {
		return m.err
	}
	return ctx.Err()
}

// fail keeps the first error.
func (m *migration) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err == nil {
		m.err = err
	}
}

// one writes an object, and counts it. The error is not about the object.
func (m *migration) one(ctx context.Context, object *metav1.PartialObjectMetadata) error {
	write, stale := m.touch, m.stale(object)
	if stale {
		write = m.moveFields
	}
	err := write(ctx, object)
	switch {
	case err == nil, apierrors.IsNotFound(err):
		m.step(nil)
	case answered(err):
		m.step(&Failure{object.Namespace, object.Name, err})
	default:
		return fmt.Errorf("%s: write %s: %w", m.Name, Failure{Namespace: object.Namespace, Name: object.Name}, err)
	}
	if stale && err == nil {
		m.mu.Lock()
		m.fields++
		m.mu.Unlock()
	}
	return nil
}

// touch makes the API server store an object again. The UID and the version of the object keep the request from creating it anew,
// and from anything else if another client was first: then the object is gone, or stored in the storage version.
func (m *migration) touch(ctx context.Context, object *metav1.PartialObjectMetadata) error {
	text, err := json.Marshal(map[string]any{
		"apiVersion": m.group + "/" + m.version, "kind": m.kind,
		"metadata": map[string]any{"name": object.Name, "namespace": object.Namespace, "uid": object.UID, "resourceVersion": object.ResourceVersion},
	})
	if err != nil {
		return err
	}
	err = retry(ctx, func() error {
		_, err := m.objects.Namespace(object.Namespace).Patch(ctx, object.Name, types.ApplyPatchType, text, metav1.PatchOptions{FieldManager: manager})
		return err
	})
	if apierrors.IsConflict(err) {
		return nil
	}
	return err
}

// step counts an object.
func (m *migration) step(failure *Failure) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if failure == nil {
		m.done++
	} else {
		m.failures = append(m.failures, *failure)
	}
	if m.report != nil {
		m.report(Progress{Done: m.done + len(m.failures), Failed: len(m.failures), Total: max(m.total, m.done+len(m.failures))})
	}
}
