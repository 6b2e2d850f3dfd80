package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// conversionWebhook serves ConversionReviews with the conversions of a scheme.
type conversionWebhook struct {
	scheme *runtime.Scheme
	// hub is the version that every other one converts to and from.
	hub string
}

// start serves on a loopback address until the returned server is closed.
func (w *conversionWebhook) start() *httptest.Server {
	return httptest.NewTLSServer(http.HandlerFunc(w.serve))
}

func (w *conversionWebhook) serve(rw http.ResponseWriter, req *http.Request) {
	var review apiextensionsv1.ConversionReview
	if err := json.NewDecoder(req.Body).Decode(&review); err != nil || review.Request == nil {
		http.Error(rw, "not a ConversionReview", http.StatusBadRequest)
		return
	}
	response := &apiextensionsv1.ConversionResponse{
		UID:    review.Request.UID,
		Result: metav1.Status{Status: metav1.StatusSuccess},
	}
	for i, raw := range review.Request.Objects {
		converted, err := w.convert(raw.Raw, review.Request.DesiredAPIVersion)
		if err != nil {
			response.ConvertedObjects = nil
			response.Result = metav1.Status{Status: metav1.StatusFailure, Message: fmt.Sprintf("object %d: %v", i, err)}
			break
		}
		response.ConvertedObjects = append(response.ConvertedObjects, runtime.RawExtension{Raw: converted})
	}
	review.Request, review.Response = nil, response
	rw.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(rw).Encode(&review) // the client is gone when this fails
}

func (w *conversionWebhook) convert(raw []byte, desired string) ([]byte, error) {
	var meta metav1.TypeMeta
	if err := json.Unmarshal(raw, &meta); err != nil {
		return nil, err
	}
	from := schema.FromAPIVersionAndKind(meta.APIVersion, meta.Kind)
	to, err := schema.ParseGroupVersion(desired)
	if err != nil {
		return nil, err
	}
	in, err := w.scheme.New(from)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, in); err != nil {
		return nil, err
	}
	for _, gv := range []schema.GroupVersion{{Group: to.Group, Version: w.hub}, to} {
		if in.GetObjectKind().GroupVersionKind().GroupVersion() == gv {
			continue
		}
		out, err := w.scheme.New(gv.WithKind(from.Kind))
		if err != nil {
			return nil, err
		}
		if err := w.scheme.Convert(in, out, nil); err != nil {
			return nil, err
		}
		out.GetObjectKind().SetGroupVersionKind(gv.WithKind(from.Kind))
		in = out
	}
	return json.Marshal(in)
}
