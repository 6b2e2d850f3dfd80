package lsp

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
)

// items is the step of a path into the items of a list.
const items = "[*]"

// yamlPlace is a place in a manifest, as indentation has it: YAML that is being typed has no syntax tree.
type yamlPlace struct {
	kind schema.GroupVersionKind
	// path leads to the object around, siblings are its keys on other lines.
	path     []string
	siblings []string
	// key is the key on the line, or the word that may become one. keyAt and valueAt are where both are.
	key            string
	keyAt, valueAt source.Span
	// isKey is set if the cursor is in the key, inItem if the line begins an item.
	isKey, inItem bool
	// colon is set if the key has one.
	colon bool
	// column is that of the key, from 0.
	column int
}

// yamlLine is a line of a mapping or a list.
type yamlLine struct {
	// dashes are the columns of dashes, column is that of what follows.
	dashes []int
	column int
	// key is the text before the colon, value what follows; without a colon value is all.
	key, value string
	colon      bool
	// valueColumn is the column of the value.
	valueColumn int
}

var (
	yamlDashes = regexp.MustCompile(`^( *)((?:- +|-$)*)`)
	yamlKey    = regexp.MustCompile(`^("[^"]*"|'[^']*'|[^\s:#'"{}\[\]&*!|>%@][^#]*?)\s*:(\s+|$)`)
)

// readLine reads a line; false if it is empty or a comment.
func readLine(text string) (yamlLine, bool) {
	text = strings.TrimSuffix(text, "\r")
	if trimmed := strings.TrimLeft(text, " "); trimmed == "" || trimmed[0] == '#' {
		return yamlLine{column: len(text)}, false
	}
	head := yamlDashes.FindStringSubmatch(text)
	l := yamlLine{column: len(head[0])}
	for i := range head[2] {
		if head[2][i] == '-' {
			l.dashes = append(l.dashes, len(head[1])+i)
		}
	}
	rest := text[l.column:]
	l.valueColumn, l.value = l.column, rest
	if key := yamlKey.FindStringSubmatch(rest); key != nil {
		l.key, l.colon = strings.Trim(key[1], `"'`), true
		l.value = rest[len(key[0]):]
		l.valueColumn = l.column + len(key[0])
	} else {
		l.key = strings.Trim(strings.TrimSpace(rest), `"'`)
	}
	return l, true
}

// yamlPlaceAt returns the place of a cursor; false in a comment.
func yamlPlaceAt(f *source.File, position protocol.Position) (*yamlPlace, bool) {
	lines := strings.Split(string(f.Content), "\n")
	if position.Line < 0 || position.Line >= len(lines) {
		return nil, false
	}
	first, last := position.Line, position.Line
	for first > 0 && !strings.HasPrefix(lines[first], "---") {
		first--
	}
	for last+1 < len(lines) && !strings.HasPrefix(lines[last+1], "---") {
		last++
	}
	start := f.Offset(source.Position{Line: position.Line + 1, Column: 1})
	cursor := protocol.ToOffset(f, position) - start
	l, text := readLine(lines[position.Line])
	if strings.Contains(lines[position.Line][:cursor], "#") {
		return nil, false
	}
	p := &yamlPlace{column: l.column, inItem: len(l.dashes) > 0}
	if !text {
		p.column = cursor
	}
	p.isKey, p.key, p.colon = true, l.key, l.colon
	p.keyAt = f.Span(start+l.column, start+max(l.column, cursor))
	if !text {
		p.keyAt = f.Span(start+cursor, start+cursor)
	}
	if l.colon {
		p.keyAt = f.Span(start+l.column, start+l.column+len(l.key))
		p.isKey = cursor <= l.column+len(l.key)
		value := strings.TrimRight(l.value, " \r")
		p.valueAt = f.Span(start+l.valueColumn, start+max(l.valueColumn+len(value), cursor))
		if cursor < l.valueColumn { // a colon without a space
			p.valueAt = f.Span(start+cursor, start+cursor)
		}
	} else {
		p.valueAt = p.keyAt
	}
	doc := lines[first : last+1]
	p.path, p.siblings = around(doc, position.Line-first, l, p.column)
	p.kind = kindOf(doc)
	return p, true
}

