package server

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/kindsmith/kindsmith/runtime/admission"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	"github.com/kindsmith/kindsmith/runtime/rollout"
	webhooks "github.com/kindsmith/kindsmith/webhook"
)

// A Converter answers ConversionReviews. jsonconvert.Converter is one. It must be safe for concurrent use.
type Converter interface {
	// ObserveReview writes the answer to a review, and calls a function for each of its objects. A review that
	// cannot be converted gets an answer too. If the function panics, the review is abandoned.
	ObserveReview(w io.Writer, review []byte, observe func(jsonconvert.Observation), kinds ...string) error
	// Versions returns the versions that it knows.
	Versions() []string
}

// A Conversion is what one converter converts.
type Conversion struct {
	// Group is the API group.
	Group string
	// Kinds are the kinds of the group whose definitions name this webhook. All of them must be set for
	// readiness to find out which versions they serve.
	Kinds []string
	// Converter converts them.
	Converter Converter
}

// SetupWebhookWithManager adds the mutating, validating and conversion webhooks of a kind to a manager whose
// webhook server is a *Server:
//
//	converter, err := jsonconvert.New(v1alpha1.JSONConversion())
//	…
//	err = server.SetupWebhookWithManager(mgr, &v1.Database{}, converter)
//
// A converter can be that of several kinds; nil adds no conversion. Functions can change the handler of the
// admission webhooks before it is added, as those of webhook.SetupWithManager, which has the paths.
//
// An error means that the manager has another webhook server, that its scheme does not have the kind, or that
// the kind is set up already.
func SetupWebhookWithManager[T rollout.Object](mgr ctrl.Manager, obj T, converter Converter, configure ...func(*admission.Handler[T])) error {
	s, ok := mgr.GetWebhookServer().(*Server)
	if !ok {
		return fmt.Errorf("the manager's webhook server is a %T: set ctrl.Options.WebhookServer to server.New(…)", mgr.GetWebhookServer())
	}
	if converter != nil {
		h, err := admission.New(mgr.GetScheme(), obj)
		if err != nil {
			return err
		}
		if err := s.conversions.add(Conversion{h.Kind.Group, []string{h.Kind.Kind}, converter}); err != nil {
			return err
		}
	}
	return webhooks.SetupWithManager(mgr, obj, configure...)
}

// conversions are those of a server.
type conversions struct {
	mu  sync.RWMutex
	all []*conversion
}

type conversion struct {
	Conversion
	kinds kinds
}

