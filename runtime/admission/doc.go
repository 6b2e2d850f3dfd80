// Package admission answers admission webhooks with generated code: it sets defaults, normalises unions and validates.
//
//	handler, err := admission.New(scheme, &v1.Database{})
//	…
//	mutate, validate := handler.Paths()
//	mux.Handle(mutate, handler.Mutating())
//	mux.Handle(validate, handler.Validating())
//
// [New] takes a scheme with the kind, as AddToScheme makes it. Change the fields of the [Handler] before you serve: gates, and
// hand-written validation. Any HTTP server can serve the handlers. The module webhook adds them to a manager of
// controller-runtime.
//
// Each AdmissionReview gets an answer with the status 200, which says whether the request is allowed. A body that is not an
// AdmissionReview gets the status 400, a larger one than [DefaultMaxBytes] 413. A request that cannot be handled, or that panics,
// is refused, with the reason.
package admission
