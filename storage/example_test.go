package storage_test

import (
	"context"
	"fmt"
	"log"

	"k8s.io/client-go/rest"

	"github.com/kindsmith/kindsmith/storage"
)

// Moves all objects, and says which versions the definition can lose then.
func ExampleCluster_Run() {
	config, err := rest.InClusterConfig()
	if err != nil {
		log.Fatal(err)
	}
	cluster, err := storage.New(config)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	result, err := cluster.Run(ctx, "orders.shop.example.com", storage.Options{Rate: 100})
	if err != nil {
		log.Fatal(err)
	}
	for _, refused := range result.Failures {
		fmt.Println(refused)
	}

	orders, err := cluster.Definition(ctx, "orders.shop.example.com")
	if err != nil {
		log.Fatal(err)
	}
	plan, err := cluster.Plan(ctx, orders)
	if err != nil {
		log.Fatal(err)
	}
	for _, version := range plan.Removal {
		fmt.Println(version.Version, version.Blockers)
	}
}
