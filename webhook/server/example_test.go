package server_test

import (
	"log"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	"github.com/kindsmith/kindsmith/webhook/server"
)

// JSONConversion stands for the generated function of your oldest version, and corev1.ConfigMap for a kind of yours.
func JSONConversion() *jsonconvert.API { return &jsonconvert.API{} }

// In a manager, the server replaces controller-runtime's.
func ExampleNew() {
	config := ctrl.GetConfigOrDie()
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		WebhookServer:           server.New(server.Options{Certificates: server.Files{Dir: "/certs"}, Config: config}),
		GracefulShutdownTimeout: ptr.To(server.ShutdownTimeout),
	})
	if err != nil {
		log.Fatal(err)
	}
	converter, err := jsonconvert.New(JSONConversion())
	if err != nil {
		log.Fatal(err)
	}
	if err := server.SetupWebhookWithManager(mgr, &corev1.ConfigMap{}, converter); err != nil {
		log.Fatal(err)
	}
	if err := mgr.Start(ctrl.SetupSignalHandler()); err != nil {
		log.Fatal(err)
	}
}

// Without a manager, the server converts, and needs no Go types: the converter is from a file of tables.
func ExampleRun() {
	converter, err := jsonconvert.New(JSONConversion())
	if err != nil {
		log.Fatal(err)
	}
	err = server.Run(ctrl.SetupSignalHandler(), server.Options{
		Certificates: server.Files{Dir: "/certs"},
		Conversions:  []server.Conversion{{Converter: converter}},
	})
	if err != nil {
		log.Fatal(err)
	}
}
