// Package requests keeps the requests that clients send to an API server, with their bodies and answers, and what admission
// does with them.
//
// Clients connect to a [Proxy] on this machine, which forwards everything as it is. A [Log] has the last requests. A [Receiver]
// gets the steps of admission from kindsmith-apiserver; other API servers do not report them. Credentials and the bodies of
// secrets are never kept.
package requests

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/endpoints/request"
)

// Request is a request of a client.
type Request struct {
	// ID counts from 1.
	ID int64 `json:"id"`
	// Begin is when the request arrived, and Took how long it took in milliseconds; 0 as long as it is answered.
	Begin time.Time `json:"begin"`
	Took  float64   `json:"took"`
	// Done is set when the answer is complete. A watch is done when the client ends it.
	Done bool `json:"done"`
	// Method and Path are those of HTTP; the path has the query.
	Method string `json:"method"`
	Path   string `json:"path"`
	// Verb is that of the API, such as create or watch; that of other paths is get.
	Verb string `json:"verb"`
	// Resource is set on requests for objects. The other names are as in its path.
	Group       string `json:"group"`
	Version     string `json:"version"`
	Resource    string `json:"resource"`
	Subresource string `json:"subresource"`
	Namespace   string `json:"namespace"`
	// Name is also that of an object that the request creates.
	Name string `json:"name"`
	// Agent is the program of the client, such as kubectl.
	Agent string `json:"agent"`
	// Code is the status of the answer; 0 before it.
	Code int `json:"code"`
	// DryRun is set if nothing is to be stored.
	DryRun bool `json:"dryRun"`
	// Rejected is set if the request wants to change something, and its answer is an error.
	Rejected bool `json:"rejected"`
	// Replays is the request that this one repeats; 0 for none.
	Replays int64 `json:"replays"`
	// AuditID identifies the request at the server.
	AuditID string `json:"-"`
	// Steps are those of admission, in their order, and Reported is their number.
	Steps    []Step `json:"-"`
	Reported int    `json:"reported"`

	// Sent and Answer are the bodies. Withheld says why they are not here.
	Sent     Body   `json:"-"`
	Answer   Body   `json:"-"`
	Withheld string `json:"-"`
	// Warnings are those of the answer.
	Warnings []string `json:"-"`
}

// Body is the body of a request or an answer.
type Body struct {
	// Type is the media type without parameters.
	Type string
	// Encoding is that of Content, such as gzip; "" for none.
	Encoding string
	// Content is the beginning, and all of it unless Cut is set.
	Content []byte
	Cut     bool
}

// Changes reports whether the request wants to change an object.
func (r *Request) Changes() bool {
	return slices.Contains([]string{"create", "update", "patch", "delete", "deletecollection"}, r.Verb)
}

// named takes the name of a new object from its body, which the path does not have.
func (r *Request) named() {
	if r.Verb != "create" || r.Name != "" {
		return
	}
	for _, b := range []Body{r.Answer, r.Sent} {
		var object struct{ Metadata struct{ Name string } }
		if err := json.Unmarshal(b.Content, &object); err == nil && object.Metadata.Name != "" {
			r.Name = object.Metadata.Name
			return
		}
	}
}

// size is the number of bytes that count for the limit of a log.
func (r *Request) size() int {
	n := len(r.Sent.Content) + len(r.Answer.Content)
	for i := range r.Steps {
		n += r.Steps[i].size()
	}
	return n
}

// The reasons why bodies are not kept.
const (
	secret    = "the request is about secrets or tokens, which dev does not keep"
	stream    = "dev does not keep streams"
	discovery = "dev does not keep what clients read to discover the API"
)

// describe returns what is known of a request before its answer.
func describe(r *http.Request) Request {
	factory := request.RequestInfoFactory{APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api")}
	agent, _, _ := strings.Cut(r.UserAgent(), "/")
	out := Request{Begin: time.Now(), Method: r.Method, Path: r.URL.RequestURI(), Verb: strings.ToLower(r.Method), Agent: agent, DryRun: r.URL.Query().Has("dryRun")}
	info, err := factory.NewRequestInfo(r)
	if err != nil || !info.IsResourceRequest {
		out.Withheld = discovery
		return out
	}
	out.Verb, out.Group, out.Version, out.Resource, out.Subresource = info.Verb, info.APIGroup, info.APIVersion, info.Resource, info.Subresource
	out.Namespace, out.Name = info.Namespace, info.Name
	switch {
	case out.Group == "" && (out.Resource == "secrets" || out.Subresource == "token"), out.Group == "authentication.k8s.io":
		out.Withheld = secret
	case out.Verb == "watch", r.Header.Get("Upgrade") != "", out.Subresource == "log", out.Subresource == "proxy":
		out.Withheld = stream
	}
	return out
}
