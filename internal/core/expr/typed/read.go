package typed

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/kindsmith/kindsmith/internal/core/expr"
)

// Problem is a mistake in an expression.
type Problem struct {
	// Span is the position in the source, empty if it is unknown.
	Span    expr.Span
	Message string
}

// Checked is an expression that fits its environment.
type Checked struct {
	// Tree is the expression. Each of its nodes occurs once.
	Tree expr.Expr

	env    *Env
	ast    *cel.Ast
	ids    map[expr.Expr]int64
	native *ast.AST
}

// Parse reads an expression without checking it: names and types may be anything.
func Parse(source string) (expr.Expr, []Problem) {
	parsed, issues := baseEnv().Parse(source)
	if issues.Err() != nil {
		return nil, syntaxProblem(source, issues)
	}
	r := newReader(source, parsed)
	tree, err := r.expr(parsed.NativeRep().Expr())
	if err != nil {
		return nil, []Problem{{Message: err.Error()}}
	}
	return tree, nil
}

// Read reads an expression and checks it.
func (e *Env) Read(source string) (*Checked, []Problem) {
	parsed, issues := e.env.Parse(source)
	if issues.Err() != nil {
		return nil, syntaxProblem(source, issues)
	}
	r := newReader(source, parsed)
	tree, err := r.expr(parsed.NativeRep().Expr())
	if err != nil {
		return nil, []Problem{{Message: err.Error()}}
	}
	checked, issues := e.env.Check(parsed)
	if issues.Err() != nil {
		return nil, e.problems(source, issues)
	}
	return &Checked{Tree: tree, env: e, ast: checked, ids: r.ids, native: checked.NativeRep()}, nil
}

// Check checks an expression. The positions of problems, and of the nodes of the
// tree that it returns, are those in the printed form of the expression.
func (e *Env) Check(tree expr.Expr) (*Checked, []Problem) { return e.Read(expr.CEL(tree)) }

// TypeOf returns the type of a node of the tree.
func (c *Checked) TypeOf(e expr.Expr) *expr.Type {
	if id, ok := c.ids[e]; ok {
		if t := c.native.GetType(id); t != nil {
			return c.env.typeOf(t)
		}
	}
	return &expr.Type{Kind: expr.DynKind}
}

// Env returns the environment of the expression.
func (c *Checked) Env() *Env { return c.env }

// syntaxProblem returns the first mistake in the syntax of an expression: the parser finds others only because of it.
func syntaxProblem(source string, issues *cel.Issues) []Problem {
	first := issues.Errors()[0]
	for _, e := range issues.Errors() {
		// The lexer reports a character when the parser needs it, which may be after another report.
		if offsetOf(source, e) < offsetOf(source, first) {
			first = e
		}
	}
	message, span := Mistake(source, first.Message, offsetOf(source, first), nil)
	return []Problem{{Message: message, Span: span}}
}

// problems returns what the checker reports.
func (e *Env) problems(source string, issues *cel.Issues) []Problem {
	var out []Problem
	for _, issue := range issues.Errors() {
		var p Problem
		names := e.fieldNames()
		if field, ok := strings.CutPrefix(issue.Message, "undefined field '"); ok {
			field = strings.TrimSuffix(field, "'")
			if why, ok := e.unknown[field]; ok {
				issue.Message = "rules cannot refer to field '" + field + "': " + cmp.Or(why, "it is data without a schema")
			}
			if object, ok := e.missing[field]; ok {
				names = slices.Sorted(maps.Keys(e.types[object]))
			}
		}
		p.Message, p.Span = Mistake(source, issue.Message, offsetOf(source, issue), names)
		if issue.Location.Line() <= 0 || issue.Location.Column() < 0 {
			p.Span = expr.Span{}
		}
		out = append(out, p)
	}
	return out
}

// fieldNames are the fields of the value that rules are about.
func (e *Env) fieldNames() []string { return slices.Sorted(maps.Keys(e.types[e.self.Name])) }

