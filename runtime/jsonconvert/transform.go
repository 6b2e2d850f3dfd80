package jsonconvert

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Transform converts between two representations of a value without a function of the author.
type Transform struct {
	// Name is that of the form, a key of Forms, and Args are its arguments.
	Name string   `json:"name"`
	Args []string `json:"args,omitempty"`
	// Inverted means that the older version has the second representation of the form.
	Inverted bool `json:"inverted,omitempty"`
	// Bits and Unsigned are the size of integers.
	Bits     int  `json:"bits,omitempty"`
	Unsigned bool `json:"unsigned,omitempty"`
	// Values are strings in both representations, the first one first; of split, the type of each part, such
	// as int32 or *bool, and its zero value as JSON if Go writes it.
	Values [][2]string `json:"values,omitempty"`
	// Zero is the value of an item of a list, or of an object with one field, that has none, as JSON; "" for null.
	Zero string `json:"zero,omitempty"`
	// Omits means that it has no value in place of Zero.
	Omits bool `json:"omits,omitempty"`
}

// Shape is what a representation is in JSON.
type Shape string

// The shapes.
const (
	StringShape   Shape = "a string"
	EnumShape     Shape = "an enum"    // of strings
	DurationShape Shape = "a duration" // metav1.Duration, or a string
	QuantityShape Shape = "a quantity" // resource.Quantity, or a string
	IntegerShape  Shape = "an integer"
	BoolShape     Shape = "a bool"
	AnyShape      Shape = "a value"
	ObjectShape   Shape = "a struct with that field alone"
	MapShape      Shape = "a map with string keys"
	ListShape     Shape = "a list of structs with that key"
	PartsShape    Shape = "a struct of the parts"
)

// Form is a kind of transform.
type Form struct {
	// First and Second are the two representations.
	First, Second Shape
	// Args are the names of the arguments; Check reports wrong ones. Doc describes the form.
	Args  []string
	Check func(args []string) error
	Doc   string
	// Whole means that the text in parentheses is one argument.
	Whole bool
	// FirstLoses and SecondLoses say what of a representation the other does not represent; "" for
	// nothing.
	FirstLoses, SecondLoses string

	forward, back func(t *Transform, value []byte) ([]byte, error)
}

// Forms are the forms of transforms, by name.
var Forms = map[string]*Form{
	"seconds":      durations("seconds", time.Second),
	"milliseconds": durations("milliseconds", time.Millisecond),
	"quantity": {
		First: QuantityShape, Second: IntegerShape, Args: []string{"unit"}, Check: checkUnit,
		Doc:        "a quantity and the number of a unit: quantity(Mi), quantity(m), or quantity() for whole ones",
		FirstLoses: "its spelling and parts of the unit", forward: fromQuantity, back: toQuantity,
	},
	"integer": {
		First: StringShape, Second: IntegerShape,
		Doc:        "a number in a string and an integer",
		FirstLoses: "its spelling", forward: fromText, back: toText,
	},
	"bool": {
		First: StringShape, Second: BoolShape,
		Doc:        "the strings true and false and a bool",
		FirstLoses: "its spelling", forward: fromBoolText, back: toText,
	},
	"case": {
		First: EnumShape, Second: StringShape, Args: []string{"style"}, Check: checkStyle,
		Doc:     "the constants of an enum and strings that are the constants in another style, such as case(kebab)",
		forward: toCase, back: fromCase,
	},
	"field": {
		First: AnyShape, Second: ObjectShape, Args: []string{"name"},
		Doc:         "a value and an object that has it in a field: field(name)",
		SecondLoses: "other fields of it", forward: toObject, back: fromObject,
	},
	"keyed": {
		First: MapShape, Second: ListShape, Args: []string{"key", "value"},
		Doc:         "a map of objects and a list of them with the key in a field, keyed(name); or a map of values, with these in another, keyed(name,value)",
		SecondLoses: "the order of items, and those that repeat a key", forward: toList, back: fromList,
	},
	"split": {
		First: StringShape, Second: PartsShape, Args: []string{"parts"}, Check: checkPattern, Whole: true,
		Doc:        "a string and a struct of its parts, strings, integers and bools: split({host}[:{port}])",
		FirstLoses: "texts without the parts", SecondLoses: "texts in parts that separate them", forward: toParts, back: fromParts,
	},
}

// Convert converts a JSON value to the hub, or to the older version.
func (t *Transform) Convert(value []byte, up bool) ([]byte, error) {
	f := Forms[t.Name]
	if f == nil {
		return nil, fmt.Errorf("unknown transform %q", t.Name)
	}
	do := f.forward
	if up == t.Inverted {
		do = f.back
	}
	return unlessNull(value, func(value []byte) ([]byte, error) { return do(t, value) })
}

