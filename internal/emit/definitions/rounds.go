package definitions

import (
	"encoding/json"
	"strings"

	"github.com/kindsmith/kindsmith/internal/rules/schema"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// drop removes the keyword of an error from a definition's schema, so that the server finds other
// errors. It reports whether it changed something. It keeps rules, which hide no other errors.
func drop(crd *apiextensionsv1.CustomResourceDefinition, e *field.Error) bool {
	version, rest := versionAt(schema.Steps(e.Field), len(crd.Spec.Versions))
	path := inSchema(rest)
	dropped := false
	schema.Edit(crd.Spec.Versions[version].Schema.OpenAPIV3Schema, path, func(s *props, rest []schema.Step) {
		if len(rest) > 0 && rest[0].Name != "x-kubernetes-validations" {
			dropped = dropKeyword(s, rest[0].Name)
		}
	})
	return dropped
}

// together are keywords that depend on each other.
var together = map[string][]string{
	"x-kubernetes-list-map-keys": {"x-kubernetes-list-type"},
}

func dropKeyword(s *props, keyword string) bool {
	if keyword == "x-kubernetes-map-type" && s.XMapType == nil {
		atomic := "atomic" // which is what the server misses
		s.XMapType = &atomic
		return true
	}
	if keyword == "type" && s.Type == "" {
		preserve := true // which needs no type
		s.XPreserveUnknownFields = &preserve
		return true
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return false
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil || object[keyword] == nil {
		return false
	}
	for _, k := range append(together[keyword], keyword) {
		delete(object, k)
	}
	if raw, err = json.Marshal(object); err != nil {
		return false
	}
	var out props
	if json.Unmarshal(raw, &out) != nil {
		return false
	}
	*s = out
	return true
}

// withoutEchoes removes errors that follow from other errors.
func withoutEchoes(errs field.ErrorList) field.ErrorList {
	var names, storage, costs bool
	for _, e := range errs {
		storage = storage || strings.Contains(e.Detail, "exactly one version marked as storage")
		names = names || strings.HasPrefix(e.Field, "spec.names")
		costs = costs || strings.Contains(e.Detail, "estimated rule cost exceeds") || strings.Contains(e.Detail, "estimated messageExpression cost exceeds")
	}
	var kept field.ErrorList
	for _, e := range errs {
		switch {
		case names && e.Field == "metadata.name":
		case storage && e.Field == "status.storedVersions":
		case costs && (strings.Contains(e.Detail, "contributed to") || strings.Contains(e.Detail, "cost total")):
		default:
			kept = append(kept, e)
		}
	}
	return kept
}