// offsetOf returns the byte that an error is about. cel-go has lines and columns, in characters.
func offsetOf(source string, e *cel.Error) int {
	line, column := e.Location.Line(), e.Location.Column()
	if line <= 0 || column < 0 {
		return 0
	}
	return lineStart(source, line) + runeOffset(source[lineStart(source, line):], column)
}

func lineStart(source string, line int) int {
	start := 0
	for i := 0; i < len(source) && line > 1; i++ {
		if source[i] == '\n' {
			start, line = i+1, line-1
		}
	}
	return start
}

// runeOffset returns the number of bytes that n characters take.
func runeOffset(s string, n int) int {
	offset := 0
	for ; n > 0 && offset < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[offset:])
		offset += size
	}
	return offset
}

// reader builds the tree of a parsed expression. It reads macros as written,
// from the calls that cel-go records beside their expansion.
type reader struct {
	source string
	info   *ast.SourceInfo
	ids    map[expr.Expr]int64
	// offsets are the bytes at which characters begin; nil when all are ASCII.
	offsets []int
}

func newReader(source string, parsed *cel.Ast) *reader {
	r := &reader{source: source, info: parsed.NativeRep().SourceInfo(), ids: map[expr.Expr]int64{}}
	if utf8.RuneCountInString(source) != len(source) {
		for i := range source {
			r.offsets = append(r.offsets, i)
		}
		r.offsets = append(r.offsets, len(source))
	}
	return r
}

func (r *reader) span(id int64) expr.Span {
	at, ok := r.info.GetOffsetRange(id)
	if !ok {
		return expr.Span{}
	}
	start := r.byteAt(int(at.Start)) // in characters, but the length is in bytes
	return expr.Span{Start: start, End: min(start+int(at.Stop-at.Start), len(r.source))}
}

func (r *reader) byteAt(char int) int {
	switch {
	case char < 0:
		return 0
	case r.offsets == nil:
		return min(char, len(r.source))
	}
	return r.offsets[min(char, len(r.offsets)-1)]
}

// balanced extends a span over the brackets that are open at its end, and closed
// before they are opened in it.
func (r *reader) balanced(at expr.Span) expr.Span {
	if at.End <= at.Start {
		return at
	}
	opened, closed := 0, 0
	text := r.source[at.Start:at.End]
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '(', '[', '{':
			opened++
		case ')', ']', '}':
			if opened--; opened < 0 {
				opened, closed = 0, closed+1
			}
		case '\'', '"':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	for ; opened > 0; opened-- {
		rest := strings.TrimLeft(r.source[at.End:], ", \t\r\n")
		if rest == "" || !strings.ContainsAny(rest[:1], ")]}") {
			break
		}
		at.End = len(r.source) - len(rest) + 1
	}
	for ; closed > 0; closed-- {
		before := strings.TrimRight(r.source[:at.Start], " \t\r\n")
		if !strings.HasSuffix(before, "(") {
			break
		}
		at.Start = len(before) - 1
	}
	return at
}

// expr reads one node. The span of a node covers its token and all below it.
func (r *reader) expr(e ast.Expr) (expr.Expr, error) {
	at := r.span(e.ID())
	node, err := r.node(e)
	if err != nil {
		return nil, err
	}
	for _, c := range expr.Children(node) {
		if s := c.Pos(); s.End > 0 {
			at.Start, at.End = min(at.Start, s.Start), max(at.End, s.End)
		}
	}
	if s, ok := node.(*expr.Select); ok {
		// The token is the dot: add the name after it.
		if i := strings.Index(r.source[at.End:], s.Word()); i >= 0 && strings.Trim(r.source[at.End:at.End+i], "? \t\r\n") == "" {
			at.End += i + len(s.Word())
		}
	}
	setSpan(node, r.balanced(at))
	r.ids[node] = e.ID()
	return node, nil
}

