package expr

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Precedences of CEL, from the loosest.
const (
	precCond = iota
	precOr
	precAnd
	precRelation
	precSum
	precProduct
	precUnary
	precMember
)

var binary = map[string]int{
	OpEq: precRelation, OpNe: precRelation, OpLt: precRelation, OpLe: precRelation, OpGt: precRelation, OpGe: precRelation,
	OpIn: precRelation, OpAdd: precSum, OpSub: precSum, OpMul: precProduct, OpDiv: precProduct, OpMod: precProduct,
}

// CEL prints an expression, with as few parentheses as its meaning needs.
func CEL(e Expr) string {
	p := &printer{}
	p.expr(e, precCond)
	return p.String()
}

// Lines prints an expression like CEL, but the operands of outermost sums, and the results of the
// conditionals among them, begin lines.
func Lines(e Expr) string {
	p := &printer{lines: true}
	p.expr(e, precCond)
	return p.String()
}

type printer struct {
	strings.Builder
	// lines is set outside of everything but sums.
	lines bool
}

// separate prints an operator between two operands.
func (p *printer) separate(lines bool, operator string) {
	if lines {
		operator = "\n" + operator[1:]
	}
	p.WriteString(operator)
}

// expr prints an expression as an operand of the given minimum precedence.
func (p *printer) expr(e Expr, place int) {
	if precedence(e) < place {
		p.WriteByte('(')
		p.expr(e, precCond)
		p.WriteByte(')')
		return
	}
	lines := p.lines
	call, _ := e.(*Call)
	p.lines = lines && call != nil && call.Func == OpAdd
	defer func() { p.lines = lines }()
	switch e := e.(type) {
	case *Literal:
		p.WriteString(literal(e.Value))
	case *Var:
		p.WriteString(e.Name)
	case *Select:
		p.selection(e)
	case *Call:
		p.call(e, lines)
	case *List:
		p.list(e)
	case *Map:
		p.mapping(e)
	case *Message:
		p.message(e)
	case *Comprehension:
		p.comprehension(e)
	default:
		panic(fmt.Sprintf("expr: unknown node %T", e))
	}
}

func precedence(e Expr) int {
	switch e := e.(type) {
	case *Call:
		switch e.Func {
		case OpCond:
			return precCond
		case OpOr:
			return precOr
		case OpAnd:
			return precAnd
		case OpNot, OpNeg:
			return precUnary
		}
		if prec, ok := binary[e.Func]; ok {
			return prec
		}
	case *Literal:
		// -1 is a literal, which the operators of members would not apply to as a whole.
		switch v := e.Value.(type) {
		case int64:
			if v < 0 {
				return precUnary
			}
		case float64:
			if math.Signbit(v) && !math.IsNaN(v) && !math.IsInf(v, 0) {
				return precUnary
			}
		}
	}
	return precMember
}

func (p *printer) selection(s *Select) {
	if s.Test {
		p.WriteString("has(")
		defer p.WriteByte(')')
	}
	p.expr(s.Operand, precMember)
	p.WriteByte('.')
	if s.Optional {
		p.WriteByte('?')
	}
	p.WriteString(quoteWord(s.Word()))
}

func (p *printer) call(c *Call, lines bool) {
	switch c.Func {
	case OpCond:
		p.expr(c.Args[0], precOr)
		p.separate(lines, " ? ")
		p.expr(c.Args[1], precOr)
		p.separate(lines, " : ")
		p.expr(c.Args[2], precCond)
		return
	case OpAnd, OpOr:
		for i, x := range c.Args {
			if i > 0 {
				p.WriteString(" " + c.Func + " ")
			}
			p.expr(x, precedence(c)+1)
		}
		return
	case OpNot, OpNeg:
		p.WriteByte(c.Func[0])
		operand := &printer{}
		operand.expr(c.Args[0], precMember) // not precUnary: CEL reads !!x as x
		if text := operand.String(); c.Func == OpNeg && text[0] >= '0' && text[0] <= '9' {
			p.WriteString("(" + text + ")") // -1 would be a literal
		} else {
			p.WriteString(text)
		}
		return
	case OpIndex, OpOptIndex:
		p.expr(c.Args[0], precMember)
		p.WriteString(strings.TrimSuffix(c.Func, "]"))
		p.expr(c.Args[1], precCond)
		p.WriteByte(']')
		return
	}
	if prec, ok := binary[c.Func]; ok {
		p.expr(c.Args[0], prec)
		p.separate(lines && c.Func == OpAdd, " "+c.Func+" ")
		p.expr(c.Args[1], prec+1)
		return
	}
	if c.Target != nil {
		p.expr(c.Target, precMember)
		p.WriteByte('.')
	}
	p.WriteString(c.Func)
	p.args(c.Args)
}

