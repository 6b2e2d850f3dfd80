// Package customvalidation is the tag +k8s:customValidation.
package customvalidation

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNoFunction = codes.New("customvalidation/no-function", "The package does not have the function that the tag calls. Write it, or remove the tag. For packages of other modules this is a warning: their functions are in the API server.")
	codeSignature  = codes.New("customvalidation/signature", "The function that the tag calls has the wrong signature.")
	codeUntagged   = codes.New("customvalidation/untagged", "The function has the name of a custom validation, but no tag calls it. Add the tag, or rename the function.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:customValidation", Role: model.RoleCustomValidation, Stability: tag.Stable, Scopes: tag.OnType | tag.OnField, Shapes: tag.AnyShape,
		Summary: "A hand-written function also validates the value.",
		Doc: "The function is named `ValidateCustom_<Type>` for a type and `ValidateCustom_<Type>_<Field>`, with Go names, for a field:\n\n" +
			"```go\nfunc ValidateCustom_Database_Engine(ctx context.Context, op operation.Operation, fldPath *field.Path, value, oldValue *Engine) field.ErrorList\n```\n\n" +
			"`value` and `oldValue` are pointers, lists or maps. `oldValue` is nil if there is no old value. " +
			"The function of a field is not called on an update that does not change the field; the function of a type is. " +
			"It takes a complete path, so validators that call it allocate even for valid objects. " +
			"If another package has the validators (`+k8s:validation-gen-input`), it has the functions too. " +
			"The functions of native types are in the API server, so other packages that use these types call none.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:customValidation
			Schedule string \'json:"schedule,omitempty"\' // calls ValidateCustom_Backup_Schedule`),
		Bad: tag.Code(`
			// +k8s:optional
			// +k8s:eachVal=+k8s:customValidation
			Schedules []string \'json:"schedules,omitempty"\' // put the tag on the field, and loop in the function`),
		Codes:        codes.All(),
		Check:        check,
		CheckPackage: checkPackage,
		Lower: func(n *tag.Node, _ *model.Tag) []rule.Rule {
			if !known(n) {
				return nil
			}
			return []rule.Rule{{Tag: "customValidation", Must: &rule.Call{Package: home(n), Name: name(n)}}}
		},
		Schema: tag.Unsupported(rule.NeedsGo),
	}
}

// name returns the name of the function that the tag calls on a node.
func name(n *tag.Node) string {
	if n.Scope == tag.OnField {
		return gofile.CustomValidation + n.Owner.Name + "_" + n.Field.Name
	}
	return gofile.CustomValidation + n.Owner.Name
}

// known reports whether the function exists.
func known(n *tag.Node) bool {
	if _, f := find(n); f != nil {
		return true
	}
	p := n.Model.Package(n.Owner.Package)
	return p != nil && p.Decls[name(n)]
}

// home is the package that has the function.
func home(n *tag.Node) string {
	if p, _ := find(n); p != nil {
		return p.Path
	}
	return n.Owner.Package
}
