// Package conversion compares the conversion webhook of kindsmith with that of controller-runtime, on kinds
// of the examples. Both convert the same reviews. controller-runtime's handler calls conversions of Go objects: those of
// conversion-gen for databases, and those of kindsmith for pipelines. It also compares kindsmith's with conversion-gen's.
package conversion

import (
	"bytes"
	"context"
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

	"github.com/kindsmith/kindsmith/bench/internal/conversion/theirs"
	"github.com/kindsmith/kindsmith/bench/internal/measure"
	v1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	"github.com/kindsmith/kindsmith/examples/database/api/v1beta1"
	pipelinev1alpha1 "github.com/kindsmith/kindsmith/examples/pipeline/api/v1alpha1" //nolint:staticcheck // of all versions it differs most
	pipelinev2 "github.com/kindsmith/kindsmith/examples/pipeline/api/v2"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert/webhook"
)

// Targets of ratios.
const (
	// target is the least ratio of controller-runtime's time to ours.
	target = 15
	// floor is the largest ratio of our time to that of reading the tokens of a review.
	floor = 2
)

// Kind is a kind whose objects are converted between two versions.
type Kind struct {
	Name, Group, Older, Hub string
	// Theirs and Ours are the competitors.
	Theirs, Ours http.Handler
	// targets is set if the targets hold for the kind.
	targets bool
	// object returns an object of about a size.
	object func(version string, i, size int) ([]byte, error)
}

