package main

import (
	"context"
	"fmt"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// readyDeadline limits the start, which takes 3 s on an idle machine and ten times that
// on a busy one.
const readyDeadline = 3 * time.Minute

// waitReady returns when the server is usable: /readyz succeeds, the default namespace
// exists, and a dry run of creating a CRD succeeds. It returns an error with the last
// missing condition if ctx ends or readyDeadline passes.
func waitReady(ctx context.Context, cfg *rest.Config) error {
	// The client's own rate limit would slow down the polling.
	cfg.QPS = -1
	core, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return err
	}
	crds, err := apiextensions.NewForConfig(cfg)
	if err != nil {
		return err
	}
	checks := []func(context.Context) error{
		func(ctx context.Context) error {
			return core.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
		},
		func(ctx context.Context) error {
			_, err := core.CoreV1().Namespaces().Get(ctx, metav1.NamespaceDefault, metav1.GetOptions{})
			return err
		},
		func(ctx context.Context) error {
			_, err := crds.ApiextensionsV1().CustomResourceDefinitions().Create(ctx, probe(),
				metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
			return err
		},
	}
	var last error
	err = wait.PollUntilContextTimeout(ctx, 25*time.Millisecond, readyDeadline, true, func(ctx context.Context) (bool, error) {
		for len(checks) > 0 {
			if last = checks[0](ctx); last != nil {
				return false, nil
			}
			checks = checks[1:]
		}
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("%w; last answer: %w", err, last)
	}
	return nil
}

// probe returns a valid CRD that is only created as a dry run.
func probe() *apiextensionsv1.CustomResourceDefinition {
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "probes.kindsmith.dev"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "kindsmith.dev",
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "probes", Kind: "Probe"},
			Scope: apiextensionsv1.NamespaceScoped,
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{
					OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object"},
				},
			}},
		},
	}
}
