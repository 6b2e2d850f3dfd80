package storage

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
)

var (
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	migrations  = schema.GroupResource{Group: "storagemigration.k8s.io", Resource: "storageversionmigrations"}
)

// migrationVersions are the versions of StorageVersionMigrations in which we can use them, the newest first: v1 since Kubernetes
// 1.37, and v1beta1 since 1.35, which clusters must turn on.
var migrationVersions = []string{"v1", "v1beta1"}

// manager is the field manager of writes. Objects do not get fields of it, because it applies none.
const manager = "kindsmith-storage"

// Cluster is an API server whose stored objects can move to another version.
type Cluster struct {
	objects  metadata.Interface
	dynamic  dynamic.Interface
	settle   time.Duration
	page     int64
	patience time.Duration // until somebody begins with a migration of the API server
	cleanup  time.Duration // until the API server's controller is done with a migration that is finished
	poll     time.Duration
}

// New returns the API server of a configuration. The error is a mistake in the configuration: New sends no request.
func New(config *rest.Config) (*Cluster, error) {
	config = rest.CopyConfig(config)
	config.QPS = -1 // migrations have a rate of their own
	config.Timeout = 2 * time.Minute
	config.WarningHandler = rest.NoWarnings{} // about deprecated versions, for each request
	if config.UserAgent == "" {
		config.UserAgent = manager
	}
	objects, err := metadata.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	d, err := dynamic.NewForConfig(config)
	return &Cluster{objects: objects, dynamic: d, settle: 5 * time.Second, page: 500, patience: time.Minute, cleanup: 30 * time.Second, poll: time.Second}, err
}

// Definition says in which versions a CustomResourceDefinition serves and stores objects.
type Definition struct {
	// Name is the name of the definition, such as orders.shop.example.com.
	Name string `json:"name"`
	// Storage is the version in which the API server stores objects that are written now.
	Storage string `json:"storage"`
	// Stored is status.storedVersions: every version in which an object may be stored.
	Stored []string `json:"stored"`
	// Versions are all versions in the order of the definition.
	Versions []Version `json:"versions"`

	group, plural, kind string
	uid                 types.UID
	generation          int64
	resourceVersion     string
	changed             time.Time // when the specification was written last
	progress            string
	webhook             bool
}

// Version is a version of a definition.
type Version struct {
	Name   string `json:"name"`
	Served bool   `json:"served"`
}

// Old returns the versions besides the storage version in which objects may be stored.
func (d *Definition) Old() []string {
	return slices.DeleteFunc(slices.Clone(d.Stored), func(v string) bool { return v == d.Storage })
}

// through returns the version in which objects are read and written: the API server stores them in the storage version whatever
// the version of a request.
func (d *Definition) through() (schema.GroupVersionResource, error) {
	in := ""
	for _, v := range d.Versions {
		if v.Served && (in == "" || v.Name == d.Storage) {
			in = v.Name
		}
	}
	if in == "" {
		return schema.GroupVersionResource{}, fmt.Errorf("%s: the definition serves no version, so its objects cannot be read: set served: true for %s", d.Name, d.Storage)
	}
	return schema.GroupVersionResource{Group: d.group, Version: in, Resource: d.plural}, nil
}

func (c *Cluster) crds() dynamic.NamespaceableResourceInterface {
	return c.dynamic.Resource(definitions)
}

// Definition reads a definition by its name, such as orders.shop.example.com.
func (c *Cluster) Definition(ctx context.Context, name string) (*Definition, error) {
	object, err := c.crds().Get(ctx, name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err) && !strings.Contains(name, "."):
		return nil, fmt.Errorf("there is no CustomResourceDefinition %s: write its full name, <plural>.<group>, which kubectl get crd prints", name)
	case apierrors.IsNotFound(err):
		return nil, fmt.Errorf("there is no CustomResourceDefinition %s; kubectl get crd prints the names", name)
	case err != nil:
		return nil, fmt.Errorf("read the CustomResourceDefinition %s: %w", name, err)
	}
	return definition(object)
}

// Definitions returns all definitions with several versions or with objects in another version than the storage version.
func (c *Cluster) Definitions(ctx context.Context) ([]*Definition, error) {
	var found []*Definition
	options := metav1.ListOptions{Limit: 50} // definitions are large
	for {
		list, err := c.crds().List(ctx, options)
		if err != nil {
			return nil, fmt.Errorf("list CustomResourceDefinitions: %w", err)
		}
		for i := range list.Items {
			d, err := definition(&list.Items[i])
			if err != nil {
				return nil, err
			}
			if len(d.Versions) > 1 || len(d.Old()) > 0 {
				found = append(found, d)
			}
		}
		if options.Continue = list.GetContinue(); options.Continue == "" {
			return found, nil
		}
	}
}

func definition(object *unstructured.Unstructured) (*Definition, error) {
	var crd apiextensionsv1.CustomResourceDefinition
	for _, v := range versions(object) {
		delete(v, "schema") // large, and not needed
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &crd); err != nil {
		return nil, fmt.Errorf("read the CustomResourceDefinition %s: %w", object.GetName(), err)
	}
	d := &Definition{
		Name: crd.Name, Stored: crd.Status.StoredVersions, group: crd.Spec.Group, plural: crd.Spec.Names.Plural, kind: crd.Spec.Names.Kind,
		uid: crd.UID, generation: crd.Generation, resourceVersion: crd.ResourceVersion, progress: crd.Annotations[progressAnnotation],
		changed: crd.CreationTimestamp.Time, webhook: crd.Spec.Conversion != nil && crd.Spec.Conversion.Strategy == apiextensionsv1.WebhookConverter,
	}
	for _, v := range crd.Spec.Versions {
		d.Versions = append(d.Versions, Version{Name: v.Name, Served: v.Served})
		if v.Storage {
			d.Storage = v.Name
		}
	}
	for _, f := range crd.ManagedFields {
		if f.Manager != manager && f.Subresource == "" && f.Time != nil && f.Time.After(d.changed) {
			d.changed = f.Time.Time
		}
	}
	return d, nil
}

func versions(object *unstructured.Unstructured) (all []map[string]any) {
	list, _, _ := unstructured.NestedFieldNoCopy(object.Object, "spec", "versions")
	items, _ := list.([]any)
	for _, item := range items {
		if v, ok := item.(map[string]any); ok {
			all = append(all, v)
		}
	}
	return all
}

// patch changes a definition by a merge patch. With locked set, it fails with a conflict if the definition has changed.
func (c *Cluster) patch(ctx context.Context, d *Definition, locked bool, fields map[string]any, subresources ...string) error {
	meta, _ := fields["metadata"].(map[string]any)
	if meta == nil {
		meta = map[string]any{}
		fields["metadata"] = meta
	}
	meta["uid"] = d.uid
	if locked {
		meta["resourceVersion"] = d.resourceVersion
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	_, err = c.crds().Patch(ctx, d.Name, types.MergePatchType, text, metav1.PatchOptions{FieldManager: manager}, subresources...)
	return err
}
