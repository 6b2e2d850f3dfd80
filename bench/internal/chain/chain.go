package chain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	crwebhook "sigs.k8s.io/controller-runtime/pkg/webhook/conversion"

	"github.com/kindsmith/kindsmith/bench/internal/measure"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert/webhook"
)

const group = "db.example.com"

// Shape is what happens in each step.
type Shape struct {
	Name string
	// target is the least ratio at 2 and 3 versions, and far that at 6.
	target, far float64
}

// Shapes are the shapes.
var Shapes = []Shape{
	{"lossless", 15, 10}, // two fields get other names
	{"checked", 15, 10},  // and a function converts a value, which comes back
	{"lossy", 10, 10},    // and a field is added, with a value
	{"items", 15, 10},    // a field of all items of a list gets another name
}

// Counts are the numbers of versions.
var Counts = []int{2, 3, 6}

// versions returns the versions of a shape.
func versions(shape string, n int) *jsonconvert.API {
	key := func(name string) jsonconvert.Key { return jsonconvert.Key{Name: name, Zero: `""`} }
	both := func(name string, v jsonconvert.Value) jsonconvert.Field {
		return jsonconvert.Field{Older: jsonconvert.Key{Name: name, EmptyIsAbsent: true}, Newer: jsonconvert.Key{Name: name, EmptyIsAbsent: true}, Value: v}
	}
	api := &jsonconvert.API{Group: group, Kinds: []jsonconvert.Kind{{Name: "Database", Store: jsonconvert.Annotation}}, Funcs: map[string]jsonconvert.Func{
		"Text":   jsonconvert.FuncOf(func(in int64) string { return strconv.FormatInt(in, 10) }),
		"Number": jsonconvert.FailingFuncOf(func(in string) (int64, error) { return strconv.ParseInt(in, 10, 64) }),
	}}
	for k := range n {
		api.Versions = append(api.Versions, jsonconvert.Version{Name: "v" + strconv.Itoa(k+1)})
		if k == 0 {
			continue
		}
		was, is := strconv.Itoa(k), strconv.Itoa(k+1)
		types := map[string]*jsonconvert.Type{"Database": {Fields: []jsonconvert.Field{both("spec", jsonconvert.Value{Type: "Spec"})}}}
		spec := &jsonconvert.Type{Fields: []jsonconvert.Field{
			{Older: key("memory" + was), Newer: key("memory" + is)},
			{Older: jsonconvert.Key{Name: "parameters" + was, EmptyIsAbsent: true}, Newer: jsonconvert.Key{Name: "parameters" + is, EmptyIsAbsent: true}},
		}}
		call := &jsonconvert.Call{Up: "Text", Down: "Number"}
		number, text := jsonconvert.Key{Name: "idle" + was, Zero: "0"}, key("idle"+is)
		if k%2 == 0 {
			call = &jsonconvert.Call{Up: "Number", Down: "Text"}
			number, text = key("idle"+was), jsonconvert.Key{Name: "idle" + is, Zero: "0"}
		}
		switch shape {
		case "checked", "lossy":
			spec.Fields = append(spec.Fields, jsonconvert.Field{Older: number, Newer: text, Value: jsonconvert.Value{Call: call}})
		case "items":
			spec.Fields = append(spec.Fields, both("users", jsonconvert.Value{Elem: &jsonconvert.Value{Type: "User"}, OlderKeys: []string{"name"}, NewerKeys: []string{"name"}}))
			types["User"] = &jsonconvert.Type{Fields: []jsonconvert.Field{{Older: key("role" + was), Newer: key("role" + is)}}}
		}
		if shape == "lossy" {
			spec.Fields = append(spec.Fields, jsonconvert.Field{Newer: key("added" + is)})
		}
		types["Spec"] = spec
		api.Steps = append(api.Steps, jsonconvert.Step{Older: "v" + was, Newer: "v" + is, Types: types})
	}
	return api
}

// scheme returns the typed conversions of n versions.
func scheme(n int) *runtime.Scheme {
	s := runtime.NewScheme()
	add := func(k int, o runtime.Object) {
		s.AddKnownTypeWithName(schema.GroupVersionKind{Group: group, Version: "v" + strconv.Itoa(k), Kind: "Database"}, o)
	}
	switch n {
	case 2:
		add(1, &older[spec1, *spec1, spec2, *spec2]{})
		add(2, &newest[spec2]{})
	case 3:
		add(1, &older[spec1, *spec1, spec3, *spec3]{})
		add(2, &older[spec2, *spec2, spec3, *spec3]{})
		add(3, &newest[spec3]{})
	case 6:
		add(1, &older[spec1, *spec1, spec6, *spec6]{})
		add(2, &older[spec2, *spec2, spec6, *spec6]{})
		add(3, &older[spec3, *spec3, spec6, *spec6]{})
		add(4, &older[spec4, *spec4, spec6, *spec6]{})
		add(5, &older[spec5, *spec5, spec6, *spec6]{})
		add(6, &newest[spec6]{})
	}
	return s
}

