package admission_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/admission"
	"github.com/kindsmith/kindsmith/runtime/internal/skew"
	"github.com/kindsmith/kindsmith/runtime/rollout"
	"github.com/kindsmith/kindsmith/runtime/union"
)

type (
	// thing is a kind.
	thing struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
		Spec              part  `json:"spec"`
		Status            part  `json:"status,omitzero"`
		Also              *part `json:"also,omitempty"`
	}

	part struct {
		Size  int             `json:"size"`
		Name  string          `json:"name,omitempty"`
		D     string          `json:"d,omitempty"`
		A     *int            `json:"a,omitempty"`
		B     *int            `json:"b,omitempty"`
		Inner inner           `json:"inner,omitzero"`
		List  []part          `json:"list,omitempty"`
		ByKey map[string]part `json:"byKey,omitempty"`
		Names []string        `json:"names"`
	}

	inner struct {
		Count int    `json:"count"`
		Text  string `json:"text"`
	}
)

func (t *thing) DeepCopyObject() runtime.Object { panic("objects are not copied") }

// NormalizeUnions implements union.Normalizer.
func (t *thing) NormalizeUnions(_ union.Request, old any) (cleared []union.Cleared) {
	before, _ := old.(*thing)
	if before == nil {
		return nil
	}
	for path, p := range map[string][2]*part{"spec": {&t.Spec, &before.Spec}, "status": {&t.Status, &before.Status}} {
		if now, was := p[0], p[1]; now.D != was.D && now.D == "B" && now.A != nil {
			cleared = append(cleared, union.Cleared{Path: path + ".a", Discriminator: "d", Value: "B", Sent: was.A == nil || *was.A != *now.A})
			now.A = nil
		}
	}
	return union.Sorted(cleared)
}

var things = schema.GroupVersion{Group: "things.example.com", Version: "v1"}

// newHandler returns a handler of things with a size of at least 0, that do not shrink.
func newHandler(t testing.TB, defaults func(*thing)) *admission.Handler[*thing] {
	t.Helper()
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(things)
	scheme.AddKnownTypeWithName(things.WithKind("Thing"), &thing{})
	if defaults != nil {
		scheme.AddTypeDefaultingFunc(&thing{}, func(obj any) { defaults(obj.(*thing)) })
	}
	scheme.AddValidationFunc(&thing{}, func(_ context.Context, op operation.Operation, obj, old any) (errs field.ErrorList) {
		size := field.NewPath("spec", "size")
		now := obj.(*thing).Spec
		if now.Size < 0 {
			errs = append(errs, field.Invalid(size, now.Size, "is negative").WithOrigin("minimum"))
		}
		if was, _ := old.(*thing); was != nil && now.Size < was.Spec.Size && len(op.Request.Subresources) == 0 {
			errs = append(errs, field.Invalid(size, now.Size, "shrinks").WithOrigin("monotonic"))
		}
		if now.D == "A" && now.A == nil && !skew.Map(op.Options)["Loose"] {
			errs = append(errs, &field.Error{Type: field.ErrorTypeRequired, Field: "spec.a", Origin: "union"})
		}
		return errs
	})
	h, err := admission.New(scheme, &thing{})
	if err != nil {
		t.Fatal(err)
	}
	h.Declarative.Rollout = &rollout.Rollout{Log: slog.New(slog.DiscardHandler)}
	return h
}

type answer struct {
	UID       string
	Allowed   bool
	Status    metav1.Status
	Patch     []byte
	PatchType string
	Warnings  []string
}

func (a answer) causes() string {
	var list []string
	if a.Status.Details != nil {
		for _, c := range a.Status.Details.Causes {
			list = append(list, c.Field+" "+c.Message)
		}
	}
	return strings.Join(list, "; ")
}

// body returns a review.
func body(operation, subresource, object, old string) string {
	if old == "" {
		old = "null"
	}
	return fmt.Sprintf(`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"7","kind":{"group":"things.example.com","version":"v1","kind":"Thing"},
		"subResource":%q,"operation":%q,"object":%s,"oldObject":%s,"dryRun":false}}`, subresource, operation, object, old)
}

