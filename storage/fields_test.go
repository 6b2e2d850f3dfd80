package storage

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func entry(manager, apiVersion, fields string, minute int) metav1.ManagedFieldsEntry {
	set := &metav1.FieldsV1{}
	if err := set.UnmarshalJSON([]byte(fields)); err != nil {
		panic(err)
	}
	return metav1.ManagedFieldsEntry{
		Manager: manager, Operation: metav1.ManagedFieldsOperationApply, APIVersion: apiVersion, FieldsType: "FieldsV1",
		FieldsV1: set, Time: &metav1.Time{Time: time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC)},
	}
}

// show returns managedFields as lines.
func show(entries []metav1.ManagedFieldsEntry) string {
	var b strings.Builder
	for _, e := range entries {
		fields, err := e.FieldsV1.MarshalJSON()
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(&b, "%s %s %d %s\n", e.Manager, e.APIVersion, e.Time.Minute(), fields)
	}
	return b.String()
}

// TestFields moves the managedFields of versions that are not served, also when all objects are in the storage version.
func TestFields(t *testing.T) {
	for _, in := range []string{"v1", "v2"} {
		t.Run(in, func(t *testing.T) {
			f := newFake(t, "v2", "v1")
			f.add(25, in)
			if in == "v2" {
				f.status()["storedVersions"] = []any{"v2"}
			}
			f.spec()["versions"].([]any)[1].(map[string]any)["served"] = false
			const v1, v2 = "shop.example.com/v1", "shop.example.com/v2"
			o := f.objects["shop/order-0007"]
			o.managed = []metav1.ManagedFieldsEntry{
				entry("argo", v2, `{"f:spec":{"f:a":{}}}`, 1), entry("kubectl", v1, `{"f:spec":{"f:b":{}}}`, 2),
				entry("argo", v1, `{"f:spec":{"f:c":{}}}`, 3), entry("other", "v1", `{"f:metadata":{"f:labels":{}}}`, 4),
			}
			// Another client writes first.
			tries := 0
			f.before = func(_ http.ResponseWriter, r *http.Request) bool {
				if r.Header.Get("Content-Type") == "application/json-patch+json" {
					if tries++; tries == 1 {
						f.edit("order-0007")
					}
				}
				return false
			}
			r, err := f.cluster().Run(t.Context(), orders, fast)
			if err != nil || r.Fields != 1 || tries != 2 {
				t.Fatal(r, err, tries)
			}
			const want = `argo shop.example.com/v2 3 {"f:spec":{"f:a":{},"f:c":{}}}
kubectl shop.example.com/v2 2 {"f:spec":{"f:b":{}}}
other v1 4 {"f:metadata":{"f:labels":{}}}
`
			if got := show(o.managed); got != want {
				t.Errorf("%swant\n%s", got, want)
			}
			f.check(map[string]int{"v2": 25}, "[v2]")
			f.noProgress()
			if n := map[string]int{"v1": 26, "v2": 2}[in]; f.writes != n {
				t.Errorf("%d writes, want %d", f.writes, n)
			}
			// Nothing is left, so nothing is written, and the definition stays as it is.
			version := f.meta()["resourceVersion"]
			if r, err := f.cluster().Run(t.Context(), orders, fast); err != nil || r.Fields+r.Done > 0 || tries != 2 || f.meta()["resourceVersion"] != version {
				t.Error(r, err, tries)
			}
		})
	}
}
