// Package webhook adds the admission webhooks of kinds to managers of controller-runtime.
//
//	err := webhook.SetupWithManager(mgr, &v1.Database{})
//
// [SetupWithManager] registers a mutating webhook, for defaults and unions, and a validating webhook, at the paths of
// kubebuilder's scaffolds. The manager's scheme must have the kind. To set gates or hand-written validation, pass a function: it
// gets the [admission.Handler] before it serves.
//
// Package server, below this one, also serves conversions, and manages certificates, memory and restarts.
package webhook

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/kindsmith/kindsmith/runtime/admission"
	"github.com/kindsmith/kindsmith/runtime/rollout"
)

// SetupWithManager adds the webhooks of a kind to a manager, whose scheme has the kind and its
// generated code:
//
//	err := webhook.SetupWithManager(mgr, &v1.Database{})
//
// The mutating webhook sets defaults and normalises unions, the validating webhook validates. Their
// paths are those of kubebuilder's markers, such as /mutate-db-example-com-v1-database and
// /validate-db-example-com-v1-database. Functions can change the handler before it is added, to
// configure gates or hand-written validation.
//
// An error means that the scheme does not have the kind, or that one of the paths is in use.
func SetupWithManager[T rollout.Object](mgr ctrl.Manager, obj T, configure ...func(*admission.Handler[T])) error {
	h, err := admission.New(mgr.GetScheme(), obj)
	if err != nil {
		return err
	}
	h.Declarative.Rollout = &rollout.Rollout{Log: slog.New(logr.ToSlogHandler(mgr.GetLogger().WithName("webhook").WithValues("kind", h.Kind.String())))}
	for _, f := range configure {
		f(h)
	}
	mutate, validate := h.Paths()
	server := mgr.GetWebhookServer()
	if err := errors.Join(unused(server.WebhookMux(), mutate), unused(server.WebhookMux(), validate)); err != nil {
		return err
	}
	server.Register(mutate, h.Mutating())
	server.Register(validate, h.Validating())
	return nil
}

// unused returns an error if a path has a handler. Register panics then.
func unused(mux *http.ServeMux, path string) error {
	if mux == nil {
		return nil // nothing is registered yet
	}
	if _, pattern := mux.Handler(&http.Request{Method: http.MethodPost, URL: &url.URL{Path: path}}); pattern == path {
		return fmt.Errorf("the webhook server of the manager has a handler for %s already; set up the webhooks of each kind once", path)
	}
	return nil
}
