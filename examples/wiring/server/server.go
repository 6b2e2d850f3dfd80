// Package server serves the webhooks of databases without controller-runtime.
package server

import (
	"net/http"

	"k8s.io/apimachinery/pkg/runtime"

	dbv1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	dbv1alpha1 "github.com/kindsmith/kindsmith/examples/database/api/v1alpha1"
	"github.com/kindsmith/kindsmith/runtime/admission"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	conversion "github.com/kindsmith/kindsmith/runtime/jsonconvert/webhook"
)

// Handler returns the webhooks of databases, for any server of net/http.
func Handler() (http.Handler, error) {
	scheme := runtime.NewScheme()
	if err := dbv1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	handler, err := admission.New(scheme, &dbv1.Database{})
	if err != nil {
		return nil, err
	}
	converter, err := jsonconvert.New(dbv1alpha1.JSONConversion())
	if err != nil {
		return nil, err
	}

	mux := http.NewServeMux()
	mutate, validate := handler.Paths()
	mux.Handle(mutate, handler.Mutating())
	mux.Handle(validate, handler.Validating())
	mux.Handle("/convert", conversion.Handler(converter))
	return mux, nil
}
