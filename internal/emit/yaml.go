package emit

import (
	"bytes"
	"encoding/json"
	"fmt"

	"sigs.k8s.io/yaml"
)

// YAML returns objects as YAML documents.
func YAML(objects ...any) ([]byte, error) {
	var out bytes.Buffer
	for _, object := range objects {
		text, err := json.Marshal(object)
		if err == nil {
			text, err = yaml.JSONToYAML(text)
		}
		if err != nil {
			return nil, fmt.Errorf("write manifests: %w", err)
		}
		out.WriteString("---\n")
		out.Write(text)
	}
	return out.Bytes(), nil
}
