package project

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
)

// SchemaURL is the address of the JSON schema, which editors read.
const SchemaURL = "https://raw.githubusercontent.com/kindsmith/kindsmith/main/docs/kindsmith.schema.json"

// SchemaLine is the comment that names the schema to editors.
const SchemaLine = "# yaml-language-server: $schema=" + SchemaURL

// Schema returns the JSON schema of kindsmith.yaml.
func Schema() ([]byte, error) {
	s := Default()
	top := map[string]any{}
	sections := map[string]map[string]any{"": top}
	for _, o := range s.Options() {
		if sections[o.Section] == nil {
			sections[o.Section] = map[string]any{}
			top[o.Section] = object("Settings of kindsmith "+o.Section+".", sections[o.Section])
		}
		sections[o.Section][o.Key()] = o.schema()
	}
	schema := object("The settings of a project for kindsmith.", top)
	schema["$schema"] = "http://json-schema.org/draft-07/schema#"
	schema["$id"] = SchemaURL
	schema["title"] = FileName
	text, err := json.MarshalIndent(schema, "", "  ")
	return append(text, '\n'), err
}

func object(description string, properties map[string]any) map[string]any {
	return map[string]any{"type": []string{"object", "null"}, "description": description, "properties": properties, "additionalProperties": false}
}

// schema returns the schema of the option's value.
func (o *Option) schema() map[string]any {
	text := map[string]any{"type": "string"}
	if o.Values != nil {
		text["enum"] = o.Values
	}
	schema := text
	switch o.Value.(type) {
	case *[]string:
		schema = map[string]any{"type": "array", "items": text}
	case *map[string]string:
		schema = map[string]any{"type": []string{"object", "null"}, "additionalProperties": map[string]any{
			"type": "object", "additionalProperties": false, "required": []string{severityKey, reasonKey},
			"properties": map[string]any{severityKey: map[string]any{"enum": []string{diag.Warning.String()}}, reasonKey: map[string]any{"type": "string", "minLength": 1}},
		}}
	case *bool:
		schema = map[string]any{"type": "boolean"}
	case *int:
		schema = map[string]any{"type": "integer", "minimum": 0}
	case *string:
		if o.numeric() {
			text["type"] = []string{"string", "integer"}
		}
	}
	schema["description"] = o.Sentence()
	if value := o.fallback(); value != nil {
		schema["default"] = value
	}
	return schema
}

// fallback returns the value that the setting has without the file; nil if it has none that can be
// written.
func (o *Option) fallback() any {
	switch v := o.Value.(type) {
	case *string:
		if *v != "" {
			return *v
		}
	case *[]string:
		if len(*v) > 0 {
			return *v
		}
	case *bool:
		return *v
	case *int:
		if *v >= 0 {
			return *v
		}
	}
	return nil
}

// Table returns the documentation of all options in Markdown.
func Table() string {
	var b strings.Builder
	b.WriteString("| key | flag | commands | value | default | meaning |\n|---|---|---|---|---|---|\n")
	s := Default()
	for _, o := range s.Options() {
		flag := "`--" + o.Name + "`"
		if o.NoFlag {
			flag = ""
		}
		commands := o.Commands
		if len(commands) == 0 {
			commands = []string{o.Section}
		}
		value := ""
		if v := o.fallback(); v != nil {
			text, _ := json.Marshal(v)
			value = "`" + string(text) + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", o.path(), flag, strings.Join(commands, ", "), o.typeName(), value, o.Sentence())
	}
	return b.String()
}

func (o *Option) typeName() string {
	switch o.Value.(type) {
	case *[]string:
		return "list of strings"
	case *map[string]string:
		return "mapping from codes to `" + severityKey + "` and `" + reasonKey + "`"
	case *bool:
		return "bool"
	case *int:
		return "number"
	}
	return "string"
}
