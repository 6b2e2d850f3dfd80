// Package serving tests webhook/server with a real kube-apiserver: replicas are processes behind a balancer that
// sends connections to those that are ready, like a Service. Tests of load run with -soak only.
package serving
