package definitions

import (
	"fmt"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/core/diag"
)

// complaint is a kind of server error, with advice.
type complaint struct {
	code diag.Code
	// detail matches the error's detail, path its path.
	detail, path *regexp.Regexp
	advice       string
	// cost is set on errors about the cost of rules.
	cost bool
	// later is set on errors that another tool may fix before the definition is applied.
	later bool
}

// The first matching complaint applies.
var complaints = []complaint{
	{code: codeRuleCost, detail: regexp.MustCompile(`estimated .*cost|exceeds budget|cost limit`), cost: true,
		advice: "limit the strings, lists and maps that the rule reads (maxLength, maxItems, maxProperties), or simplify the rule"},
	{code: codeRuleTransition, detail: regexp.MustCompile(`oldSelf cannot be used on the uncorrelatable`),
		advice: "make the list +listType=map, or put the rule on the list or map as a whole"},
	{code: codeRule, path: regexp.MustCompile(`x-kubernetes-validations`)},
	{code: codeListKeys, detail: regexp.MustCompile(`list-map-keys|list-type=map|must be required`),
		advice: "the keys of a list of type map must be scalar fields of its items that are required or have a default"},
	{code: codeDefault, path: regexp.MustCompile(`\.default\b`),
		advice: "the default must itself be valid"},
	{code: codeUniqueItems, path: regexp.MustCompile(`uniqueItems$`),
		advice: "use +listType=set, which the server checks in linear time"},
	{code: codeApproval, path: regexp.MustCompile(`^metadata\.annotations`), later: true,
		advice: `groups of *.k8s.io need +kubebuilder:metadata:annotations="api-approved.kubernetes.io=<link to the approval>"`},
	{code: codeSelectable, path: regexp.MustCompile(`^spec\.selectableFields$`), detail: regexp.MustCompile(`validations\.schema`)},
	{code: codeStorage, detail: regexp.MustCompile(`exactly one version marked as storage`)},
	{code: codeRefused},
}

// compileError splits a message of the CEL compiler: line, column, and the first error without the
// excerpt of the rule.
var compileError = regexp.MustCompile(`^compilation failed: ERROR: <input>:(\d+):(\d+): (.*?)(?: \| | ERROR: |$)`)

func complaintOf(e *field.Error) complaint {
	for _, c := range complaints {
		if (c.detail == nil || c.detail.MatchString(e.Detail)) && (c.path == nil || c.path.MatchString(e.Field)) {
			return c
		}
	}
	return complaints[len(complaints)-1]
}

// message returns the server's message in one line, and the advice.
func (c complaint) message(e *field.Error) string {
	text, _, _ := strings.Cut(strings.Join(strings.Fields(e.Detail), " "), " (try simplifying")
	if m := compileError.FindStringSubmatch(text); m != nil {
		return "the rule does not compile: " + m[3]
	}
	switch value := e.BadValue.(type) {
	case string:
		if value != "" && e.Type != field.ErrorTypeRequired && e.Type != field.ErrorTypeForbidden {
			text = fmt.Sprintf("%q: %s", value, text)
		}
	case int64, float64, bool:
		if e.Type != field.ErrorTypeRequired && e.Type != field.ErrorTypeForbidden {
			text = fmt.Sprintf("%v: %s", value, text)
		}
	}
	if text == "" {
		text = strings.ToLower(e.Type.String())
	}
	if c.advice != "" {
		text += "; " + c.advice
	}
	return text
}
