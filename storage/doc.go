// Package storage moves the stored objects of custom resources to the storage version of their definition.
//
// An API server stores an object in the version that was the storage version when the object was last written. Older versions
// cannot leave a definition before each object in them was written once more.
//
//	cluster, err := storage.New(config)
//	…
//	orders, err := cluster.Definition(ctx, "orders.shop.example.com")
//	plan, err := cluster.Plan(ctx, orders)
//	…
//	result, err := cluster.Run(ctx, "orders.shop.example.com", storage.Options{})
//
// [Cluster.Plan] says what keeps a version from being removed. [Cluster.Run] writes the objects, without a change to any, and
// then narrows status.storedVersions. [Cluster.Detach] makes a definition independent of its conversion webhook. An error means
// that the cluster did not answer; objects that it refuses are [Failure] values in the [Result].
//
// In a manager, a [Reconciler] does the same for the manager's definitions:
//
//	err := mgr.Add(&storage.Reconciler{Config: mgr.GetConfig(), Definitions: []string{"orders.shop.example.com"}})
//
// # Permissions
//
// The account needs get, list and patch of customresourcedefinitions, patch of customresourcedefinitions/status, and get, list
// and patch of the resources whose objects move. With get, list, create and delete of storageversionmigrations in the group
// storagemigration.k8s.io it uses the migrator of the API server, where there is one.
package storage
