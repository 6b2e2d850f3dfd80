package pages

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/tool/explain"
)

// modulePath is the path of the module that each example is.
const modulePath = "example.com/shop"

// imported are the packages that an excerpt may use without an import.
var imported = map[string]string{
	"apiextensionsv1": "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1",
	"context":         "context",
	"conversion":      "k8s.io/apimachinery/pkg/conversion",
	"corev1":          "k8s.io/api/core/v1",
	"field":           "k8s.io/apimachinery/pkg/util/validation/field",
	"json":            "encoding/json",
	"metav1":          "k8s.io/apimachinery/pkg/apis/meta/v1",
	"operation":       "k8s.io/apimachinery/pkg/api/operation",
	"os":              "os",
	"resource":        "k8s.io/apimachinery/pkg/api/resource",
	"schema":          "k8s.io/apimachinery/pkg/runtime/schema",
	"runtime":         "k8s.io/apimachinery/pkg/runtime",
	"strconv":         "strconv",
	"strings":         "strings",
	"sync":            "sync",
	"testing":         "testing",
	"v1":              modulePath + "/api/v1",
}

var (
	clause     = regexp.MustCompile(`(?m)^package (\w+).*\n`)
	declares   = regexp.MustCompile(`(?m)^(import|type|const|var|func) `)
	structType = regexp.MustCompile(`(?m)^type ([A-Z]\w*)(?:\[| struct)`)
	typeName   = regexp.MustCompile(`(?m)^(?:type |\t)?([A-Z]\w*)(?:\[.*\])? (?:= )?[\w\[\]*.]+`)
	anyType    = regexp.MustCompile(`(?m)^type ([A-Za-z]\w*)`)
	member     = regexp.MustCompile("(?m)^\\s*(?:\\w+ +)?(?:\\[\\w*\\]|\\*|map\\[\\w+\\])*([A-Z]\\w*) +`")
	qualified  = regexp.MustCompile(`\b([a-z]\w*)\.[A-Z]`)
)

// filesOf returns the files of an example: the excerpts, with what Go and a project require.
func filesOf(e *explain.Example, p *explain.Project) map[string]string {
	files := map[string]string{}
	for _, f := range p.Files {
		files[f.Name] += f.Text
	}
	whole := mentions(e)
	for _, name := range slices.Sorted(keys(files)) {
		if path.Ext(name) == ".go" {
			files[name] = complete(files, name, whole)
		}
	}
	if !strings.Contains(whole, "kindsmith.yaml") {
		files["kindsmith.yaml"] = "conversionWebhook: shop-system/webhooks\n"
	}
	return files
}

// mentions is all text of an example. What one of its projects has, the test adds to neither.
func mentions(e *explain.Example) string {
	var b strings.Builder
	for _, p := range []explain.Project{e.Bad, e.Good} {
		for _, f := range p.Files {
			b.WriteString(f.Name + "\n" + f.Text)
		}
	}
	return b.String()
}

func keys(files map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range files {
			if !yield(name) {
				return
			}
		}
	}
}

// complete completes an excerpt of a Go file: a struct, the fields of one, declarations, or markers of the package.
func complete(files map[string]string, name, whole string) string {
	text, dir := files[name], path.Base(path.Dir(name))
	head, body := "", text
	if at := clause.FindStringIndex(text); at != nil {
		head, body = text[:at[0]], text[at[1]:]
		dir = clause.FindStringSubmatch(text)[1]
	}
	types := path.Base(name) == "types.go"
	if types {
		head += "// Package " + dir + " is an API.\n//\n" + markers(name, whole)
	}
	if !declares.MatchString(body) && strings.TrimSpace(body) != "" {
		body = "// Spec is an excerpt.\ntype Spec struct {\n" + body + "}\n"
	}
	if types {
		body += others(files, name, body)
		if strings.Contains(body, "metav1.TypeMeta") {
			return head + "package " + dir + "\n\n" + imports(body) + body
		}
		spec := ""
		if m := structType.FindStringSubmatch(body); m != nil && !strings.Contains(m[0], "[") {
			spec = "\n\t// +optional\n\tSpec *" + m[1] + " `json:\"spec,omitempty\"`\n"
		} else if m := anyType.FindStringSubmatch(body); m != nil && !strings.Contains(body, "type "+m[1]+"[") {
			spec = "\n\t// +optional\n\tSpec *" + m[1] + " `json:\"spec,omitempty\"`\n"
		}
		body += "\n// Thing is a kind.\ntype Thing struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n" + spec + "}\n"
	}
	return head + "package " + dir + "\n\n" + imports(body) + body
}

// markers are those that a package of types has if the example has no such marker itself.
func markers(name, whole string) string {
	text := ""
	if !strings.Contains(whole, foreign.GroupName) {
		text += "// +" + foreign.GroupName + "=shop.example.com\n"
	}
	if strings.Contains(whole, "+versioned:") && !strings.Contains(whole, "+versioned:version(") && strings.HasSuffix(name, explain.DefaultFile) {
		text += "// +versioned:version(name: \"v1alpha1\")\n// +versioned:version(name: \"v1beta1\")\n// +versioned:version(name: \"v1\")\n"
	}
	return text
}

// others declares the types of fields that no excerpt of the package declares: structs with an optional field.
func others(files map[string]string, name, body string) string {
	all := body
	for other, text := range files {
		if other != name && path.Dir(other) == path.Dir(name) {
			all += "\n" + text
		}
	}
	var known []string
	for _, m := range anyType.FindAllStringSubmatch(all, -1) {
		known = append(known, m[1])
	}
	for _, m := range typeName.FindAllStringSubmatch(all, -1) {
		if strings.HasPrefix(m[0], "\t") && strings.Contains(all, "type (\n") {
			known = append(known, m[1])
		}
	}
	text := ""
	if strings.Contains(body, "import . ") {
		return ""
	}
	for _, m := range member.FindAllStringSubmatch(body, -1) {
		if !slices.Contains(known, m[1]) {
			known = append(known, m[1])
			text += fmt.Sprintf("\n// %s is a type.\ntype %[1]s struct {\n\t// +optional\n\tLabel string `json:\"label,omitempty\"`\n}\n", m[1])
		}
	}
	return text
}

// imports declares the packages that the rest of a file uses and does not import.
func imports(body string) string {
	if !strings.Contains(body, ".") {
		return ""
	}
	var names []string
	text := ""
	for _, m := range qualified.FindAllStringSubmatch(body, -1) {
		name := m[1]
		if imported[name] == "" || slices.Contains(names, name) || strings.Contains(body, "import "+name+" ") || strings.Contains(body, "\""+imported[name]+"\"") {
			continue
		}
		names = append(names, name)
		text += fmt.Sprintf("import %s %q\n", name, imported[name])
	}
	return text + "\n"
}
