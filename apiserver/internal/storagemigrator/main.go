// Command storagemigrator runs the controllers of StorageVersionMigrations and the garbage collector, from which they have the
// objects. It is a kube-controller-manager for tests, without all other controllers:
//
//	storagemigrator -kubeconfig FILE
//
// It stops when its standard input ends.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
	"k8s.io/kubernetes/pkg/controller/storageversionmigrator"
)

// period is the time between two looks at which resources the server has. A kube-controller-manager takes 30 seconds.
const period = time.Second

func main() {
	kubeconfig := flag.String("kubeconfig", "", "kubeconfig of the API server")
	flag.Parse()
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		defer stop()
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	if err := run(ctx, *kubeconfig); err != nil {
		fmt.Fprintln(os.Stderr, "storagemigrator:", err)
		os.Exit(1)
	}
}

// run runs the controllers until ctx is done.
func run(ctx context.Context, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS = -1
	client, cerr := kubernetes.NewForConfig(config)
	objects, oerr := metadata.NewForConfig(config)
	patches, perr := dynamic.NewForConfig(config)
	definitions, derr := apiextensions.NewForConfig(config)
	if err := errors.Join(cerr, oerr, perr, derr); err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client.Discovery()))
	typed := informers.NewSharedInformerFactory(client, 0)
	all := informerfactory.NewInformerFactory(typed, metadatainformer.NewSharedInformerFactory(objects, 0))
	started := make(chan struct{})
	graph := garbagecollector.NewDependencyGraphBuilder(ctx, objects, mapper, garbagecollector.DefaultIgnoredResources(), all, started)
	collector, err := garbagecollector.NewComposedGarbageCollector(ctx, client, objects, mapper, graph)
	if err != nil {
		return err
	}
	migrations := typed.Storagemigration().V1().StorageVersionMigrations()
	controllers := []func(context.Context){
		func(ctx context.Context) { collector.Run(ctx, 1, period) },
		func(ctx context.Context) { collector.Sync(ctx, client.Discovery(), period) },
		storageversionmigrator.NewSVMController(ctx, client, patches, migrations, "storage-version-migrator-controller", mapper, graph).Run,
		storageversionmigrator.NewResourceVersionController(ctx, client, client.Discovery(), objects, migrations, mapper).Run,
		storageversionmigrator.NewCustomResourceController(ctx, client, migrations, definitions.CustomResourceDefinitions()).Run,
	}
	all.Start(ctx.Done())
	close(started)
	var running sync.WaitGroup
	for _, c := range controllers {
		running.Go(func() { c(ctx) })
	}
	running.Wait()
	return nil
}
