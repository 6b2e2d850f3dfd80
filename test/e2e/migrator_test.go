package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"testing"
	"time"

	"github.com/kindsmith/kindsmith/test/oracle/launch"
)

// TestMigrator lets Kubernetes' own controllers migrate the objects, on a server with StorageVersionMigrations. The other tests
// have servers without them.
func TestMigrator(t *testing.T) {
	t.Parallel()
	const objects = 40
	server := launch.Start(t, "--runtime-config=storagemigration.k8s.io/v1=true")
	s := newOrders(t, &cluster{Server: server, kubectlPath: shared.kubectlPath, scheme: shared.scheme}, "migrated")
	s.create()
	s.copy(objects)
	launch.RunStorageMigrator(t, server)
	s.storeV2()
	before := s.stored()
	s.edit("order-0000")
	wants(t, s.run(0, "run", orders), "the API server wrote all objects in v2", "storedVersions is v2")

	if n := s.in(); !maps.Equal(n, map[string]int{"v2": objects}) || s.storedVersions() != "[v2]" {
		t.Errorf("%v, storedVersions %s", n, s.storedVersions())
	}
	for name, object := range s.stored() {
		now, was := object["metadata"].(map[string]any), before[name]["metadata"].(map[string]any)
		if name == "order-0000" {
			continue
		}
		if now["generation"] != was["generation"] || now["uid"] != was["uid"] {
			t.Errorf("%s has the metadata %v, it was %v", name, now, was)
		}
	}

	// Nothing of the migration is left.
	left, err := s.kubectl("get", "storageversionmigrations", "-o", "name")
	if err != nil || left != "" {
		t.Errorf("%s%v", left, err)
	}
	migrating := map[string]any{}
	for _, c := range s.definition()["status"].(map[string]any)["conditions"].([]any) {
		if c := c.(map[string]any); c["type"] == "StorageMigrating" {
			migrating = c
		}
	}
	if migrating["status"] != "False" || migrating["reason"] != "MigrationSucceeded" {
		t.Errorf("the condition of the definition is %v", migrating)
	}
}

// edit changes an object again and again until the test is done. The controllers wait for a write after the migration began, or
// for a bookmark, which may take minutes.
func (s *orderStore) edit(name string) {
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for size := 2; ; size++ {
			select {
			case <-done:
				return
			case <-time.After(200 * time.Millisecond):
			}
			if status, answer := s.send(http.MethodPatch, "v1", name, fmt.Sprintf(`{"spec":{"size":%d}}`, size)); status != http.StatusOK {
				s.t.Errorf("edit %s: %d %v", name, status, answer["message"])
			}
		}
	}()
	s.t.Cleanup(func() { close(done); <-stopped })
}

// TestMigratorFails lets the controllers meet an object that the server refuses: kindsmith writes the others, names the
// object, and adds the version again that the controllers removed from the stored ones.
func TestMigratorFails(t *testing.T) {
	t.Parallel()
	server := launch.Start(t, "--runtime-config=storagemigration.k8s.io/v1=true")
	s := newOrders(t, &cluster{Server: server, kubectlPath: shared.kubectlPath, scheme: shared.scheme}, "refused")
	s.create()
	s.copy(5)
	broken := s.stored()["order-0003"]
	broken["metadata"].(map[string]any)["labels"] = map[string]any{"team": "not a label!"}
	s.put("order-0003", broken)
	launch.RunStorageMigrator(t, server)
	s.storeV2()
	s.edit("order-0000")
	wants(t, s.run(1, "run", orders), fmt.Sprintf("%s %s/order-0003: error: ", orders, s.space), "metadata.labels", "storedVersions is still v1, v2")
	if n := s.in(); !maps.Equal(n, map[string]int{"v1": 1, "v2": 4}) || s.storedVersions() != "[v1 v2]" {
		t.Errorf("%v, storedVersions %s", n, s.storedVersions())
	}
}
