package controller

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	sitev1 "github.com/kindsmith/kindsmith/examples/operator/api/v1"
)

func page(name, site, path string, content sitev1.Content) *sitev1.Page {
	return &sitev1.Page{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}, Spec: sitev1.PageSpec{Site: site, Path: path, Title: "A & B", Content: content}}
}

func TestReconcile(t *testing.T) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, sitev1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	inline := sitev1.Content{Type: sitev1.ContentInline, Inline: &sitev1.InlineContent{Text: "<b>"}}
	stored := sitev1.Content{Type: sitev1.ContentConfigMap, ConfigMap: &sitev1.ConfigMapContent{Name: "texts", Key: "tea"}}
	site := &sitev1.Site{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "tea", UID: "1"}, Spec: sitev1.SiteSpec{Host: "tea.example.com", Language: `"><b>`}}
	c := fake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(site).WithObjects(
		site, page("index", "tea", "/", inline), page("green", "tea", "/kinds/green", stored), page("other", "coffee", "/", inline),
	).Build()
	ctx := context.Background()
	key := types.NamespacedName{Namespace: "shop", Name: "tea"}
	reconcile := func() (map[string]string, *metav1.Condition, int32) {
		t.Helper()
		if _, err := (&Sites{Client: c}).Reconcile(ctx, ctrl.Request{NamespacedName: key}); err != nil {
			t.Fatal(err)
		}
		pages := &corev1.ConfigMap{}
		if err := c.Get(ctx, types.NamespacedName{Namespace: "shop", Name: "tea-pages"}, pages); err != nil {
			t.Fatal(err)
		}
		if err := c.Get(ctx, key, site); err != nil {
			t.Fatal(err)
		}
		return pages.Data, meta.FindStatusCondition(site.Status.Conditions, Ready), *site.Status.Pages
	}

	pages, ready, count := reconcile()
	if len(pages) != 1 || count != 1 || !strings.Contains(pages["index.html"], "<title>A &amp; B</title><body>&lt;b&gt;</body>") {
		t.Errorf("%d pages: %v", count, pages)
	}
	if ready.Status != metav1.ConditionFalse || ready.Message != "no text for green" {
		t.Errorf("the condition is %v", ready)
	}

	if !strings.HasPrefix(pages["index.html"], `<html lang="&#34;&gt;&lt;b&gt;">`) {
		t.Errorf("the language is not escaped: %s", pages["index.html"])
	}

	texts := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "texts"}, Data: map[string]string{"tea": "Sencha"}}
	if err := c.Create(ctx, texts); err != nil {
		t.Fatal(err)
	}
	if requests := (&Sites{Client: c}).sitesOf(ctx, texts); len(requests) != 1 || requests[0].NamespacedName != key {
		t.Errorf("a new text reconciles %v", requests)
	}
	if pages, ready, count = reconcile(); count != 2 || !strings.Contains(pages["kinds.green.html"], "Sencha") || ready.Status != metav1.ConditionTrue {
		t.Errorf("%d pages: %v, %v", count, pages, ready)
	}

	// Of pages with one path, the oldest is shown, and the condition names both; the other follows.
	for i, other := range []*sitev1.Page{page("copy", "tea", "/kinds/green", inline), page("early", "tea", "/kinds/green", inline)} {
		other.CreationTimestamp = metav1.Unix(int64(200-100*i), 0)
		other.Spec.Title = other.Name
		if err := c.Create(ctx, other); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Delete(ctx, page("green", "tea", "/kinds/green", stored)); err != nil {
		t.Fatal(err)
	}
	if pages, ready, count = reconcile(); count != 2 || !strings.Contains(pages["kinds.green.html"], "<title>early</title>") {
		t.Errorf("%d pages, of which two have one path: %v", count, pages)
	}
	if ready.Status != metav1.ConditionFalse || ready.Reason != "PathTaken" || ready.Message != "copy has the path of early" {
		t.Errorf("the condition is %v", ready)
	}
	if err := c.Delete(ctx, page("early", "tea", "/kinds/green", inline)); err != nil {
		t.Fatal(err)
	}
	if pages, ready, _ = reconcile(); !strings.Contains(pages["kinds.green.html"], "<title>copy</title>") || ready.Status != metav1.ConditionTrue {
		t.Errorf("after the older page: %v, %v", pages, ready)
	}
	if err := c.Delete(ctx, page("copy", "tea", "/kinds/green", inline)); err != nil {
		t.Fatal(err)
	}

	if err := c.Delete(ctx, page("index", "tea", "/", inline)); err != nil {
		t.Fatal(err)
	}
	if pages, _, count = reconcile(); count != 0 || pages["index.html"] != "" {
		t.Errorf("%d pages after a deletion: %v", count, pages)
	}
	if err := c.Delete(ctx, site); client.IgnoreNotFound(err) != nil {
		t.Fatal(err)
	}
	if _, err := (&Sites{Client: c}).Reconcile(ctx, ctrl.Request{NamespacedName: key}); err != nil {
		t.Errorf("a deleted site: %v", err)
	}
}
