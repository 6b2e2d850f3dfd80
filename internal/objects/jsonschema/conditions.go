package jsonschema

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
)

// condition translates a condition on a value to a schema that accepts the same values; not ok if there is none. A condition that
// fails, such as a comparison of an absent member, is not true.
//
// A schema sees the manifest, and a condition the object with its defaults. So the schema of a member with a default accepts
// its absence if the default satisfies the condition.
func condition(n *fieldtree.Node, e expr.Expr) (s object, ok bool) {
	switch e := e.(type) {
	case *expr.Literal:
		if e.Value == true {
			return object{}, true
		}
		return object{"not": object{}}, e.Value == false
	case *expr.Select:
		if e.Test {
			return member(n, e, present)
		}
		return member(n, e, oneOf([]any{true}))
	case *expr.Call:
		return operator(n, e)
	}
	return nil, false
}

func operator(n *fieldtree.Node, e *expr.Call) (s object, ok bool) {
	switch e.Func {
	case expr.OpAnd:
		return every(n, "allOf", e.Args)
	case expr.OpOr:
		return either(n, e.Args)
	case expr.OpNot:
		return negated(n, e.Args[0])
	case expr.OpCond:
		parts, ok := all(n, e.Args)
		if !ok {
			return nil, false
		}
		return object{"if": parts[0], "then": parts[1], "else": parts[2]}, true
	case expr.OpNe: // of a member that is set
		equal, ok := operator(n, &expr.Call{Func: expr.OpEq, Args: e.Args})
		set, known := condition(n, &expr.Select{Operand: operand(e.Args[0]), Field: field(e.Args[0]), Test: true})
		if isSelf(e.Args[0]) {
			set, known = object{}, true
		}
		return object{"allOf": []any{set, object{"not": equal}}}, ok && known
	case expr.OpEq:
		if value, isConstant := expr.Constant(e.Args[1]); isConstant && value != nil {
			return member(n, e.Args[0], oneOf([]any{value}))
		}
	case expr.OpIn:
		if list, isList := e.Args[1].(*expr.List); isList {
			if values, isConstant := constants(list); isConstant {
				return member(n, e.Args[0], oneOf(values))
			}
		}
	case expr.OpLt, expr.OpLe, expr.OpGt, expr.OpGe:
		return compared(n, e)
	}
	return text(n, e)
}

// every translates several conditions, which a keyword combines.
func every(n *fieldtree.Node, keyword string, list []expr.Expr) (s object, ok bool) {
	parts, ok := all(n, list)
	if len(parts) == 1 {
		return parts[0].(object), ok
	}
	return object{keyword: parts}, ok
}

func all(n *fieldtree.Node, list []expr.Expr) (parts []any, ok bool) {
	for _, e := range list {
		s, ok := condition(n, e)
		if !ok {
			return nil, false
		}
		parts = append(parts, s)
	}
	return parts, true
}

// either translates alternatives. !a || b is a condition, of which editors say more than of an alternative.
func either(n *fieldtree.Node, list []expr.Expr) (s object, ok bool) {
	for i, e := range list {
		if not, isNot := e.(*expr.Call); isNot && not.Func == expr.OpNot {
			when, known := condition(n, not.Args[0])
			then, ok := every(n, "anyOf", slices.Delete(slices.Clone(list), i, i+1))
			return object{"if": when, "then": then}, known && ok
		}
	}
	return every(n, "anyOf", list)
}

func negated(n *fieldtree.Node, e expr.Expr) (s object, ok bool) {
	inner, ok := condition(n, e)
	return object{"not": inner}, ok
}

// comparisons are the keywords of comparisons with a number, and of those of a size for strings, lists and maps. A limit on a size
// is a bound with a distance.
var comparisons = map[string]struct {
	number string
	least  bool
	by     int64
}{
	expr.OpLt: {"exclusiveMaximum", false, -1}, expr.OpLe: {"maximum", false, 0},
	expr.OpGt: {"exclusiveMinimum", true, 1}, expr.OpGe: {"minimum", true, 0},
}

// sizes are the keywords for the least and the largest size.
var sizes = map[fieldtree.Form][2]string{
	fieldtree.String: {"maxLength", "minLength"}, fieldtree.List: {"maxItems", "minItems"}, fieldtree.Map: {"maxProperties", "minProperties"},
}

// compared translates a comparison of a number or of a size.
func compared(n *fieldtree.Node, e *expr.Call) (s object, ok bool) {
	c := comparisons[e.Func]
	limit, isConstant := expr.Constant(e.Args[1])
	if !isConstant {
		return nil, false
	}
	of := e.Args[0]
	call, isCall := of.(*expr.Call)
	if !isCall {
		return member(n, of, leaf{schema: func(at *fieldtree.Node) (object, bool) {
			return object{c.number: limit}, at.Form == fieldtree.Integer || at.Form == fieldtree.Number
		}})
	}
	size, isInt := limit.(int64)
	if call.Func != "size" || !isInt {
		return nil, false
	}
	switch {
	case call.Target != nil && len(call.Args) == 0:
		of = call.Target
	case call.Target == nil && len(call.Args) == 1:
		of = call.Args[0]
	default:
		return nil, false
	}
	size += c.by
	return member(n, of, leaf{schema: func(at *fieldtree.Node) (object, bool) {
		keyword := sizes[at.Form][0]
		if c.least {
			keyword = sizes[at.Form][1]
		}
		switch {
		case keyword == "":
			return nil, false
		case size < 0 && c.least:
			return object{}, true
		case size < 0:
			return object{"not": object{}}, true
		}
		return object{keyword: size}, true
	}})
}

