package corpus

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// Judged is what the names of kinds begin with. Only kinds have a schema, so a type gets a kind whose spec it is.
const Judged = "Judged"

// Group returns the API group of a case's kinds.
func (c *Case) Group(module string) string {
	return strings.ReplaceAll(c.Name, "/", ".") + "." + module
}

// Kinds returns a Go file with a kind for each of some types of a case, which is a package of a module. A type that is a kind
// itself does not need one, but it does no harm.
func (c *Case) Kinds(module string, types []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// +groupName=%s\npackage v1\n\nimport (\n\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n\tcases %q\n)\n", c.Group(module), module+"/"+c.Name+"/v1")
	for _, name := range types {
		fmt.Fprintf(&b, "\n// %[2]s%[1]s is a kind whose spec is a %[1]s.\n// +kubebuilder:object:root=true\ntype %[2]s%[1]s struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\tSpec cases.%[1]s `json:\"spec\"`\n}\n", name, Judged)
	}
	return b.String()
}

// Judged returns the first struct of types.go, which is the type of objects that do not name one, and the other types of
// objects.
func (c *Case) Judged() ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), c.Name+"/"+Types, c.Section(Types), parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var judged []string
	for _, decl := range f.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || len(judged) > 0 {
			continue
		}
		for _, spec := range g.Specs {
			if t, ok := spec.(*ast.TypeSpec); ok && len(judged) == 0 {
				if _, ok := t.Type.(*ast.StructType); ok {
					judged = append(judged, t.Name.Name)
				}
			}
		}
	}
	if len(judged) == 0 {
		return nil, fmt.Errorf("%s has no struct", c.Name)
	}
	for _, o := range c.Objects {
		if o.Type == "" {
			o.Type = judged[0]
		} else if !slices.Contains(judged, o.Type) {
			judged = append(judged, o.Type)
		}
	}
	return judged, nil
}
