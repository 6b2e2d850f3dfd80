package server

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"time"
)

// SetTimes shortens how long reviews wait for memory, and how long requests may take.
func SetTimes(s *Server, queue, work time.Duration) { s.budget.queue, s.work = queue, work }

// Used returns the memory of the budget that is in use.
func Used(s *Server) int64 { return s.budget.used.Load() }

// Waiting returns how many reviews wait for memory.
func Waiting(s *Server) int64 { return s.budget.waiting.Load() }

// Look looks at the API server once.
func Look(ctx context.Context, s *Server) error {
	api, err := newCluster(s.options.Config)
	if err != nil {
		return err
	}
	s.look(ctx, api)
	return s.ready(nil)
}

// Serving returns the serving certificate.
func Serving(s *Server) *x509.Certificate { return s.serving.Load().Leaf }

// Certs returns the certificates of a bundle.
func Certs(bundle []byte) (certs []*x509.Certificate) {
	for block, rest := pem.Decode(bundle); block != nil; block, rest = pem.Decode(rest) {
		cert, _ := x509.ParseCertificate(block.Bytes)
		certs = append(certs, cert)
	}
	return certs
}