func setSpan(e expr.Expr, at expr.Span) {
	switch e := e.(type) {
	case *expr.Literal:
		e.Span = at
	case *expr.Var:
		e.Span = at
	case *expr.Select:
		e.Span = at
	case *expr.Call:
		e.Span = at
	case *expr.List:
		e.Span = at
	case *expr.Map:
		e.Span = at
	case *expr.Message:
		e.Span = at
	case *expr.Comprehension:
		e.Span = at
	}
}

func (r *reader) node(e ast.Expr) (expr.Expr, error) {
	if call, ok := r.info.GetMacroCall(e.ID()); ok {
		return r.macro(call)
	}
	switch e.Kind() {
	case ast.LiteralKind:
		return literal(e)
	case ast.IdentKind:
		return &expr.Var{Name: e.AsIdent()}, nil
	case ast.SelectKind:
		s := e.AsSelect()
		return r.selection(s.Operand(), s.FieldName(), s.IsTestOnly())
	case ast.CallKind:
		return r.call(e.AsCall())
	case ast.ListKind:
		return r.list(e.AsList())
	case ast.MapKind:
		m := &expr.Map{}
		for _, entry := range e.AsMap().Entries() {
			x := entry.AsMapEntry()
			pair, err := r.all(x.Key(), x.Value())
			if err != nil {
				return nil, err
			}
			m.Entries = append(m.Entries, expr.Entry{Key: pair[0], Value: pair[1], Optional: x.IsOptional()})
		}
		return m, nil
	case ast.StructKind:
		m := &expr.Message{Name: e.AsStruct().TypeName()}
		for _, field := range e.AsStruct().Fields() {
			x := field.AsStructField()
			v, err := r.expr(x.Value())
			if err != nil {
				return nil, err
			}
			m.Fields = append(m.Fields, expr.Field{Name: x.Name(), Value: v, Optional: x.IsOptional()})
		}
		return m, nil
	}
	return nil, fmt.Errorf("an expression of kind %d has no source", e.Kind())
}

func literal(e ast.Expr) (expr.Expr, error) {
	switch v := e.AsLiteral().Value().(type) {
	case bool, int64, uint64, float64, string, []byte:
		return &expr.Literal{Value: v}, nil
	default:
		if e.AsLiteral().Type().TypeName() == "null_type" {
			return &expr.Literal{}, nil
		}
		return nil, fmt.Errorf("a literal of type %s", e.AsLiteral().Type())
	}
}

func (r *reader) all(list ...ast.Expr) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(list))
	for i, x := range list {
		v, err := r.expr(x)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func (r *reader) list(l ast.ListExpr) (expr.Expr, error) {
	out := &expr.List{}
	for i, x := range l.Elements() {
		v, err := r.expr(x)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, expr.Item{Value: v, Optional: l.IsOptional(int32(i))})
	}
	return out, nil
}

func (r *reader) selection(operand ast.Expr, word string, test bool) (*expr.Select, error) {
	x, err := r.expr(operand)
	if err != nil {
		return nil, err
	}
	s := &expr.Select{Operand: x, Field: word, Test: test}
	if name, ok := expr.UnescapeName(word); ok {
		s.Field = name
	} else {
		s.Verbatim = true
	}
	return s, nil
}

// symbols are the operators by cel-go's names.
var symbols = map[string]string{
	operators.LogicalAnd: expr.OpAnd, operators.LogicalOr: expr.OpOr, operators.LogicalNot: expr.OpNot, operators.Negate: expr.OpNeg,
	operators.Equals: expr.OpEq, operators.NotEquals: expr.OpNe, operators.Less: expr.OpLt, operators.LessEquals: expr.OpLe,
	operators.Greater: expr.OpGt, operators.GreaterEquals: expr.OpGe, operators.In: expr.OpIn, operators.OldIn: expr.OpIn,
	operators.Add: expr.OpAdd, operators.Subtract: expr.OpSub, operators.Multiply: expr.OpMul, operators.Divide: expr.OpDiv,
	operators.Modulo: expr.OpMod, operators.Conditional: expr.OpCond, operators.Index: expr.OpIndex, operators.OptIndex: expr.OpOptIndex,
}

