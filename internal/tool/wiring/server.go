package wiring

import (
	"errors"
	"go/ast"
	"go/token"
	"strings"
)

// addServer makes the manager run its webhooks with package webhook/server.
func (f *file) addServer(c *created, _ []API) error {
	config := f.text(c.call.Args[0])
	options, ok := c.call.Args[1].(*ast.CompositeLit)
	if !ok {
		if f.imports[serverPackage] != "" {
			return nil
		}
		return errors.New("set WebhookServer of the manager's options to server.New(server.From(" + config + ", webhook.Options{})), of package " + serverPackage)
	}
	var value ast.Expr
	for _, element := range options.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok && f.text(pair.Key) == "WebhookServer" {
			value = pair.Value
		}
	}
	value = f.assigned(c, value)
	if _, ok := f.isCall(value, serverPackage, "New"); ok {
		return nil
	}
	old, isDefault := f.isCall(value, webhookPackage, "NewServer")
	switch {
	case value == nil:
		hooks := f.use(webhookPackage, "")
		space := " "
		if f.fset.Position(options.Lbrace).Line < f.fset.Position(options.Rbrace).Line {
			space = "\n"
		}
		separator := ","
		if len(options.Elts) == 0 {
			separator = ""
		}
		f.insert(options.Lbrace+1, space+"WebhookServer: "+f.newServer(config, hooks+".Options{}")+separator+space)
	case isDefault && len(old.Args) == 1:
		if ident, ok := c.call.Args[0].(*ast.Ident); ok && !f.isAssigned(c, ident.Name, value.Pos()) {
			config = f.use(controllerRuntime, "ctrl") + ".GetConfigOrDie()"
		}
		f.replace(value, f.newServer(config, f.text(old.Args[0])))
	default:
		return errors.New("make " + f.text(value) + " a server of package " + serverPackage + ", with server.New")
	}
	const checker = "StartedChecker()"
	if !strings.Contains(string(f.content), checker) {
		f.insert(c.after(), f.check(c, c.manager+`.AddReadyzCheck("webhooks", `+c.manager+".GetWebhookServer()."+checker+")"))
	}
	if f.options.Markers {
		f.insert(f.beforeComment(c.fun), "// The webhook server is ready when it knows all versions that definitions serve.\n"+
			"// +kubebuilder:rbac:groups=apiextensions.k8s.io,resources=customresourcedefinitions,verbs=get\n\n")
	}
	return nil
}

func (f *file) newServer(config, options string) string {
	server := f.use(serverPackage, "")
	return server + ".New(" + server + ".From(" + config + ", " + options + "))"
}

// beforeComment is where a function begins, with its comment.
func (f *file) beforeComment(fun *ast.FuncDecl) token.Pos {
	if fun.Doc != nil {
		return fun.Doc.Pos()
	}
	return fun.Pos()
}

// assigned returns what is assigned to a variable before the manager is created, if an expression is one.
func (f *file) assigned(c *created, value ast.Expr) ast.Expr {
	ident, ok := value.(*ast.Ident)
	if !ok {
		return value
	}
	ast.Inspect(c.fun.Body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if ok && len(assign.Lhs) == 1 && len(assign.Rhs) == 1 && f.text(assign.Lhs[0]) == ident.Name && assign.Pos() < c.call.Pos() {
			value = assign.Rhs[0]
		}
		return true
	})
	return value
}

// isAssigned reports whether a variable of the function has a value at a position.
func (f *file) isAssigned(c *created, name string, at token.Pos) (is bool) {
	ast.Inspect(c.fun.Body, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok && assign.End() <= at {
			for _, left := range assign.Lhs {
				is = is || f.text(left) == name
			}
		}
		return true
	})
	return is
}