// around returns the path of the object around a line of a document, and the keys of the object on other lines.
func around(doc []string, at int, l yamlLine, column int) (path, siblings []string) {
	w := &walker{column: column}
	w.enter(l.dashes)
	for i := at - 1; i >= 0 && (w.column > 0 || w.dash); i-- {
		if above, ok := readLine(doc[i]); ok {
			w.up(above)
		}
	}
	slices.Reverse(w.path)
	return w.path, append(keysAbove(doc, at, l, column), keysBelow(doc, at, column)...)
}

// keysAbove returns the keys of the object of a line on the lines above.
func keysAbove(doc []string, at int, l yamlLine, column int) (keys []string) {
	if len(l.dashes) > 0 {
		return nil
	}
	for i := at - 1; i >= 0; i-- {
		above, ok := readLine(doc[i])
		if ok && above.column == column && above.colon {
			keys = append(keys, above.key)
		}
		if ok && (above.column < column || above.column == column && len(above.dashes) > 0) {
			break
		}
	}
	return keys
}

// keysBelow is like keysAbove.
func keysBelow(doc []string, at, column int) (keys []string) {
	for _, text := range doc[at+1:] {
		below, ok := readLine(text)
		if ok && (below.column < column || len(below.dashes) > 0 && below.dashes[0] < column) {
			break
		}
		if ok && below.column == column && below.colon {
			keys = append(keys, below.key)
		}
	}
	return keys
}

// walker goes up from a line to the keys around it.
type walker struct {
	// column is that of the innermost key so far, or of the dash before it if dash is set.
	column int
	dash   bool
	// path is reversed.
	path []string
}

// enter goes out of the items that a line begins.
func (w *walker) enter(dashes []int) {
	for _, d := range slices.Backward(dashes) {
		if w.dash { // a list of lists
			w.path = append(w.path, items)
		}
		w.path, w.column, w.dash = append(w.path, items), d, true
	}
}

func (w *walker) up(l yamlLine) {
	switch {
	case w.dash:
		// The key of a list is at the column of the dashes, or left of it.
		if len(l.dashes) > 0 && l.dashes[len(l.dashes)-1] >= w.column || l.column > w.column || !l.colon || strings.TrimSpace(l.value) != "" {
			return
		}
		w.path, w.column, w.dash = append(w.path, l.key), l.column, false
		w.enter(l.dashes)
	case l.column < w.column && l.colon:
		w.path, w.column = append(w.path, l.key), l.column
		w.enter(l.dashes)
	case len(l.dashes) > 0 && l.column == w.column:
		w.enter(l.dashes) // the first key of the item
	case len(l.dashes) > 0 && l.dashes[len(l.dashes)-1] < w.column && l.column > w.column:
		w.enter(l.dashes)
	}
}

// kindOf returns what a document says of its kind.
func kindOf(doc []string) (kind schema.GroupVersionKind) {
	for _, line := range doc {
		l, ok := readLine(line)
		if !ok || l.column > 0 || !l.colon {
			continue
		}
		value, _, _ := strings.Cut(l.value, " #")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch l.key {
		case "apiVersion":
			if gv, err := schema.ParseGroupVersion(value); err == nil {
				kind.Group, kind.Version = gv.Group, gv.Version
			}
		case "kind":
			kind.Kind = value
		}
	}
	return kind
}

// nodeAt returns the node at a path of a tree; nil if there is none.
func nodeAt(n *fieldtree.Node, path []string) *fieldtree.Node {
	for _, step := range path {
		if n == nil {
			return nil
		}
		switch {
		case step == items && n.Form == fieldtree.List, n.Form == fieldtree.Map:
			n = n.Items
		default:
			n = n.Field(step)
		}
		if n != nil && n.Same != nil {
			n = n.Same
		}
	}
	return n
}
