// Package e2e tests the generated code of examples/database on a real kube-apiserver:
// its CustomResourceDefinitions, and its conversions behind a webhook, also in a storm of writes in
// all versions.
package e2e
