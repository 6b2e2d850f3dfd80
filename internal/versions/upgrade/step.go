package upgrade

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

type props = apiextensionsv1.JSONSchemaProps

// same reports whether schemas accept the same values with the same defaults.
func same(a, b *props) bool { return reflect.DeepEqual(bare(*a), bare(*b)) }

// bare returns a schema without descriptions.
func bare(s props) *props {
	s.Description, s.Title, s.ExternalDocs, s.Example = "", "", nil, nil
	if s.Properties != nil {
		properties := map[string]props{}
		for name, p := range s.Properties {
			properties[name] = *bare(p)
		}
		s.Properties = properties
	}
	if s.Items != nil && s.Items.Schema != nil {
		s.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: bare(*s.Items.Schema)}
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		s.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: bare(*s.AdditionalProperties.Schema)}
	}
	return &s
}

// comparer compares the schemas of a kind in neighbouring versions.
type comparer struct {
	*planner
	kind         *kind
	older, newer *schema
	types        map[string]*jsonconvert.Type
	// lost and added are the fields that only one version has.
	lost, added []*single
}

// pair is a value in both versions: where its schema is, and its path in objects.
type pair struct {
	older, newer  *props
	inOlder       string // the path of the schema
	inNewer       string
	before, after string // the paths of the value
	typeName      string
}

// step returns the types that change between neighbouring versions of a kind.
func (p *planner) step(k *kind, older, newer *schema) map[string]*jsonconvert.Type {
	c := &comparer{planner: p, kind: k, older: older, newer: newer, types: map[string]*jsonconvert.Type{}}
	root := k.to.Spec.Names.Kind
	c.object(&pair{older: older.props, newer: newer.props, inOlder: older.path, inNewer: newer.path, typeName: root})
	c.move(root)
	c.report()
	return c.types
}

