package inspect

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/kindsmith/kindsmith/internal/tool/dev/requests"
)

// patches are the types of patches as kubectl names them.
var patches = map[string]string{mergePatch: "merge", "application/json-patch+json": "json", "application/strategic-merge-patch+json": "strategic"}

// kubectl returns a command that sends a request; "" for none.
func kubectl(r requests.Request, form, text string) string {
	u, err := url.Parse(r.Path)
	if err != nil || r.Resource == "" || r.Subresource != "" && r.Subresource != "status" && r.Subresource != "scale" {
		if r.Method == http.MethodGet {
			return "kubectl get --raw " + quote(r.Path)
		}
		return ""
	}
	words, sendsText := writing(r, form, u.Query())
	if words == nil {
		words = reading(r, u.Query())
	}
	if words == nil {
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
	command := "kubectl " + strings.Join(words, " ")
	if sendsText {
		command += " <<'EOF'\n" + strings.TrimRight(text, "\n") + "\nEOF"
	}
	return command
}

// writing returns the words of a command that writes an object, nil for none, and whether it sends the manifest.
func writing(r requests.Request, form string, query url.Values) (words []string, sendsText bool) {
	switch {
	case r.Verb == "create" && form == Object:
		return []string{"create", "-f", "-"}, true
	case r.Verb == "update" && form == Object:
		return []string{"replace", "-f", "-"}, true
	case form == Apply:
		return []string{"apply", "-f", "-"}, true
	case form == Object && r.Sent.Type == applyPatch:
		words = []string{"apply", "--server-side", "-f", "-"}
		if manager := query.Get("fieldManager"); manager != "" && manager != "kubectl" {
			words = append(words, "--field-manager="+quote(manager))
		}
		if query.Get("force") == "true" {
			words = append(words, "--force-conflicts")
		}
		return words, true
	case r.Verb == "patch" && patches[r.Sent.Type] != "":
		return []string{"patch", resource(r), r.Name, "--type=" + patches[r.Sent.Type], "-p", quote(string(r.Sent.Content))}, false
	case r.Verb == "delete":
		return []string{"delete", resource(r), r.Name}, false
	case r.Verb == "deletecollection":
		return append([]string{"delete", resource(r)}, selectors(r, query, "--all")...), false
	}
	return nil, false
}

// reading returns the words of a command that reads objects; nil for none.
func reading(r requests.Request, query url.Values) []string {
	switch r.Verb {
	case "get":
		return []string{"get", resource(r), r.Name, "-o", "yaml"}
	case "list":
		return append([]string{"get", resource(r)}, selectors(r, query)...)
	case "watch":
		return append([]string{"get", resource(r)}, selectors(r, query, "--watch")...)
	}
	return nil
}

// selectors returns what selects objects, and more flags. kubectl does not take --all with labels.
func selectors(r requests.Request, query url.Values, more ...string) (words []string) {
	labels := query.Get("labelSelector")
	if labels != "" {
		words = append(words, "-l", quote(labels))
	}
	if fields := query.Get("fieldSelector"); fields != "" {
		words = append(words, "--field-selector="+quote(fields))
	}
	for _, word := range more {
		if word != "--all" || labels == "" {
			words = append(words, word)
		}
	}
	if r.Namespace == "" {
		words = append(words, "--all-namespaces")
	}
	return words
}

func resource(r requests.Request) string {
	if r.Group == "" {
		return r.Resource
	}
	return r.Resource + "." + r.Version + "." + r.Group
}

// plain are the characters that mean nothing to a shell.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,@%+"

// quote returns a word for a shell.
func quote(word string) string {
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
