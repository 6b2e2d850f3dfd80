package main

import (
	"context"

	dbv1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	"github.com/kindsmith/kindsmith/examples/database/internal/offline"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// unions switches a database from a volume to a bucket, like a client that only
// knows the bucket.
func (d *demo) unions(ctx context.Context) error {
	d.title("A union, switched by its discriminator")
	d.page.text("Storage is one of persistentVolume and objectStorage; type says which. A client")
	d.page.text("that switches type does not have to clear the old member: normalisation clears it.")
	obj, err := d.server.DecodeFile(d.sample("v1beta1_database_inventory.yaml"))
	if err != nil {
		return err
	}
	if obj, err = d.server.Convert(obj, offline.V1); err != nil {
		return err
	}
	before := obj.(*dbv1.Database)

	sent := before.DeepCopy()
	sent.Spec.Storage.Type = dbv1.StorageObjectStorage
	sent.Spec.Storage.ObjectStorage = &dbv1.ObjectStorage{
		Bucket: "shop-inventory", Endpoint: "s3.example.com", CredentialsSecretName: "shop-inventory",
	}
	stored := sent.DeepCopy()
	dbv1.NormalizeUnions_Database(union.Request{}, stored, before)

	list, err := changesOf(before, sent)
	if err != nil {
		return err
	}
	d.page.text("")
	d.page.text("  %s", d.page.paint(bold, "what the client sends"))
	d.page.changes(list)
	if list, err = changesOf(sent, stored); err != nil {
		return err
	}
	d.page.text("  %s", d.page.paint(bold, "what normalisation changes"))
	d.page.changes(list)
	d.page.text("")
	d.verdict("update", "inventory, normalised", d.server.Update(ctx, stored, before, ""))
	d.verdict("create", "inventory, with both members", d.server.Create(ctx, sent))
	return nil
}
