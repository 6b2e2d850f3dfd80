package storage

import (
	"context"
	"errors"
	"log/slog"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// The times between two looks at a definition.
const (
	defaultInterval = time.Minute
	longestInterval = time.Hour // after failures
)

// Reconciler moves the stored objects of definitions whenever their storage version has changed. It is a Runnable for managers of
// controller-runtime, which run it in the leader only:
//
//	err := mgr.Add(&storage.Reconciler{Config: mgr.GetConfig(), Definitions: []string{"orders.shop.example.com"}})
//
// It looks at the metadata of each definition once an interval, and moves the objects of one definition after another. After a
// failure it waits for longer and longer.
type Reconciler struct {
	// Config is how to reach the API server.
	Config *rest.Config
	// Definitions are the names of CustomResourceDefinitions, such as orders.shop.example.com.
	Definitions []string
	// Options configure each migration.
	Options Options
	// Interval is the time between two looks, by default a minute.
	Interval time.Duration
	// Log gets a line for each migration and for each failure, by default slog.Default().
	Log *slog.Logger
}

// NeedLeaderElection makes a manager run the reconciler in the leader only.
func (*Reconciler) NeedLeaderElection() bool { return true }

// Start works until the context is done. The error is a mistake in the fields of the reconciler.
func (r *Reconciler) Start(ctx context.Context) error {
	if r.Config == nil || len(r.Definitions) == 0 {
		return errors.New("storage.Reconciler: set Config and Definitions")
	}
	c, err := New(r.Config)
	if err != nil {
		return err
	}
	return r.start(ctx, c)
}

func (r *Reconciler) start(ctx context.Context, c *Cluster) error {
	w := &watched{Reconciler: *r, cluster: c, done: map[string]string{}, next: map[string]time.Time{}, wait: map[string]time.Duration{}}
	if w.Interval <= 0 {
		w.Interval = defaultInterval
	}
	if w.Log == nil {
		w.Log = slog.Default()
	}
	ticker := time.NewTicker(w.Interval)
	defer ticker.Stop()
	for {
		for _, name := range w.Definitions {
			if !time.Now().Before(w.next[name]) {
				w.look(ctx, name)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// watched are the definitions of a reconciler, by their names.
type watched struct {
	Reconciler
	cluster *Cluster
	done    map[string]string        // the resourceVersion that needs no migration
	next    map[string]time.Time     // the next look, after failures
	wait    map[string]time.Duration // how long the last one waited
}

// look migrates a definition if it has changed since the last migration.
func (w *watched) look(ctx context.Context, name string) {
	log := w.Log.With("definition", name)
	// A definition has large schemas, so read the metadata only.
	meta, err := w.cluster.objects.Resource(definitions).Get(ctx, name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		delete(w.done, name)
		return
	case err != nil:
		w.failed(ctx, log, name, err)
		return
	case meta.ResourceVersion == w.done[name]:
		return
	}
	r, err := w.cluster.Run(ctx, name, w.Options)
	if err != nil {
		w.failed(ctx, log, name, err)
		return
	}
	const most = 10
	for i, f := range r.Failures {
		if i == most {
			log.Error("more objects are not migrated", "count", len(r.Failures)-most)
			break
		}
		log.Error("an object is not migrated", "object", f.String(), "error", f.Err)
	}
	if len(r.Failures) > 0 {
		w.failed(ctx, log, name, errors.New("the API server refused objects, so storedVersions stays as it is"))
		return
	}
	delete(w.wait, name)
	delete(w.next, name)
	if r.Done > 0 || r.Migrator != "" {
		log.Info("all objects are stored in the storage version", "version", r.Storage, "objects", r.Done)
		return // the migration changed the definition: the next look reads it again
	}
	w.done[name] = meta.ResourceVersion
}

// failed logs an error, and waits twice as long as the last time.
func (w *watched) failed(ctx context.Context, log *slog.Logger, name string, err error) {
	if ctx.Err() != nil {
		return
	}
	w.wait[name] = min(max(2*w.wait[name], w.Interval), longestInterval)
	w.next[name] = time.Now().Add(w.wait[name])
	log.Error("the migration of stored objects failed", "error", err, "again after", w.wait[name])
}