func (p *printer) args(args []Expr) {
	p.WriteByte('(')
	for i, x := range args {
		p.comma(i)
		p.expr(x, precCond)
	}
	p.WriteByte(')')
}

func (p *printer) comma(i int) {
	if i > 0 {
		p.WriteString(", ")
	}
}

func (p *printer) optional(is bool) {
	if is {
		p.WriteByte('?')
	}
}

func (p *printer) list(l *List) {
	p.WriteByte('[')
	for i, x := range l.Items {
		p.comma(i)
		p.optional(x.Optional)
		p.expr(x.Value, precCond)
	}
	p.WriteByte(']')
}

func (p *printer) mapping(m *Map) {
	p.WriteByte('{')
	for i, x := range m.Entries {
		p.comma(i)
		p.optional(x.Optional)
		p.expr(x.Key, precCond)
		p.WriteString(": ")
		p.expr(x.Value, precCond)
	}
	p.WriteByte('}')
}

func (p *printer) message(m *Message) {
	p.WriteString(m.Name + "{")
	for i, x := range m.Fields {
		p.comma(i)
		p.optional(x.Optional)
		p.WriteString(quoteWord(x.Name) + ": ")
		p.expr(x.Value, precCond)
	}
	p.WriteByte('}')
}

func (p *printer) comprehension(c *Comprehension) {
	p.expr(c.Range, precMember)
	p.WriteString("." + string(c.Macro) + "(" + c.Var + ", ")
	if c.Var2 != "" {
		p.WriteString(c.Var2 + ", ")
	}
	if c.Filter != nil {
		p.expr(c.Filter, precCond)
		p.WriteString(", ")
	}
	p.expr(c.Body, precCond)
	p.WriteByte(')')
}

// literal prints a scalar.
func literal(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10) + "u"
	case float64:
		return double(v)
	case string:
		return Quote(v)
	case []byte:
		return quoteBytes(v)
	}
	panic(fmt.Sprintf("expr: %T is not the value of a literal", v))
}

// double prints a number so that CEL does not read it as an integer. CEL has no literals for NaN
// and infinities.
func double(f float64) string {
	switch {
	case math.IsNaN(f):
		return "double('NaN')"
	case math.IsInf(f, 1):
		return "double('Infinity')"
	case math.IsInf(f, -1):
		return "double('-Infinity')"
	}
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// Quote prints a string as a CEL literal. CEL has no strings that are not UTF-8:
// other bytes become U+FFFD.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range s {
		quoteRune(&b, r)
	}
	b.WriteByte('\'')
	return b.String()
}

func quoteRune(b *strings.Builder, r rune) {
	switch {
	case r == '\'' || r == '\\':
		b.WriteByte('\\')
		b.WriteRune(r)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case r == utf8.RuneError || !unicode.IsPrint(r):
		if r > 0xffff {
			fmt.Fprintf(b, `\U%08x`, r)
		} else {
			fmt.Fprintf(b, `\u%04x`, r)
		}
	default:
		b.WriteRune(r)
	}
}

func quoteBytes(s []byte) string {
	var b strings.Builder
	b.WriteString("b'")
	for _, c := range s {
		if c >= 0x20 && c < 0x7f {
			quoteRune(&b, rune(c))
		} else {
			fmt.Fprintf(&b, `\x%02x`, c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}
