package live

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/fake"
)

var (
	orders  = schema.GroupVersionResource{Group: "shop.example.com", Version: "v1", Resource: "orders"}
	tickets = schema.GroupVersionResource{Group: "shop.example.com", Version: "v1", Resource: "tickets"}
)

// server is an API server with objects that are watched.
type server struct {
	*testing.T
	client  dynamic.Interface
	objects *Objects
	// changed gets the key of each change.
	changed chan Key
	version int
}

func newServer(t *testing.T) *server {
	t.Helper()
	kinds := map[schema.GroupVersionResource]string{orders: "OrderList", tickets: "TicketList"}
	s := &server{T: t, client: fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), kinds), changed: make(chan Key, 10000)}
	s.objects = &Objects{client: s.client, past: map[Key][]Revision{}, stop: map[schema.GroupVersionResource]context.CancelFunc{}}
	s.objects.Changed = func(k Key) { s.changed <- k }
	return s
}

func (s *server) object(name string, size int) *unstructured.Unstructured {
	s.version++
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "shop.example.com/v1", "kind": "Order",
		"metadata": map[string]any{"namespace": "shop", "name": name, "resourceVersion": strconv.Itoa(s.version)},
		"spec":     map[string]any{"size": int64(size)},
	}}
}

func (s *server) create(name string, size int) {
	s.Helper()
	if _, err := s.client.Resource(orders).Namespace("shop").Create(s.Context(), s.object(name, size), metav1.CreateOptions{}); err != nil {
		s.Fatal(err)
	}
}

func (s *server) update(o *unstructured.Unstructured) {
	s.Helper()
	if _, err := s.client.Resource(orders).Namespace("shop").Update(s.Context(), o, metav1.UpdateOptions{}); err != nil {
		s.Fatal(err)
	}
}

func (s *server) delete(name string) {
	s.Helper()
	if err := s.client.Resource(orders).Namespace("shop").Delete(s.Context(), name, metav1.DeleteOptions{}); err != nil {
		s.Fatal(err)
	}
}

func order(name string) Key { return Key{"shop.example.com", "orders", "shop", name} }

// sees returns when an object has changed.
func (s *server) sees(key Key) {
	s.Helper()
	select {
	case k := <-s.changed:
		if k != key {
			s.Errorf("%v has changed, not %v", k, key)
		}
	case <-time.After(20 * time.Second):
		s.Fatalf("%v does not change", key)
	}
}

// past returns the revisions of an object in words.
func (s *server) past(name string) (words []string) {
	for _, r := range s.objects.History(order(name)) {
		size, _, _ := unstructured.NestedInt64(r.Object.Object, "spec", "size")
		word := fmt.Sprint(size)
		if r.First {
			word += " first"
		}
		if r.Deleted {
			word += " deleted"
		}
		words = append(words, word)
	}
	return words
}

func (s *server) hasPast(name string, want ...string) {
	s.Helper()
	if got := s.past(name); !slices.Equal(got, want) {
		s.Errorf("the past of %s is %q, want %q", name, got, want)
	}
}

// before returns the size of an object before a time; 0 for none.
func (s *server) before(name string, at time.Time) int64 {
	o := s.objects.Before(order(name), at)
	if o == nil {
		return 0
	}
	size, _, _ := unstructured.NestedInt64(o.Object, "spec", "size")
	return size
}

// TestHistory changes objects, and asks how they were.
func TestHistory(t *testing.T) {
	s := newServer(t)
	s.create("old", 1)
	begin := time.Now()
	s.objects.Watch(t.Context(), []schema.GroupVersionResource{orders})
	s.sees(order("old"))
	s.hasPast("old", "1 first")
	created := time.Now()
	s.create("new", 2)
	s.sees(order("new"))
	seen := time.Now()
	s.update(s.object("new", 3))
	s.sees(order("new"))
	again := s.object("new", 3)
	s.update(again)
	s.update(again) // the same revision
	s.sees(order("new"))
	updated := time.Now()
	s.delete("new")
	s.sees(order("new"))
	s.hasPast("new", "2", "3", "3", "3 deleted")
	s.hasPast("old", "1 first")
	s.hasPast("unknown")
	for name, test := range map[string]struct {
		object string
		at     time.Time
		want   int64
	}{
		"there before the watch": {"old", begin.Add(-time.Hour), 1},
		"there since":            {"old", time.Now(), 1},
		"before it was created":  {"new", created, 0},
		"after it was created":   {"new", seen, 2},
		"after the update":       {"new", updated, 3},
		"after the deletion":     {"new", time.Now(), 0},
		"never there":            {"unknown", time.Now(), 0},
	} {
		if got := s.before(test.object, test.at); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
	s.create("new", 4) // with the same name
	s.sees(order("new"))
	s.hasPast("new", "2", "3", "3", "3 deleted", "4")
	if got := s.before("new", time.Now()); got != 4 {
		t.Errorf("created again: %d", got)
	}
}

// TestLimits changes an object often, and creates many.
func TestLimits(t *testing.T) {
	s := newServer(t)
	s.objects.Watch(t.Context(), []schema.GroupVersionResource{orders})
	s.create("busy", 1)
	s.sees(order("busy"))
	for i := range MostRevisions {
		s.update(s.object("busy", i+2))
		s.sees(order("busy"))
	}
	past := s.past("busy")
	if len(past) != MostRevisions || past[0] != "2" || past[MostRevisions-1] != strconv.Itoa(MostRevisions+1) {
		t.Errorf("%d revisions: %q", len(past), past)
	}
	name := func(i int) string { return "order-" + strconv.Itoa(i) }
	for i := range MostObjects {
		s.create(name(i), 1)
		s.sees(order(name(i)))
	}
	s.hasPast("busy") // the first that was seen
	s.hasPast(name(0), "1")
	s.hasPast(name(MostObjects-1), "1")
	s.create("one-more", 1)
	s.sees(order("one-more"))
	s.hasPast(name(0))
	s.hasPast(name(1), "1")
}

// TestWatch changes what is watched.
func TestWatch(t *testing.T) {
	s := newServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.create("a", 1)
	s.objects.Watch(ctx, []schema.GroupVersionResource{orders, tickets})
	s.sees(order("a"))
	s.objects.Watch(ctx, []schema.GroupVersionResource{orders, tickets}) // the same
	s.create("b", 1)
	s.sees(order("b"))
	s.objects.Watch(ctx, []schema.GroupVersionResource{tickets})
	s.missed(func() { s.update(s.object("a", 2)) })
	s.hasPast("a", "1 first")
	unwatched := time.Now()
	s.objects.Watch(ctx, []schema.GroupVersionResource{orders})
	s.sees(order("a")) // b is as it was
	s.hasPast("a", "1 first", "2")
	if got := s.before("a", unwatched); got != 1 {
		t.Errorf("before the watch began again: %d", got)
	}
	s.hasPast("b", "1")
	cancel()
	s.missed(func() { s.create("c", 1) })
	s.hasPast("c")
}

// missed fails the test if a change is seen that nothing watches. The watch before may end a little later.
func (s *server) missed(change func()) {
	s.Helper()
	time.Sleep(200 * time.Millisecond)
	change()
	select {
	case k := <-s.changed:
		s.Errorf("%v is seen", k)
	case <-time.After(200 * time.Millisecond):
	}
}
