// Package live has the objects of an API server as they are, and as they were since this process watches them.
//
// [New] returns the [Objects], which a [Key] finds; a [Revision] is one as it was. An error is one of the API server.
package live

import (
	"context"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// The limits of what is kept of the past.
const (
	// MostRevisions is the number of revisions of one object.
	MostRevisions = 30
	// MostObjects is the number of objects whose revisions are kept, also after they are deleted.
	MostObjects = 1000
)

// Key identifies an object in all its versions.
type Key struct {
	Group     string `json:"group"`
	Resource  string `json:"resource"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Revision is an object at a time.
type Revision struct {
	// At is when this process saw it; for the first one, when it began to watch.
	At time.Time
	// Object is the object. Readers must not change it. It is the last one if Deleted is set.
	Object  *unstructured.Unstructured
	Deleted bool
	// First is set if the object was there before this process watched objects of its resource.
	First bool
}

// Objects watches the objects of some resources.
type Objects struct {
	// Changed is called after each change. It must return at once.
	Changed func(Key)

	client dynamic.Interface
	mu     sync.Mutex
	past   map[Key][]Revision
	order  []Key // by the first revision
	stop   map[schema.GroupVersionResource]context.CancelFunc
}

// New returns the objects of the API server of a configuration.
func New(config *rest.Config) (*Objects, error) {
	config = rest.CopyConfig(config)
	config.QPS, config.WarningHandler, config.UserAgent = -1, rest.NoWarnings{}, "kindsmith-workbench"
	client, err := dynamic.NewForConfig(config)
	return &Objects{client: client, past: map[Key][]Revision{}, stop: map[schema.GroupVersionResource]context.CancelFunc{}}, err
}

// Watch watches these resources, and no others, until the context is done.
func (o *Objects) Watch(ctx context.Context, resources []schema.GroupVersionResource) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for r, stop := range o.stop {
		if !slices.Contains(resources, r) {
			stop()
			delete(o.stop, r)
		}
	}
	for _, r := range resources {
		if o.stop[r] == nil {
			var each context.Context
			each, o.stop[r] = context.WithCancel(ctx)
			o.watch(each, r)
		}
	}
}

func (o *Objects) watch(ctx context.Context, r schema.GroupVersionResource) {
	informer := dynamicinformer.NewFilteredDynamicInformer(o.client, r, metav1.NamespaceAll, 0, cache.Indexers{}, nil).Informer()
	// A definition may be gone, or not there yet. The informer goes on.
	_ = informer.SetWatchErrorHandlerWithContext(func(context.Context, *cache.Reflector, error) {}) // it does not run yet
	see := func(object any, first, deleted bool) {
		if unknown, ok := object.(cache.DeletedFinalStateUnknown); ok {
			object = unknown.Obj
		}
		if u, ok := object.(*unstructured.Unstructured); ok {
			o.add(Key{r.Group, r.Resource, u.GetNamespace(), u.GetName()}, Revision{At: time.Now(), Object: u, First: first, Deleted: deleted})
		}
	}
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{ // it does not run yet
		AddFunc: func(object any, initial bool) { see(object, initial, false) },
		UpdateFunc: func(before, object any) {
			if version(before) != version(object) {
				see(object, false, false)
			}
		},
		DeleteFunc: func(object any) { see(object, false, true) },
	})
	go informer.RunWithContext(ctx)
}

func version(object any) string {
	m, err := meta.Accessor(object)
	if err != nil {
		return ""
	}
	return m.GetResourceVersion()
}

func (o *Objects) add(key Key, r Revision) {
	o.mu.Lock()
	list := o.past[key]
	if n := len(list); n > 0 && !r.Deleted && !list[n-1].Deleted && version(list[n-1].Object) == version(r.Object) {
		o.mu.Unlock()
		return // seen by an earlier watch
	}
	if list == nil {
		o.order = append(o.order, key)
	}
	r.First = r.First && list == nil // else an earlier watch has seen how it was
	if list = append(list, r); len(list) > MostRevisions {
		list = slices.Delete(list, 0, len(list)-MostRevisions)
	}
	o.past[key] = list
	if len(o.order) > MostObjects {
		delete(o.past, o.order[0])
		o.order = slices.Delete(o.order, 0, 1)
	}
	o.mu.Unlock()
	if o.Changed != nil {
		o.Changed(key)
	}
}

// History returns the revisions of an object, the oldest first.
func (o *Objects) History(key Key) []Revision {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.past[key])
}

// Before returns an object as it was before a time; nil if it was not there, or is not known.
func (o *Objects) Before(key Key, at time.Time) *unstructured.Unstructured {
	for _, r := range slices.Backward(o.History(key)) {
		if r.At.Before(at) || r.First {
			if r.Deleted {
				return nil
			}
			return r.Object
		}
	}
	return nil
}
