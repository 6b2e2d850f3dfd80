package main

import (
	"context"
	"fmt"
	"net"

	"github.com/spf13/pflag"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/rest"
	basecompatibility "k8s.io/component-base/compatibility"
	logsapi "k8s.io/component-base/logs/api/v1"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"

	"github.com/kindsmith/kindsmith/apiserver/internal/steps"
)

// serve runs kube-apiserver on listener until ctx is done. extra holds more
// flags of kube-apiserver; they come last, so they override the ones below.
//
// The flags only configure where state and credentials are, and disable connections
// beyond this machine, and resources that wait for a controller. Everything that affects
// the handling of requests, such as admission, priority and fairness, and feature gates,
// keeps its default.
func serve(ctx context.Context, listener net.Listener, creds *credentials, extra []string) error {
	s := options.NewServerRunOptions()
	s.SecureServing.Listener = listener
	s.SecureServing.BindAddress = net.IPv4(127, 0, 0, 1)
	s.SecureServing.BindPort = listener.Addr().(*net.TCPAddr).Port

	fs := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	sets := s.Flags()
	for _, set := range sets.FlagSets {
		fs.AddFlagSet(set)
	}
	flags := []string{
		"--etcd-servers=unix:" + etcdSocket,
		"--tls-cert-file=" + creds.certFile,
		"--tls-private-key-file=" + creds.keyFile,
		"--token-auth-file=" + creds.tokenFile,
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-signing-key-file=" + creds.accountKeyFile,
		"--service-account-key-file=" + creds.accountKeyFile,
		"--authorization-mode=RBAC",
		"--service-cluster-ip-range=10.0.0.0/24",
		// A loopback address cannot be an endpoint of a Service, and no pod needs one.
		"--advertise-address=127.0.0.1",
		"--endpoint-reconciler-type=none",
		// No kube-controller-manager runs: clients would wait for it in vain.
		"--runtime-config=storagemigration.k8s.io/v1=false",
		// Stopping must not wait until clients end their watches.
		"--shutdown-watch-termination-grace-period=100ms",
	}
	if err := fs.Parse(append(flags, extra...)); err != nil {
		return err
	}
	if reporter := steps.FromEnv(); reporter != nil {
		// Before the decorator for metrics, behind which each plugin has both phases.
		options := s.Admission.GenericAdmission
		options.Decorators = append(admission.Decorators{reporter}, options.Decorators...)
		go reporter.Run(ctx)
	}

	registry := s.GenericServerRunOptions.ComponentGlobalsRegistry
	if err := registry.Set(); err != nil {
		return err
	}
	gates := registry.FeatureGateFor(basecompatibility.DefaultKubeComponent)
	if err := logsapi.ValidateAndApply(s.Logs, gates); err != nil {
		return err
	}
	// The server's own clients would log the warnings it sends to itself.
	rest.SetDefaultWarningHandler(rest.NoWarnings{})

	completed, err := s.Complete(ctx)
	if err != nil {
		return err
	}
	if err := utilerrors.NewAggregate(completed.Validate()); err != nil {
		return fmt.Errorf("flags: %w", err)
	}
	return app.Run(ctx, completed)
}