func join(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

func (c *comparer) olderPlace(path string) source.Span { return c.older.of.object.Root.LocateKey(path) }
func (c *comparer) newerPlace(path string) source.Span { return c.newer.of.object.Root.LocateKey(path) }

// object compares the fields of an object, and reports whether they differ.
func (c *comparer) object(o *pair) bool {
	t := &jsonconvert.Type{}
	lost, added := map[string]bool{}, map[string]bool{}
	for name := range o.older.Properties {
		lost[name] = true
	}
	for name := range o.newer.Properties {
		added[name] = !lost[name]
		delete(lost, name)
	}
	maps.DeleteFunc(added, func(_ string, is bool) bool { return !is })
	if o.before == "" { // the same in all versions
		for _, name := range []string{"apiVersion", "kind", "metadata"} {
			delete(lost, name)
			delete(added, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.newer.Properties)) {
		if _, ok := o.older.Properties[name]; ok && (o.before != "" || name != "metadata") {
			c.field(t, o, name, name)
		}
	}
	for older, newer := range c.renamed(o, lost, added) {
		delete(lost, older)
		delete(added, newer)
		c.field(t, o, older, newer)
	}
	for _, name := range slices.Sorted(maps.Keys(lost)) {
		t.Fields = append(t.Fields, jsonconvert.Field{Older: key(o.older, name)})
		c.lost = append(c.lost, singleOf(o.older, name, o.before, o.inOlder))
	}
	for _, name := range slices.Sorted(maps.Keys(added)) {
		t.Fields = append(t.Fields, jsonconvert.Field{Newer: key(o.newer, name)})
		c.added = append(c.added, singleOf(o.newer, name, o.after, o.inNewer))
	}
	if len(t.Fields) == 0 {
		return false
	}
	slices.SortStableFunc(t.Fields, func(a, b jsonconvert.Field) int {
		return cmp.Compare(cmp.Or(a.Newer.Name, a.Older.Name), cmp.Or(b.Newer.Name, b.Older.Name))
	})
	c.types[o.typeName] = t
	return true
}

func (c *comparer) note(text string) {
	c.News = append(c.News, fmt.Sprintf("%s %s to %s: %s", c.kind.to.Spec.Names.Kind, c.older.version, c.newer.version, text))
}

// key returns a field of an object.
func key(o *props, name string) jsonconvert.Key {
	k := jsonconvert.Key{Name: name}
	if slices.Contains(o.Required, name) {
		k.Required, k.Zero = true, zero(o.Properties[name])
	}
	return k
}

// zero returns the JSON of a value without content.
func zero(s props) string {
	return map[string]string{"string": `""`, "integer": "0", "number": "0", "boolean": "false", "array": "[]", "object": "{}"}[s.Type]
}

// field adds a field of both versions to a type, unless it is the same in both.
func (c *comparer) field(t *jsonconvert.Type, o *pair, older, newer string) {
	before, after := o.older.Properties[older], o.newer.Properties[newer]
	f := &pair{
		older: &before, newer: &after, inOlder: o.inOlder + ".properties." + older, inNewer: o.inNewer + ".properties." + newer,
		before: join(o.before, older), after: join(o.after, newer), typeName: o.typeName + "." + newer,
	}
	value, ok := c.value(f)
	if !ok {
		// The types differ: both values are kept.
		t.Fields = append(t.Fields, jsonconvert.Field{Older: key(o.older, older)}, jsonconvert.Field{Newer: key(o.newer, newer)})
		return
	}
	if older == newer && reflect.DeepEqual(value, jsonconvert.Value{}) {
		return
	}
	t.Fields = append(t.Fields, jsonconvert.Field{Older: key(o.older, older), Newer: key(o.newer, newer), Value: value})
}

// value returns how a value converts: the zero Value is the same in both versions. False means that no table converts it.
func (c *comparer) value(v *pair) (jsonconvert.Value, bool) {
	switch {
	case kindOf(v.older) == "array" && kindOf(v.newer) == "array":
		return c.items(v)
	case kindOf(v.older) == "map" && kindOf(v.newer) == "map":
		item := *v
		item.older, item.newer = v.older.AdditionalProperties.Schema, v.newer.AdditionalProperties.Schema
		item.inOlder, item.inNewer = v.inOlder+".additionalProperties", v.inNewer+".additionalProperties"
		item.before, item.after, item.typeName = v.before+"[*]", v.after+"[*]", v.typeName+".value"
		return wrapped(c.value(&item))
	case kindOf(v.older) == "object" && kindOf(v.newer) == "object":
		if c.object(v) {
			return jsonconvert.Value{Type: v.typeName}, true
		}
		return jsonconvert.Value{}, true
	case kindOf(v.older) == kindOf(v.newer):
		return jsonconvert.Value{}, true
	}
	if value, words := c.retyped(v); words != "" && !c.options.NoGuess {
		d := c.bag.Warnf(c.newerPlace(v.inNewer), codeGuess, "guess: %s is %s", c.path(v), words)
		d.Note(c.olderPlace(v.inOlder), "it was "+describe(v.older)+" in "+c.older.version)
		return value, true
	}
	d := c.bag.Errorf(c.newerPlace(v.inNewer), codeFunction, "%s is %s in %s and %s in %s, and no plan converts this: serve a conversion with a Go function, or use another name",
		c.path(v), describe(v.older), c.older.version, describe(v.newer), c.newer.version)
	d.Note(c.olderPlace(v.inOlder), "the former type is here")
	return jsonconvert.Value{}, false
}

func (c *comparer) path(v *pair) string {
	if v.before == v.after {
		return v.after
	}
	return v.after + ", formerly " + v.before + ","
}

// wrapped returns how the values of a list or a map convert.
func wrapped(value jsonconvert.Value, ok bool) (jsonconvert.Value, bool) {
	if !ok || reflect.DeepEqual(value, jsonconvert.Value{}) {
		return jsonconvert.Value{}, ok
	}
	return jsonconvert.Value{Elem: &value}, true
}

func (c *comparer) items(v *pair) (jsonconvert.Value, bool) {
	item := *v
	item.older, item.newer = itemsOf(v.older), itemsOf(v.newer)
	item.inOlder, item.inNewer = v.inOlder+".items", v.inNewer+".items"
	item.before, item.after, item.typeName = v.before+"[*]", v.after+"[*]", v.typeName+".item"
	value, ok := wrapped(c.value(&item))
	if value.Elem != nil {
		value.OlderKeys, value.NewerKeys = v.older.XListMapKeys, v.newer.XListMapKeys
		value.Set = v.older.XListType != nil && *v.older.XListType == "set" && v.newer.XListType != nil && *v.newer.XListType == "set"
	}
	return value, ok
}

func itemsOf(s *props) *props {
	if s.Items != nil && s.Items.Schema != nil {
		return s.Items.Schema
	}
	return &props{}
}

// kindOf returns the form of a value in JSON: that of a schema's type, where objects with any keys are maps.
func kindOf(s *props) string {
	switch {
	case s.XIntOrString:
		return "integer or string"
	case s.Type == "object" && s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
		return "map"
	}
	return s.Type
}

func describe(s *props) string {
	switch form := kindOf(s); form {
	case "":
		return "any value"
	case "array":
		return "a list"
	case "integer", "object", "integer or string":
		return "an " + form
	default:
		return "a " + form
	}
}
