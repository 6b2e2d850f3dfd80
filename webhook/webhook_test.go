package webhook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/kindsmith/kindsmith/runtime/admission"
	ours "github.com/kindsmith/kindsmith/webhook"
)

// tree is a kind with every way in which a value can contain another.
type tree struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Root              node `json:"root"`
}

type node struct {
	Number  int             `json:"number"`
	Text    string          `json:"text,omitempty"`
	Pointer *node           `json:"pointer,omitempty"`
	List    []node          `json:"list,omitempty"`
	Texts   []string        `json:"texts"`
	ByKey   map[string]node `json:"byKey,omitempty"`
	Struct  leaf            `json:"struct"`
	Omitted leaf            `json:"omitted,omitzero"`
}

type leaf struct {
	Flag  bool  `json:"flag"`
	Value *bool `json:"value,omitempty"`
}

func (t *tree) DeepCopyObject() runtime.Object { out := *t; return &out }

var kind = schema.GroupVersionKind{Group: "trees.example.com", Version: "v1", Kind: "Tree"}

// manager returns a manager whose scheme has the kind.
func manager(t *testing.T, defaults func(*tree)) ctrl.Manager {
	t.Helper()
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(kind, &tree{})
	scheme.AddTypeDefaultingFunc(&tree{}, func(obj any) { defaults(obj.(*tree)) })
	mgr, err := ctrl.NewManager(&rest.Config{}, ctrl.Options{Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		t.Fatal(err)
	}
	return mgr
}

// post sends an object to a webhook, with the types of API servers.
func post(t *testing.T, mgr ctrl.Manager, path string, object []byte) *admissionv1.AdmissionResponse {
	t.Helper()
	body, err := json.Marshal(admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "AdmissionReview"},
		Request:  &admissionv1.AdmissionRequest{UID: "u", Kind: metav1.GroupVersionKind(kind), Operation: admissionv1.Create, Object: runtime.RawExtension{Raw: object}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	mgr.GetWebhookServer().(*webhook.DefaultServer).WebhookMux().ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body)))
	answer := admissionv1.AdmissionReview{}
	d := json.NewDecoder(w.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(&answer); err != nil || answer.Response == nil || answer.Response.UID != "u" {
		t.Fatalf("%d %v %+v", w.Code, err, answer)
	}
	return answer.Response
}

