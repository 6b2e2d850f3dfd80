// Package cluster writes generated definitions, policies and webhook configurations to an API server, with webhooks on this
// machine in the place of those in the cluster.
//
// In a cluster that others use, an annotation of each object has the webhooks of before, until [Cluster.Restore].
package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// manager is the field manager of writes.
const manager = "kindsmith-dev"

// establishTime is how long an API server may take to serve a new definition.
const establishTime = 30 * time.Second

// Webhook is where API servers reach the webhooks of this machine.
type Webhook struct {
	// URL is the address, without a path.
	URL string
	// Bundle is the PEM of the authority that signed the certificate.
	Bundle []byte
}

// Cluster is an API server.
type Cluster struct {
	objects dynamic.Interface
	// Webhook replaces services in definitions and webhook configurations.
	Webhook Webhook
	// Keep is set if the cluster is not of this command: annotations keep the webhooks of before.
	Keep bool
	// applied has the digests of written objects, by kind and name.
	applied map[string][sha256.Size]byte
}

// New returns the API server of a configuration. It sends no request.
func New(config *rest.Config) (*Cluster, error) {
	config = rest.CopyConfig(config)
	config.QPS = -1
	config.Timeout = time.Minute
	config.WarningHandler = rest.NoWarnings{}
	config.UserAgent = manager
	d, err := dynamic.NewForConfig(config)
	return &Cluster{objects: d, applied: map[string][sha256.Size]byte{}}, err
}

// plurals are the kinds that can be written.
var plurals = map[schema.GroupKind]string{
	{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}:                 "customresourcedefinitions",
	{Group: "admissionregistration.k8s.io", Kind: "MutatingAdmissionPolicy"}:          "mutatingadmissionpolicies",
	{Group: "admissionregistration.k8s.io", Kind: "MutatingAdmissionPolicyBinding"}:   "mutatingadmissionpolicybindings",
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingAdmissionPolicy"}:        "validatingadmissionpolicies",
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingAdmissionPolicyBinding"}: "validatingadmissionpolicybindings",
	{Group: "admissionregistration.k8s.io", Kind: "MutatingWebhookConfiguration"}:     "mutatingwebhookconfigurations",
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingWebhookConfiguration"}:   "validatingwebhookconfigurations",
}

var definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// IsDefinition reports whether an object is a CustomResourceDefinition.
func IsDefinition(object *unstructured.Unstructured) bool {
	return object.GroupVersionKind().GroupKind() == schema.GroupKind{Group: definitions.Group, Kind: "CustomResourceDefinition"}
}

// HasWebhooks reports whether an object configures admission webhooks.
func HasWebhooks(object *unstructured.Unstructured) bool {
	return strings.HasSuffix(object.GetKind(), "WebhookConfiguration")
}

// Knows reports whether Apply writes objects of a kind.
func Knows(kind schema.GroupKind) bool { return plurals[kind] != "" }

// resource returns the resource of an object of a known kind.
func (c *Cluster) resource(object *unstructured.Unstructured) dynamic.ResourceInterface {
	kind := object.GroupVersionKind()
	return c.objects.Resource(kind.GroupVersion().WithResource(plurals[kind.GroupKind()]))
}

// Changed reports whether an object differs from the one that Apply wrote last.
func (c *Cluster) Changed(object *unstructured.Unstructured) bool {
	return c.applied[key(object)] != digest(object)
}

func key(object *unstructured.Unstructured) string { return object.GetKind() + " " + object.GetName() }

func digest(object *unstructured.Unstructured) [sha256.Size]byte {
	text, err := json.Marshal(object)
	if err != nil {
		return [sha256.Size]byte{}
	}
	return sha256.Sum256(text)
}

// Apply creates or replaces an object of a known kind, and returns when a new definition is served.
func (c *Cluster) Apply(ctx context.Context, object *unstructured.Unstructured) error {
	if err := c.write(ctx, object); err != nil {
		return fmt.Errorf("%s %s: %w", object.GetKind(), object.GetName(), explain(object, err))
	}
	c.applied[key(object)] = digest(object)
	return nil
}

// Check returns why the API server would refuse an object of a known kind. It writes nothing.
func (c *Cluster) Check(ctx context.Context, object *unstructured.Unstructured) error {
	_, err := c.send(ctx, object, []string{metav1.DryRunAll})
	if err != nil {
		return fmt.Errorf("%s %s: %w", object.GetKind(), object.GetName(), explain(object, err))
	}
	return nil
}

// explain says what an error of an API server means.
func explain(object *unstructured.Unstructured, err error) error {
	if apierrors.IsNotFound(err) {
		return fmt.Errorf("the API server does not serve %s, so what the object does is missing", object.GetAPIVersion())
	}
	return err
}

func (c *Cluster) write(ctx context.Context, object *unstructured.Unstructured) error {
	done, err := c.send(ctx, object, nil)
	if err == nil && IsDefinition(object) {
		return c.established(ctx, done)
	}
	return err
}

