package manifest

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// IsKustomization reports whether a document is a kustomization, which is not an API object but may
// be among manifests.
func (d *Document) IsKustomization() bool {
	object, ok := d.Value.(map[string]any)
	if !ok {
		return false
	}
	apiVersion, _ := object["apiVersion"].(string)
	if strings.HasPrefix(apiVersion, "kustomize.config.k8s.io/") {
		return true
	}
	base := filepath.Base(d.Span.File.Path)
	return object["kind"] == nil && strings.TrimSuffix(base, filepath.Ext(base)) == "kustomization"
}

// Text returns the document as it is in the source, without separators. It is "" for YAML
// whose end is marked, since kubectl ignores what follows.
func (d *Document) Text() string {
	text := strings.TrimPrefix(d.Span.Text(), "\ufeff")
	if first, rest, ok := strings.Cut(text, "\n"); ok && !d.IsJSON && strings.TrimSpace(first) == "---" {
		text = rest
	}
	if !d.IsJSON && (strings.HasPrefix(text, "...") || strings.Contains(text, "\n...")) {
		return ""
	}
	return strings.TrimRight(text, "\r\n") + "\n"
}

// JSON returns the document as JSON: the text of JSON, or the value of YAML with its fields in the
// order of the source.
func (d *Document) JSON() ([]byte, error) {
	if d.IsJSON {
		return []byte(d.Span.Text()), nil
	}
	return appendJSON(nil, d.Value, d.Root)
}

func appendJSON(out []byte, value any, node *Node) ([]byte, error) {
	var err error
	switch value := value.(type) {
	case map[string]any:
		// Names lacks the fields of opaque nodes.
		names := slices.Clone(node.Names())
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		out = append(out, '{')
		first := true
		for _, name := range names {
			field, ok := value[name]
			if !ok {
				continue
			}
			if !first {
				out = append(out, ',')
			}
			first = false
			if out, err = appendJSON(out, name, nil); err != nil {
				return nil, err
			}
			if out, err = appendJSON(append(out, ':'), field, node.Field(name)); err != nil {
				return nil, err
			}
		}
		return append(out, '}'), nil
	case []any:
		out = append(out, '[')
		for i, item := range value {
			if i > 0 {
				out = append(out, ',')
			}
			if out, err = appendJSON(out, item, node.Item(i)); err != nil {
				return nil, err
			}
		}
		return append(out, ']'), nil
	}
	text := bytes.NewBuffer(out)
	enc := json.NewEncoder(text)
	enc.SetEscapeHTML(false)
	err = enc.Encode(value)
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), err
}

// YAML returns a JSON value as a YAML document, with fields in the same order. kubectl reads the
// same value from both.
func YAML(text []byte) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	node, err := yamlOf(dec)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	enc.CompactSeqIndent()
	if err := enc.Encode(node); err != nil {
		return nil, err
	}
	return out.Bytes(), enc.Close()
}

// yamlOf reads one value.
func yamlOf(dec *json.Decoder) (*yaml.Node, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	node := &yaml.Node{}
	switch token := token.(type) {
	case json.Delim:
		node.Kind = yaml.MappingNode
		if token == '[' {
			node.Kind = yaml.SequenceNode
		}
		// The keys of a mapping are values, too.
		for dec.More() {
			child, err := yamlOf(dec)
			if err != nil {
				return nil, err
			}
			node.Content = append(node.Content, child)
		}
		if len(node.Content) == 0 {
			node.Style = yaml.FlowStyle
		}
		_, err = dec.Token()
	case json.Number:
		node.Kind, node.Value = yaml.ScalarNode, token.String()
	case string:
		// Encode quotes what is another value in YAML 1.1 or 1.2, with some exceptions.
		err = node.Encode(token)
		if line := strings.TrimSuffix(token, "\n"); token == "<<" || strings.TrimSpace(line) != line || strings.ContainsAny(line, "\t\u0085\u2028\u2029\ufeff") {
			node = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: token, Style: yaml.DoubleQuotedStyle}
		}
	default:
		err = node.Encode(token)
	}
	return node, err
}
