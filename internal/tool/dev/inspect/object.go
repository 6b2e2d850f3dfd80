package inspect

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/tool/dev/live"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// Seen is an object as the API server has it.
type Seen struct {
	Kind *Kind `json:"kind"`
	// Gone is set if the object is deleted.
	Gone            bool   `json:"gone"`
	ResourceVersion string `json:"resourceVersion"`
	// Edit is the object without what API servers set, in the version in which it is stored.
	Edit     string        `json:"edit"`
	Versions []SeenVersion `json:"versions"`
	Defaults []Default     `json:"defaults"`
	Managers []Manager     `json:"managers"`
	History  []Moment      `json:"history"`
}

// SeenVersion is the object in a version.
type SeenVersion struct {
	Name   string `json:"name"`
	Stored bool   `json:"stored"`
	Text   string `json:"text"`
	// Lost are paths of the stored version whose values are gone if a client writes this version back. Tracked are the values
	// of other versions that the object keeps for them, as JSON.
	Lost    []string `json:"lost"`
	Tracked []string `json:"tracked"`
}

// Default is a field with a default.
type Default struct {
	Path    string `json:"path"`
	Default string `json:"default"`
	// Value is the value of the object; "" if it has none.
	Value string `json:"value"`
	// By says who has set the value: default, or the manager.
	By       string `json:"by"`
	Declared *Place `json:"declared"`
}

// Manager is an owner of fields.
type Manager struct {
	Name        string     `json:"name"`
	Operation   string     `json:"operation"`
	Subresource string     `json:"subresource"`
	Version     string     `json:"version"`
	At          *time.Time `json:"at"`
	Fields      []string   `json:"fields"`
}

// Moment is a revision of an object.
type Moment struct {
	At      time.Time `json:"at"`
	Text    string    `json:"text"`
	By      string    `json:"by"`
	First   bool      `json:"first"`
	Deleted bool      `json:"deleted"`
}

// Decode reads an object of the API server.
func Decode(text []byte) (value map[string]any, err error) {
	return value, utiljson.Unmarshal(text, &value)
}

// Message returns the message of an error of the API server.
func Message(text []byte) string {
	var status metav1.Status
	if err := json.Unmarshal(text, &status); err != nil || status.Message == "" {
		return strings.TrimSpace(string(text))
	}
	return status.Message
}

// Object explains an object from what the API server answers in each version, and its past.
func (a *API) Object(kind *Kind, versions map[string]map[string]any, past []live.Revision) *Seen {
	s := &Seen{Kind: kind, Versions: []SeenVersion{}, Defaults: []Default{}, Managers: []Manager{}, History: []Moment{}}
	stored := versions[kind.Stored()]
	if stored == nil && len(past) > 0 {
		s.Gone = len(versions) == 0
		stored = past[len(past)-1].Object.Object
	}
	u := &unstructured.Unstructured{Object: stored}
	s.ResourceVersion = u.GetResourceVersion()
	edit := written(stored)
	delete(edit, "status")
	s.Edit = YAML(edit)
	for _, v := range kind.Versions {
		if object := versions[v.Name]; object != nil {
			s.Versions = append(s.Versions, a.version(v, object, stored))
		}
	}
	for _, m := range u.GetManagedFields() {
		next := Manager{Name: m.Manager, Operation: string(m.Operation), Subresource: m.Subresource, Version: m.APIVersion, Fields: []string{}}
		if m.Time != nil {
			next.At = &m.Time.Time
		}
		if m.FieldsV1 != nil {
			var fields map[string]any
			if err := json.Unmarshal(m.FieldsV1.GetRawBytes(), &fields); err == nil {
				next.Fields = owned(fields, "")
			}
		}
		s.Managers = append(s.Managers, next)
	}
	s.Defaults = a.defaults(kind, stored, s.Managers)
	for _, r := range past {
		object := written(r.Object.Object)
		s.History = append(s.History, Moment{At: r.At, Text: YAML(object), By: lastBy(r.Object), First: r.First, Deleted: r.Deleted})
	}
	return s
}

// version compares an object in a version with the stored one.
func (a *API) version(v Version, object, stored map[string]any) SeenVersion {
	out := SeenVersion{Name: v.Name, Stored: v.Storage, Text: YAML(written(object)), Lost: []string{}, Tracked: []string{}}
	u := &unstructured.Unstructured{Object: object}
	if text, ok := u.GetAnnotations()[jsonconvert.TrackingAnnotation(u.GroupVersionKind().Group)]; ok {
		out.Tracked = append(out.Tracked, text)
	}
	if kept, ok, _ := unstructured.NestedFieldNoCopy(object, "status", "changedValues"); ok {
		if text, err := json.Marshal(kept); err == nil {
			out.Tracked = append(out.Tracked, string(text))
		}
	}
	if v.Storage {
		return out
	}
	back := a.Convert(object, text(stored["apiVersion"])[strings.LastIndex(text(stored["apiVersion"]), "/")+1:])
	if back == nil {
		return out
	}
	for name, value := range stored {
		if name != "metadata" && name != "apiVersion" {
			differences(name, value, back[name], func(path string, _, _ any) { out.Lost = append(out.Lost, path) })
		}
	}
	slices.Sort(out.Lost)
	return out
}

