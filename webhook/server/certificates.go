package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/certwatcher"
)

// Certificates are where serving certificates are from: Files or SelfManaged.
type Certificates interface {
	// check reports mistakes.
	check(s *Server) error
	// run keeps the certificate of a server until the context is done.
	run(ctx context.Context, s *Server)
	// look is called each time that the server has looked at the API server. found may be changed.
	look(ctx context.Context, s *Server, found *findings) error
}

// Files are certificates that something else renews, such as cert-manager. The server reads them again when
// they change.
type Files struct {
	// Dir is the folder of the files.
	Dir string
	// Cert and Key are the names of the files; the defaults are tls.crt and tls.key.
	Cert, Key string
}

func (f Files) check(*Server) error {
	if f.Dir == "" {
		return errors.New("server.Files: Dir is not set")
	}
	return nil
}

func (f Files) run(ctx context.Context, s *Server) {
	cert, key := filepath.Join(f.Dir, cmp.Or(f.Cert, "tls.crt")), filepath.Join(f.Dir, cmp.Or(f.Key, "tls.key"))
	// The files may appear later: cert-manager creates them after the pod.
	for {
		err := f.follow(ctx, s, cert, key)
		if ctx.Err() != nil {
			return
		}
		s.readiness.log.warn("The certificate cannot be read", err)
		if !sleep(ctx, time.Second) {
			return
		}
	}
}

func (Files) follow(ctx context.Context, s *Server, cert, key string) error {
	watcher, err := certwatcher.New(cert, key)
	if err != nil {
		return err
	}
	use := func(c tls.Certificate) {
		if c.Leaf == nil { // GODEBUG=x509keypairleaf=0
			if c.Leaf, err = x509.ParseCertificate(c.Certificate[0]); err != nil {
				return
			}
		}
		s.serve(&c)
	}
	watcher.RegisterCallback(use)
	if current, err := watcher.GetCertificate(nil); err == nil && current != nil && s.serving.Load() == nil {
		use(*current)
	}
	return watcher.Start(ctx)
}

func (Files) look(context.Context, *Server, *findings) error { return nil }

// sleep waits; false means that the context was done before.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// verified reports whether clients that trust a bundle accept a certificate under a host name.
func verified(leaf *x509.Certificate, bundle []byte, host string, now time.Time) error {
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(bundle) {
		return errors.New("its caBundle has no certificate")
	}
	if _, err := leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: host, CurrentTime: now}); err != nil {
		return fmt.Errorf("its caBundle does not verify the serving certificate: %w", err)
	}
	return nil
}
