package rules

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/paths"
	"github.com/kindsmith/kindsmith/internal/core/expr/typed"
)

type schema = apiextensionsv1.JSONSchemaProps

// root is the path of the object.
var root = paths.Path{}

// walk finds the rules of a version in its schema.
type walk struct {
	found []admissionv1.Validation
	gaps  []gap
}

// gap is a rule that a policy cannot have.
type gap struct {
	at     paths.Path
	reason string
}

// add adds a rule about the values at a path. Values that were there before are accepted.
func (w *walk) add(s *schema, at paths.Path, message string, holds func(value expr.Expr) expr.Expr) {
	w.about(s, at, messageAt(at, message), holds)
}

// about is like add with a message that names the field.
func (w *walk) about(s *schema, at paths.Path, message string, holds func(value expr.Expr) expr.Expr) {
	condition := at.Pairs(func(p paths.Pair) expr.Expr {
		if s.Nullable {
			return expr.Or(expr.Eq(p.Value, expr.Null()), holds(p.Value), p.Unchanged)
		}
		return expr.Or(holds(p.Value), p.Unchanged)
	})
	w.found = append(w.found, admissionv1.Validation{Expression: expr.CEL(condition), Message: message})
}

// messageAt returns a message that begins with the field: API servers put the name of the policy before it.
func messageAt(at paths.Path, message string) string {
	switch path := at.String(); {
	case path == "":
	case strings.HasPrefix(message, "is "):
		message = path + " " + message
	default:
		message = path + ": " + message
	}
	return strings.Join(strings.Fields(message), " ")
}

func (w *walk) visit(s *schema, at paths.Path) {
	w.keywords(s, at)
	for _, rule := range s.XValidations {
		w.rule(s, rule, at)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if below := s.Properties[name]; at.String() != "" || name != "metadata" && name != "apiVersion" && name != "kind" {
			w.visit(&below, at.Field(name))
		}
	}
	switch {
	case s.Items != nil && s.Items.Schema != nil:
		w.visit(s.Items.Schema, at.Items(s.XListMapKeys...))
	case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
		w.visit(s.AdditionalProperties.Schema, at.Values())
	}
}

// keywords adds what the keywords of a schema require of a value.
func (w *walk) keywords(s *schema, at paths.Path) {
	for _, name := range s.Required {
		if at.String() == "" && slices.Contains([]string{"metadata", "apiVersion", "kind"}, name) {
			continue
		}
		w.about(s, at, messageAt(at.Field(name), "is required"), func(value expr.Expr) expr.Expr { return expr.In(expr.Str(name), value) })
	}
	for _, bound := range []struct {
		limit         *float64
		exclusive     bool
		is, isOver    func(x, y expr.Expr) expr.Expr
		text, overOne string
	}{
		{s.Minimum, s.ExclusiveMinimum, expr.Ge, expr.Gt, "must be at least ", "must be greater than "},
		{s.Maximum, s.ExclusiveMaximum, expr.Le, expr.Lt, "must be at most ", "must be less than "},
	} {
		if bound.limit == nil {
			continue
		}
		compare, text := bound.is, bound.text
		if bound.exclusive {
			compare, text = bound.isOver, bound.overOne
		}
		w.add(s, at, text+fmt.Sprint(*bound.limit), func(value expr.Expr) expr.Expr { return compare(value, number(*bound.limit)) })
	}
	for _, bound := range []struct {
		limit *int64
		is    func(x, y expr.Expr) expr.Expr
		text  string
	}{
		{s.MinLength, expr.Ge, "the length must be at least %d"}, {s.MaxLength, expr.Le, "the length must be at most %d"},
		{s.MinItems, expr.Ge, "the number of items must be at least %d"}, {s.MaxItems, expr.Le, "the number of items must be at most %d"},
		{s.MinProperties, expr.Ge, "the number of entries must be at least %d"}, {s.MaxProperties, expr.Le, "the number of entries must be at most %d"},
	} {
		if bound.limit == nil {
			continue
		}
		w.add(s, at, fmt.Sprintf(bound.text, *bound.limit), func(value expr.Expr) expr.Expr {
			holds := bound.is(expr.Size(value), expr.Int(*bound.limit))
			if s.XIntOrString { // the keywords of another type do not apply
				return expr.Or(expr.Eq(expr.Function("type", value), &expr.Var{Name: "int"}), holds)
			}
			return holds
		})
	}
	if s.Pattern != "" && !s.XIntOrString { // that of quantities belongs to their type
		w.add(s, at, "must match "+s.Pattern, func(value expr.Expr) expr.Expr { return expr.Matches(value, s.Pattern) })
	}
	if s.MultipleOf != nil {
		if n := *s.MultipleOf; s.Type == "integer" && n == math.Trunc(n) {
			w.add(s, at, "must be a multiple of "+fmt.Sprint(n), func(value expr.Expr) expr.Expr { return expr.Eq(expr.Mod(value, number(n)), expr.Int(0)) })
		} else {
			w.gaps = append(w.gaps, gap{at, "multipleOf a fraction"})
		}
	}
	w.enum(s, at)
	w.combined(s, at)
}

// enum adds the list of allowed values.
func (w *walk) enum(s *schema, at paths.Path) {
	var values []expr.Expr
	var texts []string
	for _, text := range s.Enum {
		var v any
		if err := json.Unmarshal(text.Raw, &v); err != nil {
			continue
		}
		switch v := v.(type) {
		case string:
			values = append(values, expr.Str(v))
		case bool:
			values = append(values, expr.Bool(v))
		case float64:
			values = append(values, number(v))
		case nil:
			values = append(values, expr.Null())
		default:
			w.gaps = append(w.gaps, gap{at, "an enum of lists or objects"})
			return
		}
		texts = append(texts, string(text.Raw))
	}
	if len(values) > 0 {
		w.add(s, at, "must be one of "+strings.Join(texts, ", "), func(value expr.Expr) expr.Expr { return expr.In(value, expr.ListOf(values...)) })
	}
}

