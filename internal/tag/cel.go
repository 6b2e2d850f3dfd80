package tag

import (
	"fmt"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
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

// CELZero returns the zero value of a type as a CEL constant; "" when it has none.
func CELZero(m *model.Model, r *model.Ref) string {
	switch u := m.Underlying(r); {
	case u.IsString():
		return "''"
	case u.IsInteger():
		return "0"
	case u.IsFloat():
		return "0.0"
	case u.IsBool():
		return "false"
	}
	return ""
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

// replaceVariable renames a variable of a rule.
func replaceVariable(rule, name, x string) string {
	var b strings.Builder
	for i := 0; i < len(rule); {
		if variableAt(rule, name, i) {
			b.WriteString(x)
			i += len(name)
			continue
		}
		b.WriteByte(rule[i])
		i++
	}
	return b.String()
}

func usesVariable(rule, name string) bool { return replaceVariable(rule, name, "") != rule }

// variableAt reports whether a variable, not a field or a part of another word,
// begins at an index of a rule.
func variableAt(rule, name string, i int) bool {
	end := i + len(name)
	return strings.HasPrefix(rule[i:], name) && (i == 0 || rule[i-1] != '.' && !isWord(rule[i-1])) && (end == len(rule) || !isWord(rule[end]))
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// CELConstant spells a constant in CEL.
func CELConstant(c rule.Constant) string {
	if c.Kind == model.StringValue {
		return CELString(c.Text)
	}
	return c.Text
}

// Quote returns s as a Go string literal.
func Quote(s string) string { return strconv.Quote(s) }

// Reason returns a pointer to a failure reason, as schema rules want it.
func Reason(r apiextensionsv1.FieldValueErrorReason) *apiextensionsv1.FieldValueErrorReason {
	return &r
}
