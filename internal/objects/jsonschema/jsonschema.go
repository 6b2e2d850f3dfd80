// Package jsonschema describes the manifests of kinds as JSON Schema, draft 7, for editors and other tools that read it.
//
// [Of] prints the tree of a kind's values with the rules that have a keyword; [All] is one schema that selects by apiVersion
// and kind. A schema refuses nothing that the rules accept. It has unions, and other rules about several values or in CEL, as far as
// JSON Schema can express them; descriptions have all rules in words. The same input has the same output.
package jsonschema

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/words"
)

// draft is the version of JSON Schema that editors know.
const draft = "http://json-schema.org/draft-07/schema#"

// Signature is in each schema.
const Signature = "Written by kindsmith schema."

// Kind is a kind with the tree of its values.
type Kind struct {
	schema.GroupVersionKind
	Root *fieldtree.Node
}

// Name is the path of a kind's schema in folders of schemas: group/kind_version.json.
func (k Kind) Name() string {
	group := k.Group
	if group == "" {
		group = "core"
	}
	return group + "/" + strings.ToLower(k.Kind) + "_" + k.Version + ".json"
}

// object is a schema.
type object map[string]any

// Of returns the schema of the manifests of one kind.
func Of(programs *rule.Programs, k Kind) ([]byte, error) {
	return encode((&printer{programs: programs, base: "#"}).kind(k))
}

// All returns one schema of the manifests of all kinds. It accepts manifests of other kinds.
func All(programs *rule.Programs, kinds []Kind) ([]byte, error) {
	definitions, choices := object{}, []any{}
	for _, k := range kinds {
		name := strings.TrimSuffix(strings.ReplaceAll(k.Name(), "/", "_"), ".json")
		definitions[name] = (&printer{programs: programs, base: "#/definitions/" + name}).kind(k)
		choices = append(choices, object{
			"if": object{
				"required":   []string{"apiVersion", "kind"},
				"properties": object{"apiVersion": object{"const": k.GroupVersion().String()}, "kind": object{"const": k.Kind}},
			},
			"then": object{"$ref": "#/definitions/" + name},
		})
	}
	return encode(object{"type": "object", "definitions": definitions, "allOf": choices})
}

func encode(s object) ([]byte, error) {
	s["$schema"], s["$comment"] = draft, Signature
	out, err := json.MarshalIndent(s, "", "  ")
	return append(out, '\n'), err
}

type printer struct {
	programs *rule.Programs
	// base is the pointer to the schema of the kind.
	base string
}

func (p *printer) kind(k Kind) object {
	s := p.value(k.Root, p.base)
	properties, _ := s["properties"].(object)
	if properties == nil {
		return s
	}
	properties["apiVersion"] = object{"const": k.GroupVersion().String()}
	properties["kind"] = object{"const": k.Kind}
	required, _ := s["required"].([]string)
	s["required"] = slices.Compact(slices.Sorted(slices.Values(append(required, "apiVersion", "kind"))))
	s["title"] = k.Kind
	return s
}

// types are the types of values by their forms.
var types = map[fieldtree.Form][]string{
	fieldtree.Object: {"object"}, fieldtree.Map: {"object"}, fieldtree.Metadata: {"object"}, fieldtree.List: {"array"},
	fieldtree.String: {"string"}, fieldtree.Bool: {"boolean"}, fieldtree.Integer: {"integer"}, fieldtree.Number: {"number"},
	fieldtree.Bytes: {"string"}, fieldtree.Duration: {"string"}, fieldtree.Time: {"string"}, fieldtree.MicroTime: {"string"},
	fieldtree.Quantity: {"string", "number"}, fieldtree.IntOrString: {"integer", "string"},
}

// canBeNull reports whether null is valid: as a value, or as one that is as if it was not there.
func canBeNull(n *fieldtree.Node) bool {
	if n.Member == nil { // a server drops a null value of a map, and refuses a null item of a list
		return n.Parent != nil && n.Parent.Form == fieldtree.Map
	}
	return n.Member.Nullable || !n.Required
}

// selects reports whether a member is the discriminator of a union.
func selects(n *fieldtree.Node) bool {
	return n.Parent != nil && slices.ContainsFunc(n.Parent.Unions, func(u fieldtree.Union) bool {
		return u.Discriminator != nil && n.Name != "" && u.Discriminator.Field.JSON == n.Name
	})
}

