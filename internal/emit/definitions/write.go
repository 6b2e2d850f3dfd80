package definitions

import (
	"bytes"
	"encoding/json"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// encode writes a definition like controller-gen: one YAML document with sorted keys, without
// status and creation time. preserve is the value of spec.preserveUnknownFields, written even if it
// is false; nil omits the field.
func encode(crd *apiextensionsv1.CustomResourceDefinition, preserve *bool) ([]byte, error) {
	text, err := compact(crd, preserve)
	if err != nil {
		return nil, err
	}
	out, err := yaml.JSONToYAML(text)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", crd.Name, err)
	}
	return append([]byte("---\n"), out...), nil
}

// compact returns the definition as compact JSON, like clients send it.
func compact(crd *apiextensionsv1.CustomResourceDefinition, preserve *bool) ([]byte, error) {
	raw, err := json.Marshal(crd)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", crd.Name, err)
	}
	var object map[string]any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // keeps large integers exact
	if err := decoder.Decode(&object); err != nil {
		return nil, fmt.Errorf("write %s: %w", crd.Name, err)
	}
	delete(object, "status")
	if metadata, ok := object["metadata"].(map[string]any); ok {
		delete(metadata, "creationTimestamp")
	}
	if spec, ok := object["spec"].(map[string]any); ok && preserve != nil {
		spec["preserveUnknownFields"] = *preserve
	}
	return json.Marshal(object)
}
