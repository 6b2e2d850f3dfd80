// Package hooks is what API servers call on this machine: one address for conversion and admission webhooks.
//
// [Listen] returns the [Server]; [Proxy] passes requests on to another one.
//
// What answers can be replaced at any time. A request gets the converter of the moment; requests for admission wait while their
// program starts.
package hooks

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/util/cert"
)

// ConvertPath is the path of conversions.
const ConvertPath = "/convert"

// A Converter converts objects. It is called once at a time.
type Converter interface {
	// Object converts an object of a kind to another version. needs is what only Go code does that the converter cannot
	// call.
	Object(text []byte, kind schema.GroupVersionKind, to string) (out []byte, needs, err error)
	// Close ends what the converter has started.
	Close() error
}

// Server answers API servers.
type Server struct {
	// Cert and Key are the PEM of the serving certificate; Cert has its authority, too.
	Cert, Key []byte
	listener  net.Listener
	http      *http.Server
	admission gate

	mu        sync.Mutex
	converter Converter
}

// Listen listens on an address. Host is the name or address under which API servers reach it.
func Listen(address, host string) (*Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen for the API server: %w", err)
	}
	s := &Server{listener: listener}
	s.admission.open = make(chan struct{})
	if s.Cert, s.Key, err = cert.GenerateSelfSignedCertKey(host, []net.IP{net.IPv4(127, 0, 0, 1)}, []string{"localhost"}); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	pair, err := tls.X509KeyPair(s.Cert, s.Key)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+ConvertPath, s.convert)
	mux.Handle("/", &s.admission)
	s.http = &http.Server{
		Handler: mux, TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}},
		ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute, // above the 90 s of API servers
		ErrorLog: log.New(io.Discard, "", 0),
	}
	go func() { _ = s.http.ServeTLS(listener, "", "") }() // until Close
	return s, nil
}

// Port is the port that the server listens on.
func (s *Server) Port() int { return s.listener.Addr().(*net.TCPAddr).Port }

// Use makes a converter the one of all later reviews, and closes the one before.
func (s *Server) Use(c Converter) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.converter
	s.converter = c
	if before == nil {
		return nil
	}
	return before.Close()
}

// Close stops the server after the answers to all requests, and closes the converter.
func (s *Server) Close() error {
	s.admission.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = s.http.Close()
	}
	return errors.Join(err, s.Use(nil))
}
