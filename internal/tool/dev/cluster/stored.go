package cluster

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// mostStored is the number of objects of a definition that are read.
const mostStored = 1000

// Stored returns the objects of a definition in its storage version, at most 1000. There are none if the API server does not
// have the definition, or cannot read them.
func (c *Cluster) Stored(ctx context.Context, name string) []*unstructured.Unstructured {
	crd, err := c.objects.Resource(definitions).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil
	}
	group, _, _ := unstructured.NestedString(crd.Object, "spec", "group")
	plural, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "plural")
	versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
	for _, item := range versions {
		v, _ := item.(map[string]any)
		if v["storage"] != true || v["served"] != true {
			continue
		}
		version, _ := v["name"].(string)
		return c.list(ctx, schema.GroupVersionResource{Group: group, Version: version, Resource: plural})
	}
	return nil
}

func (c *Cluster) list(ctx context.Context, resource schema.GroupVersionResource) (all []*unstructured.Unstructured) {
	options := metav1.ListOptions{Limit: 200}
	for len(all) < mostStored {
		list, err := c.objects.Resource(resource).List(ctx, options)
		if err != nil {
			break
		}
		for i := range list.Items {
			all = append(all, &list.Items[i])
		}
		if options.Continue = list.GetContinue(); options.Continue == "" {
			break
		}
	}
	return all
}
