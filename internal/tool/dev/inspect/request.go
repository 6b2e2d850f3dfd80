package inspect

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/tool/dev/requests"
)

// The forms of request bodies.
const (
	// Object is a whole object.
	Object = "object"
	// Apply is the manifest of kubectl apply, which sends a patch.
	Apply = "apply"
	// Patch is a merge patch, which has the form of the object.
	Patch = "patch"
	// Other is anything else.
	Other = "other"
)

// Media types of patches.
const (
	mergePatch = "application/merge-patch+json"
	applyPatch = "application/apply-patch+yaml"
)

// Detail has all that is known of a request.
type Detail struct {
	requests.Request
	// Form is the form of Manifest: Object, Apply, Patch or Other.
	Form     string   `json:"form"`
	Manifest string   `json:"manifest"`
	Verdict  *Verdict `json:"verdict"`
	// Message is what the API server says about a request that it refuses.
	Message  string   `json:"message"`
	Warnings []string `json:"warnings"`
	// Differences are where the API server and the rules disagree.
	Differences []string `json:"differences"`
	// Kubectl is a command that sends the request.
	Kubectl string `json:"kubectl"`
	// Answer is the answer, as YAML if it is JSON.
	Answer   string `json:"answer"`
	Withheld string `json:"withheld"`
}

// Request explains a request. Old returns the object that it changes; nil for none.
func (a *API) Request(r requests.Request, old Old) *Detail {
	d := &Detail{Request: r, Withheld: r.Withheld, Form: Other, Warnings: append([]string{}, r.Warnings...), Differences: []string{}, Verdict: &Verdict{
		Objects: []string{}, Problems: []Problem{}, NotChecked: []string{}, Steps: []Step{},
	}}
	answer, _ := decoded(r.Answer)
	d.Answer = readable(r.Answer)
	var sent map[string]any
	if r.Changes() && !strings.HasPrefix(r.Verb, "delete") {
		sent, d.Form, d.Manifest = sentBy(r)
	}
	d.Kubectl = kubectl(r, d.Form, d.Manifest)
	var status *metav1.Status
	if r.Code >= http.StatusBadRequest {
		status = statusOf(answer)
		d.Message = cmp.Or(status.Message, http.StatusText(r.Code))
	}
	kind := a.Find(r.Group, r.Resource)
	if kind == nil || !r.Changes() || r.Subresource != "" && r.Subresource != "status" {
		return d
	}
	var in *manifest.Object
	if sent != nil {
		in = a.read(d.Manifest, d.Form, kind.In(r.Version).GroupVersion().String(), kind.Kind)
	}
	isManifest := in != nil
	if !isManifest { // such as a JSON patch
		in = &manifest.Object{Root: &manifest.Node{}}
	}
	in.Kind = kind.In(r.Version)
	before := oldOf(r)
	if before == nil && r.Verb != "create" && old != nil {
		before = old(in)
	}
	if isManifest {
		d.Verdict.Objects = []string{in.String()}
		a.judge(d.Verdict, in, whole(r, in.Kind, sent, before), before)
	}
	server := a.admitted(d, in, before)
	if !isManifest && server == nil {
		return d
	}
	if status != nil {
		d.Verdict.reported(in, status)
	}
	if server == nil && d.partial(before) { // the rest of the object may be right
		d.Verdict.Problems = slices.DeleteFunc(d.Verdict.Problems, func(p Problem) bool { return p.judged && !p.Server })
	}
	d.compare(status, answer, server, before)
	d.Verdict.sort()
	for i := range d.Verdict.Problems {
		d.Verdict.Problems[i].Missing = isManifest && d.Verdict.Problems[i].Missing
	}
	return d
}

// whole returns the object that a request wants to be there.
func whole(r requests.Request, kind schema.GroupVersionKind, sent, before map[string]any) map[string]any {
	if r.Sent.Type != mergePatch {
		return sent
	}
	out := merge(before, sent)
	out["apiVersion"], out["kind"] = kind.GroupVersion().String(), kind.Kind // the object of before may not be known
	return out
}

// JudgeRequest judges another text in the place of a request's.
func (a *API) JudgeRequest(r requests.Request, text string, old Old) *Verdict {
	_, form, _ := sentBy(r)
	kind := a.Find(r.Group, r.Resource)
	if form != Patch || kind == nil {
		return a.Judge(text, old)
	}
	v := a.Judge("", nil)
	if in := a.read(text, form, kind.In(r.Version).GroupVersion().String(), kind.Kind); in != nil {
		before := old(in)
		v.Objects = []string{in.String()}
		a.judge(v, in, whole(r, in.Kind, in.Value, before), before)
		v.sort()
		return v
	}
	return a.Judge(text, nil) // says what is wrong with the text
}

// read returns the object in a text; nil if there is none. The text of a patch has no kind.
func (a *API) read(text, form, apiVersion, kind string) *manifest.Object {
	docs := manifest.Parse(source.NewFile("manifest", []byte(text)), &diag.Bag{})
	if len(docs) == 0 {
		return nil
	}
	if objects := docs[0].Objects(&diag.Bag{}); len(objects) == 1 {
		return objects[0]
	}
	if value, ok := docs[0].Value.(map[string]any); ok && form == Patch {
		o := &manifest.Object{Value: value, Root: docs[0].Root}
		o.Kind.Kind = kind
		o.Kind.Group, o.Kind.Version, _ = strings.Cut(apiVersion, "/")
		return o
	}
	return nil
}

