package storage

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestPlan(t *testing.T) {
	f := newFake(t, "v3", "v2", "v1")
	f.spec()["versions"].([]any)[2].(map[string]any)["served"] = false
	f.status()["storedVersions"] = []any{"v2", "v3"}
	f.add(25, "v2")
	when := func(minute int) *metav1.Time {
		return &metav1.Time{Time: time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC)}
	}
	wrote := func(manager, version string, minute int) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{Manager: manager, APIVersion: "shop.example.com/" + version, Time: when(minute)}
	}
	f.objects["shop/order-0001"].managed = []metav1.ManagedFieldsEntry{wrote("shop", "v3", 1), wrote("kubectl", "v2", 2)}
	f.objects["shop/order-0002"].managed = []metav1.ManagedFieldsEntry{wrote("shop", "v3", 3), wrote("kubectl", "v2", 2)}
	f.objects["shop/order-0023"].managed = []metav1.ManagedFieldsEntry{wrote("argocd", "v2", 2)}
	f.objects["shop/order-0024"].managed = []metav1.ManagedFieldsEntry{wrote("shop", "v3", 5), wrote("helm", "v1", 2)}
	c := f.cluster()
	d, err := c.Definition(t.Context(), orders)
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Plan(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if p.Objects != 25 || f.writes > 0 {
		t.Error(p.Objects, f.writes)
	}
	want := []struct {
		version, blockers string
		written           int
	}{
		{"v3", "it is the storage version", 2},
		{"v2", "objects may be stored in it: run kindsmith storage run " + orders + "|it is served: set served: false, and release|clients write in it: move argocd, kubectl to another version", 2},
		{"v1", "it is in the managedFields of 1 of 25 objects, and server-side apply would fail without it: run kindsmith storage run " + orders, 0},
	}
	for i, r := range p.Removal {
		if w := want[i]; r.Version != w.version || r.Written != w.written || strings.Join(r.Blockers, "|") != w.blockers {
			t.Errorf("%+v, want %+v", r, w)
		}
	}
	all, err := c.Definitions(t.Context())
	if err != nil || len(all) != 1 || all[0].Name != orders {
		t.Error(all, err)
	}
}