// unlessNull converts a value that is not null. Its errors are the object's.
func unlessNull(value []byte, do Func) ([]byte, error) {
	value = bytes.TrimSpace(value)
	if isNullText(value) {
		return value, nil
	}
	converted, err := do(value)
	if err != nil {
		return nil, &Error{Reason: Invalid, Err: err}
	}
	return converted, nil
}

// prepared returns Convert for a direction, with what its conversions need again and again.
func (t *Transform) prepared(up bool) Func {
	if t.Name == "split" {
		if d, err := t.divider(); err == nil {
			do := d.toParts
			if up == t.Inverted {
				do = d.fromParts
			}
			return func(value []byte) ([]byte, error) { return unlessNull(value, do) }
		}
	}
	return func(value []byte) ([]byte, error) { return t.Convert(value, up) }
}

// durations returns the form of a number of units of time.
func durations(name string, unit time.Duration) *Form {
	return &Form{
		First: DurationShape, Second: IntegerShape,
		Doc:        "a duration such as 90s and the number of " + name,
		FirstLoses: "its spelling and parts of the unit",
		forward: func(t *Transform, value []byte) ([]byte, error) {
			s, err := unquoteText(value, "0s")
			if err != nil {
				return nil, err
			}
			d, err := time.ParseDuration(s)
			if err != nil {
				return nil, fmt.Errorf("%q is not a duration such as \"90s\" or \"1h30m\"", s)
			}
			return t.integer64(int64(d / unit))
		},
		back: func(_ *Transform, value []byte) ([]byte, error) {
			n, err := strconv.ParseInt(string(value), 10, 64)
			if err != nil || n > math.MaxInt64/int64(unit) || n < math.MinInt64/int64(unit) {
				return nil, fmt.Errorf("%s is no number of %s that a duration can have", value, name)
			}
			return quoteText((time.Duration(n) * unit).String()), nil
		},
	}
}

// isNullText reports whether a text is null, or no value.
func isNullText(value []byte) bool { return len(value) == 0 || value[0] == 'n' }

// unquoteText returns a string, or another if it is empty: Go writes that for one that is not set.
func unquoteText(value []byte, unset string) (string, error) {
	if value[0] != '"' {
		return "", fmt.Errorf("%s is not a string", value)
	}
	return cmp.Or(textOf(value), unset), nil
}

// integer64 is integer for most integers.
func (t *Transform) integer64(n int64) ([]byte, error) {
	bits := cmp.Or(t.Bits, 64)
	if t.Unsigned && n >= 0 && (bits >= 64 || n>>bits == 0) || !t.Unsigned && (n>>(bits-1) == 0 || n>>(bits-1) == -1) {
		return strconv.AppendInt(nil, n, 10), nil
	}
	return t.integer(big.NewInt(n))
}

// integer returns an integer that the Go type has.
func (t *Transform) integer(n *big.Int) ([]byte, error) {
	bits := t.Bits
	if bits == 0 {
		bits = 64
	}
	if !t.Unsigned {
		bits--
	}
	limit := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	lowest := new(big.Int).Neg(limit)
	if t.Unsigned {
		lowest.SetInt64(0)
	}
	if n.Cmp(limit) >= 0 || n.Cmp(lowest) < 0 {
		return nil, fmt.Errorf("%s is too large: the number is from %s to %s", n, lowest, new(big.Int).Sub(limit, big.NewInt(1)))
	}
	return n.Append(nil, 10), nil
}

func fromText(t *Transform, value []byte) ([]byte, error) {
	s, err := unquoteText(value, "0")
	if err != nil {
		return nil, err
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return t.integer64(n)
	}
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return nil, fmt.Errorf("%q is not an integer", s)
	}
	return t.integer(n)
}

func fromBoolText(_ *Transform, value []byte) ([]byte, error) {
	s, err := unquoteText(value, "false")
	if err != nil {
		return nil, err
	}
	b, err := strconv.ParseBool(s)
	if err != nil {
		return nil, fmt.Errorf("%q is neither \"true\" nor \"false\"", s)
	}
	return strconv.AppendBool(nil, b), nil
}

func toText(_ *Transform, value []byte) ([]byte, error) {
	if value[0] == '"' || value[0] == '{' || value[0] == '[' {
		return nil, fmt.Errorf("%s is neither a number nor a bool", value)
	}
	if text := stringOf(value); isNumber(text) && isZeroNumber(text) { // however it is spelled
		return []byte(`"0"`), nil
	}
	return quoteText(string(value)), nil
}

// checkUnit reports a suffix that no quantity has.
func checkUnit(args []string) error {
	if len(args) > 0 {
		if _, err := resource.ParseQuantity("1" + args[0]); err != nil {
			return fmt.Errorf("%q is no unit of quantities, such as m, k, Mi or Gi", args[0])
		}
	}
	return nil
}