// value returns the schema of a value, which is at a pointer.
func (p *printer) value(n *fieldtree.Node, at string) object {
	s := object{}
	if types := types[n.Form]; len(types) > 0 {
		if canBeNull(n) {
			types = append(slices.Clone(types), "null")
		}
		s["type"] = any(types)
		if len(types) == 1 {
			s["type"] = types[0]
		}
	}
	if about := description(n); about != "" {
		s["description"] = about
	}
	if n.Default != nil {
		s["default"] = json.RawMessage(n.Default.JSON())
	}
	if n.Same != nil {
		same := object{"allOf": []any{object{"$ref": p.pointer(n.Same)}}}
		if about, ok := s["description"]; ok {
			same["description"] = about
		}
		return same
	}
	p.rules(s, n.Rules)
	p.between(s, n)
	if len(n.Values) > 0 && !n.Open && n.Form == fieldtree.String {
		var values []any
		for _, v := range n.Values {
			values = append(values, v.Text)
		}
		if canBeNull(n) {
			values = append(values, nil)
		}
		if selects(n) && !n.Required && !slices.Contains(values, any("")) { // which is as if it was not set
			values = append(values, "")
		}
		s["enum"] = values
	}
	switch n.Form {
	case fieldtree.Object:
		p.object(s, n, at)
	case fieldtree.List:
		if n.Items != nil {
			s["items"] = p.value(n.Items, at+"/items")
		}
	case fieldtree.Map:
		if n.Items != nil {
			s["additionalProperties"] = p.value(n.Items, at+"/additionalProperties")
		}
		if keys := (object{}); len(n.Keys) > 0 {
			if p.rules(keys, n.Keys); len(keys) > 0 {
				s["propertyNames"] = keys
			}
		}
	}
	return s
}

func (p *printer) object(s object, n *fieldtree.Node, at string) {
	properties := object{}
	var required []string
	for _, f := range n.Fields {
		properties[f.Name] = p.value(f, at+"/properties/"+f.Name)
		if f.Required && f.Form != fieldtree.Metadata {
			required = append(required, f.Name)
		}
	}
	s["properties"], s["additionalProperties"] = properties, false
	if len(required) > 0 {
		slices.Sort(required)
		s["required"] = required
	}
}

// pointer returns the pointer to the schema of a node around.
func (p *printer) pointer(n *fieldtree.Node) string {
	if n.Parent == nil {
		return p.base
	}
	switch {
	case n.Name != "":
		return p.pointer(n.Parent) + "/properties/" + n.Name
	case n.Parent.Form == fieldtree.Map:
		return p.pointer(n.Parent) + "/additionalProperties"
	}
	return p.pointer(n.Parent) + "/items"
}

// foreignSyntax are parts of Go's regular expressions that others do not know, or read in another way.
var foreignSyntax = regexp.MustCompile(`\(\?[^:]|\\[AzQEpPCx]|\[\[:|[*+?}]\+`)

// rules adds the keywords of rules that always apply.
func (p *printer) rules(s object, rules []rule.Rule) {
	var more []any
	set := func(keyword string, value any) {
		if _, ok := s[keyword]; !ok {
			s[keyword] = value
			return
		}
		more = append(more, object{keyword: value}) // all of them apply
	}
	for _, r := range rules {
		if len(r.Under)+len(r.Unless) > 0 || r.Effect == rule.Guard || r.Moment != rule.Always {
			continue
		}
		switch must := r.Must.(type) {
		case *rule.Limit:
			if must.Keyword != rule.MaxBytes && (must.Of == "" || must.Of == rule.Number) {
				set(string(must.Keyword), json.Number(must.Value))
			}
		case *rule.Pattern:
			if !foreignSyntax.MatchString(must.Regexp) {
				set("pattern", must.Regexp)
			}
		case *rule.Format:
			f := rule.Formats[must.Name]
			if f.OpenAPI == "" && f.Pattern != "" {
				set("pattern", f.Pattern)
			}
			if f.MaxLength > 0 {
				set("maxLength", f.MaxLength)
			}
		}
	}
	if len(more) > 0 {
		s["allOf"] = more
	}
}

// description returns the comment of a field and its rules in words.
func description(n *fieldtree.Node) string {
	var parts []string
	if n.Member != nil && n.Member.Field.Doc != "" {
		parts = append(parts, n.Member.Field.Doc)
	}
	var list []string
	for part, r := range n.Described {
		for _, phrase := range words.Of(r) {
			if line := "- " + part + phrase; !slices.Contains(list, line) {
				list = append(list, line)
			}
		}
	}
	for _, u := range n.Unions {
		if said := words.Of(rule.Rule{Must: u.Union}); !u.Several && len(said) > 0 { // that of several is among the rules
			list = append(list, "- "+said[0])
		}
	}
	if len(list) > 0 {
		parts = append(parts, strings.Join(list, "\n"))
	}
	return strings.Join(parts, "\n\n")
}