// owned returns the paths of fields in the form of managedFields.
func owned(fields map[string]any, at string) (paths []string) {
	for key, below := range fields {
		kind, name, _ := strings.Cut(key, ":")
		var path string
		switch kind {
		case ".":
			continue
		case "f":
			path = strings.TrimPrefix(at+"."+name, ".")
		default: // a key, a value or an index of a list
			path = at + "[" + name + "]"
		}
		inner, _ := below.(map[string]any)
		if more := owned(inner, path); len(more) > 0 {
			paths = append(paths, more...)
		} else {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// lastBy returns the manager who has changed an object last.
func lastBy(u *unstructured.Unstructured) string {
	list := u.GetManagedFields()
	if len(list) == 0 {
		return ""
	}
	return slices.MaxFunc(list, func(a, b metav1.ManagedFieldsEntry) int {
		if a.Time == nil || b.Time == nil {
			return cmp.Compare(boolInt(a.Time != nil), boolInt(b.Time != nil))
		}
		return a.Time.Compare(b.Time.Time)
	}).Manager
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// defaults returns the fields of an object that have a default, and who has set them. The manifest of kubectl apply says what
// a person wrote; without it, a value that equals the default is the default's.
func (a *API) defaults(kind *Kind, object map[string]any, managers []Manager) []Default {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := []Default{}
	version := kind.Stored()
	for _, p := range a.model.Packages {
		for _, t := range p.Types {
			if t.Kind == nil || p.Group != kind.Group || t.Name != kind.Kind || p.Version != version {
				continue
			}
			tree := fieldtree.New(a.programs, t)
			var wrote map[string]any
			u := &unstructured.Unstructured{Object: object}
			if text, ok := u.GetAnnotations()[applied]; ok {
				wrote, _ = Decode([]byte(text)) // kubectl wrote it
			}
			collect(tree, object, wrote, "", managers, &list)
			return list
		}
	}
	return list
}

func collect(n *fieldtree.Node, value, wrote any, at string, managers []Manager, list *[]Default) {
	object, _ := value.(map[string]any)
	written, known := wrote.(map[string]any)
	for _, f := range n.Fields {
		path := strings.TrimPrefix(at+"."+f.Name, ".")
		if f.Form == fieldtree.Metadata || path == "apiVersion" || path == "kind" || path == "status" {
			continue
		}
		v, has := object[f.Name]
		if f.Default != nil && f.Default.Declared != nil {
			d := Default{Path: path, Default: f.Default.JSON(), Declared: placeOf(f.Default.Declared.Span)}
			if has {
				text, err := json.Marshal(v)
				if err == nil {
					d.Value = string(text)
				}
				d.By = who(path, d, written[f.Name] != nil, known || wrote != nil, managers)
			}
			*list = append(*list, d)
		}
		if f.Form == fieldtree.Object && has {
			collect(f, v, written[f.Name], path, managers, list)
		}
		if items, ok := v.([]any); ok && f.Items != nil && f.Items.Form == fieldtree.Object {
			for i, item := range items {
				collect(f.Items, item, nil, path+"["+strconv.Itoa(i)+"]", managers, list)
			}
		}
	}
}

// who says who has set a value.
func who(path string, d Default, wrote, known bool, managers []Manager) string {
	if d.Value == d.Default && !wrote {
		return "default"
	}
	for _, m := range managers {
		if slices.ContainsFunc(m.Fields, func(f string) bool { return near(f, path) && strings.HasPrefix(f, path) }) {
			return m.Name
		}
	}
	if known && !wrote {
		return "default"
	}
	return "a client"
}

// DryRun explains what the API server would do with a text.
func (a *API) DryRun(text string, old Old, code int, content []byte) *Dry {
	d := &Dry{Code: code, Verdict: a.Judge(text, old), Differences: []string{}}
	answer, err := Decode(content)
	if err != nil {
		d.Message = err.Error()
		return d
	}
	detail := &Detail{Verdict: d.Verdict, Differences: []string{}}
	detail.Code = code
	var status *metav1.Status
	if code >= http.StatusBadRequest {
		status = statusOf(answer)
		d.Message = status.Message
		if o := a.read(text, Object, "", ""); o != nil {
			d.Verdict.reported(o, status)
			d.Verdict.sort()
		}
	} else {
		d.Stored = YAML(written(answer))
	}
	detail.compare(status, answer, nil, nil)
	d.Differences = detail.Differences
	return d
}

// Dry is the answer to a dry run.
type Dry struct {
	Code    int      `json:"code"`
	Message string   `json:"message"`
	Verdict *Verdict `json:"verdict"`
	// Stored is the object that would be stored.
	Stored      string   `json:"stored"`
	Differences []string `json:"differences"`
}