// Styles are the styles of case, each with the words rolling update.
var Styles = map[string]string{
	"lower": "rollingupdate", "upper": "ROLLINGUPDATE", "camel": "rollingUpdate", "pascal": "RollingUpdate",
	"kebab": "rolling-update", "upperKebab": "ROLLING-UPDATE", "snake": "rolling_update", "upperSnake": "ROLLING_UPDATE",
}

func checkStyle(args []string) error {
	if len(args) == 0 || Styles[args[0]] == "" {
		var list []string
		for _, style := range slices.Sorted(maps.Keys(Styles)) {
			list = append(list, style+" ("+Styles[style]+")")
		}
		return fmt.Errorf("case takes the style of the strings: %s", strings.Join(list, ", "))
	}
	return nil
}

// toCase exchanges the values that are listed. Others stay, unless they are the second representation of
// one: these are exchanged for a value that is no second representation, so that all values come back.
func toCase(t *Transform, value []byte) ([]byte, error) { return t.exchange(value, 0) }

func fromCase(t *Transform, value []byte) ([]byte, error) { return t.exchange(value, 1) }

func (t *Transform) exchange(value []byte, side int) ([]byte, error) {
	if value[0] != '"' {
		return nil, fmt.Errorf("%s is not a string", value)
	}
	is := textOf(value)
	to, listed := t.other(is, side)
	if !listed {
		for range t.Values {
			to, _ = t.other(to, 1-side)
		}
	}
	if to == is {
		return value, nil
	}
	return quoteText(to), nil
}

// other returns the other representation of a value; the value if it is not listed.
func (t *Transform) other(value string, side int) (other string, listed bool) {
	for _, pair := range t.Values {
		if pair[side] == value {
			return pair[1-side], true
		}
	}
	return value, false
}

func (t *Transform) arg(i int) string {
	if i < len(t.Args) {
		return t.Args[i]
	}
	return ""
}

