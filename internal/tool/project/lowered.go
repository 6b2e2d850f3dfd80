package project

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// The keys of a code in the setting of diagnostics.
const (
	severityKey = "severity"
	reasonKey   = "reason"
)

// lowered returns the reasons why errors are warnings, by code. It reports codes without a reason, unknown codes, and
// those that stay errors.
func (r *reader) lowered(value map[string]any, node *manifest.Node) map[string]string {
	known, firm := map[string]bool{}, map[string]bool{}
	var names []string
	for _, code := range driver.Codes() {
		name := code.String()
		if firm[name] = code.Firm(); !known[name] {
			names = append(names, name)
		}
		known[name] = true
	}
	reasons := map[string]string{}
	for _, name := range node.Names() {
		child := node.Field(name)
		switch {
		case !known[name]:
			d := r.bag.Errorf(child.Key(), codeUnknown, "there is no diagnostic %s", name)
			if near := nearestCode(name, names); near != "" {
				d.Message += "; did you mean " + near + "?"
			} else {
				d.Message += "; diagnostics print their codes in brackets"
			}
		case firm[name]:
			r.bag.Errorf(child.Key(), codeFirm, "%s stays an error, because the output would be wrong, refused or incomplete", name)
		default:
			if reason, ok := r.reason(name, value[name], child); ok {
				reasons[name] = reason
			}
		}
	}
	return reasons
}

// nearestCode returns the code that a name almost is; "" if there is none. It also finds the code that was written
// without its owner, if there is only one.
func nearestCode(name string, codes []string) string {
	if near := spell.Nearest(name, codes); near != "" {
		return near
	}
	found := ""
	for _, code := range codes {
		if strings.HasSuffix(code, "/"+name) {
			if found != "" {
				return ""
			}
			found = code
		}
	}
	return found
}

// reason returns the reason of one code.
func (r *reader) reason(name string, value any, node *manifest.Node) (string, bool) {
	fields, ok := value.(map[string]any)
	if !ok {
		r.bag.Errorf(node.Place().Span, codeType, "%s is %s; write {%s: %s, %s: …}", name, manifest.Describe(value), severityKey, diag.Warning, reasonKey)
		return "", false
	}
	ok = true
	for _, key := range node.Names() {
		if !slices.Contains([]string{severityKey, reasonKey}, key) {
			r.bag.Errorf(node.Field(key).Key(), codeKey, "%s has no key %s; its keys are: %s, %s", name, key, severityKey, reasonKey)
			ok = false
		}
	}
	if severity, has := fields[severityKey]; !has {
		r.bag.Errorf(node.Key(), codeType, "%s has no severity; add %s: %s", name, severityKey, diag.Warning)
		ok = false
	} else if severity != diag.Warning.String() {
		r.bag.Errorf(node.Field(severityKey).Place().Span, codeUnknown, "the severity of a diagnostic can only be lowered to %s", diag.Warning)
		ok = false
	}
	reason, isText := fields[reasonKey].(string)
	if reason = strings.TrimSpace(reason); !isText || reason == "" {
		r.bag.Errorf(node.Key(), codeReason, "%s has no reason; add %s: \"…\"", name, reasonKey)
		ok = false
	}
	return reason, ok
}
