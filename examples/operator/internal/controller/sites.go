// Package controller reconciles sites.
package controller

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	sitev1 "github.com/kindsmith/kindsmith/examples/operator/api/v1"
)

// Ready is the condition that the ConfigMap has all pages.
const Ready = "Ready"

// Sites writes the pages of each site to the ConfigMap <site>-pages.
type Sites struct {
	client.Client
}

// SetupWithManager adds the controller to a manager.
func (r *Sites) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&sitev1.Site{}).
		Owns(&corev1.ConfigMap{}).
		Watches(&sitev1.Page{}, handler.EnqueueRequestsFromMapFunc(siteOf)).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(r.sitesOf)).
		Complete(r)
}

// siteOf returns the site of a page.
func siteOf(_ context.Context, object client.Object) []reconcile.Request {
	page := object.(*sitev1.Page)
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: page.Namespace, Name: page.Spec.Site}}}
}

// sitesOf returns the sites with pages whose text is in a ConfigMap.
func (r *Sites) sitesOf(ctx context.Context, texts client.Object) (requests []reconcile.Request) {
	list := &sitev1.PageList{}
	if err := r.List(ctx, list, client.InNamespace(texts.GetNamespace())); err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "list pages with a text", "configMap", texts.GetName())
		return nil
	}
	for i := range list.Items {
		page := &list.Items[i]
		if source := page.Spec.Content.ConfigMap; source != nil && source.Name == texts.GetName() {
			requests = append(requests, siteOf(ctx, page)...)
		}
	}
	return requests
}

// Reconcile writes the ConfigMap and the status of a site.
func (r *Sites) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	site := &sitev1.Site{}
	if err := r.Get(ctx, req.NamespacedName, site); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !site.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil // its ConfigMap goes with it
	}
	pages, missing, taken, err := r.pages(ctx, site)
	if err != nil {
		return ctrl.Result{}, err
	}
	rendered := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: site.Namespace, Name: site.Name + "-pages"}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, rendered, func() error {
		rendered.Data = pages
		return controllerutil.SetControllerReference(site, rendered, r.Scheme())
	}); err != nil {
		return ctrl.Result{}, err
	}
	before := site.DeepCopy()
	count := int32(len(pages)) //nolint:gosec // a ConfigMap has not that many keys
	site.Status.Pages = &count
	condition := metav1.Condition{Type: Ready, Status: metav1.ConditionTrue, Reason: "Rendered", Message: "all pages are in the ConfigMap", ObservedGeneration: site.Generation}
	var problems []string
	if len(missing) > 0 {
		condition.Reason = "TextMissing"
		problems = append(problems, "no text for "+strings.Join(missing, ", "))
	}
	if len(taken) > 0 {
		condition.Reason = "PathTaken"
		problems = append(problems, taken...)
	}
	if len(problems) > 0 {
		condition.Status, condition.Message = metav1.ConditionFalse, strings.Join(problems, "; ")
	}
	meta.SetStatusCondition(&site.Status.Conditions, condition)
	return ctrl.Result{}, client.IgnoreNotFound(r.Status().Patch(ctx, site, client.MergeFrom(before)))
}

// pages returns the pages of a site by their key, the names of those without text, and which pages have the path of an older one.
func (r *Sites) pages(ctx context.Context, site *sitev1.Site) (pages map[string]string, missing, taken []string, err error) {
	list := &sitev1.PageList{}
	if err := r.List(ctx, list, client.InNamespace(site.Namespace)); err != nil {
		return nil, nil, nil, err
	}
	slices.SortFunc(list.Items, func(a, b sitev1.Page) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), strings.Compare(a.Name, b.Name))
	})
	pages = map[string]string{}
	names := map[string]string{} // of pages, by key
	for i := range list.Items {
		page := &list.Items[i]
		if page.Spec.Site != site.Name {
			continue
		}
		key := key(page.Spec.Path)
		if older := names[key]; older != "" {
			taken = append(taken, fmt.Sprintf("%s has the path of %s", page.Name, older))
			continue
		}
		names[key] = page.Name
		text, ok, err := r.text(ctx, page)
		switch {
		case err != nil:
			return nil, nil, nil, err
		case !ok:
			missing = append(missing, page.Name)
		default:
			pages[key] = fmt.Sprintf("<html lang=\"%s\"><title>%s</title><body>%s</body></html>\n", html.EscapeString(site.Spec.Language), html.EscapeString(page.Spec.Title), text)
		}
	}
	slices.Sort(missing)
	return pages, missing, taken, nil
}

// text returns the text of a page; false if its ConfigMap does not have it.
func (r *Sites) text(ctx context.Context, page *sitev1.Page) (string, bool, error) {
	content := page.Spec.Content
	if content.Type == sitev1.ContentInline {
		return html.EscapeString(content.Inline.Text), true, nil
	}
	source := &corev1.ConfigMap{}
	err := r.Get(ctx, types.NamespacedName{Namespace: page.Namespace, Name: content.ConfigMap.Name}, source)
	if apierrors.IsNotFound(err) {
		return "", false, nil
	}
	text, ok := source.Data[content.ConfigMap.Key]
	return text, ok, err
}

// key returns the key of a path in a ConfigMap.
func key(path string) string {
	name := strings.ReplaceAll(strings.Trim(path, "/"), "/", ".")
	if name == "" {
		name = "index"
	}
	return name + ".html"
}
