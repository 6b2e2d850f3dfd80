// Package webhook serves the conversion webhook of CustomResourceDefinitions.
//
//	converter, err := jsonconvert.New(v1alpha1.JSONConversion())
//	…
//	mux.Handle("/convert", webhook.Handler(converter))
//
// [Handler] answers each ConversionReview with the status 200; the answer has the objects, or says why the conversion failed.
// A body that is not a review gets the status 400. [Observed] also tells an [Observer] about each review, for traces and metrics.
package webhook

import (
	"io"
	"net/http"

	"github.com/kindsmith/kindsmith/runtime/internal/posted"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// Converter answers ConversionReviews. [jsonconvert.Converter] is one. It must be safe for concurrent use.
type Converter interface {
	// WriteReview writes the answer to a review. With kinds, objects of other kinds are refused. A review that cannot be
	// converted gets an answer too. An error is one of the writer.
	WriteReview(w io.Writer, review []byte, kinds ...string) error
	// ObserveReview is like WriteReview, and calls a function for each object, in order.
	ObserveReview(w io.Writer, review []byte, observe func(jsonconvert.Observation), kinds ...string) error
}

// Handler returns the handler of a conversion webhook. It converts the objects of the
// kinds, or all objects that the converter knows if there are none. Any HTTP server can
// serve it, controller-runtime's webhook server included:
//
//	converter, err := jsonconvert.New(v1alpha1.JSONConversion())
//	…
//	mgr.GetWebhookServer().Register("/convert", webhook.Handler(converter))
//
// Each ConversionReview gets an answer with the status 200; the answer says whether the
// conversion failed. Bodies that cannot be read get the status 400.
func Handler(converter Converter, kinds ...string) http.Handler {
	return serve(func(w http.ResponseWriter, _ *http.Request, body []byte) {
		_ = converter.WriteReview(w, body, kinds...)
	})
}

// Observer is told about reviews. It must be safe for concurrent use.
type Observer interface {
	// Begin is called when a review has arrived. object is called for each object of it, and end when
	// it is answered.
	Begin(r *http.Request) (object func(jsonconvert.Observation), end func())
}

// Observed is like Handler, and tells an observer about each review.
func Observed(converter Converter, o Observer, kinds ...string) http.Handler {
	return serve(func(w http.ResponseWriter, r *http.Request, body []byte) {
		object, end := o.Begin(r)
		defer end()
		_ = converter.ObserveReview(w, body, object, kinds...)
	})
}

// serve returns a handler that calls a function with the body of each request.
func serve(answer func(w http.ResponseWriter, r *http.Request, body []byte)) http.Handler {
	return posted.Handler("ConversionReview", 0, answer) // a list is one review, of any size
}