// sentBy returns what a request sends, and how a person sees it. A manifest of kubectl apply is read from the annotation in its patch.
func sentBy(r requests.Request) (value map[string]any, form, text string) {
	content, err := content(r.Sent)
	if err != nil || len(bytes.TrimSpace(content)) == 0 {
		return nil, Other, ""
	}
	switch r.Sent.Type {
	case "application/json", "application/yaml", applyPatch, mergePatch, "":
	default:
		return nil, Other, readable(r.Sent)
	}
	value, err = object(content)
	if err != nil {
		return nil, Other, string(content)
	}
	annotations, _ := value["metadata"].(map[string]any)
	annotations, _ = annotations["annotations"].(map[string]any)
	if text, ok := annotations[applied].(string); ok {
		if manifest, err := object([]byte(text)); err == nil {
			return value, Apply, YAML(manifest)
		}
	}
	if r.Sent.Type != mergePatch {
		return value, Object, YAML(value)
	}
	return value, Patch, YAML(value)
}

// object reads JSON or YAML.
func object(content []byte) (map[string]any, error) {
	for _, doc := range manifest.Parse(source.NewFile("", content), &diag.Bag{}) {
		if value, ok := doc.Value.(map[string]any); ok {
			return value, nil
		}
	}
	return nil, errors.New("no object")
}

// content returns a body without its encoding.
func content(b requests.Body) ([]byte, error) {
	switch {
	case b.Cut:
		return nil, errors.New("the body is too large to keep")
	case b.Encoding == "gzip":
		r, err := gzip.NewReader(bytes.NewReader(b.Content))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(io.LimitReader(r, 4*requests.MostBody))
	}
	return b.Content, nil
}

// decoded returns a body that is a JSON object.
func decoded(b requests.Body) (value map[string]any, ok bool) {
	text, err := content(b)
	if err != nil || !strings.HasSuffix(b.Type, "json") {
		return nil, false
	}
	return value, utiljson.Unmarshal(text, &value) == nil
}

// mostText is the size of a body that a page shows.
const mostText = 256 << 10

func readable(b requests.Body) string {
	if value, ok := decoded(b); ok && len(b.Content) < mostText {
		return YAML(value)
	}
	text, err := content(b)
	switch {
	case err != nil:
		return err.Error()
	case strings.HasSuffix(b.Type, "protobuf"), strings.HasSuffix(b.Type, "cbor"):
		return b.Type + ", " + diag.Count(len(text), "byte", "bytes")
	}
	return string(text[:min(len(text), mostText)])
}

// statusOf returns the error of an answer.
func statusOf(answer map[string]any) *metav1.Status {
	s := &metav1.Status{}
	text, err := json.Marshal(answer)
	if err == nil {
		err = json.Unmarshal(text, s)
	}
	if err != nil || s.Kind != "Status" {
		return &metav1.Status{}
	}
	return s
}

// merge applies a JSON merge patch.
func merge(to, patch map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range to {
		out[name] = v
	}
	for name, v := range patch {
		inner, isObject := v.(map[string]any)
		switch {
		case v == nil:
			delete(out, name)
		case isObject:
			before, _ := out[name].(map[string]any)
			out[name] = merge(before, inner)
		default:
			out[name] = v
		}
	}
	return out
}

// reported adds what the API server reports to what the rules do.
func (v *Verdict) reported(o *manifest.Object, status *metav1.Status) {
	if status.Details == nil {
		return
	}
	for _, cause := range status.Details.Causes {
		path := cause.Field
		if path == "<nil>" {
			path = ""
		}
		if path == "" && cause.Message == "" || strings.Contains(cause.Message, "some validation rules were not checked") {
			continue
		}
		path = strings.TrimPrefix(path, ".")
		if p := v.same(path, cause.Message); p != nil {
			p.Server, p.Message = true, cause.Message
			continue
		}
		p := locate(o, path)
		p.Message, p.Server = cause.Message, true
		p.Missing = p.Missing && string(cause.Type) != string(field.ErrorTypeForbidden)
		v.Problems = append(v.Problems, p)
	}
}

// same returns the problem of the rules that the API server reports too: that of the same field, with the same text if there
// are several, else that of a value in it or around it.
func (v *Verdict) same(path, message string) *Problem {
	var found *Problem
	best := 0
	for i := range v.Problems {
		p := &v.Problems[i]
		if p.Server || !near(p.Path, path) {
			continue
		}
		likeness := 1
		if canonical(p.Path) == canonical(path) {
			likeness += 2
		}
		if strings.Contains(message, p.Message) || strings.Contains(p.Message, message) {
			likeness += 4
		} else if likeness == 1 {
			continue
		}
		if likeness > best {
			best, found = likeness, p
		}
	}
	return found
}
