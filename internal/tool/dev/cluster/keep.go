package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// ReplacedAnnotation of an object has the webhooks that kindsmith dev replaces: kindsmith dev --restore puts them back.
const ReplacedAnnotation = "kindsmith.dev/replaced"

// replaced is the value of the annotation.
type replaced struct {
	// Value is that of the field: spec.conversion of a definition, webhooks of a configuration. A configuration without
	// a value did not exist.
	Value json.RawMessage `json:"value,omitempty"`
	// URL is the address of the webhook in its place.
	URL string `json:"url"`
	// InjectCA is the annotation for cert-manager.
	InjectCA string `json:"injectCA,omitempty"`
}

// field returns the path of the field with the webhooks of an object.
func field(object *unstructured.Unstructured) []string {
	if IsDefinition(object) {
		return []string{"spec", "conversion"}
	}
	return []string{"webhooks"}
}

// keep stores the webhooks of before in the annotation of an object. Those that an earlier run replaced stay.
func (c *Cluster) keep(next, object, live *unstructured.Unstructured) error {
	r := replaced{URL: c.Webhook.URL}
	before := live
	if live == nil && IsDefinition(object) {
		before = object // what the user would have applied
	}
	if before != nil {
		value, _, err := unstructured.NestedFieldNoCopy(before.Object, field(before)...)
		if err != nil {
			return err
		}
		if live == nil && isPlaceholder(value) {
			value = map[string]any{"strategy": "None"}
		}
		if r.Value, err = json.Marshal(value); err != nil {
			return err
		}
		r.InjectCA = before.GetAnnotations()[injectCA]
	}
	if live != nil {
		var earlier replaced
		if text := live.GetAnnotations()[ReplacedAnnotation]; text != "" && json.Unmarshal([]byte(text), &earlier) == nil && earlier.isIn(live) {
			r.Value, r.InjectCA = earlier.Value, earlier.InjectCA
		}
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	next.SetAnnotations(merged(next.GetAnnotations(), map[string]string{ReplacedAnnotation: string(text)}))
	return nil
}

// Placeholder is the service in definitions of projects that do not name one, as namespace/name.
const Placeholder = "kindsmith-dev/no-service"

// isPlaceholder reports whether a conversion calls the service that does not exist.
func isPlaceholder(conversion any) bool {
	value, _ := conversion.(map[string]any)
	namespace, _, _ := unstructured.NestedString(value, "webhook", "clientConfig", "service", "namespace")
	name, _, _ := unstructured.NestedString(value, "webhook", "clientConfig", "service", "name")
	return namespace+"/"+name == Placeholder
}

// NeedsService reports whether a definition calls the service that does not exist.
func NeedsService(object *unstructured.Unstructured) bool {
	value, _, _ := unstructured.NestedFieldNoCopy(object.Object, "spec", "conversion")
	return IsDefinition(object) && isPlaceholder(value)
}

// isIn reports whether the webhook is in an object still: others may have written it since.
func (r *replaced) isIn(object *unstructured.Unstructured) bool {
	value, _, _ := unstructured.NestedFieldNoCopy(object.Object, field(object)...)
	text, err := json.Marshal(value)
	return err == nil && strings.Contains(string(text), `"url":"`+r.URL+`/`)
}

// Restore puts back the webhooks that this command has replaced, also of earlier runs that were killed, and returns the
// objects. With own set, it restores only the webhooks of this run.
func (c *Cluster) Restore(ctx context.Context, own bool) (restored []string, err error) {
	var errs []error
	for kind, plural := range plurals {
		if kind.Kind != "CustomResourceDefinition" && !strings.HasSuffix(kind.Kind, "WebhookConfiguration") {
			continue
		}
		in := c.objects.Resource(kind.WithVersion("v1").GroupVersion().WithResource(plural))
		options := metav1.ListOptions{Limit: 50} // definitions are large
		for {
			list, err := in.List(ctx, options)
			if err != nil {
				errs = append(errs, fmt.Errorf("list %s: %w", plural, err))
				break
			}
			for i := range list.Items {
				object := &list.Items[i]
				text := object.GetAnnotations()[ReplacedAnnotation]
				var r replaced
				if text == "" {
					continue
				}
				if err := json.Unmarshal([]byte(text), &r); err != nil {
					errs = append(errs, fmt.Errorf("%s %s: the annotation %s: %w", kind.Kind, object.GetName(), ReplacedAnnotation, err))
					continue
				}
				if own && r.URL != c.Webhook.URL {
					continue
				}
				if err := c.restore(ctx, object, &r, text); err != nil {
					errs = append(errs, fmt.Errorf("%s %s: %w", kind.Kind, object.GetName(), err))
					continue
				}
				restored = append(restored, strings.ToLower(kind.Kind)+" "+object.GetName())
			}
			if options.Continue = list.GetContinue(); options.Continue == "" {
				break
			}
		}
	}
	slices.Sort(restored)
	return restored, errors.Join(errs...)
}

// restore puts back one object. If another client has changed its webhook, it only removes the annotation.
func (c *Cluster) restore(ctx context.Context, object *unstructured.Unstructured, r *replaced, text string) error {
	in := c.resource(object)
	if len(r.Value) == 0 && (r.isIn(object) || isEmpty(object)) {
		uid := object.GetUID()
		err := in.Delete(ctx, object.GetName(), metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}})
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	}
	pointer := "/metadata/annotations/" + strings.ReplaceAll(ReplacedAnnotation, "/", "~1")
	operations := []any{
		map[string]any{"op": "test", "path": pointer, "value": text},
		map[string]any{"op": "remove", "path": pointer},
	}
	if r.isIn(object) {
		operations = append(operations, map[string]any{"op": "replace", "path": "/" + strings.Join(field(object), "/"), "value": r.Value})
		if r.InjectCA != "" {
			operations = append(operations, map[string]any{"op": "add", "path": "/metadata/annotations/" + strings.ReplaceAll(injectCA, "/", "~1"), "value": r.InjectCA})
		}
	}
	patch, err := json.Marshal(operations)
	if err != nil {
		return err
	}
	_, err = in.Patch(ctx, object.GetName(), types.JSONPatchType, patch, metav1.PatchOptions{FieldManager: manager})
	return err
}