func post(t testing.TB, h http.Handler, body string) (code int, text string, a answer) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body)))
	var review struct {
		Kind, APIVersion string
		Response         answer
	}
	if w.Code == http.StatusOK {
		if err := json.Unmarshal(w.Body.Bytes(), &review); err != nil || review.Response.UID != "7" || review.Kind != "AdmissionReview" || review.APIVersion != "admission.k8s.io/v1" {
			t.Fatalf("%s: %v", w.Body, err)
		}
	}
	return w.Code, w.Body.String(), review.Response
}

func TestPatch(t *testing.T) {
	ten, zero := 10, 0
	for name, tc := range map[string]struct {
		change      func(*thing)
		object, old string
		subresource string
		patch       string
	}{
		"no change":   {func(*thing) {}, `{"spec":{"size":1,"unknown":2}}`, "", "", ""},
		"same values": {func(x *thing) { x.Spec.Size = 1 }, `{"spec":{"size":1}}`, "", "", ""},
		"a missing field": {func(x *thing) { x.Spec.Size, x.Spec.A = 3, &ten }, `{"spec":{"unknown":2}}`, "", "",
			`[{"op":"add","path":"/spec/a","value":10},{"op":"add","path":"/spec/size","value":3}]`},
		"a field": {func(x *thing) { x.Spec.Name = "n" }, `{"spec":{"name":"m"}}`, "", "", `[{"op":"replace","path":"/spec/name","value":"n"}]`},
		"a null":  {func(x *thing) { x.Spec.A = &zero }, `{"spec":{"a":null}}`, "", "", `[{"op":"replace","path":"/spec/a","value":0}]`},
		"to null": {func(x *thing) { x.Spec.Names = nil }, `{"spec":{"names":[]}}`, "", "", `[{"op":"replace","path":"/spec/names","value":null}]`},
		"a removed field": {func(x *thing) { x.Spec.Name, x.Spec.B = "", nil }, `{"spec":{"name":"m"}}`, "", "",
			`[{"op":"remove","path":"/spec/name"}]`},
		// Only what is new: `size` is 0 in Go because the client did not send it.
		"a missing struct": {func(x *thing) { x.Spec.Name = "n" }, `{}`, "", "", `[{"op":"add","path":"/spec","value":{"name":"n"}}]`},
		"a null struct":    {func(x *thing) { x.Spec.Inner.Text = "n" }, `{"spec":{"inner":null}}`, "", "", `[{"op":"replace","path":"/spec/inner","value":{"count":0,"text":"n"}}]`},
		"a new pointer":    {func(x *thing) { x.Also = &part{} }, `{}`, "", "", `[{"op":"add","path":"/also","value":{"names":null,"size":0}}]`},
		"map values": {func(x *thing) {
			x.Spec.ByKey["a/~"] = part{Name: "n", Names: x.Spec.ByKey["a/~"].Names}
			x.Spec.ByKey["c"] = part{}
			delete(x.Spec.ByKey, "b")
		}, `{"spec":{"byKey":{"a/~":{"unknown":1},"b":{}}}}`, "", "",
			`[{"op":"add","path":"/spec/byKey/a~1~0/name","value":"n"},{"op":"remove","path":"/spec/byKey/b"},{"op":"add","path":"/spec/byKey/c","value":{"names":null,"size":0}}]`},
		"list items": {func(x *thing) { x.Spec.List[0].Name, x.Spec.List[1].Size = "n", 2 }, `{"spec":{"list":[{"unknown":1},null]}}`, "", "",
			`[{"op":"add","path":"/spec/list/0/name","value":"n"},{"op":"replace","path":"/spec/list/1","value":{"size":2}}]`},
		"appended items": {func(x *thing) { x.Spec.Names = append(x.Spec.Names, "b", "c") }, `{"spec":{"names":["a"]}}`, "", "",
			`[{"op":"add","path":"/spec/names/-","value":"b"},{"op":"add","path":"/spec/names/-","value":"c"}]`},
		// Which items are the same is not known.
		"inserted items": {func(x *thing) { x.Spec.Names = []string{"b", "a"} }, `{"spec":{"names":["a"]}}`, "", "",
			`[{"op":"replace","path":"/spec/names","value":["b","a"]}]`},
		"a cleared member": {nil, `{"spec":{"d":"B","a":1,"b":2,"unknown":1}}`, `{"spec":{"d":"A","a":1}}`, "", `[{"op":"remove","path":"/spec/a"}]`},
		"of the status": {func(x *thing) { x.Spec.Size, x.Status.Size = 3, 4 }, `{"spec":{"size":1},"status":{"d":"B","a":1}}`, `{"status":{"d":"A","a":1}}`, "status",
			`[{"op":"remove","path":"/status/a"},{"op":"add","path":"/status/size","value":4}]`},
		"of the spec in a request for the status": {func(x *thing) { x.Spec.Size = 3 }, `{"spec":{"d":"B","a":1}}`, `{"spec":{"d":"A","a":2}}`, "status", ""},
	} {
		operation := "CREATE"
		if tc.old != "" {
			operation = "UPDATE"
		}
		_, text, got := post(t, newHandler(t, tc.change).Mutating(), body(operation, tc.subresource, tc.object, tc.old))
		if !got.Allowed || string(got.Patch) != tc.patch || (got.PatchType == "JSONPatch") != (tc.patch != "") || len(got.Warnings) > 0 {
			t.Errorf("%s: the patch is %s, want %s: %s", name, got.Patch, tc.patch, text)
		}
	}
}

