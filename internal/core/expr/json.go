package expr

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Tree wraps an expression for decoding JSON, because Expr is an interface.
type Tree struct{ Expr }

// MarshalJSON prints the expression; null without one.
func (t Tree) MarshalJSON() ([]byte, error) {
	if t.Expr == nil {
		return []byte("null"), nil
	}
	return json.Marshal(t.Expr)
}

// UnmarshalJSON reads what MarshalJSON prints.
func (t *Tree) UnmarshalJSON(data []byte) error {
	if bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
		t.Expr = nil
		return nil
	}
	var n node
	if err := json.Unmarshal(data, &n); err != nil {
		return err
	}
	e, err := n.expr()
	t.Expr = e
	return err
}

// node is the JSON form of all nodes; kind selects the fields.
type node struct {
	Kind     string          `json:"kind"`
	Value    json.RawMessage `json:"value,omitempty"`
	Name     string          `json:"name,omitempty"`
	Operand  *Tree           `json:"operand,omitempty"`
	Field    string          `json:"field,omitempty"`
	Verbatim bool            `json:"verbatim,omitempty"`
	Test     bool            `json:"test,omitempty"`
	Optional bool            `json:"optional,omitempty"`
	Func     string          `json:"func,omitempty"`
	Target   *Tree           `json:"target,omitempty"`
	Args     []Tree          `json:"args,omitempty"`
	Parts    []part          `json:"parts,omitempty"`
	Macro    Macro           `json:"macro,omitempty"`
	Range    *Tree           `json:"range,omitempty"`
	Var      string          `json:"var,omitempty"`
	Var2     string          `json:"var2,omitempty"`
	Filter   *Tree           `json:"filter,omitempty"`
	Body     *Tree           `json:"body,omitempty"`
}

// part is an item of a list, an entry of a map or a field of a message.
type part struct {
	Name     string `json:"name,omitempty"`
	Key      *Tree  `json:"key,omitempty"`
	Value    Tree   `json:"value"`
	Optional bool   `json:"optional,omitempty"`
}

