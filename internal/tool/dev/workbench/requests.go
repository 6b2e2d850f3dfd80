package workbench

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"

	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/tool/dev/inspect"
	"github.com/kindsmith/kindsmith/internal/tool/dev/live"
	"github.com/kindsmith/kindsmith/internal/tool/dev/requests"
)

// find returns the request that a path names, and the API.
func (w *Workbench) find(r *http.Request) (requests.Request, *inspect.API, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	found, ok := w.log.Get(id)
	if err != nil || !ok {
		return found, nil, fail(http.StatusNotFound, "there is no request %s, or it is too old", r.PathValue("id"))
	}
	api := w.API()
	if api == nil {
		return found, nil, fail(http.StatusServiceUnavailable, "no API is served yet")
	}
	return found, api, nil
}

// request explains a request.
func (w *Workbench) request(r *http.Request) (any, error) {
	found, api, err := w.find(r)
	if err != nil {
		return nil, err
	}
	return w.detail(api, found), nil
}

func (w *Workbench) detail(api *inspect.API, r requests.Request) *inspect.Detail {
	return api.Request(r, w.before(api, r))
}

// before returns the object that a request changes.
func (w *Workbench) before(api *inspect.API, r requests.Request) inspect.Old {
	return func(o *manifest.Object) map[string]any {
		name := r.Name
		if name == "" {
			name = o.Name
		}
		found := w.objects.Before(live.Key{Group: r.Group, Resource: r.Resource, Namespace: r.Namespace, Name: name}, r.Begin)
		if found == nil {
			return nil
		}
		return api.Convert(found.Object, r.Version)
	}
}

// text is a text that a page sends.
type text struct {
	Text string `json:"text"`
}

// edited is find, with the text that a page sends for the request.
func (w *Workbench) edited(r *http.Request) (found requests.Request, api *inspect.API, in text, err error) {
	if found, api, err = w.find(r); err == nil {
		err = read(r, &in)
	}
	return found, api, in, err
}

// judgeRequest judges another text in the place of a request's.
func (w *Workbench) judgeRequest(r *http.Request) (any, error) {
	found, api, in, err := w.edited(r)
	if err != nil {
		return nil, err
	}
	return api.JudgeRequest(found, in.Text, w.before(api, found)), nil
}

// replay sends a request again, with another text, and explains the new one.
func (w *Workbench) replay(r *http.Request) (any, error) {
	found, api, in, err := w.edited(r)
	if err != nil {
		return nil, err
	}
	again, err := w.again(r.Context(), api, found, in.Text)
	if err != nil {
		return nil, err
	}
	return w.detail(api, again), nil
}

// again sends a request with a text.
func (w *Workbench) again(ctx context.Context, api *inspect.API, r requests.Request, text string) (requests.Request, error) {
	if r.Withheld != "" && r.Changes() {
		return r, fail(http.StatusConflict, "the request cannot be sent again: %s", r.Withheld)
	}
	send := func(method, path, kind string, content []byte) (requests.Request, error) {
		return w.Proxy.Send(ctx, method, path, kind, content, r.ID)
	}
	form := inspect.Form(r)
	if form == inspect.Other {
		return send(r.Method, r.Path, r.Sent.Type, r.Sent.Content)
	}
	object, err := inspect.Read(text)
	if err != nil {
		return r, fail(http.StatusUnprocessableEntity, "%v", err)
	}
	content, err := json.Marshal(object)
	if err != nil {
		return r, err
	}
	if form == inspect.Patch {
		return send(r.Method, r.Path, r.Sent.Type, content)
	}
	collection, query := target(api, r, object)
	name := "/" + url.PathEscape(object.GetName())
	switch {
	case form == inspect.Apply:
		return w.apply(ctx, collection, name, query, object, r.ID)
	case r.Method == http.MethodPost:
		return send(r.Method, collection+query, mediaJSON, content)
	}
	return send(r.Method, collection+name+subresource(r)+query, r.Sent.Type, content)
}

func subresource(r requests.Request) string {
	if r.Subresource == "" {
		return ""
	}
	return "/" + r.Subresource
}

// target returns the path of the objects of a kind, and the query of a request. The kind, the version and the namespace are those of the object.
func target(api *inspect.API, r requests.Request, object *unstructured.Unstructured) (collection, query string) {
	before, query, _ := strings.Cut(r.Path, "?")
	if query != "" {
		query = "?" + query
	}
	kind := api.Of(object.GroupVersionKind())
	if kind == nil { // of another API: as before
		if r.Name != "" {
			before, _, _ = strings.Cut(before, "/"+url.PathEscape(r.Name))
		}
		return before, query
	}
	namespace := object.GetNamespace()
	if namespace == "" {
		namespace = r.Namespace
	}
	return kind.Path(object.GroupVersionKind().Version, namespace), query
}

// apply does what kubectl apply does: it creates the object, or sends the differences from the manifest of before.
func (w *Workbench) apply(ctx context.Context, collection, name, query string, object *unstructured.Unstructured, replays int64) (requests.Request, error) {
	none := requests.Request{}
	modified, err := inspect.Annotated(object)
	if err != nil {
		return none, err
	}
	current, err := w.server.get(ctx, collection+name)
	if err != nil {
		return none, err
	}
	if current.code == http.StatusNotFound {
		return w.Proxy.Send(ctx, http.MethodPost, collection+query, mediaJSON, modified, replays)
	}
	original, err := inspect.Applied(current.content)
	if err != nil {
		return none, err
	}
	patch, err := jsonmergepatch.CreateThreeWayJSONMergePatch(original, modified, current.content)
	if err != nil {
		return none, err
	}
	return w.Proxy.Send(ctx, http.MethodPatch, collection+name+query, "application/merge-patch+json", patch, replays)
}
