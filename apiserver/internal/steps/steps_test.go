package steps_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/audit"

	"github.com/kindsmith/kindsmith/apiserver/internal/steps"
)

// setter is a plugin that sets spec.color.
type setter struct {
	*admission.Handler
	color string
}

func (s *setter) Admit(_ context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	if u, ok := a.GetObject().(*unstructured.Unstructured); ok {
		_ = unstructured.SetNestedField(u.Object, s.color, "spec", "color")
	}
	return a.AddAnnotation("mutation.webhook.admission.k8s.io/round_0_index_0", `{"configuration":"c","webhook":"w","mutated":true}`)
}

// judge is a plugin that refuses a color.
type judge struct {
	*admission.Handler
	refused string
}

func (j *judge) Validate(_ context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	if u, ok := a.GetObject().(*unstructured.Unstructured); ok {
		if color, _, _ := unstructured.NestedString(u.Object, "spec", "color"); color == j.refused {
			return errors.New("not " + color)
		}
	}
	return nil
}

// receiver gets steps until they end for a while.
type receiver struct {
	*httptest.Server
	batches chan []steps.Step
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{batches: make(chan []steps.Step, 100)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		var batch []steps.Step
		if err := json.NewDecoder(q.Body).Decode(&batch); err != nil || q.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("%v %v", err, q.Header)
		}
		r.batches <- batch
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(r.Close)
	return r
}

// next returns the next n steps. The first batch is empty.
func (r *receiver) next(t *testing.T, n int) (all []steps.Step) {
	t.Helper()
	for len(all) < n {
		select {
		case batch := <-r.batches:
			all = append(all, batch...)
		case <-time.After(10 * time.Second):
			t.Fatalf("%d steps of %d", len(all), n)
		}
	}
	return all
}

var orders = schema.GroupVersionResource{Group: "shop.example.com", Version: "v1", Resource: "orders"}

func order(color string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"kind": "Order", "metadata": map[string]any{"name": "a", "managedFields": []any{"many"}}, "spec": map[string]any{"color": color},
	}}
}

