package server

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// The resources that the server reads and writes.
var (
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	mutating    = schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "mutatingwebhookconfigurations"}
	validating  = schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingwebhookconfigurations"}
	secrets     = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
)

// manager is the field manager of writes.
const manager = "kindsmith-webhook"

// cluster is an API server.
type cluster struct {
	objects   dynamic.Interface
	discovery discovery.DiscoveryInterface
}

func newCluster(config *rest.Config) (*cluster, error) {
	config = rest.CopyConfig(config)
	config.Timeout = 10 * time.Second
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	d, err := discovery.NewDiscoveryClientForConfig(config)
	return &cluster{objects, d}, err
}

// findings are what one look at the API server found.
type findings struct {
	api *cluster
	// targets name this webhook server.
	targets []*target
	// missing are kinds that are not served, and served versions that a converter does not know.
	missing []error
	// partial is set if some targets could not be read.
	partial bool
	// changing is set while certificates change.
	changing bool
}

// target is an object that tells API servers where a webhook is.
type target struct {
	resource schema.GroupVersionResource
	name     string
	version  string // the resourceVersion
	clients  []client
}

func (t *target) String() string {
	return strings.TrimSuffix(t.resource.Resource, "s") + " " + t.name
}

// client is how API servers reach a webhook.
type client struct {
	// path is the JSON pointer of the client configuration.
	path   string
	bundle []byte
	// host is the name that the certificate must have.
	host string
}

// clientConfig is the JSON of a client configuration in definitions and webhook configurations.
type clientConfig struct {
	URL     string `json:"url"`
	Service *struct {
		Namespace, Name string
	} `json:"service"`
	CABundle []byte `json:"caBundle"`
}

func (c *clientConfig) client(path string) client {
	out := client{path: path, bundle: c.CABundle}
	if c.Service != nil {
		out.host = c.Service.Name + "." + c.Service.Namespace + ".svc"
	} else if u, err := url.Parse(c.URL); err == nil {
		out.host = u.Hostname()
	}
	return out
}

// add adds the definitions of a conversion's kinds.
func (f *findings) add(ctx context.Context, c *conversion) (errs []error) {
	defer func() { f.partial = f.partial || len(errs) > 0 }()
	served, err := f.served(ctx, c.Group)
	if err != nil {
		return []error{err}
	}
	known := c.Converter.Versions()
	for _, kind := range c.Kinds {
		s := served[kind]
		if s == nil {
			f.missing = append(f.missing, fmt.Errorf("the API server does not serve the kind %s of the group %s: its definition is not installed", kind, c.Group))
			continue
		}
		var unknown []string
		for _, v := range s.versions {
			if !slices.Contains(known, v) {
				unknown = append(unknown, v)
			}
		}
		if len(unknown) > 0 {
			f.missing = append(f.missing, fmt.Errorf("customresourcedefinition %s.%s: it serves %s, and this server converts only %s: deploy a server that knows the version, then serve it",
				s.plural, c.Group, strings.Join(unknown, ", "), strings.Join(known, ", ")))
		}
		if err := f.definition(ctx, s.plural+"."+c.Group); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// servedKind is a kind that an API server serves.
type servedKind struct {
	plural   string
	versions []string
}

// served returns the kinds that the API server serves in a group.
func (f *findings) served(ctx context.Context, group string) (map[string]*servedKind, error) {
	var g metav1.APIGroup
	text, err := f.api.discovery.RESTClient().Get().AbsPath("/apis", group).DoRaw(ctx)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &g)
	}
	if err != nil {
		return nil, fmt.Errorf("the versions of the group %s: %w", group, err)
	}
	kinds := map[string]*servedKind{}
	for _, v := range g.Versions {
		list, err := f.api.discovery.ServerResourcesForGroupVersion(v.GroupVersion)
		if apierrors.IsNotFound(err) {
			continue
		} else if err != nil {
			return nil, fmt.Errorf("the kinds of %s: %w", v.GroupVersion, err)
		}
		for _, r := range list.APIResources {
			if strings.Contains(r.Name, "/") {
				continue
			}
			if kinds[r.Kind] == nil {
				kinds[r.Kind] = &servedKind{plural: r.Name}
			}
			kinds[r.Kind].versions = append(kinds[r.Kind].versions, v.Version)
		}
	}
	return kinds, nil
}

// definition adds the webhook of a definition. A server without permission to read it does not check it.
func (f *findings) definition(ctx context.Context, name string) error {
	var spec struct {
		Spec struct {
			Conversion struct {
				Strategy string `json:"strategy"`
				Webhook  struct {
					ClientConfig clientConfig `json:"clientConfig"`
				} `json:"webhook"`
			} `json:"conversion"`
		} `json:"spec"`
	}
	t, err := f.read(ctx, definitions, name, &spec)
	switch {
	case apierrors.IsForbidden(err):
		f.partial = true
		return nil
	case err != nil:
		return err
	case spec.Spec.Conversion.Strategy != "Webhook":
		return nil
	}
	t.clients = []client{spec.Spec.Conversion.Webhook.ClientConfig.client("/spec/conversion/webhook/clientConfig")}
	f.targets = append(f.targets, t)
	return nil
}

