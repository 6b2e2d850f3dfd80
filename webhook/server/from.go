package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// From returns the options of a server that replaces one of controller-runtime, for the API server of a configuration:
//
//	WebhookServer: server.New(server.From(config, webhook.Options{CertDir: "/certs"}))
//
// A port and a folder that are not set have the values of the environment, [PortEnv] and [CertDirEnv], or else the defaults of
// controller-runtime. WebhookMux is ignored.
func From(config *rest.Config, o webhook.Options) Options {
	port := cmp.Or(os.Getenv(PortEnv), strconv.Itoa(webhook.DefaultPort))
	if o.Port != 0 {
		port = strconv.Itoa(o.Port)
	}
	dir := cmp.Or(o.CertDir, os.Getenv(CertDirEnv), filepath.Join(os.TempDir(), "k8s-webhook-server", "serving-certs"))
	out := Options{Address: net.JoinHostPort(o.Host, port), Config: config, Certificates: Files{Dir: dir, Cert: o.CertName, Key: o.KeyName}}
	if o.ClientCAName != "" {
		out.TLSOpts = append(out.TLSOpts, clients(filepath.Join(dir, o.ClientCAName)))
	}
	out.TLSOpts = append(out.TLSOpts, o.TLSOpts...)
	var c tls.Config
	for _, f := range o.TLSOpts {
		f(&c)
	}
	if c.GetCertificate != nil {
		out.Certificates = function(c.GetCertificate)
	}
	return out
}

// clients makes a server require certificates of an authority from its clients. Without the file it accepts none.
func clients(file string) func(*tls.Config) {
	return func(c *tls.Config) {
		c.ClientCAs, c.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
		text, err := os.ReadFile(file)
		if err != nil || !c.ClientCAs.AppendCertsFromPEM(text) {
			slog.Error("The webhook server accepts no client: the certificates of clients cannot be verified", "file", file, "error", err)
		}
	}
}

// function is where serving certificates are from if a TLS option has its own function for them.
type function func(*tls.ClientHelloInfo) (*tls.Certificate, error)

func (function) check(*Server) error { return nil }

// run asks for the certificate again and again: it may change, and readiness and metrics are about the current one.
func (f function) run(ctx context.Context, s *Server) {
	for {
		wait := min(s.options.Interval, 10*time.Second)
		if err := f.use(s); err != nil {
			s.readiness.log.warn("The certificate cannot be read", err)
			wait = min(wait, time.Second)
		}
		if !sleep(ctx, wait) {
			return
		}
	}
}

func (f function) use(s *Server) error {
	cert, err := f(&tls.ClientHelloInfo{})
	switch {
	case err != nil:
		return err
	case cert == nil || len(cert.Certificate) == 0:
		return errNoCertificate
	}
	current := *cert
	if current.Leaf == nil {
		if current.Leaf, err = x509.ParseCertificate(current.Certificate[0]); err != nil {
			return fmt.Errorf("the certificate of the TLS options: %w", err)
		}
	}
	s.serve(&current)
	return nil
}

func (function) look(context.Context, *Server, *findings) error { return nil }