// send creates or replaces an object, and returns the answer.
func (c *Cluster) send(ctx context.Context, object *unstructured.Unstructured, dryRun []string) (*unstructured.Unstructured, error) {
	in := c.resource(object)
	for {
		live, err := in.Get(ctx, object.GetName(), metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err):
			live = nil
		case err != nil:
			return nil, err
		}
		next, err := c.next(object, live)
		if err != nil {
			return nil, err
		}
		var done *unstructured.Unstructured
		if live == nil {
			done, err = in.Create(ctx, next, metav1.CreateOptions{FieldManager: manager, DryRun: dryRun})
		} else {
			done, err = in.Update(ctx, next, metav1.UpdateOptions{FieldManager: manager, DryRun: dryRun})
		}
		if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
			continue // another write came first
		}
		return done, err
	}
}

// next returns what is written in the place of a live object, nil for none.
func (c *Cluster) next(object, live *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	next := object.DeepCopy()
	next.SetResourceVersion("")
	unstructured.RemoveNestedField(next.Object, "status")
	if live != nil {
		next = live.DeepCopy()
		for name, value := range object.Object {
			if name != "metadata" && name != "status" {
				next.Object[name] = value
			}
		}
		next = next.DeepCopy() // shares nothing with object
		next.SetLabels(merged(live.GetLabels(), object.GetLabels()))
		next.SetAnnotations(merged(live.GetAnnotations(), object.GetAnnotations()))
	}
	if !c.redirect(next) || !c.Keep {
		return next, nil
	}
	return next, c.keep(next, object, live)
}

func merged(all, more map[string]string) map[string]string {
	all = maps.Clone(all)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, more)
	if len(all) == 0 {
		return nil
	}
	return all
}

// redirect makes the webhooks of an object those of this machine, and reports whether it has any.
func (c *Cluster) redirect(object *unstructured.Unstructured) bool {
	switch {
	case IsDefinition(object):
		strategy, _, _ := unstructured.NestedString(object.Object, "spec", "conversion", "strategy")
		if strategy != "Webhook" {
			return false
		}
		hook, _, _ := unstructured.NestedMap(object.Object, "spec", "conversion", "webhook")
		c.redirectClient(hook)
		_ = unstructured.SetNestedMap(object.Object, hook, "spec", "conversion", "webhook") // the fields are maps
		// cert-manager would write its own authority.
		unstructured.RemoveNestedField(object.Object, "metadata", "annotations", injectCA)
		return true
	case HasWebhooks(object):
		list, _ := object.Object["webhooks"].([]any)
		for _, item := range list {
			if hook, ok := item.(map[string]any); ok {
				c.redirectClient(hook)
			}
		}
		return true
	}
	return false
}

const injectCA = "cert-manager.io/inject-ca-from"

// Limit removes the webhooks of a configuration whose paths do not pass a test, and returns their names.
func Limit(object *unstructured.Unstructured, has func(path string) bool) (removed []string) {
	list, _ := object.Object["webhooks"].([]any)
	object.Object["webhooks"] = slices.DeleteFunc(slices.Clone(list), func(item any) bool {
		hook, _ := item.(map[string]any)
		path, _, _ := unstructured.NestedString(hook, "clientConfig", "service", "path")
		if has(path) {
			return false
		}
		name, _ := hook["name"].(string)
		removed = append(removed, name)
		return true
	})
	return removed
}

// isEmpty reports whether a configuration has no webhooks.
func isEmpty(object *unstructured.Unstructured) bool {
	list, _ := object.Object["webhooks"].([]any)
	return HasWebhooks(object) && len(list) == 0
}

// redirectClient changes the client configuration of a webhook, and keeps its path.
func (c *Cluster) redirectClient(hook map[string]any) {
	path, found, _ := unstructured.NestedString(hook, "clientConfig", "service", "path")
	if !found {
		path = "/convert"
	}
	hook["clientConfig"] = map[string]any{"url": c.Webhook.URL + path, "caBundle": encoded(c.Webhook.Bundle)}
}

// encoded returns bytes as they are in JSON.
func encoded(content []byte) string {
	text, _ := json.Marshal(content) // bytes have no error
	return strings.Trim(string(text), `"`)
}

// established returns when the API server serves a definition.
func (c *Cluster) established(ctx context.Context, crd *unstructured.Unstructured) error {
	ctx, cancel := context.WithTimeout(ctx, establishTime)
	defer cancel()
	for {
		conditions, _, _ := unstructured.NestedSlice(crd.Object, "status", "conditions")
		for _, item := range conditions {
			condition, _ := item.(map[string]any)
			switch {
			case condition["type"] == "Established" && condition["status"] == "True":
				return nil
			case condition["type"] == "NamesAccepted" && condition["status"] == "False":
				return fmt.Errorf("the API server does not accept its names: %v", condition["message"])
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the API server does not serve it after %s", establishTime)
		case <-time.After(20 * time.Millisecond):
		}
		next, err := c.objects.Resource(definitions).Get(ctx, crd.GetName(), metav1.GetOptions{})
		if err != nil {
			return err
		}
		crd = next
	}
}
