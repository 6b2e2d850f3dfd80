// Package conversion compares the conversion webhook of kindsmith with that of controller-runtime,
// on the kind Database of the example. Both convert the same reviews, and controller-runtime's
// handler calls kindsmith's typed conversions. It also compares these with the typed conversions of
// conversion-gen.
package conversion

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	crconversion "sigs.k8s.io/controller-runtime/pkg/webhook/conversion"

	"github.com/kindsmith/kindsmith/bench/internal/measure"
	v1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	"github.com/kindsmith/kindsmith/examples/database/api/v1beta1"
	"github.com/kindsmith/kindsmith/runtime/wire"
	"github.com/kindsmith/kindsmith/runtime/wire/webhook"
)

// Targets of ratios.
const (
	// target is the least ratio of controller-runtime's time to ours.
	target = 15
	// floor is the largest ratio of our time to that of reading the tokens of a review.
	floor = 2
)

// Handlers are the competitors.
type Handlers struct{ Theirs, Ours http.Handler }

// NewHandlers returns the handlers for the kind.
func NewHandlers() (Handlers, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{v1.AddToScheme, v1beta1.AddToScheme} {
		if err := add(scheme); err != nil {
			return Handlers{}, err
		}
	}
	converter, err := wire.New(v1beta1.WireConversion())
	if err != nil {
		return Handlers{}, err
	}
	return Handlers{
		Theirs: crconversion.NewWebhookHandler(scheme, crconversion.NewRegistry()),
		Ours:   webhook.Handler(converter),
	}, nil
}

// Run prints the throughput of both handlers, and that of reading the tokens of the reviews, and then the
// time of conversions of Go objects.
func Run(out io.Writer, short bool) error {
	h, err := NewHandlers()
	if err != nil {
		return err
	}
	effort, counts := measure.Effort{Rounds: 5, Time: 300 * time.Millisecond}, []int{1, 100, 1000}
	if short {
		effort, counts = measure.Effort{Rounds: 1, Time: 20 * time.Millisecond}, counts[:2]
	}
	fmt.Fprintf(out, "Conversion webhooks: objects/s, MB/s and allocations per object, the best of %d rounds in turns\n\n", effort.Rounds)
	fmt.Fprintf(out, "%-26s | %10s %7s %8s | %10s %7s %8s | %8s | %8s\n", "", "theirs/s", "MB/s", "allocs", "ours/s", "MB/s", "allocs", "ratio", "÷ tokens")
	for _, size := range []int{2 << 10, 50 << 10} {
		for _, direction := range [][2]string{{"v1beta1", "v1"}, {"v1", "v1beta1"}} {
			for _, n := range counts {
				review, err := Review(direction[0], direction[1], n, size)
				if err != nil {
					return err
				}
				results, err := measure.InTurns(effort, serve(h.Theirs, review), serve(h.Ours, review), func() { tokens(review) })
				if err != nil {
					return err
				}
				theirs, ours, read := results[0], results[1], results[2]
				fmt.Fprintf(out, "%4d × %d KB %-14s | %s | %s | %5.1f× %s | %4.2f× %s\n", n, size>>10, strings.Join(direction[:], "→"),
					rates(theirs, n, len(review)), rates(ours, n, len(review)),
					theirs.NsPerOp/ours.NsPerOp, atLeast(theirs.NsPerOp/ours.NsPerOp, target), ours.NsPerOp/read.NsPerOp, atLeast(floor, ours.NsPerOp/read.NsPerOp))
			}
		}
	}
	if _, err = fmt.Fprintln(out); err != nil {
		return err
	}
	return runTyped(out, effort)
}

func rates(r measure.Result, objects, size int) string {
	seconds := r.NsPerOp / 1e9
	return fmt.Sprintf("%10.0f %7.0f %8.1f", float64(objects)/seconds, float64(size)/seconds/1e6, float64(r.Allocs)/float64(objects))
}

// atLeast compares a number with the least allowed one.
func atLeast(n, least float64) string {
	if n >= least {
		return "ok"
	}
	return "MISSES"
}

// serve returns a function that serves a review. Making the request is not measured.
func serve(h http.Handler, review []byte) func() {
	request := httptest.NewRequest(http.MethodPost, "/convert", bytes.NewReader(review))
	return func() {
		r := *request
		r.Body = io.NopCloser(bytes.NewReader(review))
		h.ServeHTTP(&discard{header: http.Header{}}, &r)
	}
}

// discard is a response that nobody reads.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
func (d *discard) WriteHeader(int)             {}

// tokens reads all tokens of a text: no conversion can be faster that does not know where values are.
func tokens(text []byte) {
	d := jsontext.NewDecoder(bytes.NewBuffer(text))
	for {
		if _, err := d.ReadToken(); err != nil {
			return
		}
	}
}

// Review returns a review with n objects of about size bytes.
func Review(from, to string, n, size int) ([]byte, error) {
	review := apiextensionsv1.ConversionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "ConversionReview"},
		Request:  &apiextensionsv1.ConversionRequest{UID: types.UID("705ab4f5-6393-11e8-b7cc-42010a800002"), DesiredAPIVersion: v1.SchemeGroupVersion.Group + "/" + to},
	}
	for i := range n {
		object, err := database(from, i, size)
		if err != nil {
			return nil, err
		}
		review.Request.Objects = append(review.Request.Objects, runtime.RawExtension{Raw: object})
	}
	return json.Marshal(review)
}

// database returns a database of about a size. Users make up most of it.
func database(version string, i, size int) ([]byte, error) {
	users := []any{}
	object := map[string]any{
		"apiVersion": v1.SchemeGroupVersion.Group + "/" + version,
		"kind":       "Database",
		"metadata": map[string]any{
			"name": fmt.Sprintf("orders-%d", i), "namespace": "shop", "uid": fmt.Sprintf("705ab4f5-6393-11e8-b7cc-%012d", i), "resourceVersion": fmt.Sprint(7000 + i), "generation": 3,
			"creationTimestamp": "2026-03-04T05:06:07Z", "labels": map[string]any{"app.kubernetes.io/part-of": "shop"},
		},
		"status": map[string]any{"observedGeneration": 3, "replicas": 3, "endpoint": "orders.shop.svc:5432"},
	}
	spec := map[string]any{
		"engine": "Postgres", "version": "17.2", "replicas": 3, "memory": "8Gi", "maxUnavailable": "50%",
		"storage":        map[string]any{"type": "PersistentVolume", "persistentVolume": map[string]any{"size": "100Gi", "storageClassName": "premium"}},
		"parameters":     map[string]any{"max_connections": "400", "shared_buffers": "2GB"},
		"nodeSelector":   map[string]any{"topology.kubernetes.io/region": "eu-central", "disktype": "nvme"},
		"deletionPolicy": "Retain",
	}
	if version == "v1" {
		spec["idleTimeoutSeconds"] = 5400
	} else {
		spec["idleTimeout"] = "1h30m"
	}
	object["spec"] = spec
	for {
		text, err := json.Marshal(object)
		if err != nil || len(text) >= size {
			return text, err
		}
		for range 1 + (size-len(text))/200 {
			users = append(users, map[string]any{"name": fmt.Sprintf("user-%d", len(users)), "role": "ReadWrite", "passwordSecretName": fmt.Sprintf("orders-user-%d", len(users)), "schemas": []any{"orders", "invoices", "customers"}})
		}
		spec["users"] = users
	}
}
