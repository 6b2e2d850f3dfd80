package admission

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kindsmith/kindsmith/runtime/internal/posted"
)

const (
	apiVersion = "admission.k8s.io/v1"
	reviewKind = "AdmissionReview"
)

// The types of an AdmissionReview are those of k8s.io/api/admission/v1, as far as they are read and
// written. The runtime module does not require k8s.io/api.
type (
	review struct {
		APIVersion string   `json:"apiVersion"`
		Kind       string   `json:"kind"`
		Request    *request `json:"request"`
	}

	request struct {
		UID         string                  `json:"uid"`
		Kind        metav1.GroupVersionKind `json:"kind"`
		SubResource string                  `json:"subResource"`
		Namespace   string                  `json:"namespace"`
		Name        string                  `json:"name"`
		Operation   string                  `json:"operation"`
		Object      json.RawMessage         `json:"object"`
		OldObject   json.RawMessage         `json:"oldObject"`
	}

	answer struct {
		APIVersion string    `json:"apiVersion"`
		Kind       string    `json:"kind"`
		Response   *response `json:"response"`
	}

	response struct {
		UID     string `json:"uid"`
		Allowed bool   `json:"allowed"`
		// Status is why the request is refused.
		Status *metav1.Status `json:"status,omitempty"`
		// Patch is a JSON patch of the object.
		Patch     []byte   `json:"patch,omitempty"`
		PatchType string   `json:"patchType,omitempty"`
		Warnings  []string `json:"warnings,omitempty"`
	}
)

// The operations of requests with an object to change or to validate.
const (
	create = "CREATE"
	update = "UPDATE"
)

func (r *request) kind() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: r.Kind.Group, Version: r.Kind.Version, Kind: r.Kind.Kind}
}

// subresource returns the path of the request's subresource, such as ["status"].
func (r *request) subresource() []string {
	if r.SubResource == "" {
		return nil
	}
	return []string{r.SubResource}
}

// failure is an error with the reason of the status that refuses the request.
type failure struct {
	reason metav1.StatusReason
	code   int32
	err    error
}

func (f *failure) Error() string { return f.err.Error() }

func badRequest(format string, args ...any) error {
	return &failure{metav1.StatusReasonBadRequest, http.StatusBadRequest, fmt.Errorf(format, args...)}
}

// refused returns the answer to a request that cannot be handled.
func refused(err error) *response {
	f := &failure{reason: metav1.StatusReasonInternalError, code: http.StatusInternalServerError}
	errors.As(err, &f)
	return &response{Status: &metav1.Status{Status: metav1.StatusFailure, Message: err.Error(), Reason: f.reason, Code: f.code}}
}

// serve returns a handler that answers reviews with what a function returns.
func serve(limit int64, log func() *slog.Logger, handle func(context.Context, *request) (*response, error)) http.Handler {
	return posted.Handler(reviewKind, limit, func(w http.ResponseWriter, r *http.Request, body []byte) {
		request, err := read(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		response := respond(r.Context(), log, request, handle)
		response.UID = request.UID
		// An error is one of the connection: the types of the answer have a JSON.
		_ = json.NewEncoder(w).Encode(answer{apiVersion, reviewKind, response})
	})
}

// read reads a review.
func read(body []byte) (*request, error) {
	var r review
	if err := utiljson.Unmarshal(body, &r); err != nil {
		return nil, fmt.Errorf("the body is not an %s: %w", reviewKind, err)
	}
	switch {
	case r.Kind != reviewKind || r.APIVersion != apiVersion:
		return nil, fmt.Errorf("the body has kind %q and apiVersion %q; send an %s of %s (admissionReviewVersions: [v1])", r.Kind, r.APIVersion, reviewKind, apiVersion)
	case r.Request == nil:
		return nil, fmt.Errorf("the %s has no request", reviewKind)
	}
	return r.Request, nil
}

// respond answers a request, whatever the function does.
func respond(ctx context.Context, log func() *slog.Logger, r *request, handle func(context.Context, *request) (*response, error)) (out *response) {
	defer func() {
		if value := recover(); value != nil {
			log().ErrorContext(ctx, "An admission webhook panicked", "kind", r.kind(), "operation", r.Operation, "subresource", r.SubResource,
				"namespace", r.Namespace, "name", r.Name, "panic", fmt.Sprint(value), "stack", string(debug.Stack()))
			out = refused(fmt.Errorf("the webhook panicked: %v", value))
		}
	}()
	out, err := handle(ctx, r)
	if err != nil {
		return refused(err)
	}
	return out
}