func (r *reader) call(c ast.CallExpr) (expr.Expr, error) {
	name := c.FunctionName()
	if name == operators.OptSelect {
		s, err := r.selection(c.Args()[0], c.Args()[1].AsLiteral().Value().(string), false)
		if err == nil {
			s.Optional = true
		}
		return s, err
	}
	out := &expr.Call{Func: name}
	if op, ok := symbols[name]; ok {
		out.Func = op
	}
	if c.IsMemberFunction() {
		if path, ok := qualified(c.Target()); ok && namespaced(path+"."+name) {
			out.Func = path + "." + name
		} else {
			target, err := r.expr(c.Target())
			if err != nil {
				return nil, err
			}
			out.Target = target
		}
	}
	for _, x := range c.Args() {
		arg, err := r.expr(x)
		if err != nil {
			return nil, err
		}
		if inner, ok := arg.(*expr.Call); ok && (out.Func == expr.OpAnd || out.Func == expr.OpOr) && inner.Func == out.Func {
			// CEL may group a && b && c in any way: if one operand decides, failures of others are ignored.
			out.Args = append(out.Args, inner.Args...)
			continue
		}
		out.Args = append(out.Args, arg)
	}
	return out, nil
}

// qualified returns the qualified name of a chain of selections.
func qualified(e ast.Expr) (string, bool) {
	switch e.Kind() {
	case ast.IdentKind:
		return e.AsIdent(), true
	case ast.SelectKind:
		if s := e.AsSelect(); !s.IsTestOnly() {
			path, ok := qualified(s.Operand())
			return path + "." + s.FieldName(), ok
		}
	}
	return "", false
}

// macros are the comprehensions by their names in rules.
var macros = map[string]expr.Macro{
	"all": expr.AllMacro, "exists": expr.ExistsMacro, "exists_one": expr.ExistsOneMacro, "existsOne": expr.ExistsOneMacro,
	"filter": expr.FilterMacro, "map": expr.MapMacro, "transformList": expr.TransformListMacro,
	"transformMap": expr.TransformMapMacro, "transformMapEntry": expr.TransformMapEntryMacro,
	"optMap": expr.OptMapMacro, "optFlatMap": expr.OptFlatMapMacro, "sortBy": expr.SortByMacro,
}

// macro reads a call of a macro.
func (r *reader) macro(e ast.Expr) (expr.Expr, error) {
	c := e.AsCall()
	args := c.Args()
	if c.FunctionName() == operators.Has && len(args) == 1 {
		s := args[0].AsSelect()
		return r.selection(s.Operand(), s.FieldName(), true)
	}
	macro, ok := macros[c.FunctionName()]
	if !ok || !c.IsMemberFunction() || len(args) < 2 {
		return nil, fmt.Errorf("the macro %s is unknown", c.FunctionName())
	}
	out := &expr.Comprehension{Macro: macro, Var: args[0].AsIdent()}
	rest := args[1:]
	switch macro {
	case expr.TransformListMacro, expr.TransformMapMacro, expr.TransformMapEntryMacro:
		out.Var2, rest = rest[0].AsIdent(), rest[1:]
	case expr.AllMacro, expr.ExistsMacro, expr.ExistsOneMacro:
		if len(rest) == 2 {
			out.Var2, rest = rest[0].AsIdent(), rest[1:]
		}
	}
	parts, err := r.all(slices.Concat([]ast.Expr{c.Target()}, rest)...)
	if err != nil {
		return nil, err
	}
	out.Range, out.Body = parts[0], parts[len(parts)-1]
	if len(parts) == 3 {
		out.Filter = parts[1]
	}
	return out, nil
}
