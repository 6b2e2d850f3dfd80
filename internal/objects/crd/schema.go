package crd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
)

// schemaNode is one schema of a definition and its rules.
type schemaNode struct {
	properties map[string]*schemaNode
	items      *schemaNode
	values     *schemaNode // additionalProperties
	// branches are further schemas of the same value: allOf, anyOf, oneOf, not.
	branches []*schemaNode
	rules    []*rule
	// place is the schema's node in the definition's source.
	place *manifest.Node
}

// rule is one rule of a schema.
type rule struct {
	verdict.Rule
	// keyword is the keyword of the schema that declares the rule.
	keyword string
	// argument is the field of a required rule, else the keyword's value.
	argument string
	// cel is set for rules of x-kubernetes-validations.
	cel *celRule
	// mark replaces the message of a CEL rule.
	mark string
}

// ruleKeywords are the keywords that count as rules. "type" is not one: an object with a value of
// the wrong type is not an object of the kind.
var ruleKeywords = []string{
	"maximum", "minimum", "multipleOf",
	"maxLength", "minLength", "pattern", "format",
	"maxItems", "minItems", "maxProperties", "minProperties",
	"enum", "oneOf", "anyOf", "not", "x-kubernetes-list-type",
}

// lax are keywords with values that every object satisfies.
var lax = []string{
	"format: int32", "format: int64", "format: float", "format: double", "x-kubernetes-list-type: atomic",
}

const (
	keywordRequired = "required"
	keywordCEL      = "x-kubernetes-validations"
)

// branchKeywords hold schemas of the same value.
var branchKeywords = []string{"allOf", "anyOf", "oneOf", "not"}

// reader reads schema nodes from the JSON of a schema.
type reader struct {
	marks *marks
	all   []*rule
}

// read reads a schema for values at a path. It replaces the messages of CEL rules with marks that
// identify their errors.
func (r *reader) read(schema map[string]any, place *manifest.Node, path string) *schemaNode {
	n := &schemaNode{place: place}
	r.declared(n, schema, path)
	if properties, ok := schema["properties"].(map[string]any); ok {
		n.properties = map[string]*schemaNode{}
		for _, name := range place.Field("properties").Names() {
			if property, ok := properties[name].(map[string]any); ok {
				n.properties[name] = r.read(property, place.Field("properties").Field(name), child(path, name))
			}
		}
	}
	if items, ok := schema["items"].(map[string]any); ok {
		n.items = r.read(items, place.Field("items"), path+"[*]")
	}
	if values, ok := schema["additionalProperties"].(map[string]any); ok {
		n.values = r.read(values, place.Field("additionalProperties"), path+"[*]")
	}
	for _, keyword := range branchKeywords {
		switch branch := schema[keyword].(type) {
		case map[string]any:
			n.branches = append(n.branches, r.read(branch, place.Field(keyword), path))
		case []any:
			for i, b := range branch {
				if b, ok := b.(map[string]any); ok {
					n.branches = append(n.branches, r.read(b, place.Field(keyword).Item(i), path))
				}
			}
		}
	}
	return n
}

func child(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// declared adds the rules of the schema itself.
func (r *reader) declared(n *schemaNode, schema map[string]any, path string) {
	add := func(added *rule) {
		n.rules = append(n.rules, added)
		r.all = append(r.all, added)
	}
	for _, keyword := range ruleKeywords {
		value, ok := schema[keyword]
		if !ok || slices.Contains(lax, fmt.Sprintf("%s: %v", keyword, value)) || keyword == "anyOf" && schema["x-kubernetes-int-or-string"] == true {
			continue // the anyOf of an int-or-string lists its types
		}
		at := n.place.Field(keyword)
		add(&rule{
			Rule:     verdict.Rule{Path: path, Text: keyword + ": " + short(value), Span: at.Key().To(at.Place().Span)},
			keyword:  keyword,
			argument: fmt.Sprint(value),
		})
	}
	if required, ok := schema[keywordRequired].([]any); ok {
		for i, name := range required {
			add(&rule{
				Rule:     verdict.Rule{Path: child(path, fmt.Sprint(name)), Text: keywordRequired, Span: n.place.Field(keywordRequired).Item(i).Place().Span},
				keyword:  keywordRequired,
				argument: fmt.Sprint(name),
			})
		}
	}
	if rules, ok := schema[keywordCEL].([]any); ok {
		for i, value := range rules {
			value, ok := value.(map[string]any)
			if !ok {
				continue
			}
			at := n.place.Field(keywordCEL).Item(i).Field("rule")
			c := newCELRule(value)
			added := &rule{Rule: verdict.Rule{Path: path, Text: oneLine(c.rule), Span: at.Place().Span}, keyword: keywordCEL, cel: c}
			r.marks.add(added)
			value["message"] = added.mark
			add(added)
		}
	}
}

// short writes a keyword's value in one line.
func short(value any) string {
	switch value := value.(type) {
	case []any:
		if len(value) > 0 {
			if _, ok := value[0].(map[string]any); ok {
				return fmt.Sprintf("%d schemas", len(value))
			}
		}
		var parts []string
		for _, v := range value {
			parts = append(parts, fmt.Sprint(v))
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		return "a schema"
	}
	return oneLine(fmt.Sprint(value))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// at returns the schemas of the values that a path can refer to. Paths are ambiguous, because keys
// can contain dots, and the server writes map keys after a dot too.
func (n *schemaNode) at(path string) []*schemaNode {
	var found []*schemaNode
	if path == "" {
		found = append(found, n)
	}
	inner := strings.TrimPrefix(path, ".")
	for name, property := range n.properties {
		if tail, ok := strings.CutPrefix(inner, name); ok && (tail == "" || tail[0] == '.' || tail[0] == '[') {
			found = append(found, property.at(tail)...)
		}
	}
	if strings.HasPrefix(path, "[") {
		if i := strings.Index(path, "]"); i >= 0 && n.items != nil {
			found = append(found, n.items.at(path[i+1:])...)
		}
	}
	if n.values != nil && path != "" {
		found = append(found, n.values.anyKey(path)...)
	}
	for _, branch := range n.branches {
		found = append(found, branch.at(path)...)
	}
	return found
}

// anyKey returns the schemas of the values that a path can refer to if it begins with a key of a
// map with these values.
func (n *schemaNode) anyKey(path string) []*schemaNode {
	var found []*schemaNode
	if strings.HasPrefix(path, "[") {
		for i := range path {
			if path[i] == ']' {
				found = append(found, n.at(path[i+1:])...)
			}
		}
		return found
	}
	path = strings.TrimPrefix(path, ".")
	for i := 1; i <= len(path); i++ {
		if i == len(path) || path[i] == '.' || path[i] == '[' {
			found = append(found, n.at(path[i:])...)
		}
	}
	return found
}

// rulesAt returns the rules on the values that a path can refer to.
func (n *schemaNode) rulesAt(path string) []*rule {
	var rules []*rule
	for _, found := range n.at(path) {
		rules = append(rules, found.rules...)
	}
	return rules
}

// parents yields the paths of the values around a path, innermost first.
func parents(path string) []string {
	var list []string
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '.' || path[i] == '[' {
			list = append(list, path[:i])
		}
	}
	return append(list, "")
}
