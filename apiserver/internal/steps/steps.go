// Package steps reports what admission does with custom resources: the object before the first plugin, what each plugin changes
// or refuses, and the object that is validated.
//
// [New] returns a [Reporter], which wraps admission plugins, and sends a [Step] for each call of one to the program that
// started the server. Objects of other kinds, such as Secrets, are never reported.
package steps

import "encoding/json"

// The phases of admission.
const (
	Mutate   = "mutate"
	Validate = "validate"
)

// Step is what a plugin has done with the object of a request. Package requests of kindsmith reads it.
type Step struct {
	// Request is the Audit-ID of the request.
	Request string `json:"request"`
	// Plugin is the name of the plugin, and Phase is Mutate or Validate.
	Plugin string `json:"plugin"`
	Phase  string `json:"phase"`
	// Operation is CREATE, UPDATE, DELETE or CONNECT.
	Operation string `json:"operation"`
	// First is set for the first plugin of a phase. A request whose object has changed meanwhile begins again.
	First bool `json:"first,omitempty"`
	// Again is set if the plugin is called because a later one has changed the object.
	Again bool `json:"again,omitempty"`
	// Before is the object before the first plugin of a phase, and After is the object after a plugin that has changed it,
	// both without managed fields. Old is the object that an update changes; only the first step of Mutate has it. A deleted
	// object is in none of these.
	Old    json.RawMessage `json:"old,omitempty"`
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
	// Error is why the plugin refuses the request.
	Error string `json:"error,omitempty"`
	// Webhooks are the mutating webhooks that the plugin has called.
	Webhooks []Webhook `json:"webhooks,omitempty"`
}

// Webhook is a call of a mutating webhook.
type Webhook struct {
	// Name is the name of the webhook in its configuration.
	Name          string `json:"webhook"`
	Configuration string `json:"configuration"`
	// Changed is set if it has changed the object.
	Changed bool `json:"mutated"`
}
