package server

import (
	"cmp"
	"errors"
	"flag"
	"os"

	"k8s.io/client-go/rest"
)

// Environment variables with the defaults of flags. They are for programs that start a manager without knowing its flags:
// kindsmith dev sets them.
const (
	// PortEnv is the port in the default of --webhook-bind-address.
	PortEnv = "WEBHOOK_PORT"
	// CertDirEnv is the default of --webhook-cert-path.
	CertDirEnv = "WEBHOOK_CERT_DIR"
)

// Flags are the settings of a server as flags of a manager. The manifests that kindsmith generate writes set them:
//
//	var flags server.Flags
//	flags.BindFlags(flag.CommandLine)
//	flag.Parse()
//	options, err := flags.Options(config)
//	…
//	mgr, err := ctrl.NewManager(config, ctrl.Options{WebhookServer: server.New(options)})
type Flags struct {
	// Address is where the server listens.
	Address string
	// CertPath is a folder of tls.crt and tls.key. CASecret is the name of a Secret for a self-managed authority.
	// One of them is set.
	CertPath, CASecret string
	// Service and Namespace name the Service, for CASecret.
	Service, Namespace string
	// Hosts are further host names and addresses of the server, for CASecret.
	Hosts []string
	// MutatingWebhooks and ValidatingWebhooks are the names of webhook configurations, for CASecret.
	MutatingWebhooks, ValidatingWebhooks []string
}

// BindFlags adds the flags to a set:
//
//	--webhook-bind-address             where the server listens, by default :9443, or the port $WEBHOOK_PORT
//	--webhook-cert-path                the folder of tls.crt and tls.key, as in kubebuilder's managers; by default $WEBHOOK_CERT_DIR
//	--webhook-ca-secret                the Secret of a self-managed authority, instead of --webhook-cert-path
//	--webhook-service                  the Service of the webhooks, for --webhook-ca-secret
//	--webhook-namespace                the namespace of both, by default $POD_NAMESPACE
//	--webhook-host                     another host name or address of the server, for --webhook-ca-secret; can be repeated
//	--mutating-webhook-configuration   a configuration that gets the authority, for --webhook-ca-secret; can be repeated
//	--validating-webhook-configuration the same for validation
func (f *Flags) BindFlags(fs *flag.FlagSet) {
	fs.StringVar(&f.Address, "webhook-bind-address", ":"+cmp.Or(os.Getenv(PortEnv), "9443"), "`address` that the webhook server listens on")
	fs.StringVar(&f.CertPath, "webhook-cert-path", os.Getenv(CertDirEnv), "`folder` of tls.crt and tls.key for the webhook server")
	fs.StringVar(&f.CASecret, "webhook-ca-secret", "", "`name` of the Secret of a self-managed certificate authority, instead of --webhook-cert-path")
	fs.StringVar(&f.Service, "webhook-service", "", "`name` of the Service of the webhooks, for --webhook-ca-secret")
	fs.StringVar(&f.Namespace, "webhook-namespace", os.Getenv("POD_NAMESPACE"), "`namespace` of --webhook-ca-secret and --webhook-service (default $POD_NAMESPACE)")
	const configuration = "`name` of a configuration that gets the certificate authority of --webhook-ca-secret; can be repeated"
	for _, list := range []struct {
		names       *[]string
		flag, usage string
	}{
		{&f.Hosts, "webhook-host", "host `name` or address in the certificates of --webhook-ca-secret besides those of the Service; can be repeated"},
		{&f.MutatingWebhooks, "mutating-webhook-configuration", configuration}, {&f.ValidatingWebhooks, "validating-webhook-configuration", configuration},
	} {
		fs.Func(list.flag, list.usage, func(name string) error {
			*list.names = append(*list.names, name)
			return nil
		})
	}
}

// Options returns the options of a server for the API server of a configuration. An error says which flags are missing.
func (f *Flags) Options(config *rest.Config) (Options, error) {
	o := Options{Address: f.Address, Config: config}
	switch {
	case f.CASecret != "" && f.CertPath != os.Getenv(CertDirEnv), f.CASecret == "" && f.CertPath == "":
		return o, errors.New("set one of --webhook-cert-path and --webhook-ca-secret")
	case f.CASecret == "":
		o.Certificates = Files{Dir: f.CertPath}
		return o, nil
	}
	managed := &SelfManaged{
		Namespace: f.Namespace, Secret: f.CASecret, Service: f.Service, Hosts: f.Hosts, MutatingWebhooks: f.MutatingWebhooks, ValidatingWebhooks: f.ValidatingWebhooks,
	}
	var errs []error
	if f.Service == "" {
		errs = append(errs, errors.New("--webhook-ca-secret needs --webhook-service"))
	}
	if f.Namespace == "" {
		errs = append(errs, errors.New("--webhook-ca-secret needs --webhook-namespace, or the environment variable POD_NAMESPACE"))
	}
	o.Certificates = managed
	return o, errors.Join(errs...)
}
