package wire

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
)

// Check is what the JSON of a type must be, for programs without the type.
type Check struct {
	Kind CheckKind `json:"kind"`
	// Bits and Unsigned are the size of an integer.
	Bits     int  `json:"bits,omitempty"`
	Unsigned bool `json:"unsigned,omitempty"`
	// Elem is the index in the table of the check of items and of the values of a map, plus 1; 0 if they
	// may be anything. Fields are those of the fields of an object.
	Elem   int            `json:"elem,omitempty"`
	Fields map[string]int `json:"fields,omitempty"`
	// Zeros are the zero values that Go writes for unset fields.
	Zeros map[string]json.RawMessage `json:"zeros,omitempty"`
}

// CheckKind is a type in JSON.
type CheckKind string

// The kinds.
const (
	CheckString  CheckKind = "string"
	CheckBool    CheckKind = "bool"
	CheckInteger CheckKind = "integer"
	CheckNumber  CheckKind = "number"
	CheckList    CheckKind = "list"
	CheckObject  CheckKind = "object"
	CheckMap     CheckKind = "map"
)

// checks returns a Func that refuses what a check does, nil if there is none. It returns the value with what Go writes.
func (t *Table) checks(index int) Func {
	if index <= 0 || index > len(t.Checks) {
		return nil
	}
	return func(value []byte) ([]byte, error) {
		n := newNode(present(value), 0)
		if err := t.check(index, n); err != nil || n.text == nil {
			return value, err
		}
		t.zeros(index, n)
		return n.append(nil), nil
	}
}

// zeros adds the zero values that Go writes.
func (t *Table) zeros(index int, n *node) {
	if index <= 0 || index > len(t.Checks) {
		return
	}
	c := &t.Checks[index-1]
	n.parse()
	for i, below := range n.nodes {
		elem := c.Elem
		if c.Kind == CheckObject {
			elem = c.Fields[n.name(i)]
		}
		t.zeros(elem, below)
	}
	if c.Kind == CheckObject && n.is('{') {
		for _, name := range slices.Sorted(maps.Keys(c.Zeros)) {
			if below := n.get(name); below == nil || present(below.text) == nil {
				n.set(name, newNode(c.Zeros[name], 0))
			}
		}
	}
}

func (t *Table) check(index int, n *node) error {
	if present(n.text) == nil || index <= 0 || index > len(t.Checks) {
		return nil
	}
	c := &t.Checks[index-1]
	want := map[CheckKind]byte{CheckString: '"', CheckBool: 't', CheckInteger: '0', CheckNumber: '0', CheckList: '[', CheckObject: '{', CheckMap: '{'}[c.Kind]
	if jsonType(n.text) != want {
		return fmt.Errorf("%s is not of the type %s", n.text, c.Kind)
	}
	if c.Kind == CheckInteger {
		number, ok := new(big.Int).SetString(string(n.text), 10)
		if !ok {
			return fmt.Errorf("%s is not an integer", n.text)
		}
		_, err := (&Transform{Name: "integer", Bits: c.Bits, Unsigned: c.Unsigned}).Convert([]byte(quote(number.String())), true)
		return err
	}
	n.parse()
	for i, below := range n.nodes {
		elem := c.Elem
		if c.Kind == CheckObject {
			elem = c.Fields[n.name(i)]
		}
		if err := t.check(elem, below); err != nil {
			return err
		}
	}
	return nil
}