// MarshalJSON prints the node with its kind: null, bool, int, uint, double,
// string or bytes.
func (l *Literal) MarshalJSON() ([]byte, error) {
	n := node{}
	value := l.Value
	switch v := l.Value.(type) {
	case nil:
		return json.Marshal(node{Kind: "null"})
	case bool:
		n.Kind = "bool"
	case int64:
		n.Kind = "int"
	case uint64:
		n.Kind = "uint"
	case float64:
		n.Kind = "double"
		if math.IsNaN(v) || math.IsInf(v, 0) {
			value = strconv.FormatFloat(v, 'g', -1, 64)
		}
	case string:
		n.Kind = "string"
	case []byte:
		n.Kind = "bytes"
	default:
		return nil, fmt.Errorf("%T is not the value of a literal", v)
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	n.Value = raw
	return json.Marshal(n)
}

// MarshalJSON prints the node with its kind.
func (v *Var) MarshalJSON() ([]byte, error) { return json.Marshal(node{Kind: "var", Name: v.Name}) }

// MarshalJSON prints the node with its kind.
func (s *Select) MarshalJSON() ([]byte, error) {
	return json.Marshal(node{Kind: "select", Operand: tree(s.Operand), Field: s.Field, Verbatim: s.Verbatim, Test: s.Test, Optional: s.Optional})
}

// MarshalJSON prints the node with its kind.
func (c *Call) MarshalJSON() ([]byte, error) {
	n := node{Kind: "call", Func: c.Func, Target: tree(c.Target)}
	for _, x := range c.Args {
		n.Args = append(n.Args, Tree{x})
	}
	return json.Marshal(n)
}

// MarshalJSON prints the node with its kind.
func (l *List) MarshalJSON() ([]byte, error) {
	n := node{Kind: "list"}
	for _, x := range l.Items {
		n.Parts = append(n.Parts, part{Value: Tree{x.Value}, Optional: x.Optional})
	}
	return json.Marshal(n)
}

// MarshalJSON prints the node with its kind.
func (m *Map) MarshalJSON() ([]byte, error) {
	n := node{Kind: "map"}
	for _, x := range m.Entries {
		n.Parts = append(n.Parts, part{Key: tree(x.Key), Value: Tree{x.Value}, Optional: x.Optional})
	}
	return json.Marshal(n)
}

// MarshalJSON prints the node with its kind.
func (m *Message) MarshalJSON() ([]byte, error) {
	n := node{Kind: "message", Name: m.Name}
	for _, x := range m.Fields {
		n.Parts = append(n.Parts, part{Name: x.Name, Value: Tree{x.Value}, Optional: x.Optional})
	}
	return json.Marshal(n)
}

// MarshalJSON prints the node with its kind.
func (c *Comprehension) MarshalJSON() ([]byte, error) {
	return json.Marshal(node{
		Kind: "comprehension", Macro: c.Macro, Range: tree(c.Range), Var: c.Var, Var2: c.Var2, Filter: tree(c.Filter), Body: tree(c.Body),
	})
}

func tree(e Expr) *Tree {
	if e == nil {
		return nil
	}
	return &Tree{e}
}

func (t *Tree) get() Expr {
	if t == nil {
		return nil
	}
	return t.Expr
}

// expr returns the node of a JSON form.
func (n node) expr() (Expr, error) {
	e, err := n.make()
	if err != nil {
		return nil, err
	}
	for _, c := range Children(e) {
		if c == nil {
			return nil, fmt.Errorf("a %s lacks an operand", n.Kind)
		}
	}
	if c, ok := e.(*Call); ok && len(c.Args) < operands(c.Func) {
		return nil, fmt.Errorf("%s lacks an operand", c.Func)
	}
	return e, nil
}

// operands returns the minimum number of operands of an operator.
func operands(op string) int {
	switch op {
	case OpNot, OpNeg:
		return 1
	case OpAnd, OpOr, OpIndex, OpOptIndex:
		return 2
	case OpCond:
		return 3
	}
	if binary[op] > 0 {
		return 2
	}
	return 0
}

func (n node) make() (Expr, error) {
	switch n.Kind {
	case "null":
		return &Literal{}, nil
	case "bool":
		return decode[bool](n)
	case "int":
		return decode[int64](n)
	case "uint":
		return decode[uint64](n)
	case "string":
		return decode[string](n)
	case "bytes":
		return decode[[]byte](n)
	case "double":
		f, err := strconv.ParseFloat(string(bytes.Trim(n.Value, `"`)), 64)
		if err != nil {
			return nil, fmt.Errorf("a double with the value %s", n.Value)
		}
		return &Literal{Value: f}, nil
	case "var":
		return &Var{Name: n.Name}, nil
	case "select":
		return &Select{Operand: n.Operand.get(), Field: n.Field, Verbatim: n.Verbatim, Test: n.Test, Optional: n.Optional}, nil
	case "call":
		c := &Call{Func: n.Func, Target: n.Target.get()}
		for _, x := range n.Args {
			c.Args = append(c.Args, x.Expr)
		}
		return c, nil
	case "list":
		l := &List{}
		for _, x := range n.Parts {
			l.Items = append(l.Items, Item{Value: x.Value.Expr, Optional: x.Optional})
		}
		return l, nil
	case "map":
		m := &Map{}
		for _, x := range n.Parts {
			m.Entries = append(m.Entries, Entry{Key: x.Key.get(), Value: x.Value.Expr, Optional: x.Optional})
		}
		return m, nil
	case "message":
		m := &Message{Name: n.Name}
		for _, x := range n.Parts {
			m.Fields = append(m.Fields, Field{Name: x.Name, Value: x.Value.Expr, Optional: x.Optional})
		}
		return m, nil
	case "comprehension":
		return &Comprehension{Macro: n.Macro, Range: n.Range.get(), Var: n.Var, Var2: n.Var2, Filter: n.Filter.get(), Body: n.Body.get()}, nil
	}
	return nil, fmt.Errorf("%q is not a kind of expression", n.Kind)
}

func decode[T any](n node) (Expr, error) {
	var v T
	if err := json.Unmarshal(n.Value, &v); err != nil {
		return nil, fmt.Errorf("a literal of kind %s: %w", n.Kind, err)
	}
	return &Literal{Value: v}, nil
}
