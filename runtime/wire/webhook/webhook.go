// Package webhook serves conversion webhooks of CustomResourceDefinitions.
package webhook

import (
	"bytes"
	"io"
	"net/http"

	"github.com/kindsmith/kindsmith/runtime/wire"
)

// Handler returns the handler of a conversion webhook. It converts the objects of the
// kinds, or all objects that the converter knows if there are none. Any HTTP server can
// serve it, controller-runtime's webhook server included:
//
//	converter, err := wire.New(v1alpha1.WireConversion(), v1beta1.WireConversion())
//	…
//	mgr.GetWebhookServer().Register("/convert", webhook.Handler(converter))
//
// Each ConversionReview gets an answer with the status 200; the answer says whether the
// conversion failed. Bodies that cannot be read get the status 400.
func Handler(converter *wire.Converter, kinds ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "send a ConversionReview with POST", http.StatusMethodNotAllowed)
			return
		}
		var body bytes.Buffer
		if r.ContentLength > 0 {
			body.Grow(int(min(r.ContentLength, maxGrow)) + bytes.MinRead)
		}
		if _, err := body.ReadFrom(r.Body); err != nil {
			http.Error(w, "the body cannot be read: "+err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.Copy(w, bytes.NewReader(converter.Review(nil, body.Bytes(), kinds...)))
	})
}

// maxGrow is how much memory a Content-Length can claim before the bytes arrive.
const maxGrow = 16 << 20
