package expr

// Constructors simplify expressions without changing their meaning, including failures, so that
// composed rules are readable.

// Self is the value that a rule applies to.
func Self() Expr { return &Var{Name: SelfName} }

// OldSelf is the value before an update.
func OldSelf() Expr { return &Var{Name: OldSelfName} }

// Str is a string.
func Str(s string) Expr { return &Literal{Value: s} }

// Int is an integer.
func Int(i int64) Expr { return &Literal{Value: i} }

// Uint is an unsigned integer.
func Uint(u uint64) Expr { return &Literal{Value: u} }

// Double is a floating point number.
func Double(f float64) Expr { return &Literal{Value: f} }

// Bool is true or false.
func Bool(b bool) Expr { return &Literal{Value: b} }

// Null is null.
func Null() Expr { return &Literal{} }

// Bytes is a string of bytes.
func Bytes(b []byte) Expr { return &Literal{Value: b} }

// ListOf is a list of the items.
func ListOf(items ...Expr) Expr {
	l := &List{Items: make([]Item, len(items))}
	for i, x := range items {
		l.Items[i].Value = x
	}
	return l
}

// MapOf is a map of the entries.
func MapOf(entries ...Entry) Expr { return &Map{Entries: entries} }

// Get selects a field, or a field of a field: Get(Self(), "spec", "replicas").
// The names are those of JSON.
func Get(x Expr, path ...string) Expr {
	for _, name := range path {
		x = &Select{Operand: x, Field: name}
	}
	return x
}

// Has reports whether a field is set: Has(Self(), "spec") is has(self.spec).
func Has(x Expr, field string) Expr { return &Select{Operand: x, Field: field, Test: true} }

// OptGet selects a field that may be unset, as an optional value: x.?field.
func OptGet(x Expr, field string) Expr { return &Select{Operand: x, Field: field, Optional: true} }

// JSONField is a field in JSON without a schema, as policies see it: names have no escapes there.
func JSONField(x Expr, name string) Expr {
	if selectable(name) {
		return &Select{Operand: x, Field: name, Verbatim: true}
	}
	return At(x, Str(name))
}

// OptJSONField is a field of JSON as an optional value.
func OptJSONField(x Expr, name string) Expr {
	if selectable(name) {
		return &Select{Operand: x, Field: name, Verbatim: true, Optional: true}
	}
	return OptAt(x, Str(name))
}

// selectable reports whether an expression can select a name.
func selectable(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && !Reserved(name)
}

// At is the item of a list, or the entry of a map. It fails when it does not exist.
func At(x, key Expr) Expr { return op(OpIndex, x, key) }

// OptAt is the item or entry as an optional value: x[?key].
func OptAt(x, key Expr) Expr { return op(OpOptIndex, x, key) }

func op(name string, args ...Expr) Expr { return &Call{Func: name, Args: args} }

// And is true if all conditions are true; And() is true.
func And(conditions ...Expr) Expr { return logic(OpAnd, true, conditions) }

// Or is true if one of the conditions is true; Or() is false.
func Or(conditions ...Expr) Expr { return logic(OpOr, false, conditions) }

// logic joins conditions; neutral is the neutral value. An operand with the opposite value decides
// the result, even if others fail.
func logic(name string, neutral bool, conditions []Expr) Expr {
	var args []Expr
	for _, c := range conditions {
		if v, ok := Constant(c); ok {
			switch v {
			case neutral:
				continue
			case !neutral:
				return Bool(!neutral)
			}
		}
		if call, ok := c.(*Call); ok && call.Func == name {
			args = append(args, call.Args...)
			continue
		}
		args = append(args, c)
	}
	switch len(args) {
	case 0:
		return Bool(neutral)
	case 1:
		return args[0]
	}
	return op(name, args...)
}

// Not negates a condition. It fails if the condition fails.
func Not(x Expr) Expr {
	switch x := x.(type) {
	case *Literal:
		if b, ok := x.Value.(bool); ok {
			return Bool(!b)
		}
	case *Call:
		switch x.Func {
		case OpNot:
			return x.Args[0]
		case OpEq:
			return op(OpNe, x.Args...)
		case OpNe:
			return op(OpEq, x.Args...)
		}
	}
	return op(OpNot, x)
}

// Implies is true if the condition is false or the consequence is true.
func Implies(condition, consequence Expr) Expr { return Or(Not(condition), consequence) }

// If is condition ? then : otherwise.
func If(condition, then, otherwise Expr) Expr {
	if v, ok := Constant(condition); ok {
		switch v {
		case true:
			return then
		case false:
			return otherwise
		}
	}
	return op(OpCond, condition, then, otherwise)
}

// Eq is x == y.
func Eq(x, y Expr) Expr { return op(OpEq, x, y) }

