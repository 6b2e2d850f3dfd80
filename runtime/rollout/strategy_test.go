package rollout_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
	. "github.com/kindsmith/kindsmith/runtime/rollout"
)

// hub and spoke are two versions of a kind.
type (
	hub   struct{ widget }
	spoke struct{ widget }

	widget struct {
		metav1.TypeMeta
		metav1.ObjectMeta
		Size int
	}
)

func (in *hub) DeepCopyObject() runtime.Object   { out := *in; return &out }
func (in *spoke) DeepCopyObject() runtime.Object { out := *in; return &out }

var (
	hubVersion   = schema.GroupVersion{Group: "example.com", Version: "v1"}
	spokeVersion = schema.GroupVersion{Group: "example.com", Version: "v1alpha1"}
)

// newScheme returns a scheme with a validator of the spoke and none of the hub.
func newScheme(t *testing.T, seen *[]operation.Operation) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(hubVersion.WithKind("Widget"), &hub{})
	scheme.AddKnownTypeWithName(spokeVersion.WithKind("Widget"), &spoke{})
	if err := scheme.AddConversionFunc(&hub{}, &spoke{}, func(a, b any, _ conversion.Scope) error {
		b.(*spoke).widget = a.(*hub).widget
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	scheme.AddValidationFunc(&spoke{}, func(_ context.Context, op operation.Operation, obj, old any) field.ErrorList {
		*seen = append(*seen, op)
		size := field.NewPath("size")
		if o, _ := old.(*spoke); o != nil && obj.(*spoke).Size < o.Size {
			return field.ErrorList{field.Invalid(size, obj.(*spoke).Size, "shrinks").WithOrigin("monotonic")}
		}
		if obj.(*spoke).Size < 0 {
			return field.ErrorList{field.Invalid(size, obj.(*spoke).Size, "is negative").WithOrigin("minimum")}
		}
		return nil
	})
	return scheme
}

func TestStrategy(t *testing.T) {
	var seen []operation.Operation
	counted := newCounters()
	s := Strategy{Rollout: &Rollout{Metrics: counted, Log: discard}, Scheme: newScheme(t, &seen)}
	ctx := context.Background()
	request := Request{Version: spokeVersion, Subresources: []string{"x", "y"}, Options: map[string]bool{"Fast": true}}
	of := func(size int) *hub { return &hub{widget{Size: size}} }
	alsoByHand := field.Forbidden(field.NewPath("size"), "not today")

	for _, tc := range []struct {
		name     string
		errs     field.ErrorList
		want     []string
		op       operation.Type
		notAsked bool
	}{
		{name: "valid", errs: s.Validate(ctx, request, of(1), nil)},
		{name: "invalid", errs: s.Validate(ctx, request, of(-1), nil), want: []string{"is negative"}},
		{name: "beside hand-written", errs: s.Validate(ctx, request, of(-1), field.ErrorList{alsoByHand}), want: []string{"not today", "is negative"}},
		{name: "valid update", errs: s.ValidateUpdate(ctx, request, of(2), of(1), nil), op: operation.Update},
		{name: "invalid update", errs: s.ValidateUpdate(ctx, request, of(1), of(2), nil), op: operation.Update, want: []string{"shrinks"}},
		{name: "of the version itself", errs: s.Validate(ctx, request, &spoke{widget{Size: -1}}, nil), want: []string{"is negative"}},
	} {
		if !details(tc.errs, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, tc.errs, tc.want)
		}
		op := seen[0]
		seen = seen[1:]
		if op.Type != tc.op || !skew.Map(op.Options)["Fast"] || op.Request.SubresourcePath() != "/x/y" {
			t.Errorf("%s: %v", tc.name, op)
		}
	}
	if errs := s.Validate(ctx, Request{}, &spoke{widget{Size: -1}}, nil); !details(errs, []string{"is negative"}) {
		t.Errorf("without a version: %v", errs)
	}

	s.Config.Migrating = true
	s.Validate(ctx, request, of(-1), nil)
	s.ValidateUpdate(ctx, Request{Version: spokeVersion}, of(-1), of(-1), nil)
	if counted.mismatches["widget_x_y_create"] != 1 || counted.mismatches["widget_update"] != 1 {
		t.Errorf("counted %v", counted.mismatches)
	}
}

func TestStrategyThatCannotRun(t *testing.T) {
	scheme := newScheme(t, new([]operation.Operation))
	takeover := Rollout{Gates: Fixed(Gates{DeclarativeValidation: true, DeclarativeValidationTakeover: true}), Log: discard}
	soak := Rollout{Log: discard}
	covered := func() field.ErrorList { return field.ErrorList{byHand()} }
	for _, tc := range []struct {
		name    string
		scheme  *runtime.Scheme
		version schema.GroupVersion
		obj     runtime.Object
		want    string
	}{
		{"no scheme", nil, hubVersion, &hub{}, "has no scheme"},
		{"no validator", scheme, hubVersion, &hub{}, "no declarative validation is registered for *rollout_test.hub"},
		{"no conversion", scheme, hubVersion, &spoke{}, "cannot be converted to example.com/v1"},
		{"no such kind", scheme, hubVersion, &metav1.Status{}, "is unknown"},
	} {
		s := Strategy{Rollout: &takeover, Scheme: tc.scheme, Config: Config{Migrating: true}}
		for _, errs := range []field.ErrorList{
			s.Validate(context.Background(), Request{Version: tc.version}, tc.obj, covered()),
			s.ValidateUpdate(context.Background(), Request{Version: tc.version}, tc.obj, tc.obj, covered()),
		} {
			if len(errs) != 2 || errs[0].Origin != "maximum" || errs[1].Type != field.ErrorTypeInternal || !strings.Contains(errs[1].Detail, tc.want) {
				t.Errorf("%s: %v", tc.name, errs)
			}
		}
		s.Rollout = &soak
		if errs := s.Validate(context.Background(), Request{Version: tc.version}, tc.obj, covered()); len(errs) != 1 {
			t.Errorf("%s: hand-written validation decides, not %v", tc.name, errs)
		}
	}
}

func details(errs field.ErrorList, want []string) bool {
	return slices.EqualFunc(errs, want, func(e *field.Error, detail string) bool { return e.Detail == detail })
}

func TestIdentifier(t *testing.T) {
	for want, tc := range map[string]struct {
		kind string
		op   operation.Operation
	}{
		"database_create":             {"Database", operation.Operation{}},
		"database_status_update":      {"Database", operation.Operation{Type: operation.Update, Request: operation.Request{Subresources: []string{"status"}}}},
		"database_a_b_create":         {"Database", operation.Operation{Request: operation.Request{Subresources: []string{"a", "b"}}}},
		"unknown_resource_unknown_op": {"", operation.Operation{Type: 7}},
	} {
		counted := newCounters()
		r := Rollout{Metrics: counted, Log: discard}
		r.Run(context.Background(), Attempt{
			Kind: schema.GroupVersionKind{Kind: tc.kind}, Operation: tc.op,
			Declarative: func(context.Context) field.ErrorList { panic("oh no") },
		})
		if counted.panics[want] != 1 {
			t.Errorf("counted %v, want %s", counted.panics, want)
		}
	}
}