// SetConversions replaces all conversions, from the next review on. An error leaves them as they are.
func (s *Server) SetConversions(all ...Conversion) error {
	next := &conversions{}
	var errs []error
	for _, c := range all {
		errs = append(errs, next.add(c))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	s.conversions.mu.Lock()
	defer s.conversions.mu.Unlock()
	s.conversions.all = next.all
	return nil
}

func (c *conversions) add(one Conversion) error {
	switch {
	case one.Converter == nil:
		return fmt.Errorf("the conversion of the group %q has no converter", one.Group)
	case one.Group == "":
		return errors.New("a conversion has no group")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, other := range c.all {
		for _, kind := range one.Kinds {
			if other.Group == one.Group && slices.Contains(other.Kinds, kind) {
				return fmt.Errorf("the webhook server converts the kind %s of %s already; set up each kind once", kind, one.Group)
			}
		}
	}
	added := &conversion{Conversion: one}
	for _, kind := range one.Kinds {
		added.kinds.known.Store(kind, true)
	}
	c.all = append(c.all, added)
	return nil
}

// list returns the conversions at this moment.
func (c *conversions) list() []*conversion {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Clone(c.all)
}

// of returns the conversion of a review; nil if there is none.
func (c *conversions) of(review []byte) (*conversion, string) {
	all := c.list()
	if len(all) == 1 {
		return all[0], ""
	}
	h := readHead(review)
	group, _, _ := strings.Cut(h.desired, "/")
	var any *conversion
	for _, one := range all {
		switch {
		case one.Group != group:
		case slices.Contains(one.Kinds, h.kind):
			return one, ""
		case any == nil || len(one.Kinds) == 0:
			any = one // it reports what is wrong with the review
		}
	}
	return any, h.desired
}

// head is what decides who converts a review: all of its objects are of one definition.
type head struct{ desired, kind string }

// readHead reads the beginning of a review: API servers write objects last.
func readHead(review []byte) (h head) {
	d := json.NewDecoder(bytes.NewReader(review))
	members(d, func(key string) bool {
		if key != "request" {
			return skip(d)
		}
		return members(d, func(key string) bool {
			switch key {
			case "desiredAPIVersion":
				return d.Decode(&h.desired) == nil
			case "objects":
				return firstKind(d, &h.kind)
			}
			return skip(d)
		})
	})
	return h
}

// firstKind reads the kind of the first item of a list.
func firstKind(d *json.Decoder, kind *string) bool {
	if t, err := d.Token(); err != nil || t != json.Delim('[') || !d.More() {
		return false
	}
	members(d, func(key string) bool {
		if key != "kind" {
			return skip(d)
		}
		_ = d.Decode(kind)
		return false // that is all
	})
	return false
}

// members calls a function for each member of an object until it returns false.
func members(d *json.Decoder, each func(key string) bool) bool {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	for d.More() {
		key, err := d.Token()
		if name, ok := key.(string); err != nil || !ok || !each(name) {
			return false
		}
	}
	_, err := d.Token()
	return err == nil
}

func skip(d *json.Decoder) bool {
	var value json.RawMessage
	return d.Decode(&value) == nil
}

// bodies has the memory of earlier bodies.
var bodies = sync.Pool{New: func() any { return new([]byte) }}

// keepBody is the largest body whose memory is kept.
const keepBody = 16 << 20

// convert answers conversion reviews. Their body has a length, because limited has seen to it, or all of
// the budget.
func (s *Server) convert(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "send a ConversionReview with POST", http.StatusMethodNotAllowed)
		return
	}
	buffer := bodies.Get().(*[]byte)
	body, err := readAll((*buffer)[:0], r)
	if err != nil {
		status := http.StatusBadRequest
		if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
			status = http.StatusRequestEntityTooLarge
		}
		http.Error(w, "the body cannot be read: "+err.Error(), status)
		return
	}
	if cap(body) <= keepBody {
		defer func() {
			*buffer = body
			bodies.Put(buffer)
		}()
	}
	w.Header().Set("Content-Type", "application/json")
	c, desired := s.conversions.of(body)
	if c == nil {
		_ = json.NewEncoder(w).Encode(failed(body, fmt.Sprintf("this webhook does not convert to %q", desired)))
		return
	}
	observe := func(jsonconvert.Observation) {}
	if s.options.Observer != nil {
		object, end := s.options.Observer.Begin(r)
		defer end()
		observe = object
	}
	count := observer{metrics: s.metrics, group: c.Group}
	defer count.flush()
	versions := c.Converter.Versions()
	// An error is one of the connection.
	_ = c.Converter.ObserveReview(w, body, func(o jsonconvert.Observation) {
		observe(o)
		result := "success"
		if o.Err != nil {
			result = "error"
		}
		count.add(outcome{c.kinds.label(o), known(versions, o.APIVersion), version(o.Desired), result})
		if r.Context().Err() != nil {
			panic(errAbandoned)
		}
	})
}

// known returns the version of an apiVersion as a label.
func known(versions []string, apiVersion string) string {
	if v := version(apiVersion); slices.Contains(versions, v) {
		return v
	}
	return "other"
}

func version(apiVersion string) string { return apiVersion[strings.LastIndexByte(apiVersion, '/')+1:] }

// readAll appends a body.
func readAll(dst []byte, r *http.Request) ([]byte, error) {
	// The budget has this memory, also if less arrives. One byte more finds the end.
	if need := int(max(r.ContentLength, 0)) + 1; cap(dst) < need {
		dst = make([]byte, 0, need)
	}
	for {
		n, err := r.Body.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		switch {
		case errors.Is(err, io.EOF):
			return dst, nil
		case err != nil:
			return nil, err
		case len(dst) == cap(dst):
			dst = slices.Grow(dst, cmp.Or(len(dst), freeBytes))
		}
	}
}

// failed returns the answer to a review that nothing converts.
func failed(review []byte, message string) any {
	var r struct {
		APIVersion string `json:"apiVersion"`
		Request    struct {
			UID string `json:"uid"`
		} `json:"request"`
	}
	_ = json.Unmarshal(review, &r) // a review that is no JSON has no uid
	return map[string]any{
		"apiVersion": cmp.Or(r.APIVersion, "apiextensions.k8s.io/v1"), "kind": "ConversionReview",
		"response": map[string]any{
			"uid": r.Request.UID, "convertedObjects": []any{},
			"result": map[string]any{"status": "Failed", "message": message, "reason": "BadRequest", "code": http.StatusBadRequest},
		},
	}
}
