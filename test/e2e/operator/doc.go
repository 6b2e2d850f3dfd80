// Package operator tests examples/operator on a real kube-apiserver: its manifests, its webhooks with the permissions that
// the manifests grant, its reconciler, and how it is uninstalled, in the order of docs/guides/run-it.md and in a wrong one.
package operator