// combined adds the schemas of allOf. A policy has no rules of the others, which rules in CEL take the place of.
func (w *walk) combined(s *schema, at paths.Path) {
	for i := range s.AllOf {
		all := s.AllOf[i]
		all.Type, all.Nullable = s.Type, s.Nullable
		w.visit(&all, at)
	}
	for _, other := range []struct {
		keyword string
		is      bool
	}{{"oneOf", len(s.OneOf) > 0}, {"anyOf", len(s.AnyOf) > 0 && !s.XIntOrString}, {"not", s.Not != nil}} {
		if other.is {
			w.gaps = append(w.gaps, gap{at, other.keyword})
		}
	}
}

// rule adds a rule in CEL.
func (w *walk) rule(s *schema, rule apiextensionsv1.ValidationRule, at paths.Path) {
	tree, problems := typed.Parse(rule.Rule)
	if len(problems) > 0 {
		w.gaps = append(w.gaps, gap{at, "it is not an expression that kindsmith reads"})
		return
	}
	if selectsTyped(s, tree) {
		w.gaps = append(w.gaps, gap{at, "policies get times, durations and bytes as text"})
		return
	}
	if comparesTyped(s, tree) {
		w.gaps = append(w.gaps, gap{at, "it compares lists of type set or map, whose order counts in policies, or times, which policies get as text"})
		return
	}
	tree = expr.Rewrite(tree, untyped)
	message := rule.Message
	if message == "" {
		message = "failed rule: " + rule.Rule
	}
	message = messageAt(at, message)
	if rule.FieldPath != "" {
		message = strings.TrimPrefix(at.String()+rule.FieldPath, ".") + strings.TrimPrefix(message, at.String())
	}
	holds := func(value expr.Expr) expr.Expr { return expr.Subst(tree, expr.SelfName, value) }
	before := &expr.Var{Name: "before"}
	compared := func(value expr.Expr) expr.Expr { return expr.Subst(holds(value), expr.OldSelfName, before) }
	condition := func(p paths.Pair) expr.Expr {
		if rule.OptionalOldSelf != nil && *rule.OptionalOldSelf {
			return &expr.Comprehension{Macro: expr.AllMacro, Range: expr.ListOf(p.Before), Var: before.Name, Body: compared(p.Value)}
		}
		return expr.Method(&expr.Comprehension{Macro: expr.OptMapMacro, Range: p.Before, Var: before.Name, Body: compared(p.Value)}, "orValue", expr.Bool(true))
	}
	switch isTransition := expr.Uses(tree, expr.OldSelfName); {
	case !isTransition:
		w.about(s, at, message, holds)
	case !at.Paired():
		w.gaps = append(w.gaps, gap{at, "it compares items of a list without keys with their old values"})
	default:
		w.found = append(w.found, admissionv1.Validation{Expression: expr.CEL(at.Pairs(condition)), Message: message})
	}
}

// untyped returns a node of a rule for JSON without a schema: names have no escapes, servers cannot compile optional items
// of lists whose type they do not know, and lists and maps that mix values of an unknown type with others need dyn().
func untyped(e expr.Expr) expr.Expr {
	switch e := e.(type) {
	case *expr.List:
		if slices.ContainsFunc(e.Items, func(i expr.Item) bool { return i.Optional }) {
			return concatenated(e)
		}
		out := *e
		out.Items = slices.Clone(e.Items)
		mix(len(out.Items), func(i int) *expr.Expr { return &out.Items[i].Value })
		return &out
	case *expr.Map:
		out := *e
		out.Entries = slices.Clone(e.Entries)
		mix(len(out.Entries), func(i int) *expr.Expr { return &out.Entries[i].Key })
		mix(len(out.Entries), func(i int) *expr.Expr { return &out.Entries[i].Value })
		return &out
	}
	s, ok := e.(*expr.Select)
	if !ok || s.Verbatim {
		return e
	}
	if s.Test {
		if x, ok := expr.JSONField(s.Operand, s.Field).(*expr.Select); ok {
			x.Test = true
			return x
		}
		return expr.In(expr.Str(s.Field), s.Operand)
	}
	if s.Optional {
		return expr.OptJSONField(s.Operand, s.Field)
	}
	return expr.JSONField(s.Operand, s.Field)
}

// mix gives n expressions one type, unless they certainly have one: constants, values of JSON, or tests.
func mix(n int, at func(int) *expr.Expr) {
	constants, values, tests := 0, 0, 0
	for i := range n {
		switch x := (*at(i)).(type) {
		case *expr.Literal:
			constants++
		case *expr.Var:
			values++
		case *expr.Select:
			if x.Test {
				tests++
			} else {
				values++
			}
		case *expr.Call:
			if x.Func == expr.OpIndex {
				values++
			}
		}
	}
	if n < 2 || constants == n || values == n || tests == n {
		return
	}
	for i := range n {
		*at(i) = expr.Function("dyn", *at(i))
	}
}

// concatenated returns a list without optional items.
func concatenated(l *expr.List) (sum expr.Expr) {
	for _, i := range l.Items {
		part := expr.ListOf(i.Value)
		if i.Optional {
			part = expr.If(expr.Method(i.Value, "hasValue"), expr.ListOf(expr.Method(i.Value, "value")), expr.ListOf())
		}
		if sum == nil {
			sum = part
		} else {
			sum = expr.Add(sum, part)
		}
	}
	return sum
}

// number returns a number as a literal.
func number(n float64) expr.Expr {
	if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		return expr.Int(int64(n))
	}
	return expr.Double(n)
}