// Kinds returns the kinds: objects of Database hardly differ, those of Pipeline in most of their fields.
func Kinds() ([]Kind, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{v1.AddToScheme, v1beta1.AddToScheme, pipelinev2.AddToScheme, pipelinev1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	registry := crconversion.NewRegistry()
	if err := registry.RegisterConverter(v1.Kind("Database"), databaseConverter{}); err != nil {
		return nil, err
	}
	handler := crconversion.NewWebhookHandler(scheme, registry)
	databases, err := jsonconvert.New(v1beta1.JSONConversion())
	if err != nil {
		return nil, err
	}
	pipelines, err := jsonconvert.New(pipelinev1alpha1.JSONConversion())
	if err != nil {
		return nil, err
	}
	return []Kind{
		{"Database", v1.SchemeGroupVersion.Group, "v1beta1", "v1", handler, webhook.Handler(databases), true, database},
		{"Pipeline", pipelinev2.SchemeGroupVersion.Group, "v1alpha1", "v2", handler, webhook.Handler(pipelines), false, func(version string, i, size int) ([]byte, error) {
			object, err := pipeline(i, size)
			if err != nil {
				return nil, err
			}
			return pipelines.Convert(nil, object, version)
		}},
	}, nil
}

// databaseConverter converts databases with conversion-gen's functions, which track nothing.
type databaseConverter struct{}

// ConvertObject sets dst to src, converted to its version.
func (databaseConverter) ConvertObject(_ context.Context, src, dst runtime.Object) error {
	switch in := src.(type) {
	case *v1beta1.Database:
		if out, ok := dst.(*v1.Database); ok {
			return theirs.Convert_v1beta1_Database_To_v1_Database(in, out, nil)
		}
	case *v1.Database:
		if out, ok := dst.(*v1beta1.Database); ok {
			return theirs.Convert_v1_Database_To_v1beta1_Database(in, out, nil)
		}
	}
	return fmt.Errorf("no conversion of %T to %T", src, dst)
}

// Directions returns the versions to convert from and to.
func (k *Kind) Directions() [][2]string { return [][2]string{{k.Older, k.Hub}, {k.Hub, k.Older}} }

// Run prints the throughput of both handlers, and that of reading the tokens of the reviews, and then the
// time of conversions of Go objects.
func Run(out io.Writer, short bool) error {
	kinds, err := Kinds()
	if err != nil {
		return err
	}
	effort, counts := measure.Effort{Rounds: 5, Time: 300 * time.Millisecond}, []int{1, 100, 1000}
	if short {
		effort, counts = measure.Effort{Rounds: 1, Time: 20 * time.Millisecond}, counts[:2]
	}
	fmt.Fprintf(out, "Conversion webhooks: objects/s, MB/s and allocations per object, the best of %d rounds in turns\n\n", effort.Rounds)
	fmt.Fprintf(out, "%-34s | %10s %7s %8s | %10s %7s %8s | %13s | %8s\n", "", "theirs/s", "MB/s", "allocs", "ours/s", "MB/s", "allocs", "ratio", "÷ tokens")
	for _, k := range kinds {
		for _, size := range []int{2 << 10, 50 << 10} {
			for _, direction := range k.Directions() {
				for _, n := range counts {
					if err := k.run(out, effort, direction, n, size); err != nil {
						return err
					}
				}
			}
		}
	}
	if _, err = fmt.Fprintln(out); err != nil {
		return err
	}
	return runTyped(out, effort)
}

// run prints the throughput with reviews of n objects.
func (k *Kind) run(out io.Writer, effort measure.Effort, direction [2]string, n, size int) error {
	review, err := k.Review(direction[0], direction[1], n, size)
	if err != nil {
		return err
	}
	results, err := measure.InTurns(effort, serve(k.Theirs, review), serve(k.Ours, review), func() { tokens(review) })
	if err != nil {
		return err
	}
	theirs, ours, read := results[0], results[1], results[2]
	ratio, reading := theirs.NsPerOp/ours.NsPerOp, ours.NsPerOp/read.NsPerOp
	_, err = fmt.Fprintf(out, "%4d × %d KB %-24s | %s | %s | %5.1f× %-6s | %5.2f× %s\n", n, size>>10, k.Name+" "+strings.Join(direction[:], "→"),
		rates(theirs, n, len(review)), rates(ours, n, len(review)), ratio, k.atLeast(ratio, target), reading, k.atLeast(floor, reading))
	return err
}

func rates(r measure.Result, objects, size int) string {
	seconds := r.NsPerOp / 1e9
	return fmt.Sprintf("%10.0f %7.0f %8.1f", float64(objects)/seconds, float64(size)/seconds/1e6, float64(r.Allocs)/float64(objects))
}

// atLeast compares a number with the least allowed one, if the kind has targets.
func (k *Kind) atLeast(n, least float64) string {
	switch {
	case !k.targets:
		return ""
	case n >= least:
		return "ok"
	default:
		return "MISSES"
	}
}

// serve returns a function that serves a review. Making the request is not measured.
func serve(h http.Handler, review []byte) func() {
	body := bytes.NewReader(nil)
	request := httptest.NewRequest(http.MethodPost, "/convert", bytes.NewReader(review))
	request.Body = io.NopCloser(body)
	response := &discard{header: http.Header{}}
	return func() {
		body.Reset(review)
		clear(response.header)
		h.ServeHTTP(response, request)
	}
}

// discard is a response without a reader.
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
func (k *Kind) Review(from, to string, n, size int) ([]byte, error) {
	review := apiextensionsv1.ConversionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "ConversionReview"},
		Request:  &apiextensionsv1.ConversionRequest{UID: types.UID("705ab4f5-6393-11e8-b7cc-42010a800002"), DesiredAPIVersion: k.Group + "/" + to},
	}
	for i := range n {
		object, err := k.object(from, i, size)
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

// pipeline returns a pipeline of v2 of about a size, with keys in the order of Go's fields, which is that
// of tracked values. Tasks make up most of it. v1alpha1 has most of their fields in another form, and
// lacks some.
func pipeline(i, size int) ([]byte, error) {
	object := map[string]any{
		"apiVersion": pipelinev2.SchemeGroupVersion.Group + "/v2",
		"kind":       "Pipeline",
		"metadata":   map[string]any{"name": fmt.Sprintf("cluster-%d", i), "namespace": "ci", "uid": fmt.Sprintf("705ab4f5-6393-11e8-b7cc-%012d", i)},
	}
	tasks := []any{}
	spec := map[string]any{
		"source":   map[string]any{"url": "https://git.example.com/cluster", "revision": "main", "depth": 1},
		"triggers": []any{map[string]any{"event": "Push", "branches": []any{"main"}}, map[string]any{"event": "PullRequest"}},
		"matrix":   []any{map[string]any{"name": "kubernetes", "values": []any{"1.36", "1.37"}, "optional": []any{"1.37"}}},
		"proxies":  []any{map[string]any{"host": "proxy.example.com", "port": 3128}},
		"limits":   map[string]any{"gpu": map[string]any{"tasks": 1, "waitSeconds": 1800, "diskMiB": 51200}},
		"team":     "platform", "concurrency": "Queue", "priority": 100, "timeoutSeconds": 7200,
	}
	object["spec"] = spec
	for {
		text, err := json.Marshal(object)
		if err != nil {
			return nil, err
		}
		if len(text) >= size {
			typed := &pipelinev2.Pipeline{}
			if err := json.Unmarshal(text, typed); err != nil {
				return nil, err
			}
			return json.Marshal(typed)
		}
		for range 1 + (size-len(text))/300 {
			tasks = append(tasks, map[string]any{
				"name": fmt.Sprintf("e2e-%d", len(tasks)), "image": "golang:1.26", "command": []any{"go", "test", "./e2e/..."}, "pull": "Always", "secrets": []any{map[string]any{"name": "cloud"}},
				"resources": map[string]any{"cpu": "4", "memory": 8589934592, "gpus": 1}, "retry": map[string]any{"limit": 2, "delayMilliseconds": 30000}, "serviceAccountName": "e2e",
			})
		}
		spec["tasks"] = tasks
	}
}
