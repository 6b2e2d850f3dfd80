package typed

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/spell"
)

// Mistake says in words what cel-go reports about an expression, and what to write instead. Offset is the byte that the
// report is about; names are the fields that the expression may mean. It returns the text that is wrong, empty at the end of
// the expression.
func Mistake(source, message string, offset int, names []string) (string, expr.Span) {
	span := word(source, offset)
	text := source[span.Start:span.End]
	for _, m := range mistakes {
		if groups := m.message.FindStringSubmatch(message); groups != nil && (m.text == "" || m.text == text) {
			return m.explain(&mistake{groups: groups, text: text, names: names, source: source}), span
		}
	}
	return message, span
}

// mistake is one report of cel-go.
type mistake struct {
	groups       []string
	text, source string
	names        []string
}

// mistakes are the reports of cel-go by the text of their messages, and the text in the expression that they are about.
var mistakes = []struct {
	message *regexp.Regexp
	text    string
	explain func(m *mistake) string
}{
	{regexp.MustCompile(`^Syntax error`), "=", write("use == to compare")},
	{regexp.MustCompile(`^Syntax error`), "===", write("use == to compare")},
	{regexp.MustCompile(`^Syntax error`), "!==", write("use != to compare")},
	{regexp.MustCompile(`^Syntax error`), "<>", write("use != to compare")},
	{regexp.MustCompile(`^Syntax error`), "|", write("use || for or")},
	{regexp.MustCompile(`^Syntax error`), "&", write("use && for and")},
	{regexp.MustCompile(`^Syntax error`), "or", write("use || for or")},
	{regexp.MustCompile(`^Syntax error`), "and", write("use && for and")},
	{regexp.MustCompile(`^Syntax error: missing '(.*)' at '<EOF>'`), "", func(m *mistake) string {
		return fmt.Sprintf("the expression ends without a closing %s", m.groups[1])
	}},
	{regexp.MustCompile(`^Syntax error: token recognition error at: '(['"])`), "", func(m *mistake) string {
		return fmt.Sprintf("the string is not closed; add %s", m.groups[1])
	}},
	{regexp.MustCompile(`^Syntax error: .*'<EOF>'`), "", func(m *mistake) string {
		if strings.TrimSpace(m.source) == "" {
			return "the expression is empty"
		}
		return "the expression ends where a value is expected"
	}},
	{regexp.MustCompile(`^Syntax error: (?:mismatched|extraneous) input '(.*?)' expecting`), "", func(m *mistake) string {
		return fmt.Sprintf("%s is not expected here", m.groups[1])
	}},
	{regexp.MustCompile(`^Syntax error: token recognition error at: '(\S*)`), "", func(m *mistake) string {
		return fmt.Sprintf("CEL has no %s", m.text)
	}},
	{regexp.MustCompile(`^undefined field '(.*)'`), "", func(m *mistake) string {
		return fmt.Sprintf("undefined field '%s'%s", m.groups[1], spell.DidYouMean(m.groups[1], m.names))
	}},
	{regexp.MustCompile(`^undeclared reference to '(.*?)'`), "", undeclared},
	{regexp.MustCompile(`^found no matching overload for '_?(.*?)_' applied to '(.*)'`), "", func(m *mistake) string {
		return fmt.Sprintf("%s does not take %s", strings.ReplaceAll(m.groups[1], "_", " "), m.groups[2])
	}},
	{regexp.MustCompile(`^found no matching overload for '(.*?)' applied to '(.*)'`), "", func(m *mistake) string {
		return fmt.Sprintf("%s does not take %s", m.groups[1], m.groups[2])
	}},
}

func write(advice string) func(*mistake) string { return func(*mistake) string { return advice } }

// undeclared explains a name that is neither a variable nor a function.
func undeclared(m *mistake) string {
	name := m.groups[1]
	message := fmt.Sprintf("undeclared reference to '%s'", name)
	if slices.Contains(m.names, name) && !strings.Contains(m.source, name+"(") {
		return message + "; did you mean self." + name + "?"
	}
	if near := spell.DidYouMean(name, append([]string{expr.SelfName, expr.OldSelfName}, functions()...)); near != "" {
		return message + near
	}
	if near := spell.Nearest(name, m.names); near != "" {
		return message + "; did you mean self." + near + "?"
	}
	return message
}

// functions are the names of functions and macros.
var functions = sync.OnceValue(func() []string {
	names := []string{"has", "all", "exists", "exists_one", "map", "filter"}
	for name := range baseEnv().Functions() {
		if name[0] >= 'a' && name[0] <= 'z' {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
})

// word returns the name, operator or rest of a string at an offset. cel-go reports fields at their dot, and calls at
// their parenthesis.
func word(source string, offset int) expr.Span {
	offset = min(max(offset, 0), len(source))
	if offset == len(source) {
		return expr.Span{Start: offset, End: offset}
	}
	switch {
	case source[offset] == '.' && offset+1 < len(source) && isLetter(source[offset+1]):
		offset++
	case source[offset] == '(' && offset > 0 && isLetter(source[offset-1]):
		for offset > 0 && isLetter(source[offset-1]) {
			offset--
		}
	}
	in := func(of func(byte) bool) expr.Span {
		start, end := offset, offset
		for start > 0 && of(source[start-1]) {
			start--
		}
		for end < len(source) && of(source[end]) {
			end++
		}
		return expr.Span{Start: start, End: end}
	}
	switch {
	case isLetter(source[offset]):
		return in(isLetter)
	case isOperator(source[offset]):
		return in(isOperator)
	case source[offset] == '\'' || source[offset] == '"':
		return expr.Span{Start: offset, End: len(source)}
	}
	return expr.Span{Start: offset, End: offset + 1}
}

func isLetter(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isOperator(c byte) bool { return strings.IndexByte("=!<>|&+-*/%?:", c) >= 0 }
