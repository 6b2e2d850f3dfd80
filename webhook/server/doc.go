// Package server serves webhooks: conversion, mutation and validation.
//
// In a manager it replaces controller-runtime's webhook server, and one call wires all webhooks of a
// kind:
//
//	mgr, err := ctrl.NewManager(config, ctrl.Options{
//		WebhookServer: server.New(server.Options{Certificates: server.Files{Dir: "/certs"}, Config: config}),
//		GracefulShutdownTimeout: ptr.To(server.ShutdownTimeout),
//	})
//	…
//	err = server.SetupWebhookWithManager(mgr, &v1.Database{}, converter)
//
// Without a manager, [Run] serves conversions.
//
// # What API servers see
//
// A request that the server has no memory for gets the status 503 with Retry-After, which API servers
// repeat. A body that is larger than the limit of its path gets 413. A panic is an error of its
// request.
//
// Before it stops, the server is not ready for a while and closes the connections that requests come
// in on, so API servers move to other replicas.
//
// # Certificates
//
// [Files] reads certificates that something else renews, such as cert-manager. [SelfManaged] keeps an
// authority in a Secret and writes it into the definitions and webhook configurations.
//
// # Readiness
//
// /readyz and [Server.StartedChecker] report that the server is ready once it has a certificate that
// API servers trust, and knows all served versions of its kinds.
package server
