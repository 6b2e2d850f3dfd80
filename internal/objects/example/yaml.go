package example

import (
	"bytes"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
)

// YAML prints a manifest with its fields in the order of the tree.
func YAML(root *fieldtree.Node, object any) (string, error) {
	node, err := ordered(root, object)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	enc.CompactSeqIndent()
	if err := enc.Encode(node); err != nil {
		return "", err
	}
	return b.String(), enc.Close()
}

// ordered returns a value as YAML; n is nil for a value that the tree does not have.
func ordered(n *fieldtree.Node, v any) (*yaml.Node, error) {
	if n != nil && n.Same != nil {
		n = n.Same
	}
	switch v := v.(type) {
	case map[string]any:
		out := &yaml.Node{Kind: yaml.MappingNode}
		if len(v) == 0 {
			out.Style = yaml.FlowStyle
		}
		for _, name := range order(n, v) {
			var below *fieldtree.Node
			if n != nil && n.Form == fieldtree.Object {
				below = n.Field(name)
			} else if n != nil {
				below = n.Items
			}
			key, err := ordered(nil, name)
			if err != nil {
				return nil, err
			}
			value, err := ordered(below, v[name])
			if err != nil {
				return nil, err
			}
			out.Content = append(out.Content, key, value)
		}
		return out, nil
	case []any:
		out := &yaml.Node{Kind: yaml.SequenceNode}
		if len(v) == 0 {
			out.Style = yaml.FlowStyle
		}
		for _, item := range v {
			var below *fieldtree.Node
			if n != nil {
				below = n.Items
			}
			value, err := ordered(below, item)
			if err != nil {
				return nil, err
			}
			out.Content = append(out.Content, value)
		}
		return out, nil
	}
	out := &yaml.Node{}
	return out, out.Encode(v)
}

// order returns the keys of an object: what names it first, then the fields in their order, then others.
func order(n *fieldtree.Node, object map[string]any) []string {
	names := []string{"apiVersion", "kind"}
	if n != nil && n.Parent == nil {
		names = append(names, "metadata")
	}
	if n != nil {
		for _, f := range n.Fields {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { _, has := object[name]; return !has })
}
