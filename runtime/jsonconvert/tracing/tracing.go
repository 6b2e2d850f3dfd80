// Package tracing reports the conversions of a webhook as OpenTelemetry spans: one for each ConversionReview, and one below it for
// each object.
//
// [Observer] takes a provider of tracers.
//
//	handler := webhook.Observed(converter, tracing.Observer(otel.GetTracerProvider()))
package tracing

import (
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert/webhook"
)

// Keys of attributes. OpenTelemetry has no conventions for conversions yet; these are those of
// https://docs.rs/stackable-versioned.
const (
	// ConvertedObjectCount is the number of converted objects of a review.
	ConvertedObjectCount = attribute.Key("k8s.crd.conversion.converted_object_count")
	// DesiredAPIVersion is the apiVersion that an object is converted to.
	DesiredAPIVersion = attribute.Key("k8s.crd.conversion.desired_api_version")
	// APIVersion is the apiVersion of an object.
	APIVersion = attribute.Key("k8s.crd.conversion.api_version")
	// Steps is the number of conversions between two versions that an object needs.
	Steps = attribute.Key("k8s.crd.conversion.steps")
	// Kind is the kind of an object.
	Kind = attribute.Key("k8s.crd.conversion.kind")
)

// scope is the name of the instrumentation.
const scope = "github.com/kindsmith/kindsmith/runtime/jsonconvert/tracing"

// Observer returns an observer for webhook.Observed, which reports to a provider:
//
//	webhook.Observed(converter, tracing.Observer(otel.GetTracerProvider()))
//
// The span of a review is a child of that in the context of the request, if there is one. An object
// that cannot be converted has an event with the error, and fails the span of the review too.
func Observer(provider trace.TracerProvider) webhook.Observer {
	return observer{tracer: provider.Tracer(scope)}
}

type observer struct{ tracer trace.Tracer }

func (o observer) Begin(r *http.Request) (object func(jsonconvert.Observation), end func()) {
	ctx, review := o.tracer.Start(r.Context(), "ConversionReview", trace.WithSpanKind(trace.SpanKindServer))
	converted := 0
	object = func(seen jsonconvert.Observation) {
		_, span := o.tracer.Start(ctx, "convert", trace.WithTimestamp(seen.Begin), trace.WithAttributes(
			Kind.String(seen.Kind), APIVersion.String(seen.APIVersion), DesiredAPIVersion.String(seen.Desired), Steps.Int(seen.Steps),
		))
		if seen.Err == nil {
			converted++
		} else {
			converted = 0 // the answer has no objects
			span.RecordError(seen.Err, trace.WithTimestamp(seen.End))
			span.SetStatus(codes.Error, seen.Err.Error())
			review.SetStatus(codes.Error, seen.Err.Error())
		}
		span.End(trace.WithTimestamp(seen.End))
	}
	return object, func() {
		review.SetAttributes(ConvertedObjectCount.Int(converted))
		review.End()
	}
}
