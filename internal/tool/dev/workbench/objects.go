package workbench

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/tool/dev/inspect"
	"github.com/kindsmith/kindsmith/internal/tool/dev/live"
)

// kind returns the kind that a path names, and the API.
func (w *Workbench) kind(r *http.Request) (*inspect.Kind, *inspect.API, error) {
	api := w.API()
	if api == nil {
		return nil, nil, fail(http.StatusServiceUnavailable, "no API is served yet")
	}
	kind := api.Find(r.PathValue("group"), r.PathValue("resource"))
	if kind == nil {
		return nil, nil, fail(http.StatusNotFound, "the API has no %s.%s", r.PathValue("resource"), r.PathValue("group"))
	}
	return kind, api, nil
}

// Table is the objects of a kind, with the columns that kubectl prints.
type Table struct {
	Columns []Column `json:"columns"`
	Rows    []Row    `json:"rows"`
}

// Column is a column of a table.
type Column struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	// Wide is set on columns of kubectl get -o wide.
	Wide bool `json:"wide"`
}

// Row is an object.
type Row struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Cells     []any  `json:"cells"`
	// Created is when the object was created. Owners are the kinds and names of its owners.
	Created metav1.Time `json:"created"`
	UID     string      `json:"uid"`
	Owners  []Owner     `json:"owners"`
}

// Owner is an owner of an object.
type Owner struct {
	UID  string `json:"uid"`
	Kind string `json:"kind"`
	Name string `json:"name"`
}

const mediaTable = "application/json;as=Table;g=meta.k8s.io;v=v1"

// table answers with the objects of a kind in a version.
func (w *Workbench) table(r *http.Request) (any, error) {
	kind, _, err := w.kind(r)
	if err != nil {
		return nil, err
	}
	got, err := w.server.send(r.Context(), http.MethodGet, kind.Path(r.PathValue("version"), ""), mediaTable, "", nil)
	if err != nil {
		return nil, err
	}
	if got.code != http.StatusOK {
		return nil, fail(got.code, "%s", inspect.Message(got.content))
	}
	var in metav1.Table
	if err := json.Unmarshal(got.content, &in); err != nil {
		return nil, err
	}
	out := &Table{Columns: []Column{}, Rows: []Row{}}
	for _, c := range in.ColumnDefinitions {
		out.Columns = append(out.Columns, Column{c.Name, c.Description, c.Priority > 0})
	}
	for _, row := range in.Rows {
		var object metav1.PartialObjectMetadata
		if err := json.Unmarshal(row.Object.Raw, &object); err != nil {
			return nil, err
		}
		next := Row{Namespace: object.Namespace, Name: object.Name, Cells: row.Cells, Created: object.CreationTimestamp, UID: string(object.UID), Owners: []Owner{}}
		for _, o := range object.OwnerReferences {
			next.Owners = append(next.Owners, Owner{string(o.UID), o.Kind, o.Name})
		}
		out.Rows = append(out.Rows, next)
	}
	return out, nil
}

// object answers with an object in all its versions, and its past.
func (w *Workbench) object(r *http.Request) (any, error) {
	kind, api, err := w.kind(r)
	if err != nil {
		return nil, err
	}
	key := live.Key{Group: kind.Group, Resource: kind.Plural, Namespace: strings.TrimPrefix(r.PathValue("namespace"), "-"), Name: r.PathValue("name")}
	versions := map[string]map[string]any{}
	var refused error
	for _, v := range kind.Versions {
		if !v.Served {
			continue
		}
		got, err := w.server.get(r.Context(), kind.Path(v.Name, key.Namespace)+"/"+url.PathEscape(key.Name))
		if err != nil {
			return nil, err
		}
		if got.code != http.StatusOK {
			refused = fail(got.code, "%s", inspect.Message(got.content))
			continue
		}
		if versions[v.Name], err = inspect.Decode(got.content); err != nil {
			return nil, err
		}
	}
	past := w.objects.History(key)
	if len(versions) == 0 && len(past) == 0 {
		return nil, refused
	}
	return api.Object(kind, versions, past), nil
}

// draft is an object that a person edits.
type draft struct {
	Text string `json:"text"`
	// ResourceVersion is that of the object which the text began with; "" for a new one.
	ResourceVersion string `json:"resourceVersion"`
}

// current returns an object as it is now, in a version.
func (w *Workbench) current(api *inspect.API) inspect.Old {
	return func(o *manifest.Object) map[string]any {
		kind := api.Of(o.Kind)
		if kind == nil {
			return nil
		}
		namespace := ""
		if kind.Namespaced {
			namespace = defaultNamespace(o.Namespace)
		}
		past := w.objects.History(live.Key{Group: kind.Group, Resource: kind.Plural, Namespace: namespace, Name: o.Name})
		if len(past) == 0 || past[len(past)-1].Deleted {
			return nil
		}
		return api.Convert(past[len(past)-1].Object.Object, o.Kind.Version)
	}
}

func defaultNamespace(name string) string {
	if name == "" {
		return metav1.NamespaceDefault
	}
	return name
}

// draft returns the API that is served, and the draft that a page sends.
func (w *Workbench) draft(r *http.Request) (api *inspect.API, in draft, err error) {
	if api = w.API(); api == nil {
		return nil, in, fail(http.StatusServiceUnavailable, "no API is served yet")
	}
	return api, in, read(r, &in)
}

// judge judges a text.
func (w *Workbench) judge(r *http.Request) (any, error) {
	api, in, err := w.draft(r)
	if err != nil {
		return nil, err
	}
	return api.Judge(in.Text, w.current(api)), nil
}

// write stores a text, or asks the API server what would happen.
func (w *Workbench) write(r *http.Request, dry bool) (any, error) {
	api, in, err := w.draft(r)
	if err != nil {
		return nil, err
	}
	object, err := inspect.Read(in.Text)
	if err != nil {
		return nil, fail(http.StatusUnprocessableEntity, "%v", err)
	}
	kind := api.Of(object.GroupVersionKind())
	if kind == nil {
		return nil, fail(http.StatusUnprocessableEntity, "these packages have no kind %s", object.GetKind())
	}
	method, path, content, err := request(kind, object, in.ResourceVersion)
	if err != nil {
		return nil, err
	}
	const query = "?fieldValidation=Strict&fieldManager=kindsmith-workbench"
	if dry {
		return w.dryRun(r.Context(), api, in.Text, method, path+query+"&dryRun=All", content)
	}
	done, err := w.Proxy.Send(r.Context(), method, path+query, mediaJSON, content, 0)
	if err != nil {
		return nil, err
	}
	return w.detail(api, done), nil
}

// request returns the request that stores an object.
func request(kind *inspect.Kind, object *unstructured.Unstructured, resourceVersion string) (method, path string, content []byte, err error) {
	namespace := ""
	if kind.Namespaced {
		namespace = defaultNamespace(object.GetNamespace())
	}
	method, path = http.MethodPost, kind.Path(object.GroupVersionKind().Version, namespace)
	if resourceVersion != "" {
		method, path = http.MethodPut, path+"/"+url.PathEscape(object.GetName())
		if object.GetResourceVersion() == "" {
			object.SetResourceVersion(resourceVersion)
		}
	}
	content, err = json.Marshal(object.Object)
	return method, path, content, err
}

// dryRun asks the API server about a text.
func (w *Workbench) dryRun(ctx context.Context, api *inspect.API, text, method, path string, content []byte) (any, error) {
	got, err := w.server.send(ctx, method, path, mediaJSON, mediaJSON, content)
	if err != nil {
		return nil, err
	}
	return api.DryRun(text, w.current(api), got.code, got.content), nil
}
