package server

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"github.com/kindsmith/kindsmith/webhook/internal/authority"
)

// RotateAnnotation on the Secret of SelfManaged, with any value, begins a rotation of the authority:
//
//	kubectl annotate secret -n shop webhook-ca kindsmith.dev/rotate=now
//
// The server removes the annotation.
const RotateAnnotation = "kindsmith.dev/rotate"

// SelfManaged are certificates of an authority of the server's own. All replicas share it in a Secret; each has a
// serving certificate in memory. The server writes the authority's certificate into the caBundle of the
// definitions of all kinds that it converts, and of the listed webhook configurations.
//
// It needs these permissions: get and patch on the Secret, customresourcedefinitions and webhook
// configurations with their names, and create on secrets unless the Secret exists, which may be empty.
//
// API servers always trust the certificates in use. A rotation first publishes the next authority, waits, and
// then signs with it. It writes each object twice; a new serving certificate writes none.
type SelfManaged struct {
	// Namespace and Secret name the Secret.
	Namespace, Secret string
	// Service is the name of the Service in the namespace.
	Service string
	// Hosts are further host names and addresses of the server.
	Hosts []string
	// MutatingWebhooks and ValidatingWebhooks are the names of webhook configurations.
	MutatingWebhooks, ValidatingWebhooks []string
	// Life is the life of serving certificates; the default is 7 days. They are renewed after two thirds.
	Life time.Duration
	// Overlap is how long the next authority is published before it signs; the default is 10 minutes.
	Overlap time.Duration
	// Keep is how long the previous authority is published; the default is Life and 24 hours.
	Keep time.Duration

	state keeper
}

// keeper is what a replica remembers between looks.
type keeper struct {
	state *authority.State
	// published is when this replica first found the current bundle everywhere.
	published time.Time
	bundle    []byte
}

func (m *SelfManaged) check(s *Server) error {
	var missing []string
	for _, f := range []struct{ name, value string }{{"Namespace", m.Namespace}, {"Secret", m.Secret}} {
		if f.value == "" {
			missing = append(missing, f.name)
		}
	}
	if m.Service == "" && len(m.Hosts) == 0 {
		missing = append(missing, "Service")
	}
	switch {
	case len(missing) > 0:
		return fmt.Errorf("server.SelfManaged: %s is not set", strings.Join(missing, ", "))
	case s.options.Config == nil:
		return errors.New("server.SelfManaged: Options.Config is not set; it is how to reach the Secret")
	}
	return nil
}

func (*SelfManaged) run(ctx context.Context, _ *Server) { <-ctx.Done() }

// names are the names in serving certificates.
func (m *SelfManaged) names() []string {
	var names []string
	if m.Service != "" {
		host := m.Service + "." + m.Namespace + ".svc"
		names = append(names, host, m.Service, m.Service+"."+m.Namespace, host+".cluster.local")
	}
	return append(names, m.Hosts...)
}

func (m *SelfManaged) life() time.Duration { return cmp.Or(m.Life, 7*24*time.Hour) }

// look adopts the state in the Secret, publishes it and moves it on. The Secret is read after the targets, so
// their bundles are never those of a later state: a replica that is behind does not take back what another
// one has published.
func (m *SelfManaged) look(ctx context.Context, s *Server, found *findings) error {
	unread := m.configurations(ctx, found)
	stored, state, err := m.read(ctx, s, found.api)
	if err != nil {
		return errors.Join(unread, err)
	}
	if err := m.adopt(s, state); err != nil {
		return err
	}
	if err := errors.Join(unread, m.publish(ctx, found)); err != nil {
		return err
	}
	return m.move(ctx, found, stored, s.options.Now())
}

// Bundle returns the certificates that API servers have to trust, as PEM. It creates the authority unless it
// exists. It is for servers that may not write definitions: somebody else writes it into each caBundle.
func (m *SelfManaged) Bundle(ctx context.Context, config *rest.Config) ([]byte, error) {
	s := &Server{options: Options{Config: config, Now: time.Now}, log: slog.Default()}
	if err := m.check(s); err != nil {
		return nil, err
	}
	api, err := newCluster(config)
	if err != nil {
		return nil, err
	}
	_, state, err := m.read(ctx, s, api)
	if err != nil {
		return nil, err
	}
	return state.Bundle(), nil
}

