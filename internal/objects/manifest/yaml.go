package manifest

import (
	"bytes"
	"errors"
	"io"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// yamlNodes reads the positions in one YAML document, which is the range [start, end) of the file.
// It returns nil if this parser cannot read the text, although the parser for values can. It sets
// more if the text has another document.
//
// Values come from sigs.k8s.io/yaml, which is what kubectl uses, and which builds on version 2 of
// the parser. That version has no positions. Version 3 has, but reads some values differently (YAML
// 1.2), so only its tree is used.
func yamlNodes(file *source.File, start, end int) (root *Node, more bool) {
	// The parser panics on some comments in unusual positions.
	defer func() {
		if recover() != nil {
			root = nil
		}
	}()
	p := &yamlPlaces{file: file, lines: yamlLines(file.Content, start, end), end: end, anchors: map[*yaml.Node]*Node{}}
	dec := yaml.NewDecoder(bytes.NewReader(file.Content[start:end]))
	var doc, next yaml.Node
	if err := dec.Decode(&doc); err != nil || len(doc.Content) != 1 {
		return nil, false
	}
	root = p.node(doc.Content[0], source.Span{})
	return root, !errors.Is(dec.Decode(&next), io.EOF)
}

type yamlPlaces struct {
	file    *source.File
	lines   []int // offsets in the file at which lines start, as YAML counts them
	end     int   // where the document ends in the file
	anchors map[*yaml.Node]*Node
}

// yamlLines returns the offsets of the lines of a range. YAML has more line breaks than other
// formats.
func yamlLines(content []byte, start, end int) []int {
	if bytes.HasPrefix(content[start:end], []byte("\ufeff")) {
		start += len("\ufeff")
	}
	lines := []int{start}
	for i := start; i < end; {
		r, size := utf8.DecodeRune(content[i:end])
		i += size
		switch r {
		case '\r':
			if i < end && content[i] == '\n' {
				i++
			}
		case '\n', '\u0085', '\u2028', '\u2029':
		default:
			continue
		}
		lines = append(lines, i)
	}
	return lines
}

// offset translates a line and a column in characters.
func (p *yamlPlaces) offset(line, column int) int {
	if line < 1 || line > len(p.lines) {
		return p.end
	}
	at := p.lines[line-1]
	for i := 1; i < column && at < p.end; i++ {
		_, size := utf8.DecodeRune(p.file.Content[at:p.end])
		at += size
	}
	return at
}

func (p *yamlPlaces) node(y *yaml.Node, key source.Span) *Node {
	n := &Node{key: key, scalar: y.Kind == yaml.ScalarNode}
	if y.Anchor != "" {
		p.anchors[y] = n
	}
	start := p.value(p.offset(y.Line, y.Column))
	switch y.Kind {
	case yaml.AliasNode:
		n.span = p.file.Span(start, start+len("*")+len(y.Value))
		n.via = n.span
		if n.target = p.anchors[y.Alias]; n.target != nil {
			n.scalar = n.target.scalar
		}
	case yaml.MappingNode:
		p.mapping(n, y)
		n.span = p.collection(start, y, n)
	case yaml.SequenceNode:
		for _, item := range y.Content {
			n.items = append(n.items, p.node(item, source.Span{}))
		}
		n.span = p.collection(start, y, n)
	case yaml.ScalarNode:
		n.span = p.scalar(start, y)
	}
	return n
}

// mapping reads the fields of a mapping. A merge key replaces earlier fields; later fields replace
// the merged ones.
func (p *yamlPlaces) mapping(n *Node, y *yaml.Node) {
	written := map[string]source.Span{}
	for i := 0; i+1 < len(y.Content); i += 2 {
		k, v := y.Content[i], y.Content[i+1]
		if isMerge(k) {
			p.merge(n, v)
			continue
		}
		at := p.node(k, source.Span{}).span
		name := k.Value
		if start := p.offset(k.Line, k.Column); k.Kind == yaml.AliasNode || start < p.end && p.file.Content[start] != '!' {
			name = keyName(k)
		}
		n.setKey(name, p.node(v, at), written)
	}
}

func isMerge(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && (key.Tag == "!!merge" || key.Tag == "" || key.Tag == "!")
}

// merge adds the fields of the mappings of a merge key. The first mapping takes precedence.
func (p *yamlPlaces) merge(n *Node, y *yaml.Node) {
	if y.Kind == yaml.SequenceNode {
		for i := len(y.Content) - 1; i >= 0; i-- {
			p.merge(n, y.Content[i])
		}
		return
	}
	from := p.node(y, source.Span{})
	for _, name := range from.content().names {
		field := from.content().fields[name]
		n.set(name, &Node{key: field.key, span: field.span, via: from.via, scalar: field.scalar, target: field})
	}
}

// keyName returns the name of a field like kubectl: keys such as 1.0, 0x10 or yes are numbers and
// bools of YAML 1.1, which are converted back to text.
func keyName(y *yaml.Node) string {
	if y.Kind == yaml.AliasNode && y.Alias != nil {
		return keyName(y.Alias)
	}
	if y.Style != 0 || y.Value == "" {
		return y.Value // quoted, or with a tag
	}
	switch {
	case strings.IndexByte("0123456789+-.", y.Value[0]) >= 0:
		var m map[string]any
		if err := kyaml.Unmarshal([]byte(y.Value+": 0"), &m); err != nil {
			return y.Value
		}
		for name := range m {
			return name
		}
	case strings.IndexByte("yYnNtTfFoO", y.Value[0]) >= 0:
		switch y.Value {
		case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
			return "true"
		case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
			return "false"
		}
	}
	return y.Value
}

// value skips the anchor and the tag before a value on its line.
func (p *yamlPlaces) value(at int) int {
	for at < p.end && (p.file.Content[at] == '&' || p.file.Content[at] == '!') {
		next := at
		for next < p.end && !isSpace(p.file.Content[next]) {
			next++
		}
		for next < p.end && (p.file.Content[next] == ' ' || p.file.Content[next] == '\t') {
			next++
		}
		if next >= p.end || isSpace(p.file.Content[next]) || p.file.Content[next] == '#' {
			return at
		}
		at = next
	}
	return at
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// scalar returns the text of a scalar on its first line.
func (p *yamlPlaces) scalar(start int, y *yaml.Node) source.Span {
	text := p.file.Content[start:p.lineEnd(start)]
	end := len(text)
	switch {
	case y.Style&yaml.DoubleQuotedStyle != 0:
		end = quotedEnd(text, '"')
	case y.Style&yaml.SingleQuotedStyle != 0:
		end = quotedEnd(text, '\'')
	case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		// The header; the lines of the text follow.
	case bytes.HasPrefix(text, []byte(y.Value)):
		end = len(y.Value)
	}
	return p.file.Span(start, start+end)
}

// quotedEnd returns where a quoted text ends, or the end of its first line.
func quotedEnd(text []byte, quote byte) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return len(text)
}

// collection returns the text of a collection in brackets, or the first line of
// a block.
func (p *yamlPlaces) collection(start int, y *yaml.Node, n *Node) source.Span {
	if y.Style&yaml.FlowStyle == 0 {
		return p.file.Span(start, p.lineEnd(start))
	}
	last := start + 1
	for _, child := range n.items {
		last = max(last, child.span.End)
	}
	for _, name := range n.names {
		last = max(last, n.fields[name].span.End, n.fields[name].key.End)
	}
	for i := last; i < p.end; i++ {
		switch b := p.file.Content[i]; {
		case b == ']' || b == '}':
			return p.file.Span(start, i+1)
		case !isSpace(b) && b != ',' && b != ':':
			return p.file.Span(start, p.lineEnd(start))
		}
	}
	return p.file.Span(start, p.lineEnd(start))
}

// lineEnd returns the end of the line that contains the offset.
func (p *yamlPlaces) lineEnd(at int) int {
	end := p.end
	if i := sort.SearchInts(p.lines, at+1); i < len(p.lines) {
		end = p.lines[i]
	}
	return at + len(bytes.TrimRightFunc(p.file.Content[at:end], unicode.IsSpace))
}
