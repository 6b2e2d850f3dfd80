package inspect

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/kindsmith/kindsmith/internal/tool/dev/requests"
)

// kubectl returns a command that sends a request.
func kubectl(r requests.Request, form, text string) string {
	words := []string{"kubectl"}
	u, err := url.Parse(r.Path)
	if err != nil || r.Resource == "" || r.Subresource != "" && r.Subresource != "status" && r.Subresource != "scale" {
		if r.Method == http.MethodGet {
			return "kubectl get --raw " + quote(r.Path)
		}
		return ""
	}
	input := ""
	switch {
	case r.Verb == "create" && form == Object:
		words, input = append(words, "create", "-f", "-"), text
	case r.Verb == "update" && form == Object:
		words, input = append(words, "replace", "-f", "-"), text
	case form == Apply:
		words, input = append(words, "apply", "-f", "-"), text
	case form == Object && r.Sent.Type == applyPatch:
		words, input = append(words, "apply", "--server-side", "-f", "-"), text
		if manager := u.Query().Get("fieldManager"); manager != "" && manager != "kubectl" {
			words = append(words, "--field-manager="+quote(manager))
		}
		if u.Query().Get("force") == "true" {
			words = append(words, "--force-conflicts")
		}
	case r.Verb == "patch":
		kind := map[string]string{mergePatch: "merge", "application/json-patch+json": "json", "application/strategic-merge-patch+json": "strategic"}[r.Sent.Type]
		if kind == "" {
			return ""
		}
		words = append(words, "patch", resource(r), r.Name, "--type="+kind, "-p", quote(string(r.Sent.Content)))
	case r.Verb == "delete":
		words = append(words, "delete", resource(r), r.Name)
	case r.Verb == "get":
		words = append(words, "get", resource(r), r.Name, "-o", "yaml")
	case r.Verb == "list" || r.Verb == "watch" || r.Verb == "deletecollection":
		verb := "get"
		if r.Verb == "deletecollection" {
			verb = "delete"
		}
		words = append(words, verb, resource(r))
		if selector := u.Query().Get("labelSelector"); selector != "" {
			words = append(words, "-l", quote(selector))
		} else if verb == "delete" {
			words = append(words, "--all")
		}
		if selector := u.Query().Get("fieldSelector"); selector != "" {
			words = append(words, "--field-selector="+quote(selector))
		}
		if r.Verb == "watch" {
			words = append(words, "--watch")
		}
		if r.Namespace == "" {
			words = append(words, "--all-namespaces")
		}
	default:
		return ""
	}
	if r.Namespace != "" && r.Namespace != "default" {
		words = append(words, "-n", quote(r.Namespace))
	}
	if r.Subresource != "" {
		words = append(words, "--subresource="+r.Subresource)
	}
	if r.DryRun {
		words = append(words, "--dry-run=server")
	}
	command := strings.Join(words, " ")
	if input != "" {
		command += " <<'EOF'\n" + strings.TrimRight(input, "\n") + "\nEOF"
	}
	return command
}

func resource(r requests.Request) string {
	if r.Group == "" {
		return r.Resource
	}
	return r.Resource + "." + r.Version + "." + r.Group
}

// quote returns a word for a shell.
func quote(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_./:=,@%+", c))
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