func TestWarnings(t *testing.T) {
	h := newHandler(t, nil).Mutating()
	for sent, want := range map[string]string{"1": "", "2": `spec.a was removed: d is set to "B"`} {
		_, _, got := post(t, h, body("UPDATE", "", `{"spec":{"d":"B","a":`+sent+`,"b":2}}`, `{"spec":{"d":"A","a":1}}`))
		if strings.Join(got.Warnings, "; ") != want {
			t.Errorf("%s: %v", sent, got.Warnings)
		}
	}
}

func TestValidation(t *testing.T) {
	setSize := func(x *thing) {
		if x.Spec.Size == 0 {
			x.Spec.Size = 5
		}
	}
	gated := func(disable func(*rollout.Gates)) func(*admission.Handler[*thing]) {
		return func(h *admission.Handler[*thing]) {
			gates := rollout.DefaultGates()
			disable(&gates)
			h.Declarative.Rollout.Gates = rollout.Fixed(gates)
		}
	}
	byHand := func(h *admission.Handler[*thing]) {
		h.HandWritten = func(_ context.Context, op operation.Operation, obj, old *thing) field.ErrorList {
			detail := fmt.Sprintf("%d %t %s", op.Type, old == nil, strings.Join(op.Request.Subresources, "/"))
			return field.ErrorList{field.Invalid(field.NewPath("spec", "size"), obj.Spec.Size, detail).WithOrigin("minimum").MarkCoveredByDeclarative()}
		}
		h.Declarative.Config.Migrating = true
	}
	for name, tc := range map[string]struct {
		configure              func(*admission.Handler[*thing])
		operation, subresource string
		object, old            string
		causes                 string
	}{
		"a create":          {operation: "CREATE", object: `{}`},
		"an invalid create": {operation: "CREATE", object: `{"spec":{"size":-1,"d":"A"}}`, causes: "spec.size Invalid value: -1: is negative; spec.a Required value"},
		"an update":         {operation: "UPDATE", object: `{"spec":{"size":2}}`, old: `{"spec":{"size":1}}`},
		"an invalid update": {operation: "UPDATE", object: `{"spec":{"size":1}}`, old: `{}`, causes: "spec.size Invalid value: 1: shrinks"},
		"of a subresource":  {operation: "UPDATE", subresource: "status", object: `{"spec":{"size":1}}`, old: `{}`},
		"a delete":          {operation: "DELETE", object: `null`, old: `{"spec":{"size":-1}}`},
		"a connect":         {operation: "CONNECT", object: `{"spec":{"size":-1}}`},
		"an option":         {configure: func(h *admission.Handler[*thing]) { h.Options = map[string]bool{"Loose": true} }, operation: "CREATE", object: `{"spec":{"d":"A"}}`},
		"without unions":    {configure: gated(func(g *rollout.Gates) { g.APIUnions = false }), operation: "CREATE", object: `{"spec":{"d":"A"}}`},
		"without defaults":  {configure: gated(func(g *rollout.Gates) { g.DeclarativeDefaults = false }), operation: "UPDATE", object: `{"spec":{"size":1}}`, old: `{}`},
		"hand-written":      {configure: byHand, operation: "UPDATE", subresource: "status", object: `{"spec":{"size":-1}}`, old: `{}`, causes: "spec.size Invalid value: -1: 1 false status"},
		"hand-written create": {configure: byHand, operation: "CREATE", object: `{"spec":{"size":-1}}`,
			causes: "spec.size Invalid value: -1: 0 true "},
		"a takeover": {configure: func(h *admission.Handler[*thing]) {
			byHand(h)
			gated(func(g *rollout.Gates) { g.DeclarativeValidationTakeover = true })(h)
		}, operation: "CREATE", object: `{"spec":{"size":-1}}`, causes: "spec.size Invalid value: -1: is negative"},
	} {
		h := newHandler(t, setSize)
		if tc.configure != nil {
			tc.configure(h)
		}
		_, text, got := post(t, h.Validating(), body(tc.operation, tc.subresource, tc.object, tc.old))
		if got.Allowed != (tc.causes == "") || got.causes() != tc.causes || got.Patch != nil {
			t.Errorf("%s: %s", name, text)
		}
		if s := got.Status; !got.Allowed && (s.Reason != metav1.StatusReasonInvalid || s.Code != http.StatusUnprocessableEntity || s.Details.Kind != "Thing" || s.Details.Group != things.Group) {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// TestGates: a gate that is off skips its step of the mutating webhook.
func TestGates(t *testing.T) {
	for want, gates := range map[string]rollout.Gates{
		`[{"op":"remove","path":"/spec/a"},{"op":"add","path":"/spec/size","value":5}]`: {DeclarativeDefaults: true, APIUnions: true},
		`[{"op":"add","path":"/spec/size","value":5}]`:                                  {DeclarativeDefaults: true},
		`[{"op":"remove","path":"/spec/a"}]`:                                            {APIUnions: true},
		``:                                                                              {},
	} {
		h := newHandler(t, func(x *thing) { x.Spec.Size = 5 })
		h.Declarative.Rollout.Gates = rollout.Fixed(gates)
		_, _, got := post(t, h.Mutating(), body("UPDATE", "", `{"spec":{"d":"B","a":1,"b":2}}`, `{"spec":{"d":"A","a":1}}`))
		if string(got.Patch) != want {
			t.Errorf("%s: %s", &gates, got.Patch)
		}
	}
}

// TestFaults: whatever arrives gets an answer with the reason.
func TestFaults(t *testing.T) {
	good := body("CREATE", "", `{}`, "")
	panics := func(*thing) { panic("oh no") }
	for name, tc := range map[string]struct {
		body     string
		defaults func(*thing)
		code     int
		want     string
	}{
		"no body":         {"", nil, 400, "not an AdmissionReview"},
		"no JSON":         {"{", nil, 400, "not an AdmissionReview: unexpected end"},
		"a list":          {"[]", nil, 400, "not an AdmissionReview"},
		"two reviews":     {good + good, nil, 400, "not an AdmissionReview"},
		"another kind":    {`{"kind":"ConversionReview","apiVersion":"admission.k8s.io/v1"}`, nil, 400, `kind "ConversionReview"`},
		"another version": {strings.Replace(good, "k8s.io/v1", "k8s.io/v1beta1", 1), nil, 400, "admissionReviewVersions: [v1]"},
		"no request":      {`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}`, nil, 400, "has no request"},
		"too large":       {strings.Replace(good, `{}`, `{"a":"`+strings.Repeat("a", 2000)+`"}`, 1), nil, 413, "more than 2000 bytes"},
		"no object":       {body("CREATE", "", "null", ""), nil, 200, `"BadRequest","code":400`},
		"no old object":   {body("UPDATE", "", "{}", ""), nil, 200, "operation UPDATE and no oldObject"},
		"a wrong type":    {body("CREATE", "", `{"spec":{"size":"x"}}`, ""), nil, 200, "object: json: cannot unmarshal string into Go struct field"},
		"a wrong old one": {body("UPDATE", "", `{}`, `[]`), nil, 200, "oldObject: json"},
		"a scale":         {strings.Replace(good, `"kind":"Thing"`, `"kind":"Scale"`, 1), nil, 200, "not things.example.com/v1, Kind=Scale"},
		"an operation":    {body("EAT", "", "{}", ""), nil, 200, `unknown operation \"EAT\"`},
		"a panic":         {good, panics, 200, `"message":"the webhook panicked: oh no","reason":"InternalError","code":500`},
	} {
		h := newHandler(t, tc.defaults)
		h.MaxBytes = 2000
		for _, h := range []http.Handler{h.Mutating(), h.Validating()} {
			code, text, a := post(t, h, tc.body)
			if code != tc.code || a.Allowed || !strings.Contains(text, tc.want) {
				t.Errorf("%s: %d %s", name, code, text)
			}
		}
	}
}

func TestTransport(t *testing.T) {
	h := newHandler(t, nil)
	h.MaxBytes = 10
	for name, tc := range map[string]struct {
		r    *http.Request
		code int
	}{
		"a GET":                  {httptest.NewRequest(http.MethodGet, "/", nil), 405},
		"a large body in chunks": {chunked(strings.NewReader("0123456789a")), 413},
		"a broken connection":    {chunked(broken{}), 400},
	} {
		w := httptest.NewRecorder()
		h.Validating().ServeHTTP(w, tc.r)
		if w.Code != tc.code {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

func chunked(body interface{ Read([]byte) (int, error) }) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", body)
	r.ContentLength = -1
	return r
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("connection reset") }

func TestNew(t *testing.T) {
	if _, err := admission.New(runtime.NewScheme(), &thing{}); err == nil || !strings.Contains(err.Error(), "AddToScheme") {
		t.Error(err)
	}
	mutate, validate := newHandler(t, nil).Paths()
	if mutate != "/mutate-things-example-com-v1-thing" || validate != "/validate-things-example-com-v1-thing" {
		t.Error(mutate, validate)
	}
}

// TestPanicIsLogged: with the object and the stack.
func TestPanicIsLogged(t *testing.T) {
	var log bytes.Buffer
	h := newHandler(t, func(*thing) { panic("oh no") })
	h.Declarative.Rollout.Log = slog.New(slog.NewTextHandler(&log, nil))
	post(t, h.Mutating(), body("CREATE", "", `{}`, ""))
	for _, want := range []string{`panic="oh no"`, "Kind=Thing", "handler_test.go"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%s lacks %s", &log, want)
		}
	}
}

// TestAllocations: an object that does not change costs little more than to decode it.
func TestAllocations(t *testing.T) {
	object := `{"metadata":{"name":"x"},"spec":{"size":1,"d":"A","a":1,"list":[` + strings.Repeat(`{"name":"n","inner":{"count":1}},`, 100) + `{}]}}`
	review := []byte(body("UPDATE", "", object, object))
	handlers := newHandler(t, func(*thing) {})
	for name, h := range map[string]http.Handler{"mutating": handlers.Mutating(), "validating": handlers.Validating()} {
		var objects [2]thing
		decoding := testing.AllocsPerRun(20, func() {
			for i := range objects {
				objects[i] = thing{}
				if err := json.Unmarshal([]byte(object), &objects[i]); err != nil {
					t.Fatal(err)
				}
			}
		})
		all := testing.AllocsPerRun(20, func() {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(review)))
			if bytes.Contains(w.Body.Bytes(), []byte("patch")) {
				t.Fatal(w.Body)
			}
		})
		if all > decoding+80 {
			t.Errorf("%s: the answer takes %.0f allocations, decoding alone %.0f", name, all, decoding)
		}
	}
}

// FuzzReview posts any body: it gets an answer or the status 400, and nothing panics.
func FuzzReview(f *testing.F) {
	for _, object := range []string{`{}`, `{"spec":{"d":"B","a":1,"list":[null,{"names":[]}],"byKey":{"/~":{}},"inner":null}}`, `{"spec":{"size":1e3}}`, `{"also":[],"also":{}}`} {
		f.Add([]byte(body("CREATE", "", object, "")))
		f.Add([]byte(body("UPDATE", "status", object, `{"spec":{"d":"A","a":2}}`)))
	}
	h := newHandler(f, func(x *thing) {
		x.Spec.Name, x.Status.Size, x.Also = "n", 2, &part{Names: []string{"a"}}
		for i := range x.Spec.List {
			x.Spec.List[i].Inner.Text = "t"
		}
	})
	f.Fuzz(func(t *testing.T, review []byte) {
		for _, h := range []http.Handler{h.Mutating(), h.Validating()} {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(review)))
			if w.Code != http.StatusOK && w.Code != http.StatusBadRequest || w.Code == http.StatusOK && !json.Valid(w.Body.Bytes()) || bytes.Contains(w.Body.Bytes(), []byte("panicked")) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		}
	})
}
