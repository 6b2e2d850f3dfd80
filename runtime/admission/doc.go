// Package admission answers admission webhooks with generated code: it sets defaults, normalises
// unions and validates.
//
//	handler, err := admission.New(scheme, &v1.Database{})
//	…
//	mutate, validate := handler.Paths()
//	mux.Handle(mutate, handler.Mutating())
//	mux.Handle(validate, handler.Validating())
//
// Any HTTP server can serve the handlers. The module webhook adds them to a manager of
// controller-runtime.
//
// Each AdmissionReview gets an answer with the status 200, which says whether the request is
// allowed. Bodies that are no AdmissionReview get the status 400, too large ones 413. A request
// that cannot be handled, or that panics, is refused, with the reason.
package admission