func (m *SelfManaged) configurations(ctx context.Context, found *findings) error {
	var errs []error
	for _, name := range m.MutatingWebhooks {
		errs = append(errs, found.configuration(ctx, mutating, name))
	}
	for _, name := range m.ValidatingWebhooks {
		errs = append(errs, found.configuration(ctx, validating, name))
	}
	return errors.Join(errs...)
}

// read reads the state, or creates it: of several replicas, one succeeds.
func (m *SelfManaged) read(ctx context.Context, s *Server, api *cluster) (*secret, *authority.State, error) {
	for range 10 {
		stored, err := api.secret(ctx, m.Namespace, m.Secret)
		if err != nil {
			return nil, nil, err
		}
		state, err := authority.Parse(stored.data)
		if err != nil {
			return nil, nil, fmt.Errorf("secret %s/%s: %w: delete the Secret to create it again", m.Namespace, m.Secret, err)
		}
		if state != nil {
			return stored, state, nil
		}
		// A Secret that was deleted is created again: certificates of its authority are in use.
		state = m.state.state
		if state == nil {
			if state, err = authority.New(m.authority(), s.options.Now()); err != nil {
				return nil, nil, err
			}
		}
		err = m.store(ctx, api, stored, state)
		if err != nil && !errors.Is(err, errMoved) {
			if apierrors.IsForbidden(err) && stored.version == "" {
				err = fmt.Errorf("%w: allow the server to create secrets, or create an empty one", err)
			}
			return nil, nil, err
		}
		if err == nil {
			s.log.Info("Stored the certificate authority", "namespace", m.Namespace, "secret", m.Secret)
		}
	}
	return nil, nil, fmt.Errorf("secret %s/%s: %w", m.Namespace, m.Secret, errMoved)
}

func (m *SelfManaged) authority() string { return cmp.Or(m.Service, m.Secret) + "." + m.Namespace }

func (m *SelfManaged) store(ctx context.Context, api *cluster, stored *secret, state *authority.State) error {
	data, err := state.Data()
	if err != nil {
		return err
	}
	return api.store(ctx, stored, data, authority.Owns)
}

// adopt makes a state the one of this replica, with a serving certificate of its authority.
func (m *SelfManaged) adopt(s *Server, state *authority.State) error {
	m.state.state = state
	s.metrics.certificate.WithLabelValues("ca").Set(float64(state.Current.Cert.NotAfter.Unix()))
	serving, now := s.serving.Load(), s.options.Now()
	if serving != nil && state.Current.Signed(serving.Leaf) && now.Before(authority.RenewAt(serving.Leaf)) {
		return nil
	}
	var leaf *tls.Certificate
	leaf, err := state.Current.Leaf(m.names(), now, m.life())
	if err != nil {
		return err
	}
	s.serve(leaf)
	s.log.Info("The webhook server has a new certificate", "notAfter", leaf.Leaf.NotAfter)
	return nil
}

// publish writes the bundle where it is missing.
func (m *SelfManaged) publish(ctx context.Context, found *findings) error {
	bundle := m.state.state.Bundle()
	var errs []error
	complete := !found.partial
	for _, t := range found.targets {
		wrote, err := found.publish(ctx, t, bundle)
		if apierrors.IsConflict(err) {
			found.changing = true // somebody else wrote it; the next look finds what
			complete = false
			continue
		}
		errs = append(errs, err)
		complete = complete && !wrote && err == nil // read it again after a write
	}
	switch {
	case !complete:
		m.state.published = time.Time{}
	case m.state.published.IsZero() || !bytes.Equal(m.state.bundle, bundle):
		m.state.published, m.state.bundle = time.Now(), bundle
	}
	return errors.Join(errs...)
}

// move moves the state on, if it is time. The time since the next authority was published is that of this
// replica: the clocks of others may differ.
func (m *SelfManaged) move(ctx context.Context, found *findings, stored *secret, now time.Time) error {
	state := m.state.state
	next, err := state.Drop(now), error(nil)
	switch {
	case state.Next != nil:
		found.changing = true
		if !m.state.published.IsZero() && time.Since(m.state.published) >= cmp.Or(m.Overlap, 10*time.Minute) {
			next = state.Promote(now.Add(cmp.Or(m.Keep, m.life()+24*time.Hour)))
		}
	case stored.annotations[RotateAnnotation] != "", state.Due(now):
		next, err = state.Rotate(m.authority(), now)
	}
	if err != nil || next == state {
		return err
	}
	found.changing = true
	if err := m.store(ctx, found.api, stored, next); err != nil && !errors.Is(err, errMoved) {
		return err
	}
	return nil // the next look adopts it
}
