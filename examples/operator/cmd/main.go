// Command site is the manager of the operator for sites.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	sitev1 "github.com/kindsmith/kindsmith/examples/operator/api/v1"
	sitev1beta1 "github.com/kindsmith/kindsmith/examples/operator/api/v1beta1" //nolint:staticcheck // the manager serves deprecated versions too
	"github.com/kindsmith/kindsmith/examples/operator/internal/controller"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	"github.com/kindsmith/kindsmith/webhook/server"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func run() error {
	var hooks server.Flags
	hooks.BindFlags(flag.CommandLine)
	metrics := flag.String("metrics-bind-address", "0", "`address` of the metrics; 0 serves none")
	probes := flag.String("health-probe-bind-address", ":8081", "`address` of the probes")
	elect := flag.Bool("leader-elect", false, "only one of several managers reconciles")
	logs := zap.Options{}
	logs.BindFlags(flag.CommandLine)
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.UseFlagOptions(&logs)))

	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	options, err := hooks.Options(config)
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, sitev1beta1.AddToScheme, sitev1.AddToScheme} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	timeout := server.ShutdownTimeout
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                  scheme,
		Metrics:                 metricsserver.Options{BindAddress: *metrics},
		HealthProbeBindAddress:  *probes,
		LeaderElection:          *elect,
		LeaderElectionID:        "site.example.com",
		LeaderElectionNamespace: os.Getenv("POD_NAMESPACE"),
		GracefulShutdownTimeout: &timeout,
		WebhookServer:           server.New(options),
	})
	if err != nil {
		return err
	}
	if err := setup(mgr); err != nil {
		return err
	}
	return mgr.Start(ctrl.SetupSignalHandler())
}

// setup adds webhooks, controllers and probes.
func setup(mgr ctrl.Manager) error {
	converter, err := jsonconvert.New(sitev1beta1.JSONConversion())
	if err != nil {
		return err
	}
	return errors.Join(
		server.SetupWebhookWithManager(mgr, &sitev1.Site{}, converter),
		server.SetupWebhookWithManager(mgr, &sitev1.Page{}, converter),
		(&controller.Sites{Client: mgr.GetClient()}).SetupWithManager(mgr),
		mgr.AddHealthzCheck("ping", healthz.Ping),
		mgr.AddReadyzCheck("webhooks", mgr.GetWebhookServer().StartedChecker()),
	)
}
