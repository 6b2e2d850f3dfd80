package tag

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/model"
)

// CELString quotes a string for CEL.
func CELString(s string) string {
	b := new(strings.Builder)
	b.WriteByte('\'')
	for _, r := range s {
		switch {
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// celReserved are the words that a property must be escaped for, by
// https://kubernetes.io/docs/reference/using-api/cel/.
var celReserved = map[string]bool{
	"true": true, "false": true, "null": true, "in": true, "as": true, "break": true, "const": true, "continue": true,
	"else": true, "for": true, "function": true, "if": true, "import": true, "let": true, "loop": true, "package": true,
	"namespace": true, "return": true,
}

// CELName spells a property's name as CEL rules of an API server see it.
func CELName(name string) string {
	if celReserved[name] {
		return "__" + name + "__"
	}
	return strings.NewReplacer("__", "__underscores__", ".", "__dot__", "-", "__dash__", "/", "__slash__").Replace(name)
}

// CELSet returns a CEL expression that says whether a field is set, by the same
// measure as generated Go: non-nil, non-empty or non-zero.
func CELSet(m *model.Model, self string, f *model.Field) string {
	access := self + "." + CELName(f.JSON)
	has := "has(" + access + ")"
	u := m.Underlying(f.Type)
	switch {
	case u.IsString(), u.Kind == model.KindSlice, u.Kind == model.KindMap:
		return "(" + has + " && size(" + access + ") > 0)"
	case u.IsInteger():
		return "(" + has + " && " + access + " != 0)"
	case u.IsFloat():
		return "(" + has + " && " + access + " != 0.0)"
	case u.IsBool():
		return "(" + has + " && " + access + ")"
	default:
		return has
	}
}

// CELOf returns a CEL expression over x that holds where x satisfies the
// keywords of a schema of strings; "" when there are none. Map keys have no
// schema of their own, so what holds for them is said like this.
func CELOf(props *apiextensionsv1.JSONSchemaProps, x string) string {
	var parts []string
	if props.MinLength != nil {
		parts = append(parts, fmt.Sprintf("size(%s) >= %d", x, *props.MinLength))
	}
	if props.MaxLength != nil {
		parts = append(parts, fmt.Sprintf("size(%s) <= %d", x, *props.MaxLength))
	}
	if props.Pattern != "" {
		parts = append(parts, x+".matches("+CELString(props.Pattern)+")")
	}
	if props.Format != "" {
		if f := celFormat(props.Format); f != "" {
			parts = append(parts, "!format."+f+"().validate("+x+").hasValue()")
		}
	}
	if len(props.Enum) > 0 {
		values := make([]string, len(props.Enum))
		for i, v := range props.Enum {
			var s string
			if json.Unmarshal(v.Raw, &s) == nil {
				values[i] = CELString(s)
			} else {
				values[i] = string(v.Raw)
			}
		}
		parts = append(parts, x+" in ["+strings.Join(values, ", ")+"]")
	}
	for _, rule := range props.XValidations {
		parts = append(parts, "("+replaceSelf(rule.Rule, x)+")")
	}
	for _, sub := range props.AllOf {
		if s := CELOf(&sub, x); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " && ")
}

// celFormat returns the name of the CEL library's format for a schema format.
func celFormat(format string) string {
	switch format {
	case "uuid":
		return "uuid"
	case "k8s-short-name":
		return "dns1123Label"
	case "k8s-long-name":
		return "dns1123Subdomain"
	}
	return ""
}

// replaceSelf renames the variable self of a rule that uses no other self.
func replaceSelf(rule, x string) string {
	var b strings.Builder
	for i := 0; i < len(rule); {
		if strings.HasPrefix(rule[i:], "self") && (i == 0 || rule[i-1] != '.' && !isWord(rule[i-1])) && (i+4 == len(rule) || !isWord(rule[i+4])) {
			b.WriteString(x)
			i += 4
			continue
		}
		b.WriteByte(rule[i])
		i++
	}
	return b.String()
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Quote returns s as a Go string literal.
func Quote(s string) string { return strconv.Quote(s) }

// Reason returns a pointer to a failure reason, as schema rules want it.
func Reason(r apiextensionsv1.FieldValueErrorReason) *apiextensionsv1.FieldValueErrorReason {
	return &r
}
