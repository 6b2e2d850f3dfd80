package defaults

import (
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/internal/core/value/goliteral"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
)

// lineWidth is the length from which a composite literal is split into lines.
const lineWidth = 80

// literal is the Go literal of one default with the variables that it refers to. Each use of a
// default gets its own variables, since callers may change the values behind pointers.
type literal struct {
	w *writer
	// constant is set when the default is a constant's value.
	constant *defaulting.Constant
	// locals are the statements to print first.
	locals []string
	names  map[string]bool
}

// of returns the constant of a ref() default, if this package can refer to it.
func (l *literal) of(*model.Ref, *value.Value) (goliteral.Const, bool) {
	c := l.constant
	if c == nil || c.Package != l.w.c.Package.Path && !exported(c.Name) {
		return goliteral.Const{}, false
	}
	out := goliteral.Const{Package: c.Package, Name: c.Name}
	if c.Type != nil {
		out.Type = c.Type.ID()
	}
	return out, true
}

// local declares a variable. Its name contains an upper-case letter, so that it
// does not conflict with imports.
func (l *literal) local(name, expr string) string {
	name = lowerCamel(name) + "Default"
	if l.names == nil {
		l.names = map[string]bool{}
	}
	unique := name
	for n := 2; l.names[unique] || l.w.c.Package.Decls[unique]; n++ {
		unique = name + strconv.Itoa(n)
	}
	l.names[unique] = true
	l.locals = append(l.locals, unique+" := "+expr)
	return unique
}

// lowerCamel returns the local variable name for an exported name: FSType becomes
// fsType.
func lowerCamel(name string) string {
	n := 0
	for n < len(name) && exported(name[n:]) {
		n++
	}
	if n > 1 && n < len(name) && name[n] >= 'a' && name[n] <= 'z' && name[n:] != "s" {
		n-- // the last upper-case letter begins the next word
	}
	return strings.ToLower(name[:n]) + name[n:]
}

func exported(name string) bool { return name[0] >= 'A' && name[0] <= 'Z' }
