// Package e2e shows that what kindsmith generates for examples/database works
// on a real kube-apiserver: its CustomResourceDefinitions, and its conversions
// behind a webhook.
package e2e
