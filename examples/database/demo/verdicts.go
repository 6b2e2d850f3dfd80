package main

import (
	"context"
	"path/filepath"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// manifests are validated as creates: some are valid, the others have one mistake each.
var manifests = []string{
	"v1_database_minimal.yaml",
	"v1_database_orders.yaml",
	"v1beta1_database_inventory.yaml",
	"v1alpha1_database_legacy.yaml",
	"v1_databaseclass_fast.yaml",
	"invalid/create/engine-unknown.yaml",
	"invalid/create/replicas-too-many.yaml",
	"invalid/create/v1alpha1-instances-too-many.yaml",
	"invalid/create/storage-member-missing.yaml",
	"invalid/create/users-twice.yaml",
	"invalid/create/node-selector-value-not-a-label.yaml",
	"invalid/create/class-topology-key-not-a-label.yaml",
	"invalid/create/class-claim-with-two-sources.yaml",
}

// updates are validated as updates.
var updates = []string{"engine-changed", "storage-class-changed", "user-added-with-bad-name"}

// verdicts validates manifests.
func (d *demo) verdicts(ctx context.Context) error {
	d.title("Manifests, validated without a cluster")
	d.page.text("Each manifest is decoded in its version, defaulted, and validated.")
	d.page.text("")
	for _, name := range manifests {
		obj, err := d.server.DecodeFile(d.sample(name))
		if err != nil {
			return err
		}
		d.verdict("create", filepath.Base(name), d.server.Create(ctx, obj))
	}
	for _, name := range updates {
		old, err := d.server.DecodeFile(d.sample("invalid/update/" + name + ".from.yaml"))
		if err != nil {
			return err
		}
		obj, err := d.server.DecodeFile(d.sample("invalid/update/" + name + ".to.yaml"))
		if err != nil {
			return err
		}
		d.verdict("update", name, d.server.Update(ctx, obj, old, ""))
	}
	return nil
}

func (d *demo) verdict(operation, name string, errs field.ErrorList) {
	if len(errs) == 0 {
		d.page.text("%s  %s %s", d.page.paint(green, "valid   "), operation, name)
		return
	}
	d.page.text("%s  %s %s", d.page.paint(red, "rejected"), operation, name)
	for _, e := range errs {
		d.page.text("            %s: %s", d.page.paint(bold, e.Field), e.ErrorBody())
	}
}
