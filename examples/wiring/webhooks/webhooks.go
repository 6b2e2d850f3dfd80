// Package webhooks calls generated code in webhooks of controller-runtime.
package webhooks

import (
	ctrl "sigs.k8s.io/controller-runtime"

	dbv1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	dbv1alpha1 "github.com/kindsmith/kindsmith/examples/database/api/v1alpha1"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	conversion "github.com/kindsmith/kindsmith/runtime/jsonconvert/webhook"
	"github.com/kindsmith/kindsmith/webhook"
)

// Setup adds the webhooks of databases to a manager. Its scheme has the types of all versions.
func Setup(mgr ctrl.Manager) error {
	converter, err := jsonconvert.New(dbv1alpha1.JSONConversion())
	if err != nil {
		return err
	}
	mgr.GetWebhookServer().Register("/convert", conversion.Handler(converter))

	return webhook.SetupWithManager(mgr, &dbv1.Database{})
}
