package hooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// review is a ConversionReview, with objects as they are written.
type review struct {
	metav1.TypeMeta `json:",inline"`
	Request         *request  `json:"request,omitempty"`
	Response        *response `json:"response,omitempty"`
}

type request struct {
	UID     types.UID         `json:"uid"`
	Desired string            `json:"desiredAPIVersion"`
	Objects []json.RawMessage `json:"objects"`
}

type response struct {
	UID     types.UID         `json:"uid"`
	Objects []json.RawMessage `json:"convertedObjects"`
	Result  metav1.Status     `json:"result"`
}

// convert answers conversion reviews.
func (s *Server) convert(w http.ResponseWriter, r *http.Request) {
	var in review
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Request == nil {
		http.Error(w, fmt.Sprintf("the body is not a ConversionReview: %v", err), http.StatusBadRequest)
		return
	}
	answer := &response{UID: in.Request.UID, Objects: []json.RawMessage{}, Result: metav1.Status{Status: metav1.StatusSuccess}}
	if objects, err := s.objects(in.Request); err != nil {
		answer.Result = metav1.Status{Status: metav1.StatusFailure, Message: err.Error(), Reason: metav1.StatusReasonBadRequest, Code: http.StatusBadRequest}
	} else {
		answer.Objects = objects
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review{TypeMeta: in.TypeMeta, Response: answer}) // an error is one of the connection
}

// objects converts the objects of a request, or none.
func (s *Server) objects(r *request) ([]json.RawMessage, error) {
	to, err := schema.ParseGroupVersion(r.Desired)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.converter == nil {
		return nil, errors.New("kindsmith dev has nothing that converts: the packages had mistakes since it started")
	}
	out := make([]json.RawMessage, len(r.Objects))
	for i, object := range r.Objects {
		if out[i], err = s.object(object, to); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *Server) object(object json.RawMessage, to schema.GroupVersion) (json.RawMessage, error) {
	var head struct {
		metav1.TypeMeta `json:",inline"`
		Metadata        struct{ Name string }
	}
	if err := json.Unmarshal(object, &head); err != nil {
		return nil, err
	}
	kind := head.GroupVersionKind()
	if kind.GroupVersion() == to {
		return object, nil
	}
	out, needs, err := s.converter.Object(object, kind, to.Version)
	if err == nil {
		err = needs
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", kind.Kind, head.Metadata.Name, err)
	}
	return out, nil
}
