// Package expr is the language of rules: a small tree of expressions over
// `self` and `oldSelf`, with CEL's meaning.
//
// The constructors, such as [Eq], [Has] and [All], build an [Expr]; [CEL] prints it, [Lines] prints it for people. [Walk],
// [Rewrite] and [Subst] are the ways through a tree.
//
// Trees are built by the constructors of this package or read from CEL by package expr/typed. They
// are immutable plain data and print as CEL and as JSON. Operations return new trees, which share
// unchanged parts.
package expr

// Expr is a node of a tree: one of *Literal, *Var, *Select, *Call, *List, *Map,
// *Message and *Comprehension.
type Expr interface {
	// Pos is the span of the node in the CEL source.
	Pos() Span
	isExpr()
}

// Span is a half-open range of bytes of a CEL source. It is empty on nodes that
// were built instead of read.
type Span struct {
	Start, End int
}

// Pos returns the span itself; nodes embed it.
func (s Span) Pos() Span { return s }

func (Span) isExpr() {}

// Literal is a scalar constant.
type Literal struct {
	Span `json:"-"`
	// Value is nil, a bool, int64, uint64, float64, string or []byte.
	Value any
}

// Var refers to a variable: self, oldSelf, or one that an enclosing
// comprehension binds.
type Var struct {
	Span `json:"-"`
	Name string
}

// Select is the field of an object, or the entry of a map: x.f, x.?f, has(x.f).
type Select struct {
	Span    `json:"-"`
	Operand Expr
	// Field is the property's name as JSON has it; CEL escapes it.
	Field string
	// Verbatim is set if Field is a CEL word and not a property name that CEL would escape: m.__x__
	// on a map, or x.namespace.
	Verbatim bool
	// Test makes it has(x.f); Optional makes it x.?f.
	Test, Optional bool
}

// Call is an operator, a function or a method.
type Call struct {
	Span `json:"-"`
	// Func is an operator (one of the Op constants) or the name of a function,
	// with its namespace: "sets.contains".
	Func string
	// Target is the receiver of a method, nil for operators and functions.
	Target Expr
	Args   []Expr
}

// List is a list of expressions.
type List struct {
	Span  `json:"-"`
	Items []Item
}

// Item is one item of a List. An optional one, [?x], is omitted if x is optional.none().
type Item struct {
	Value    Expr `json:"value"`
	Optional bool `json:"optional,omitempty"`
}

// Map is a map of expressions, in order of appearance.
type Map struct {
	Span    `json:"-"`
	Entries []Entry
}

// Entry is one entry of a Map. An optional one, {?k: x}, is omitted if x is optional.none().
type Entry struct {
	Key      Expr `json:"key"`
	Value    Expr `json:"value"`
	Optional bool `json:"optional,omitempty"`
}

// Message is a value of a named CEL type: Name{field: value}. API servers have
// few such types, and rules rarely any.
type Message struct {
	Span   `json:"-"`
	Name   string
	Fields []Field
}

// Field is one field of a Message.
type Field struct {
	Name     string `json:"name"`
	Value    Expr   `json:"value"`
	Optional bool   `json:"optional,omitempty"`
}

// Macro is the name of a comprehension.
type Macro string

// The comprehensions of CEL as API servers have them.
const (
	AllMacro               Macro = "all"
	ExistsMacro            Macro = "exists"
	ExistsOneMacro         Macro = "exists_one"
	FilterMacro            Macro = "filter"
	MapMacro               Macro = "map"
	TransformListMacro     Macro = "transformList"
	TransformMapMacro      Macro = "transformMap"
	TransformMapEntryMacro Macro = "transformMapEntry"
	OptMapMacro            Macro = "optMap"
	OptFlatMapMacro        Macro = "optFlatMap"
	SortByMacro            Macro = "sortBy"
)

// Comprehension evaluates an expression for each item of a list, each key of a
// map, or the value of an optional: range.all(var, body).
type Comprehension struct {
	Span  `json:"-"`
	Macro Macro
	Range Expr
	Var   string
	// Var2 is the second variable of the forms with index (or key) and value.
	Var2 string
	// Filter is the condition of the forms of map and transform… that have one.
	Filter Expr
	Body   Expr
}

// Operators. OpAnd and OpOr have two or more operands, the others as many as
// their form shows.
const (
	OpAnd      = "&&"
	OpOr       = "||"
	OpNot      = "!_"
	OpNeg      = "-_"
	OpEq       = "=="
	OpNe       = "!="
	OpLt       = "<"
	OpLe       = "<="
	OpGt       = ">"
	OpGe       = ">="
	OpIn       = "in"
	OpAdd      = "+"
	OpSub      = "-"
	OpMul      = "*"
	OpDiv      = "/"
	OpMod      = "%"
	OpCond     = "?:"
	OpIndex    = "[]"
	OpOptIndex = "[?]"
)

// The variables of rules.
const (
	SelfName    = "self"
	OldSelfName = "oldSelf"
)

// Constant returns the value of a literal, and whether the expression is one.
func Constant(e Expr) (any, bool) {
	if l, ok := e.(*Literal); ok {
		return l.Value, true
	}
	return nil, false
}
