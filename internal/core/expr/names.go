package expr

import (
	"slices"
	"strings"
)

// reserved are the reserved words of CEL.
var reserved = []string{
	"as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop",
	"namespace", "null", "package", "return", "true", "var", "void", "while",
}

// Reserved reports whether a word is reserved.
func Reserved(word string) bool { return slices.Contains(reserved, word) }

// Word returns what CEL writes for the field: the key that is looked up when the
// operand is a map.
func (s *Select) Word() string {
	if escaped, ok := EscapeName(s.Field); ok && !s.Verbatim {
		return escaped
	}
	return s.Field
}

// quoteWord quotes a word that is not an identifier with backquotes.
func quoteWord(word string) string {
	plain := word != "" && (word[0] < '0' || word[0] > '9')
	for i := range len(word) {
		plain = plain && isWord(word[i])
	}
	switch word {
	case "true", "false", "null", "in":
		plain = false
	}
	if plain {
		return word
	}
	return "`" + word + "`"
}

// Property returns the JSON name of the property that is selected when the
// operand is an object. It is false for a word that names none.
func (s *Select) Property() (string, bool) { return s.Field, !s.Verbatim || Reserved(s.Field) }

// escapes are the escapes of API servers for characters that identifiers cannot have.
var escapes = []struct{ text, name string }{{"__", "underscores"}, {".", "dot"}, {"-", "dash"}, {"/", "slash"}}

// EscapeName returns the name of a property in rules. It returns false for a
// name that rules cannot select.
func EscapeName(name string) (string, bool) {
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return "", false
	}
	if slices.Contains(reserved, name) {
		return "__" + name + "__", true
	}
	var b strings.Builder
next:
	for i := 0; i < len(name); {
		for _, e := range escapes {
			if strings.HasPrefix(name[i:], e.text) {
				b.WriteString("__" + e.name + "__")
				i += len(e.text)
				continue next
			}
		}
		if !isWord(name[i]) {
			return "", false
		}
		b.WriteByte(name[i])
		i++
	}
	return b.String(), true
}

// UnescapeName is the inverse of EscapeName. It returns false for a word that
// EscapeName never writes.
func UnescapeName(word string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(word); {
		if !strings.HasPrefix(word[i:], "__") {
			b.WriteByte(word[i])
			i++
			continue
		}
		inner, _, closed := strings.Cut(word[i+2:], "__")
		k := slices.IndexFunc(escapes, func(e struct{ text, name string }) bool { return e.name == inner })
		switch {
		case closed && k >= 0:
			b.WriteString(escapes[k].text)
		case closed && i == 0 && len(word) == len(inner)+4 && slices.Contains(reserved, inner):
			return inner, true
		default:
			return "", false
		}
		i += len(inner) + 4
	}
	name := b.String()
	if back, ok := EscapeName(name); !ok || back != word {
		return "", false
	}
	return name, true
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
