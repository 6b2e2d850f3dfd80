package explain

import (
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/golang"
	"github.com/kindsmith/kindsmith/internal/core/expr/typed"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
)

// xValidation is the short name of the page.
const xValidation = "XValidation"

// celPage is the page of rules in CEL, which are controller-gen's marker.
func celPage() string {
	p := &page{}
	p.line("+" + foreign.KubebuilderXValidation + `:rule="<CEL>"`)
	aboutCEL(p)
	all, some, none := celFunctions()
	p.prose("Go has: " + strings.Join(all, ", ") + ".")
	p.prose("Go does not have: " + strings.Join(slices.Concat(some, none), ", ") + ".")
	return p.String()
}

// markdownCEL is the same page in the catalogue.
func markdownCEL(p *page) {
	p.line("")
	p.line("## Rules in CEL")
	p.line("")
	p.line("### +" + foreign.KubebuilderXValidation)
	aboutCEL(p)
	all, some, none := celFunctions()
	p.line("")
	p.line("| functions | Go |")
	p.line("|---|:-:|")
	p.line("| " + strings.Join(all, ", ") + " | ✓ |")
	p.line("| " + strings.Join(slices.Concat(some, none), ", ") + " | ✗ |")
}

func aboutCEL(p *page) {
	p.prose("A rule in CEL on a type or a field, and with `+" + foreign.KubebuilderItems + "XValidation` on the items of a list. The marker is controller-gen's, with its arguments `message`, `messageExpression`, `reason`, `fieldPath` and `optionalOldSelf`. Schemas have the rule as it is. Generated Go and `kindsmith validate` report the errors that API servers report.")
	p.code("Example:", "// +kubebuilder:validation:XValidation:rule=\"self.min <= self.max\",message=\"min exceeds max\"\ntype Range struct {\n\tMin int32 `json:\"min\"`\n\tMax int32 `json:\"max\"`\n}")
	p.prose("Go does not enforce parts of rules with functions that it does not have, or that use the text of a quantity or duration, which Go does not keep. The diagnostic validation/cel-not-in-go names each. `kindsmith validate` evaluates all functions but those of semantic versions.")
}

// celFunctions returns the functions of CEL that Go has, the overloads of these that it
// does not have, and the functions that it does not have.
func celFunctions() (all, some, none []string) {
	has, lacks := map[string]bool{}, map[string][]string{}
	for _, o := range typed.Overloads() {
		if golang.Prints(o.Name, o.Method, o.Args) {
			has[o.Name] = true
		} else {
			lacks[o.Name] = append(lacks[o.Name], signature(o))
		}
	}
	for name := range has {
		if lacks[name] == nil {
			all = append(all, "`"+name+"`")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lacks)) {
		if has[name] {
			slices.Sort(lacks[name])
			some = append(some, lacks[name]...)
		} else {
			none = append(none, "`"+name+"`")
		}
	}
	slices.Sort(all)
	return all, some, none
}

func signature(o typed.Overload) string {
	kinds := make([]string, len(o.Args))
	for i, k := range o.Args {
		if k == expr.DynKind {
			k = "any"
		}
		kinds[i] = string(k)
	}
	if o.Method {
		return "`" + kinds[0] + "." + o.Name + "(" + strings.Join(kinds[1:], ", ") + ")`"
	}
	return "`" + o.Name + "(" + strings.Join(kinds, ", ") + ")`"
}