// configuration adds the webhooks of a webhook configuration.
func (f *findings) configuration(ctx context.Context, resource schema.GroupVersionResource, name string) error {
	var spec struct {
		Webhooks []struct {
			ClientConfig clientConfig `json:"clientConfig"`
		} `json:"webhooks"`
	}
	t, err := f.read(ctx, resource, name, &spec)
	if err != nil {
		f.partial = true
		return err
	}
	for i := range spec.Webhooks {
		t.clients = append(t.clients, spec.Webhooks[i].ClientConfig.client(fmt.Sprintf("/webhooks/%d/clientConfig", i)))
	}
	f.targets = append(f.targets, t)
	return nil
}

// read reads an object as JSON of a type.
func (f *findings) read(ctx context.Context, resource schema.GroupVersionResource, name string, into any) (*target, error) {
	// From the memory of the API server: old data only delays what follows, because a write names its version.
	object, err := f.api.objects.Resource(resource).Get(ctx, name, metav1.GetOptions{ResourceVersion: "0"})
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", strings.TrimSuffix(resource.Resource, "s"), name, err)
	}
	text, err := json.Marshal(map[string]any{"spec": pick(object, "spec", "conversion"), "webhooks": object.Object["webhooks"]})
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	return &target{resource: resource, name: name, version: object.GetResourceVersion()}, err
}

// pick returns an object with one field of a field, without the rest: schemas are large.
func pick(object *unstructured.Unstructured, outer, inner string) map[string]any {
	fields, _ := object.Object[outer].(map[string]any)
	return map[string]any{inner: fields[inner]}
}

// publish writes a bundle into a target unless it has it. It reports whether it wrote.
func (f *findings) publish(ctx context.Context, t *target, bundle []byte) (bool, error) {
	operations := []any{map[string]any{"op": "replace", "path": "/metadata/resourceVersion", "value": t.version}}
	for i := range t.clients {
		if c := &t.clients[i]; !bytes.Equal(c.bundle, bundle) {
			operations = append(operations, map[string]any{"op": "add", "path": c.path + "/caBundle", "value": base64.StdEncoding.EncodeToString(bundle)})
		}
	}
	if len(operations) == 1 {
		return false, nil
	}
	patch, err := json.Marshal(operations)
	if err != nil {
		return false, err
	}
	if _, err = f.api.objects.Resource(t.resource).Patch(ctx, t.name, types.JSONPatchType, patch, metav1.PatchOptions{FieldManager: manager}); err != nil {
		return false, fmt.Errorf("write the caBundle of %s: %w", t, err)
	}
	for i := range t.clients {
		t.clients[i].bundle = bundle
	}
	return true, nil
}

// secret is a Secret as it was read; without a version it does not exist.
type secret struct {
	namespace, name string
	version         string
	data            map[string][]byte
	annotations     map[string]string
}

func (a *cluster) secret(ctx context.Context, namespace, name string) (*secret, error) {
	s := &secret{namespace: namespace, name: name}
	object, err := a.objects.Resource(secrets).Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return s, nil
	} else if err != nil {
		return nil, fmt.Errorf("secret %s/%s: %w", namespace, name, err)
	}
	s.version, s.annotations, s.data = object.GetResourceVersion(), object.GetAnnotations(), map[string][]byte{}
	data, _ := object.Object["data"].(map[string]any)
	for key, value := range data {
		text, _ := value.(string)
		if s.data[key], err = base64.StdEncoding.DecodeString(text); err != nil {
			return nil, fmt.Errorf("secret %s/%s: %s: %w", namespace, name, key, err)
		}
	}
	return s, nil
}

// errMoved means that another replica wrote first.
var errMoved = errors.New("another replica wrote first")

// store writes the data of a Secret, unless it was written since it was read. Keys of others are kept.
func (a *cluster) store(ctx context.Context, s *secret, data map[string][]byte, ours func(key string) bool) error {
	all := map[string]any{}
	for key, value := range s.data {
		if !ours(key) {
			all[key] = base64.StdEncoding.EncodeToString(value)
		}
	}
	for key, value := range data {
		all[key] = base64.StdEncoding.EncodeToString(value)
	}
	in := a.objects.Resource(secrets).Namespace(s.namespace)
	var err error
	if s.version == "" {
		object := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Secret", "type": "Opaque",
			"metadata": map[string]any{"namespace": s.namespace, "name": s.name}, "data": all,
		}}
		_, err = in.Create(ctx, object, metav1.CreateOptions{FieldManager: manager})
	} else {
		// A patch keeps the labels and annotations of others.
		metadata := map[string]any{"resourceVersion": s.version}
		if annotations := maps.Clone(s.annotations); annotations[RotateAnnotation] != "" {
			metadata["annotations"] = map[string]any{RotateAnnotation: nil}
		}
		for key := range s.data {
			if _, kept := all[key]; !kept {
				all[key] = nil
			}
		}
		var patch []byte
		if patch, err = json.Marshal(map[string]any{"metadata": metadata, "data": all}); err == nil {
			_, err = in.Patch(ctx, s.name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: manager})
		}
	}
	switch {
	case apierrors.IsConflict(err), apierrors.IsAlreadyExists(err):
		return errMoved
	case apierrors.IsNotFound(err) && s.version != "":
		return errMoved // it was deleted
	case err != nil:
		return fmt.Errorf("write the secret %s/%s: %w", s.namespace, s.name, err)
	}
	return nil
}
