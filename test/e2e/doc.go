// Package e2e tests the generated code of examples/database on a real kube-apiserver:
// its CustomResourceDefinitions, its conversions behind a webhook, and its admission webhooks, also in a storm of writes in
// all versions. It compares runtime/apply with server-side apply of the server, and sends the server the conformance cases that
// are not about one tag.
package e2e
