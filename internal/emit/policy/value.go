package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/unions"
)

// value is a value of the object, and of the old object, in a policy. Values have no types there: an
// expression must not select a field of a list.
type value struct {
	// now and old are variables or entries of them; names are the fields below.
	now, old expr.Expr
	names    []string
	// status is set if the value is below the field status of the object.
	status bool
	// sure is set if now and old are known to be objects.
	sure bool
	// path is the JSON pointer to now, without the names.
	path []expr.Expr
	// at is the path without keys: the names, and "*" for the values of lists and maps.
	at []string
	// within are the enclosing lists and maps, outermost first.
	within []container
}

// container returns the list of patches for all values of a list or map, from those for one value.
type container func(patches expr.Expr) expr.Expr

// discriminator is a union's discriminator under the options of the policy.
type discriminator struct {
	name string
	bool bool
	// values are those that it knows, members the values that select each.
	values  []expr.Expr
	members []expr.Entry
}

// selects adds a value that selects a member, or none if the member is "".
func (d *discriminator) selects(text, member string) {
	literal := expr.Str(text)
	if d.bool {
		literal = expr.Bool(text == "true")
	}
	if !d.knows(literal) {
		d.values = append(d.values, literal)
	}
	if member == "" {
		return
	}
	key := expr.Str(member)
	i := slices.IndexFunc(d.members, func(e expr.Entry) bool { return expr.Equal(e.Key, key) })
	if i < 0 {
		d.members = append(d.members, expr.Entry{Key: key, Value: expr.ListOf(literal)})
		return
	}
	list := d.members[i].Value.(*expr.List)
	list.Items = append(list.Items, expr.Item{Value: literal})
}

func (d *discriminator) knows(literal expr.Expr) bool {
	return slices.ContainsFunc(d.values, func(o expr.Expr) bool { return expr.Equal(o, literal) })
}

// of returns the discriminator of an object. A value that is not a string is unset, which only
// matters if the discriminator may be unset.
func (d *discriminator) of(object expr.Expr) expr.Expr {
	value := expr.OptJSONField(object, d.name)
	switch {
	case d.bool:
		return orValue(value, expr.Bool(false))
	case d.knows(expr.Str("")):
		value = &expr.Comprehension{Macro: expr.OptMapMacro, Range: value, Var: "v", Body: expr.If(is("string", variable("v")), variable("v"), expr.Str(""))}
	}
	return orValue(value, expr.Str(""))
}

func variable(name string) expr.Expr { return &expr.Var{Name: name} }

func orValue(optional, otherwise expr.Expr) expr.Expr {
	return expr.Method(optional, "orValue", otherwise)
}

// is reports whether a value has a type of CEL.
func is(typ string, x expr.Expr) expr.Expr {
	return expr.Eq(expr.Function("type", x), variable(typ))
}

// of returns the value below now or old, both of which are known to exist.
func (v *value) of(x expr.Expr) expr.Expr {
	for _, name := range v.names {
		x = expr.JSONField(x, name)
	}
	return x
}

// are returns the condition that the value and its old value exist and have a type of CEL.
func (v *value) are(typ string) expr.Expr {
	if len(v.names) == 0 && v.sure {
		return expr.Bool(true)
	}
	var conditions []expr.Expr
	for _, x := range []expr.Expr{v.now, v.old} {
		if x = v.optional(x); len(v.names) > 0 {
			x = orValue(x, expr.Null())
		}
		conditions = append(conditions, is(typ, x))
	}
	return expr.And(conditions...)
}

// optional returns the value below now or old, as an optional value if it is below.
func (v *value) optional(x expr.Expr) expr.Expr {
	for _, name := range v.names {
		x = expr.OptJSONField(x, name)
	}
	return x
}

// field returns a field of the value.
func (v value) field(name string) value {
	v.status = v.status || len(v.within)+len(v.names) == 0 && name == "status"
	v.names, v.at = below(v.names, name), below(v.at, name)
	return v
}

// pointer returns the JSON pointer to something below the value.
func (v *value) pointer(below ...expr.Expr) expr.Expr {
	parts := slices.Clone(v.path)
	for _, name := range v.names {
		parts = append(parts, expr.Str("/"+escape(name)))
	}
	parts = append(append(parts, expr.Str("/")), below...)
	var sum expr.Expr
	text := ""
	add := func(x expr.Expr) {
		if sum == nil {
			sum = x
		} else {
			sum = expr.Add(sum, x)
		}
	}
	for _, p := range parts {
		if s, ok := expr.Constant(p); ok {
			text += s.(string)
			continue
		}
		if text != "" {
			add(expr.Str(text))
			text = ""
		}
		add(p)
	}
	if text != "" {
		add(expr.Str(text))
	}
	return sum
}

