package server

import (
	"crypto/tls"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"
	certutil "k8s.io/client-go/util/cert"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

func TestFlags(t *testing.T) {
	for name, test := range map[string]struct {
		args string
		env  map[string]string
		want Options
		err  string
	}{
		"files":   {args: "--webhook-cert-path=/certs --webhook-bind-address=:8443", want: Options{Address: ":8443", Certificates: Files{Dir: "/certs"}}},
		"nothing": {err: "set one of --webhook-cert-path and --webhook-ca-secret"},
		"both":    {args: "--webhook-cert-path=/certs --webhook-ca-secret=ca", err: "set one of"},
		"an authority": {
			args: "--webhook-ca-secret=ca --webhook-service=hooks --webhook-host=h --mutating-webhook-configuration=m --validating-webhook-configuration=v --validating-webhook-configuration=w",
			env:  map[string]string{"POD_NAMESPACE": "shop"},
			want: Options{Address: ":9443", Certificates: &SelfManaged{Namespace: "shop", Secret: "ca", Service: "hooks", Hosts: []string{"h"}, MutatingWebhooks: []string{"m"}, ValidatingWebhooks: []string{"v", "w"}}},
		},
		"an incomplete authority": {args: "--webhook-ca-secret=ca", err: "needs --webhook-service\n--webhook-ca-secret needs --webhook-namespace"},
		"the environment": {
			env:  map[string]string{PortEnv: "1", CertDirEnv: "/tmp/certs"},
			want: Options{Address: ":1", Certificates: Files{Dir: "/tmp/certs"}},
		},
		"flags win": {
			env: map[string]string{CertDirEnv: "/tmp/certs"}, args: "--webhook-ca-secret=ca --webhook-service=s --webhook-namespace=n",
			want: Options{Address: ":9443", Certificates: &SelfManaged{Namespace: "n", Secret: "ca", Service: "s"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("POD_NAMESPACE", "")
			for key, value := range test.env {
				t.Setenv(key, value)
			}
			var flags Flags
			fs := flag.NewFlagSet("manager", flag.ContinueOnError)
			fs.SetOutput(io.Discard)
			flags.BindFlags(fs)
			if err := fs.Parse(strings.Fields(test.args)); err != nil {
				t.Fatal(err)
			}
			config := &rest.Config{Host: "https://api"}
			got, err := flags.Options(config)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("the error is %v", err)
				}
				return
			}
			if err != nil || got.Config != config {
				t.Fatal(err)
			}
			got.Config = nil
			if diff := cmp.Diff(test.want, got, cmpopts.IgnoreUnexported(SelfManaged{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestFrom takes over the options of controller-runtime's server.
func TestFrom(t *testing.T) {
	t.Setenv(PortEnv, "")
	t.Setenv(CertDirEnv, "")
	config, defaults := &rest.Config{}, filepath.Join(os.TempDir(), "k8s-webhook-server", "serving-certs")
	for name, test := range map[string]struct {
		options webhook.Options
		env     map[string]string
		want    Options
	}{
		"nothing":         {want: Options{Address: ":9443", Certificates: Files{Dir: defaults}}},
		"everything":      {options: webhook.Options{Host: "::1", Port: 1, CertDir: "/c", CertName: "a", KeyName: "b"}, want: Options{Address: "[::1]:1", Certificates: Files{Dir: "/c", Cert: "a", Key: "b"}}},
		"the environment": {env: map[string]string{PortEnv: "2", CertDirEnv: "/e"}, want: Options{Address: ":2", Certificates: Files{Dir: "/e"}}},
		"options win":     {options: webhook.Options{Port: 1, CertDir: "/c"}, env: map[string]string{PortEnv: "2", CertDirEnv: "/e"}, want: Options{Address: ":1", Certificates: Files{Dir: "/c"}}},
	} {
		t.Run(name, func(t *testing.T) {
			for key, value := range test.env {
				t.Setenv(key, value)
			}
			got := From(config, test.options)
			if got.Config != config {
				t.Error("another configuration")
			}
			got.Config = nil
			if diff := cmp.Diff(test.want, got, cmpopts.IgnoreUnexported(SelfManaged{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestFromTLS serves the certificates that a TLS option has, and verifies clients with a file that must exist.
func TestFromTLS(t *testing.T) {
	cert, key, err := certutil.GenerateSelfSignedCertKey("hooks", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	ready := false
	o := From(nil, webhook.Options{CertDir: t.TempDir(), ClientCAName: "ca.crt", TLSOpts: []func(*tls.Config){func(c *tls.Config) {
		c.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			if !ready {
				return nil, errors.New("not yet")
			}
			return &pair, nil
		}
	}}})
	o.Metrics = prometheus.NewRegistry()
	s := New(o)
	use := o.Certificates.(function).use
	if err := use(s); err == nil || s.ready(nil) == nil {
		t.Error("ready without a certificate")
	}
	ready = true
	if err := use(s); err != nil || s.ready(nil) != nil {
		t.Error(err, s.ready(nil))
	}
	if c := s.tlsConfig(); c.ClientAuth != tls.RequireAndVerifyClientCert || c.ClientCAs == nil || len(c.ClientCAs.Subjects()) > 0 {
		t.Error("clients are accepted without the file of their authority")
	}
}