// TestSteps runs a chain of plugins on custom resources, and on others.
func TestSteps(t *testing.T) {
	r := newReceiver(t)
	reporter := steps.New(r.URL, "secret")
	go reporter.Run(t.Context())
	if hello := <-r.batches; len(hello) != 0 {
		t.Errorf("the first batch is %+v", hello)
	}
	all := admission.NewHandler(admission.Create, admission.Update, admission.Delete)
	chain := admission.NewChainHandler(
		reporter.Decorate(&setter{all, "red"}, "Red"), reporter.Decorate(&judge{all, "blue"}, "Judge"), reporter.Decorate(&setter{all, "blue"}, "Blue"))
	run := func(id string, object, old runtime.Object, operation admission.Operation) (admit, validate error) {
		ctx := audit.WithAuditContext(t.Context())
		if id != "" {
			audit.WithAuditID(ctx, types.UID("id-"+id))
		}
		attributes := func() admission.Attributes {
			return admission.NewAttributesRecord(object, old, schema.GroupVersionKind{}, "shop", "a", orders, "", operation, nil, false, nil)
		}
		a := attributes()
		if admit = chain.Admit(ctx, a, nil); admit == nil && id == "again" {
			a.GetReinvocationContext().SetIsReinvoke()
			admit = chain.Admit(ctx, a, nil)
		}
		return admit, chain.Validate(ctx, attributes(), nil)
	}
	text := func(color string) json.RawMessage {
		return json.RawMessage(`{"kind":"Order","metadata":{"name":"a"},"spec":{"color":"` + color + `"}}`)
	}
	w := []steps.Webhook{{Name: "w", Configuration: "c", Changed: true}}
	created := order("red")
	if admit, validate := run("1", created, nil, admission.Create); admit != nil || validate == nil {
		t.Errorf("the wrapper changes the verdict: %v, %v", admit, validate)
	}
	if diff := cmp.Diff([]steps.Step{
		{Request: "id-1", Plugin: "Red", Phase: "mutate", Operation: "CREATE", First: true, Before: text("red"), Webhooks: w},
		{Request: "id-1", Plugin: "Blue", Phase: "mutate", Operation: "CREATE", After: text("blue"), Webhooks: w},
		{Request: "id-1", Plugin: "Judge", Phase: "validate", Operation: "CREATE", First: true, Before: text("blue"), Error: "not blue"},
	}, r.next(t, 3)); diff != "" {
		t.Errorf("a new object: -want +got\n%s", diff)
	}
	if _, ok := created.Object["metadata"].(map[string]any)["managedFields"]; !ok {
		t.Error("the object has lost its managed fields")
	}
	_, _ = run("again", order("green"), order("old"), admission.Update)
	var again []string
	for _, s := range r.next(t, 5) {
		again = append(again, strings.Join([]string{s.Plugin, s.Phase, mark(s.First, "first"), mark(s.Again, "again"), string(s.Old), string(s.After)}, " "))
	}
	if diff := cmp.Diff([]string{
		"Red mutate first  " + string(text("old")) + " " + string(text("red")), "Blue mutate    " + string(text("blue")),
		"Red mutate  again  " + string(text("red")), "Blue mutate  again  " + string(text("blue")), "Judge validate first   ",
	}, again); diff != "" {
		t.Errorf("plugins that run again: -want +got\n%s", diff)
	}
	_, _ = run("2", nil, order("old"), admission.Delete)
	for _, s := range r.next(t, 3) {
		if s.Operation != "DELETE" || len(s.Before)+len(s.After) > 0 {
			t.Errorf("a deleted object: %+v", s)
		}
	}
	_, _ = run("3", &corev1.Secret{Data: map[string][]byte{"a": []byte("hunter2")}}, nil, admission.Create)
	_, _ = run("", order("red"), nil, admission.Create)
	_, _ = run("4", order("red"), nil, admission.Connect) // no plugin handles it
	_, _ = run("5", order("red"), nil, admission.Create)
	for _, s := range r.next(t, 3) {
		if s.Request != "id-5" {
			t.Errorf("a step of a Secret, or of a request without a name: %+v", s)
		}
	}
}

func mark(set bool, text string) string {
	if set {
		return text
	}
	return ""
}

// TestSlowReceiver fills the queue while nothing is received, and then receives all.
func TestSlowReceiver(t *testing.T) {
	r := newReceiver(t)
	reporter := steps.New(r.URL, "secret")
	handler, ok := reporter.Decorate(&judge{admission.NewHandler(admission.Create), ""}, "Judge").(admission.ValidationInterface)
	if !ok {
		t.Fatal("the wrapper does not validate")
	}
	ctx := audit.WithAuditContext(t.Context())
	audit.WithAuditID(ctx, "id")
	validate := func(ctx context.Context) {
		a := admission.NewAttributesRecord(order("red"), nil, schema.GroupVersionKind{}, "shop", "a", orders, "", admission.Create, nil, false, nil)
		if err := handler.Validate(ctx, a, nil); err != nil {
			t.Error(err)
		}
	}
	const n = 3000
	go func() {
		for range n {
			validate(ctx)
		}
	}()
	time.Sleep(50 * time.Millisecond) // until the queue is full
	ended, cancel := context.WithCancel(ctx)
	cancel()
	validate(ended) // returns, although nothing is received
	go reporter.Run(t.Context())
	if got := len(r.next(t, n)); got < n {
		t.Errorf("%d steps arrive", got)
	}
}

// TestFromEnv looks for the variables.
func TestFromEnv(t *testing.T) {
	t.Setenv(steps.URLEnv, "")
	if steps.FromEnv() != nil {
		t.Error("there is a reporter without an address")
	}
	r := newReceiver(t)
	t.Setenv(steps.URLEnv, r.URL)
	t.Setenv(steps.TokenEnv, "secret")
	go steps.FromEnv().Run(t.Context())
	if hello := <-r.batches; len(hello) != 0 {
		t.Errorf("%+v", hello)
	}
}
