package chart

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/emit/deploy"
)

// Marks are words that stand for actions of templates in YAML: they need no quotes there, and are short enough for keys.
const (
	// namespace is the namespace of the release.
	namespace = "kindsmith-release-namespace"
	// fullName is the name of the release with that of the chart.
	fullName = "kindsmith-release-fullname"
	// The others are followed by the name of an action, and a dash.
	ifMark = "0kindsmith-if-"
	// labelsMark is a key that stands for the labels of a release.
	labelsMark = "kindsmith-labels"
	valueMark  = "kindsmith-value-"
	blockMark  = "kindsmith-block-"
)

// action is the name of an action of templates.
type action string

const (
	always       action = ""
	enablesCRDs  action = "enable"
	keepsCRDs    action = "keep"
	certManager  action = "certManager"
	selfManaged  action = "selfManaged"
	image        action = "image"
	replicas     action = "replicas"
	resources    action = "resources"
	nodeSelector action = "nodeSelector"
	tolerations  action = "tolerations"
	release      action = "release"
	goMemLimit   action = "goMemLimit"
)

// helpers are the definitions for names and labels: they are those of charts that Helm creates, for names that leave room for their
// ends.
const helpers = `{{- define "%[1]s.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc %[2]d | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc %[2]d | trimSuffix "-" -}}
{{- else -}}
{{- printf "%%s-%%s" .Release.Name $name | trunc %[2]d | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end }}
{{- define "%[1]s.labels" -}}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%%s-%%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}
`

// actions are the texts of actions.
var actions = map[action]string{
	enablesCRDs:  ".Values.crds.enable",
	keepsCRDs:    ".Values.crds.keep",
	certManager:  `eq .Values.certificates.source "cert-manager"`,
	selfManaged:  `eq .Values.certificates.source "self-managed"`,
	image:        ".Values.image | quote",
	replicas:     ".Values.replicas",
	resources:    ".Values.resources",
	nodeSelector: ".Values.nodeSelector",
	tolerations:  ".Values.tolerations",
	release:      ".Release.Name | quote",
	goMemLimit:   ".Values.goMemLimit | quote",
}

func mark(kind string, a action) string { return kind + string(a) + "-" }

// value returns a scalar that is the result of an action.
func value(a action) string { return mark(valueMark, a) }

// blockOf returns a value that is written as YAML.
func blockOf(a action) string { return mark(blockMark, a) }

// when returns a key that exists under a condition.
func when(condition action, key string) string {
	if condition == always {
		return key
	}
	return mark(ifMark, condition) + key
}

// items returns items of a list that exist under a condition: texts and objects.
func items(condition action, list []any) []any {
	if condition == always {
		return list
	}
	out := make([]any, len(list))
	for i, item := range list {
		switch item := item.(type) {
		case string:
			out[i] = mark(ifMark, condition) + item
		case deploy.Object:
			o := deploy.Object{mark(ifMark, condition): true} // the first key
			for key, value := range item {
				o[key] = value
			}
			out[i] = o
		}
	}
	return out
}

var (
	conditional = regexp.MustCompile(`^( *)(- )?(["']?)` + ifMark + `(\w+)-(.*)$`)
	marked      = regexp.MustCompile(`(` + valueMark + `|` + blockMark + `)(\w+)-`)
	alone       = regexp.MustCompile(`(: |- )(` + namespace + `|` + fullName + `)$`)
)

// rendered returns the text of a template from YAML with marks. Braces of the YAML that look like actions stay as they
// are.
func rendered(chart, text string) string {
	text = strings.ReplaceAll(text, "{{", `{{ "{{" }}`)
	var b strings.Builder
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	open := []string(nil) // the indentation and the action of the condition of the previous value
	begin := func(condition []string) {
		if slices.Equal(open, condition) {
			return
		}
		if open != nil {
			b.WriteString(open[0] + "{{- end }}\n")
		}
		if open = condition; open != nil {
			b.WriteString(open[0] + "{{- if " + actions[action(open[1])] + " }}\n")
		}
	}
	for i := 0; i < len(lines); i++ {
		m := conditional.FindStringSubmatch(lines[i])
		if m == nil {
			begin(nil)
			b.WriteString(substituted(chart, lines[i]) + "\n")
			continue
		}
		begin([]string{m[1], m[4]})
		end := blockEnd(lines, i, len(m[1]), m[2] != "")
		block := append([]string{m[1] + m[2] + m[3] + m[5]}, lines[i+1:end]...)
		if m[2] != "" && m[5] == ": true" { // an object, whose first key is the condition
			block = append([]string{m[1] + m[2] + strings.TrimLeft(lines[i+1], " ")}, lines[i+2:end]...)
		}
		for _, line := range block {
			b.WriteString(substituted(chart, line) + "\n")
		}
		i = end - 1
	}
	begin(nil)
	return b.String()
}

// blockEnd returns the line after a value that begins in a line: an item of a list, or a key with its value, whose list has
// the same indentation.
func blockEnd(lines []string, start, indent int, item bool) int {
	for i := start + 1; i < len(lines); i++ {
		rest := strings.TrimLeft(lines[i], " ")
		at := len(lines[i]) - len(rest)
		if rest == "" || at > indent || at == indent && !item && strings.HasPrefix(rest, "- ") {
			continue
		}
		return i
	}
	return len(lines)
}

// substituted returns a line with actions in place of marks.
func substituted(chart, line string) string {
	full := fmt.Sprintf(`include "%s.fullname" .`, chart)
	if m := alone.FindStringSubmatch(line); m != nil {
		line = strings.TrimSuffix(line, m[2]) + map[string]string{namespace: "{{ .Release.Namespace | quote }}", fullName: "{{ " + full + " | quote }}"}[m[2]]
	}
	if rest, ok := strings.CutSuffix(line, labelsMark+": true"); ok {
		return fmt.Sprintf(`%s{{- include "%s.labels" . | nindent %d }}`, rest, chart, len(rest))
	}
	line = strings.NewReplacer(namespace, "{{ .Release.Namespace }}", fullName, "{{ "+full+" }}").Replace(line)
	indent := len(line) - len(strings.TrimLeft(line, " -"))
	return marked.ReplaceAllStringFunc(line, func(text string) string {
		m := marked.FindStringSubmatch(text)
		if m[1] == blockMark {
			return fmt.Sprintf("{{- toYaml %s | nindent %d }}", actions[action(m[2])], indent+2)
		}
		return "{{ " + actions[action(m[2])] + " }}"
	})
}
