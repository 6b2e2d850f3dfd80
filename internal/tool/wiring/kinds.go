package wiring

import (
	"bytes"
	"errors"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

const setUp = "SetupWebhookWithManager"

// addSchemes adds the newest versions to the scheme, after the last package that the file adds.
func (f *file) addSchemes(_ *created, apis []API) error {
	var last *ast.SelectorExpr
	known := map[string]bool{}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok || selector.Sel.Name != "AddToScheme" {
			return true
		}
		if x, ok := selector.X.(*ast.Ident); ok {
			last, known[x.Name] = selector, true
		}
		return true
	})
	var missing []string
	for i := range apis {
		a := &apis[i]
		if len(a.Kinds) > 0 && !known[f.imports[a.Package]] {
			missing = append(missing, f.use(a.Package, a.alias(a.Package)))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	item := f.addition(last)
	if item == nil {
		return errors.New("add to the scheme of the manager: " + strings.Join(missing, ".AddToScheme, ") + ".AddToScheme")
	}
	start, end := f.offset(item.Pos()), f.offset(item.End())
	x := f.offset(last.X.Pos()) - start
	text := string(f.content[start:end])
	for _, name := range missing {
		copied := text[:x] + name + text[x+len(f.text(last.X)):]
		if _, isStatement := item.(ast.Stmt); isStatement {
			f.insert(item.End(), "\n"+copied)
		} else {
			f.insert(item.End(), f.separator(item)+copied)
		}
	}
	return nil
}

// separator returns the text between the elements of a list: a line for each, or all in one.
func (f *file) separator(element ast.Node) string {
	line := f.content[:f.offset(element.Pos())]
	line = line[strings.LastIndexByte(string(line), '\n')+1:]
	if strings.TrimSpace(string(line)) == "" {
		return ",\n"
	}
	return ", "
}

// addition returns the code that adds a package to a scheme: a statement, or an element of a list.
func (f *file) addition(last *ast.SelectorExpr) (item ast.Node) {
	if last == nil {
		return nil
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil || n.Pos() > last.Pos() || n.End() < last.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.ExprStmt, *ast.IfStmt, *ast.AssignStmt:
			if _, isIf := item.(*ast.IfStmt); !isIf { // its statement is in its head
				item = n
			}
		case *ast.CompositeLit:
			for _, element := range n.Elts {
				if element == ast.Expr(last) {
					item = element
				}
			}
		}
		return true
	})
	return item
}

// addKinds adds a call for each kind after the manager is created.
func (f *file) addKinds(c *created, apis []API) error {
	var lines strings.Builder
	var byHand []string
	var problems []error
	for i := range apis {
		a := &apis[i]
		converter := ""
		convert := func() string {
			if a.Converts == "" {
				return "nil"
			}
			if converter == "" {
				converter = f.converter(a)
			}
			return converter
		}
		before := len(f.edits)
		var added strings.Builder
		for _, kind := range a.Kinds {
			call := f.call(a, kind)
			switch {
			case call != nil && !within(call, c.fun):
				problems = append(problems, f.stale(a, call, kind))
			case call != nil:
				f.renew(a, call, convert)
			case f.options.ByHand != nil && f.options.ByHand(a.Package, kind):
				byHand = append(byHand, kind)
			default:
				server := f.use(serverPackage, "")
				added.WriteString(f.check(c, server+"."+setUp+"("+c.manager+", &"+f.use(a.Package, a.alias(a.Package))+"."+kind+"{}, "+convert()+")"))
			}
		}
		if converter != "" && (added.Len() > 0 || len(f.edits) > before) {
			f.declare(c, a, converter, &lines)
		}
		lines.WriteString(added.String())
	}
	if lines.Len() > 0 {
		f.insert(c.after(), lines.String())
	}
	if len(byHand) > 0 {
		problems = append(problems, errors.New("the webhooks of "+strings.Join(byHand, ", ")+" are hand-written; to use generated ones, remove the hand-written ones and run kindsmith init --webhook again"))
	}
	return errors.Join(problems...)
}

func within(n, outer ast.Node) bool { return n.Pos() >= outer.Pos() && n.End() <= outer.End() }