// escape escapes a name in a JSON pointer.
func escape(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

func escaped(x expr.Expr) expr.Expr { return expr.Function("jsonpatch.escapeKey", x) }

// normalised returns the normalisation of the value's union.
func (v *value) normalised(d *discriminator) normalised {
	selected, member, values := variable("selected"), variable("member"), variable("values")
	path := member
	if slices.ContainsFunc(d.members, func(e expr.Entry) bool { s, _ := expr.Constant(e.Key); return escape(s.(string)) != s }) {
		path = escaped(member)
	}
	clear := &expr.Comprehension{
		Macro: expr.TransformListMacro, Range: expr.MapOf(d.members...), Var: "member", Var2: "values",
		Filter: expr.And(expr.In(member, v.of(v.now)), expr.Not(expr.In(selected, values))),
		Body:   &expr.Message{Name: "JSONPatch", Fields: []expr.Field{{Name: "op", Value: expr.Str("remove")}, {Name: "path", Value: v.pointer(path)}}},
	}
	patches := v.guarded("map", flat(&expr.Comprehension{
		Macro: expr.MapMacro, Range: expr.ListOf(d.of(v.of(v.now))), Var: "selected",
		Filter: expr.And(expr.In(selected, expr.ListOf(d.values...)), expr.Ne(selected, d.of(v.of(v.old)))), Body: clear,
	}))
	for _, in := range slices.Backward(v.within) {
		patches = in(patches)
	}
	out := normalised{patches: patches, status: v.status, reads: [][]string{below(v.at, d.name)}}
	for _, m := range d.members {
		name, _ := expr.Constant(m.Key)
		out.clears = append(out.clears, below(v.at, name.(string)))
	}
	return out
}

func below(path []string, name string) []string { return append(slices.Clone(path), name) }

// guarded returns patches for a value that exists, as its old value does, and has a type of CEL.
func (v *value) guarded(typ string, patches expr.Expr) expr.Expr {
	return expr.If(v.are(typ), patches, expr.ListOf())
}

// each returns the values of a list or map.
func (v *value) each(in container, now, old, key expr.Expr, sure bool) value {
	return value{
		now: now, old: old, status: v.status, sure: sure, path: []expr.Expr{v.pointer(), key},
		at: below(v.at, "*"), within: append(slices.Clone(v.within), in),
	}
}

// name returns the name of a variable of the next enclosing list or map.
func (v *value) name(base string) string {
	if len(v.within) == 0 {
		return base
	}
	return base + strconv.Itoa(len(v.within)+1)
}

// values returns the values of a map that have an old value.
func (v value) values() value {
	key, item := v.name("key"), v.name("value")
	now, old := v.of(v.now), v.of(v.old)
	in := func(patches expr.Expr) expr.Expr {
		return v.guarded("map", flat(&expr.Comprehension{
			Macro: expr.TransformListMacro, Range: now, Var: key, Var2: item, Filter: expr.In(variable(key), old), Body: patches,
		}))
	}
	return v.each(in, variable(item), expr.At(old, variable(key)), escaped(variable(key)), false)
}

// items returns the items of a list that have an old item with the same keys; only those with certain
// keys, if some are given. The old items are looked up in a map, whose cost does not grow with the
// square of the items.
func (v value) items(m *model.Model, keys []rule.FieldPath, only []rule.KeyValue) value {
	index, item, before := v.name("index"), v.name("item"), v.name("before")
	identity := identityOf(m, keys, func(k rule.FieldPath) expr.Expr { return expr.OptJSONField(variable(item), k.JSON) })
	byKey := &expr.Comprehension{
		Macro: expr.TransformMapEntryMacro, Range: v.of(v.old), Var: index, Var2: item,
		Filter: is("map", variable(item)), Body: expr.MapOf(expr.Entry{Key: identity, Value: variable(item)}),
	}
	kept := expr.And(is("map", variable(item)), expr.In(identity, variable(before)))
	for _, k := range only {
		unset := zero(m, k.Key.Type)
		if unset == nil {
			unset = expr.Null()
		}
		kept = expr.And(kept, expr.Eq(orValue(expr.OptJSONField(variable(item), k.Key.JSON), unset), literal(k.Value)))
	}
	in := func(patches expr.Expr) expr.Expr {
		all := flat(&expr.Comprehension{Macro: expr.TransformListMacro, Range: v.of(v.now), Var: index, Var2: item, Filter: kept, Body: patches})
		bound := &expr.Comprehension{Macro: expr.MapMacro, Range: expr.ListOf(byKey), Var: before, Body: all}
		return v.guarded("list", expr.At(bound, expr.Int(0)))
	}
	return v.each(in, variable(item), expr.At(variable(before), identity), expr.Function("string", variable(index)), true)
}

func flat(lists expr.Expr) expr.Expr { return expr.Method(lists, "flatten") }

// identityOf returns what is the same for items with the same keys: the key, or the keys as a text.
func identityOf(m *model.Model, keys []rule.FieldPath, field func(rule.FieldPath) expr.Expr) expr.Expr {
	var text expr.Expr
	for _, k := range keys {
		unset := zero(m, k.Type)
		if len(keys) == 1 && unset != nil {
			return orValue(field(k), unset)
		}
		// No escaped text is a single ~.
		otherwise := "~"
		if unset != nil {
			otherwise = fmt.Sprint(unions.Zero(m, k.Type))
		}
		part := orValue(&expr.Comprehension{Macro: expr.OptMapMacro, Range: field(k), Var: "k", Body: escaped(expr.Function("string", variable("k")))}, expr.Str(otherwise))
		if text == nil {
			text = part
		} else {
			text = expr.Add(expr.Add(text, expr.Str("/")), part)
		}
	}
	return text
}

// zero returns the value of a key that is unset; nil if it is a pointer.
func zero(m *model.Model, r *model.Ref) expr.Expr {
	switch v := unions.Zero(m, r).(type) {
	case string:
		return expr.Str(v)
	case bool:
		return expr.Bool(v)
	case int64:
		return expr.Int(v)
	}
	return nil
}

func literal(c rule.Constant) expr.Expr {
	switch c.Kind {
	case model.BoolValue:
		return expr.Bool(c.Text == "true")
	case model.IntValue:
		i, _ := strconv.ParseInt(c.Text, 10, 64)
		return expr.Int(i)
	}
	return expr.Str(c.Text)
}
