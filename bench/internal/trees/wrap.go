package trees

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// customs are the hand-written functions by package: the name, the type that they
// validate, and the function of package custom that they call.
var customs = map[string][]struct{ name, typ, does string }{
	"meta/v1": {{"Condition_LastTransitionTime", "types.Time", "Time"}},
	"core/v1": {
		{"EvictionResponder_Name", "string", "Reserved"},
		{"EvictionResponder_Priority", "int32", "Priority"},
	},
	"lifecycle/v1alpha1": {{"EvictionRequestSpec_Requester", "string", "Reserved"}},
}

// wrap writes the hand-written part of a package.
func wrap(root string, p Package) error {
	dir := filepath.Join(root, filepath.FromSlash(p.Name))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	more := ""
	if p.unregistered {
		more += "// +k8s:validation-gen-scheme-registry=nil\n"
	}
	if p.nolint {
		more += "// +k8s:validation-gen-nolint\n"
	}
	doc := fmt.Sprintf(`// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-input=%[1]s
%[3]s
// Package %[2]s has the validators of %[1]s.
package %[2]s

import (
	"k8s.io/apimachinery/pkg/runtime"

	_ %[1]q // the types
)

var localSchemeBuilder runtime.SchemeBuilder

// AddToScheme registers the validators.
func AddToScheme(scheme *runtime.Scheme) error { return localSchemeBuilder.AddToScheme(scheme) }
`, p.Input, path.Base(p.Name), more)
	if err := write(filepath.Join(dir, "doc.go"), doc); err != nil {
		return err
	}
	return wrapCustom(dir, p)
}

// wrapCustom writes the functions for +k8s:customValidation.
func wrapCustom(dir string, p Package) error {
	list := customs[p.Name]
	if len(list) == 0 {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, `package %s

import (
	"context"

	"k8s.io/apimachinery/pkg/api/operation"
	types %q
	"k8s.io/apimachinery/pkg/util/validation/field"

	"%s/internal/custom"
)

var _ types.TypeMeta
`, path.Base(p.Name), metaV1, Module)
	for _, c := range list {
		fmt.Fprintf(&b, `
// ValidateCustom_%[1]s is called by generated code.
func ValidateCustom_%[1]s(ctx context.Context, op operation.Operation, fldPath *field.Path, value, oldValue *%[2]s) field.ErrorList {
	return custom.%[3]s(fldPath, value)
}
`, c.name, c.typ, c.does)
	}
	return write(filepath.Join(dir, "custom.go"), b.String())
}

// write writes a file unless its content is unchanged, so that unchanged packages are
// not compiled again.
func write(name, content string) error {
	if old, err := os.ReadFile(name); err == nil && string(old) == content {
		return nil
	}
	return os.WriteFile(name, []byte(content), 0o644)
}