// TestPatches makes random objects, with fields that the Go types do not have, and random changes.
// After the patch, the object has what the Go object has, and all of these fields that are in no
// value that the change removed.
func TestPatches(t *testing.T) {
	var r *rand.Rand
	var removing bool
	changed := &tree{}
	mgr := manager(t, func(obj *tree) {
		change(r, &obj.Root, removing)
		changed = obj
	})
	if err := ours.SetupWithManager(mgr, &tree{}); err != nil {
		t.Fatal(err)
	}
	patched := 0
	for i := range 1000 {
		r, removing = rand.New(rand.NewPCG(1, uint64(i))), i%2 == 0
		object, err := json.Marshal(map[string]any{"metadata": map[string]any{"name": "n", "unknown": 1}, "root": object(r, 0), "unknown": 1})
		if err != nil {
			t.Fatal(err)
		}
		answer := post(t, mgr, "/mutate-trees-example-com-v1-tree", object)
		after := object
		if answer.Patch != nil {
			patched++
			patch, err := jsonpatch.DecodePatch(answer.Patch)
			if err == nil {
				after, err = patch.Apply(object)
			}
			if err != nil {
				t.Fatalf("%d: %v\n%s\n%s", i, err, object, answer.Patch)
			}
		}
		got := &tree{}
		if err := json.Unmarshal(after, got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(asJSON(t, changed), asJSON(t, got)); diff != "" {
			t.Fatalf("%d (-want +got):\n%s\n%s\n%s", i, diff, object, answer.Patch)
		}
		if before, now := bytes.Count(object, []byte("unknown")), bytes.Count(after, []byte("unknown")); now > before || !removing && now < before {
			t.Fatalf("%d: %d of %d unknown fields are left:\n%s\n%s", i, now, before, object, answer.Patch)
		}
	}
	if patched < 400 {
		t.Errorf("there are only %d patches", patched)
	}
}

func asJSON(t *testing.T, v any) (out any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// object returns the JSON of a node, in which fields are missing, null or unknown.
func object(r *rand.Rand, depth int) map[string]any {
	out := map[string]any{}
	maybe := func(key string, value func() any) {
		switch n := r.IntN(8); {
		case n == 0:
			out[key] = nil
		case n < 5-depth:
			out[key] = value()
		}
	}
	child := func() any { return object(r, depth+1) }
	maybe("number", func() any { return r.IntN(3) })
	maybe("text", func() any { return []string{"", "a", "<&>"}[r.IntN(3)] })
	maybe("pointer", child)
	maybe("list", func() any { return []any{child(), child(), nil}[:r.IntN(4)] })
	maybe("texts", func() any { return []any{"a", "b", nil}[:r.IntN(4)] })
	maybe("byKey", func() any { return map[string]any{"a/b~c": child(), "d": child()} })
	maybe("struct", func() any { return map[string]any{"flag": r.IntN(2) == 0, "unknown": 1} })
	maybe("omitted", func() any { return map[string]any{"value": r.IntN(2) == 0} })
	maybe("unknown", func() any { return map[string]any{"number": 1} })
	return out
}

// change changes some values of a node; with removing, it also removes and replaces some.
func change(r *rand.Rand, n *node, removing bool) {
	maybe := func(f func()) {
		if r.IntN(6) == 0 {
			f()
		}
	}
	maybe(func() { n.Number += 7 })
	maybe(func() { n.Text += "x" })
	maybe(func() { n.Texts = append(n.Texts, "new") })
	maybe(func() { n.Struct.Flag = !n.Struct.Flag })
	maybe(func() { n.Omitted.Value = &n.Struct.Flag })
	maybe(func() { n.Omitted.Flag = true })
	maybe(func() {
		if n.Pointer == nil {
			n.Pointer = &node{Text: "new"}
		}
	})
	maybe(func() {
		if n.ByKey == nil {
			n.ByKey = map[string]node{}
		}
		if _, ok := n.ByKey["new"]; !ok {
			n.ByKey["new"] = node{}
		}
	})
	if removing {
		maybe(func() { n.Pointer = nil })
		maybe(func() { n.Omitted = leaf{} })
		maybe(func() { n.Texts = append([]string{"first"}, n.Texts...) })
		maybe(func() { n.Texts = nil })
		maybe(func() { n.List = append([]node{{Text: "first"}}, n.List...) })
		maybe(func() { delete(n.ByKey, "d") })
	}
	if n.Pointer != nil {
		change(r, n.Pointer, removing)
	}
	for i := range n.List {
		change(r, &n.List[i], removing)
	}
	for _, key := range slices.Sorted(maps.Keys(n.ByKey)) {
		v := n.ByKey[key]
		change(r, &v, removing)
		n.ByKey[key] = v
	}
}

func TestSetup(t *testing.T) {
	mgr := manager(t, func(*tree) { panic("oh no") })
	if err := ours.SetupWithManager(mgr, &metav1.PartialObjectMetadata{}); err == nil || !strings.Contains(err.Error(), "AddToScheme") {
		t.Errorf("a kind that the scheme does not have: %v", err)
	}
	configured := false
	if err := ours.SetupWithManager(mgr, &tree{}, func(h *admission.Handler[*tree]) { configured = h.Declarative.Rollout.Log != nil }); err != nil || !configured {
		t.Fatal(err, configured)
	}
	err := ours.SetupWithManager(mgr, &tree{})
	for _, path := range []string{"/mutate-trees-example-com-v1-tree", "/validate-trees-example-com-v1-tree"} {
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("again: %v", err)
		}
		answer := post(t, mgr, path, []byte(`{}`))
		if want := "oh no"; answer.Allowed || !strings.Contains(fmt.Sprint(answer.Result), want) {
			t.Errorf("%s: %+v", path, answer)
		}
	}
}