// stale returns what to change in a call of another function: nil if it is for the newest version, with a converter if there
// are others.
func (f *file) stale(a *API, call *ast.CallExpr, kind string) error {
	if f.path(object(call, kind).Name) == a.Package && (f.text(call.Args[2]) != "nil" || a.Converts == "") {
		return nil
	}
	advice := "set up " + kind + " of " + a.Package
	if a.Converts != "" {
		advice += ", with the converter that " + convertPackage + ".New(" + a.alias(a.Converts) + ".JSONConversion()) returns; " + a.alias(a.Converts) + " is " + a.Converts
	}
	return errors.New(advice)
}

// converter returns the variable of an API's converter: that of another call, or a new one.
func (f *file) converter(a *API) string {
	group, _, _ := strings.Cut(a.Group, ".")
	name := strings.ReplaceAll(group, "-", "") + "Converter"
	for _, kind := range a.Kinds {
		if call := f.call(a, kind); call != nil && len(call.Args) > 2 {
			if ident, ok := call.Args[2].(*ast.Ident); ok && ident.Name != "nil" {
				return ident.Name
			}
		}
	}
	return name
}

// declare declares the converter of an API, unless the file has it.
func (f *file) declare(c *created, a *API, name string, lines *strings.Builder) {
	if f.declares(name) {
		return
	}
	older := f.use(a.Converts, a.alias(a.Converts))
	lines.WriteString("\n" + name + ", err := " + f.use(convertPackage, "") + ".New(" + older + ".JSONConversion())\nif err != nil {\n" + f.fail(c) + "\n}")
}

// declares reports whether a statement of the file declares a variable.
func (f *file) declares(name string) (found bool) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok && assign.Tok == token.DEFINE {
			for _, left := range assign.Lhs {
				found = found || f.text(left) == name
			}
		}
		return true
	})
	return found
}

// call returns the call that sets up a kind in any version; nil for none.
func (f *file) call(a *API, kind string) (found *ast.CallExpr) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		e, _ := n.(ast.Expr)
		call, ok := f.isCall(e, serverPackage, setUp)
		if !ok || len(call.Args) < 3 {
			return true
		}
		if x := object(call, kind); x != nil && slices.Contains(append([]string{a.Package}, a.Older...), f.path(x.Name)) {
			found = call
		}
		return true
	})
	return found
}

// object returns the package in the second argument of a call, such as v1 in &v1.Order{}.
func object(call *ast.CallExpr, kind string) *ast.Ident {
	pointer, ok := call.Args[1].(*ast.UnaryExpr)
	if !ok {
		return nil
	}
	literal, ok := pointer.X.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	selector, ok := literal.Type.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != kind {
		return nil
	}
	x, _ := selector.X.(*ast.Ident)
	return x
}

// path returns the import path of a local name.
func (f *file) path(name string) string {
	for importPath, local := range f.imports {
		if local == name {
			return importPath
		}
	}
	return ""
}

// renew makes a call set up the newest version, with a converter if there are others.
func (f *file) renew(a *API, call *ast.CallExpr, convert func() string) {
	kind := call.Args[1].(*ast.UnaryExpr).X.(*ast.CompositeLit).Type.(*ast.SelectorExpr).Sel.Name
	if x := object(call, kind); f.path(x.Name) != a.Package {
		f.replace(x, f.use(a.Package, a.alias(a.Package)))
	}
	if f.text(call.Args[2]) == "nil" && a.Converts != "" {
		f.replace(call.Args[2], convert())
	}
}

// Set says who sets up the webhooks of a kind.
type Set int

// The answers of SetsUp.
const (
	NotHere Set = iota
	// Generated is package webhook/server.
	Generated
	// ByHand is a builder of controller-runtime.
	ByHand
)

// SetsUp says whether a Go file sets up the webhooks of a kind.
func SetsUp(content []byte, importPath, kind string) Set {
	if !bytes.Contains(content, []byte(setUp)) && !bytes.Contains(content, []byte("NewWebhookManagedBy")) {
		return NotHere
	}
	f, err := parse(content)
	if err != nil || f.imports[importPath] == "" {
		return NotHere
	}
	if f.call(&API{Package: importPath}, kind) != nil {
		return Generated
	}
	set := NotHere
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !strings.Contains(f.text(call), "NewWebhookManagedBy") {
			return true
		}
		if strings.Contains(f.text(call), "&"+f.imports[importPath]+"."+kind+"{}") {
			set = ByHand
		}
		return true
	})
	return set
}