// Ne is x != y.
func Ne(x, y Expr) Expr { return op(OpNe, x, y) }

// Lt is x < y.
func Lt(x, y Expr) Expr { return op(OpLt, x, y) }

// Le is x <= y.
func Le(x, y Expr) Expr { return op(OpLe, x, y) }

// Gt is x > y.
func Gt(x, y Expr) Expr { return op(OpGt, x, y) }

// Ge is x >= y.
func Ge(x, y Expr) Expr { return op(OpGe, x, y) }

// In reports whether x is an item of a list, or a key of a map.
func In(x, in Expr) Expr { return op(OpIn, x, in) }

// Add is x + y: a sum, or two strings or lists one after the other.
func Add(x, y Expr) Expr { return op(OpAdd, x, y) }

// Sub is x - y.
func Sub(x, y Expr) Expr { return op(OpSub, x, y) }

// Mul is x * y.
func Mul(x, y Expr) Expr { return op(OpMul, x, y) }

// Div is x / y; integers drop the remainder.
func Div(x, y Expr) Expr { return op(OpDiv, x, y) }

// Mod is the remainder of x / y.
func Mod(x, y Expr) Expr { return op(OpMod, x, y) }

// Neg is -x.
func Neg(x Expr) Expr { return op(OpNeg, x) }

// Function calls a function: Function("quantity", x) is quantity(x).
func Function(name string, args ...Expr) Expr { return &Call{Func: name, Args: args} }

// Method calls a method: Method(x, "matches", re) is x.matches(re).
func Method(x Expr, name string, args ...Expr) Expr { return &Call{Func: name, Target: x, Args: args} }

// Size is the number of characters, items or entries.
func Size(x Expr) Expr { return Method(x, "size") }

// Matches reports whether a regular expression (RE2) matches anywhere in a string.
func Matches(x Expr, re string) Expr { return Method(x, "matches", Str(re)) }

// StartsWith reports whether a string begins with a prefix.
func StartsWith(x Expr, prefix string) Expr { return Method(x, "startsWith", Str(prefix)) }

// Quantity parses a Kubernetes quantity.
func Quantity(x Expr) Expr { return Function("quantity", x) }

// Duration parses a Go duration.
func Duration(x Expr) Expr { return Function("duration", x) }

// Timestamp parses an RFC 3339 time.
func Timestamp(x Expr) Expr { return Function("timestamp", x) }

// IsFormat reports whether a string has a named format of API servers, such as dns1123Label.
func IsFormat(x Expr, format string) Expr {
	return Not(Method(Method(Function("format."+format), "validate", x), "hasValue"))
}

// All is true if the body is true for all items of a list, or all keys of a map.
func All(list Expr, body func(item Expr) Expr) Expr { return loop(AllMacro, list, body) }

// Exists is true if the body is true for an item of a list, or a key of a map.
func Exists(list Expr, body func(item Expr) Expr) Expr { return loop(ExistsMacro, list, body) }

// ExistsOne is true if the body is true for exactly one item or key, and fails if it fails for any.
func ExistsOne(list Expr, body func(item Expr) Expr) Expr { return loop(ExistsOneMacro, list, body) }

// Filter is the list of the items or keys for which the body is true.
func Filter(list Expr, body func(item Expr) Expr) Expr { return loop(FilterMacro, list, body) }

// MapEach is the list of the body's values for the items or keys.
func MapEach(list Expr, body func(item Expr) Expr) Expr { return loop(MapMacro, list, body) }

// AllEntries is true if the body is true for all keys and values of a map.
func AllEntries(m Expr, body func(key, value Expr) Expr) Expr { return loop2(AllMacro, m, "k", body) }

// AllIndexed is true if the body is true for all indexes and items of a list.
func AllIndexed(list Expr, body func(index, item Expr) Expr) Expr {
	return loop2(AllMacro, list, "i", body)
}

// OptMap is the body's value for the value of an optional, or none.
func OptMap(optional Expr, body func(value Expr) Expr) Expr { return loop(OptMapMacro, optional, body) }

func loop(macro Macro, list Expr, body func(Expr) Expr) Expr {
	return bind(&Comprehension{Macro: macro, Range: list}, body)
}

func loop2(macro Macro, list Expr, first string, body func(a, b Expr) Expr) Expr {
	return bind2(&Comprehension{Macro: macro, Range: list, Var: first, Var2: "v"}, body)
}

// Keyed names the variable of a comprehension over the keys of a map k instead
// of i, the variable's name everywhere else.
func Keyed(c Expr) Expr { return WithVar(c, "k") }

// WithVar names the variable of a comprehension like name.
func WithVar(c Expr, name string) Expr {
	x, ok := c.(*Comprehension)
	if !ok || x.Var2 != "" {
		return c
	}
	return bindNamed(x, name)
}
