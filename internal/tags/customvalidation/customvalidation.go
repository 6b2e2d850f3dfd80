// Package customvalidation is the tag +k8s:customValidation.
package customvalidation

import (
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeNoFunction = codes.New("customvalidation/no-function", "The package has no function of the name that the tag calls. Write it, or drop the tag. Of a package of another module this is a warning: its functions are with the API server.")
	codeSignature  = codes.New("customvalidation/signature", "The function that the tag calls does not take and return what it has to.")
	codeUntagged   = codes.New("customvalidation/untagged", "A function of this name is called by a tag, and there is none: nobody calls it. Add the tag, or give the function another name.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:customValidation", Role: model.RoleCustomValidation, Stability: tag.Stable, Scopes: tag.OnType | tag.OnField, Shapes: tag.AnyShape,
		Summary: "A function of the package validates the value too.",
		Doc: "The function is called `ValidateCustom_<Type>` for a type and `ValidateCustom_<Type>_<Field>`, with Go names, for a field:\n\n" +
			"```go\nfunc ValidateCustom_Database_Engine(ctx context.Context, op operation.Operation, fldPath *field.Path, value, oldValue *Engine) field.ErrorList\n```\n\n" +
			"Value and oldValue are pointers, or what can be nil by itself: a pointer, list or map. Where there is no old value it is nil. " +
			"The function of a field is not called on an update that leaves the field as it was; that of a type is. " +
			"It gets its path ready-made, so validators that call it allocate also for valid objects. " +
			"Where another package has the validators, by `+k8s:validation-gen-input`, it has the functions too. " +
			"Native types have their functions in the API server: in other packages that use those types, nothing is called.",
		Good:         "// +k8s:optional\n// +k8s:customValidation\nSchedule string `json:\"schedule,omitempty\"` // calls ValidateCustom_Backup_Schedule",
		Bad:          "// +k8s:optional\n// +k8s:eachVal=+k8s:customValidation\nSchedules []string `json:\"schedules,omitempty\"` // put the tag on the field, and loop in the function",
		Codes:        codes.All(),
		Check:        check,
		CheckPackage: checkPackage,
		Lower: func(n *tag.Node, _ *model.Constraint) []rule.Rule {
			if !known(n) {
				return nil
			}
			return []rule.Rule{{Tag: "customValidation", Must: &rule.Call{Package: home(n), Name: name(n)}}}
		},
		Schema: tag.Unsupported(rule.NeedsGo),
	}
}

// name is the name of the function that the tag calls at a place.
func name(n *tag.Node) string {
	if n.Scope == tag.OnField {
		return gofile.CustomValidation + n.Owner.Name + "_" + n.Field.Name
	}
	return gofile.CustomValidation + n.Owner.Name
}

// known reports whether there is a function to call.
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