// binarySuffixes are the powers of two of quantities, in bits.
var binarySuffixes = map[string]int{"": 0, "Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40}

// usualQuantity returns the number of a quantity in its usual form: a few digits, and a power of two. It returns false for
// others.
func usualQuantity(s string) (int64, bool) {
	end := 0
	for end < len(s) && s[end]-'0' <= 9 {
		end++
	}
	shift, ok := binarySuffixes[s[end:]]
	n, err := strconv.ParseInt(s[:end], 10, 64)
	return n << shift, ok && err == nil && n <= math.MaxInt64>>shift
}

func fromQuantity(t *Transform, value []byte) ([]byte, error) {
	if value[0] != '"' {
		value = quoteText(string(value))
	}
	s := textOf(value)
	if n, ok := usualQuantity(s); ok {
		if d, ok := usualQuantity("1" + t.arg(0)); ok {
			return t.integer64(n / d)
		}
	}
	q, err := resource.ParseQuantity(cmp.Or(s, "0"))
	if err != nil {
		return nil, fmt.Errorf("%q is not a quantity such as \"500m\" or \"2Gi\"", s)
	}
	unit := resource.MustParse("1" + t.arg(0))
	if n, ok := q.AsInt64(); ok {
		if d, ok := unit.AsInt64(); ok {
			return t.integer64(n / d)
		}
	}
	// Decimals are an unscaled value and the number of digits after the point.
	n, d := q.AsDec(), unit.AsDec()
	number, divisor := new(big.Int).Set(n.UnscaledBig()), new(big.Int).Set(d.UnscaledBig())
	if shift := int64(d.Scale()) - int64(n.Scale()); shift >= 0 {
		number.Mul(number, new(big.Int).Exp(big.NewInt(10), big.NewInt(shift), nil))
	} else {
		divisor.Mul(divisor, new(big.Int).Exp(big.NewInt(10), big.NewInt(-shift), nil))
	}
	return t.integer(number.Quo(number, divisor))
}

// usualSpelling is the reverse of usualQuantity: it returns the spelling of a number of a unit that Go prefers, with the
// largest suffix that needs no fraction. It returns false for other units, and for numbers that are not positive.
func usualSpelling(n int64, unit string) ([]byte, bool) {
	shift, ok := binarySuffixes[unit]
	if !ok || n <= 0 || n > math.MaxInt64>>shift {
		return nil, false
	}
	base, suffixes, i := int64(1024), "KMGTPE", shift/10
	if unit == "" {
		base, suffixes = 1000, "kMGTPE"
	}
	for ; n%base == 0 && i < len(suffixes); i++ {
		n /= base
	}
	out := strconv.AppendInt(append(make([]byte, 0, 24), '"'), n, 10)
	if i > 0 {
		out = append(out, suffixes[i-1])
		if unit != "" {
			out = append(out, 'i')
		}
	}
	return append(out, '"'), true
}

func toQuantity(t *Transform, value []byte) ([]byte, error) {
	if n, err := strconv.ParseInt(string(value), 10, 64); err == nil {
		if text, ok := usualSpelling(n, t.arg(0)); ok {
			return text, nil
		}
	} else {
		if _, ok := new(big.Int).SetString(string(value), 10); !ok {
			return nil, fmt.Errorf("%s is not an integer", value)
		}
	}
	q, err := resource.ParseQuantity(string(value) + t.arg(0))
	if err != nil {
		return nil, err
	}
	text := quoteText(q.String())
	if back, err := fromQuantity(&Transform{Args: t.Args}, text); err != nil || !sameNumber(string(back), string(value)) {
		return nil, fmt.Errorf("%s%s is too large for a quantity", value, t.arg(0))
	}
	return text, nil
}

// scratches have memory for the conversion of one value.
var scratches = sync.Pool{New: func() any { return &memory{} }}

// release makes the memory available to other values.
func (m *memory) release() {
	m.reset()
	scratches.Put(m)
}

func toObject(t *Transform, value []byte) ([]byte, error) {
	m := scratches.Get().(*memory)
	defer m.release()
	if t.isOmitted(m, m.of(stringOf(value))) {
		return []byte("{}"), nil
	}
	name := t.arg(0)
	out := make([]byte, 0, len(name)+len(value)+5)
	out = append(appendQuoted(append(out, '{'), name), ':')
	return append(append(out, value...), '}'), nil
}

// isOmitted reports whether a struct leaves out the field of a value.
func (t *Transform) isOmitted(m *memory, n *node) bool {
	return t.Omits && m.same(n, m.of(cmp.Or(t.Zero, "null")), false)
}

func fromObject(t *Transform, value []byte) ([]byte, error) {
	m := scratches.Get().(*memory)
	defer m.release()
	n := m.of(stringOf(value))
	if n.kind != '{' {
		return nil, fmt.Errorf("%s is not an object", value)
	}
	if member := m.get(n, t.arg(0)); !member.isNull() {
		return []byte(member.raw), nil
	}
	return []byte(cmp.Or(t.Zero, "null")), nil
}

func toList(t *Transform, value []byte) ([]byte, error) {
	m := scratches.Get().(*memory)
	defer m.release()
	n := m.look(m.of(stringOf(value)))
	if n.kind != '{' {
		return nil, errors.New("not an object")
	}
	items := map[string]*node{}
	for i, below := range n.items {
		name, item := n.keys[i], m.build('{', nil, nil)
		switch {
		case t.isOmitted(m, below):
		case t.arg(1) != "":
			item = m.with(item, t.arg(1), below)
		case below.kind != '{':
			return nil, fmt.Errorf("[%s] is not an object", quoted(name))
		default:
			item = m.with(below, t.arg(0), nil)
		}
		m.look(item)
		key := m.of(quoted(name))
		items[name] = m.build('{', append([]string{t.arg(0)}, item.keys...), append([]*node{key}, item.items...))
	}
	list := make([]*node, 0, len(items))
	for _, name := range slices.Sorted(maps.Keys(items)) {
		list = append(list, items[name])
	}
	return m.build('[', nil, list).write(nil), nil
}

// quoted returns the JSON of a key.
func quoted(key string) string { return `"` + key + `"` }

func fromList(t *Transform, value []byte) ([]byte, error) {
	m := scratches.Get().(*memory)
	defer m.release()
	n := m.look(m.of(stringOf(value)))
	if n.kind != '[' {
		return nil, errors.New("not a list")
	}
	members := map[string]*node{}
	for i, item := range n.items {
		name := ""
		if key := m.get(item, t.arg(0)); !key.isNull() {
			if !key.isString() {
				return nil, fmt.Errorf("%s of item %d is not a string", t.arg(0), i)
			}
			name = plainKey(key.raw[1 : len(key.raw)-1])
		}
		switch v := m.get(item, t.arg(1)); {
		case t.arg(1) != "" && v.isNull():
			v = m.of(cmp.Or(t.Zero, "null"))
			fallthrough
		case t.arg(1) != "":
			members[name] = v
		case item.kind != '{': // a null item is an empty one, which the conversion back reads
			members[name] = m.build('{', nil, nil)
		default:
			members[name] = m.with(item, t.arg(0), nil)
		}
	}
	keys, values := make([]string, 0, len(members)), make([]*node, 0, len(members))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		keys, values = append(keys, name), append(values, members[name])
	}
	return m.build('{', keys, values).write(nil), nil
}