// text translates methods of strings.
func text(n *fieldtree.Node, e *expr.Call) (s object, ok bool) {
	if e.Target == nil || len(e.Args) != 1 {
		return nil, false
	}
	value, _ := expr.Constant(e.Args[0])
	argument, isString := value.(string)
	pattern := regexp.QuoteMeta(argument)
	switch e.Func {
	case "startsWith":
		pattern = "^" + pattern
	case "endsWith":
		pattern += "$"
	case "contains":
	case "matches":
		if pattern = argument; foreignSyntax.MatchString(pattern) {
			return nil, false
		}
	default:
		return nil, false
	}
	return member(n, e.Target, leaf{schema: func(at *fieldtree.Node) (object, bool) {
		return object{"pattern": pattern}, isString && at.Form == fieldtree.String
	}})
}

// leaf is a condition on a value that is there.
type leaf struct {
	// schema returns its schema; not ok if there is none for the form of a value.
	schema func(n *fieldtree.Node) (object, bool)
	// holds reports whether it is true for a default; nil if that is not known.
	holds func(value any) bool
}

// present is true for all values.
var present = leaf{func(*fieldtree.Node) (object, bool) { return object{}, true }, func(any) bool { return true }}

// oneOf is true for some constants.
func oneOf(values []any) leaf {
	return leaf{func(n *fieldtree.Node) (object, bool) {
		known := n.Form == fieldtree.String || n.Form == fieldtree.Bool || n.Form == fieldtree.Integer
		return object{"enum": values}, known && !slices.ContainsFunc(values, func(v any) bool { return !isPlain(v) })
	}, func(value any) bool { return slices.Contains(values, value) }}
}

// isPlain reports whether a constant has one spelling in JSON.
func isPlain(v any) bool {
	switch v.(type) {
	case string, bool, int64:
		return true
	}
	return false
}

func constants(list *expr.List) (values []any, ok bool) {
	for _, item := range list.Items {
		value, isConstant := expr.Constant(item.Value)
		if !isConstant || item.Optional || value == nil {
			return nil, false
		}
		values = append(values, value)
	}
	return values, len(values) > 0
}

func isSelf(e expr.Expr) bool {
	v, ok := e.(*expr.Var)
	return ok && v.Name == expr.SelfName
}

// operand and field are the parts of a selection; nil and "" for another expression.
func operand(e expr.Expr) expr.Expr {
	if s, ok := e.(*expr.Select); ok {
		return s.Operand
	}
	return nil
}

func field(e expr.Expr) string {
	if s, ok := e.(*expr.Select); ok {
		return s.Field
	}
	return ""
}

// member translates a condition on self, or on a member of it.
func member(n *fieldtree.Node, e expr.Expr, is leaf) (s object, ok bool) {
	if isSelf(e) {
		return is.schema(n)
	}
	selected, isSelect := e.(*expr.Select)
	if !isSelect || selected.Optional || selected.Verbatim {
		return nil, false
	}
	return member(n, selected.Operand, leaf{schema: func(in *fieldtree.Node) (object, bool) {
		f := in.Field(selected.Field)
		if in.Form != fieldtree.Object || f == nil || f.Member.Nullable {
			return nil, false
		}
		s, ok := is.schema(f)
		if !ok {
			return nil, false
		}
		if f.Default == nil && (f.Required || !f.Filled) {
			return object{"required": []string{f.Name}, "properties": object{f.Name: notNull(s)}}, true
		}
		value, ok := constantDefault(f)
		switch {
		case is.holds == nil || !ok, f.Filled && is.holds(value): // the definition may have no default
			return nil, false
		case is.holds(value) && len(s) == 0:
			return object{}, true
		case is.holds(value):
			return object{"properties": object{f.Name: object{"anyOf": []any{object{"type": "null"}, s}}}}, true
		}
		return object{"required": []string{f.Name}, "properties": object{f.Name: notNull(s)}}, true
	}})
}

// notNull returns a schema that does not accept null, which is an absent value.
func notNull(s object) object {
	switch {
	case s["enum"] != nil: // no constant is null
		return s
	case len(s) == 0:
		return object{"not": object{"type": "null"}}
	}
	return object{"allOf": []any{object{"not": object{"type": "null"}}, s}}
}

// zeros are the zero values of Go.
var zeros = map[fieldtree.Form]any{fieldtree.Integer: int64(0), fieldtree.String: "", fieldtree.Bool: false}

// constantDefault returns a default as a constant of expressions. Any other value equals no constant.
func constantDefault(n *fieldtree.Node) (value any, ok bool) {
	if n.Filled {
		return zeros[n.Form], zeros[n.Form] != nil
	}
	text := n.Default.JSON()
	switch n.Form {
	case fieldtree.Integer:
		i, err := strconv.ParseInt(text, 10, 64)
		return i, err == nil
	case fieldtree.String:
		var s string
		err := json.Unmarshal([]byte(text), &s)
		return s, err == nil
	case fieldtree.Bool:
		return text == "true", true
	}
	return nil, true
}