// database returns an object of a version, of about a size.
func database(shape string, version, i, size int) ([]byte, error) {
	k := strconv.Itoa(version)
	spec := map[string]any{
		"engine": "Postgres", "version": "17.2", "replicas": 3, "maxUnavailable": "50%",
		"storage":      map[string]any{"size": "100Gi", "storageClassName": "premium"},
		"nodeSelector": map[string]any{"topology.kubernetes.io/region": "eu-central", "disktype": "nvme"},
		"memory" + k:   "8Gi", "parameters" + k: map[string]any{"max_connections": "400", "shared_buffers": "2GB"},
	}
	if shape == "checked" || shape == "lossy" {
		if spec["idle"+k] = 5400; version%2 == 0 {
			spec["idle"+k] = "5400"
		}
	}
	if shape == "lossy" {
		for v := 2; v <= version; v++ {
			spec["added"+strconv.Itoa(v)] = "a value of version " + strconv.Itoa(v)
		}
	}
	role := "role"
	if shape == "items" {
		role += k
	}
	object := map[string]any{
		"apiVersion": group + "/v" + k, "kind": "Database", "spec": spec,
		"metadata": map[string]any{
			"name": fmt.Sprintf("orders-%d", i), "namespace": "shop", "uid": fmt.Sprintf("705ab4f5-6393-11e8-b7cc-%012d", i), "resourceVersion": strconv.Itoa(7000 + i), "generation": 3,
			"creationTimestamp": "2026-03-04T05:06:07Z", "labels": map[string]any{"app.kubernetes.io/part-of": "shop"},
		},
		"status": map[string]any{"observedGeneration": 3, "replicas": 3, "endpoint": "orders.shop.svc:5432"},
	}
	users := []any{}
	for {
		text, err := json.Marshal(object)
		if err != nil || len(text) >= size {
			return text, err
		}
		for range 1 + (size-len(text))/200 {
			users = append(users, map[string]any{"name": fmt.Sprintf("user-%d", len(users)), role: "ReadWrite", "passwordSecretName": fmt.Sprintf("orders-user-%d", len(users)), "schemas": []any{"orders", "invoices", "customers"}})
		}
		spec["users"] = users
	}
}

// Case is a review that both handlers answer.
type Case struct {
	Shape    Shape
	Versions int
	Up       bool
	Size     int

	theirs, ours http.Handler
	review       []byte
}

// Cases returns all cases, with reviews of a number of objects.
func Cases(objects int) ([]*Case, error) {
	var cases []*Case
	for _, shape := range Shapes {
		for _, n := range Counts {
			converter, err := jsonconvert.New(versions(shape.Name, n))
			if err != nil {
				return nil, err
			}
			theirs := crwebhook.NewWebhookHandler(scheme(n), crwebhook.NewRegistry())
			for _, size := range []int{2 << 10, 50 << 10} {
				for _, up := range []bool{true, false} {
					c := &Case{Shape: shape, Versions: n, Up: up, Size: size, theirs: theirs, ours: webhook.Handler(converter)}
					if err := c.makeReview(converter, objects); err != nil {
						return nil, err
					}
					cases = append(cases, c)
				}
			}
		}
	}
	return cases, nil
}

// makeReview makes the review: on the way up of objects that have been converted down, as stored ones are.
func (c *Case) makeReview(converter *jsonconvert.Converter, objects int) error {
	to := 1
	if c.Up {
		to = c.Versions
	}
	review := apiextensionsv1.ConversionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "ConversionReview"},
		Request:  &apiextensionsv1.ConversionRequest{UID: "705ab4f5-6393-11e8-b7cc-42010a800002", DesiredAPIVersion: group + "/v" + strconv.Itoa(to)},
	}
	for i := range objects {
		text, err := database(c.Shape.Name, c.Versions, i, c.Size)
		if err == nil && c.Up {
			text, err = converter.Convert(nil, text, "v1")
		}
		if err != nil {
			return err
		}
		review.Request.Objects = append(review.Request.Objects, runtime.RawExtension{Raw: text})
	}
	var err error
	c.review, err = json.Marshal(review)
	return err
}

// Run prints the ratios, and whether they reach the targets.
func Run(out io.Writer, short bool) error {
	effort, objects := measure.Effort{Rounds: 7, Time: 20 * time.Millisecond}, 20
	if short {
		effort, objects = measure.Effort{Rounds: 1, Time: 2 * time.Millisecond}, 2
	}
	cases, err := Cases(objects)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Conversion webhooks by steps: CPU time and allocations per object, and × controller-runtime with typed conversions by hand, which track nothing\n\n")
	missed := 0
	for _, c := range cases {
		target, direction := c.Shape.target, "down"
		if c.Versions > 3 {
			target = c.Shape.far
		}
		if c.Up {
			direction = "up"
		}
		isOK, err := compare(out, effort, fmt.Sprintf("%-9s %d versions %2d KB %-4s", c.Shape.Name, c.Versions, c.Size>>10, direction), objects, target, serve(c.theirs, c.review), serve(c.ours, c.review))
		if err != nil {
			return err
		}
		if !isOK {
			missed++
		}
	}
	if err := runWebhooks(out, effort, short, &missed); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "\n%d targets missed\n\n", missed)
	return err
}

// compare prints the cost per object of two functions, and whether the ratio reaches a target.
func compare(out io.Writer, effort measure.Effort, name string, objects int, target float64, theirs, ours func()) (isOK bool, err error) {
	results, err := measure.CPU(effort, theirs, ours)
	if err != nil {
		return false, err
	}
	n, ratio, verdict := float64(objects), results[0].NsPerOp/results[1].NsPerOp, "ok"
	if isOK = ratio >= target; !isOK {
		verdict = fmt.Sprintf("missed %.0f", target)
	}
	_, err = fmt.Fprintf(out, "%s | theirs %7.1f µs %6.1f | ours %7.1f µs %6.1f | %5.1f× %s\n", name,
		results[0].NsPerOp/n/1e3, float64(results[0].Allocs)/n, results[1].NsPerOp/n/1e3, float64(results[1].Allocs)/n, ratio, verdict)
	return isOK, err
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
