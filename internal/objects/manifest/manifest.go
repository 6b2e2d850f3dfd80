// Package manifest reads API objects from YAML and JSON like kubectl, with the position of every
// value in the source.
//
// [Files] reads the files that a user names, and [Parse] the documents of one. A document has an [Object], or diagnostics
// with the codes of [Codes].
//
// Values come from kubectl's library, positions from another parser; a fuzz test compares the two.
package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "sigs.k8s.io/json"
	kyaml "sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Document is one document of a file: a value and its positions.
type Document struct {
	// Span is the text of the document.
	Span source.Span
	// Value is the value that kubectl sends to a server: integers that fit are int64, other numbers
	// float64.
	Value any
	// Root has the positions of Value.
	Root *Node
	// IsJSON is set on JSON outside of YAML documents.
	IsJSON bool
}

// Object is an API object: a document, or an item of a list.
type Object struct {
	// Value is the object. Callers may change it.
	Value map[string]any
	// Root has the positions of Value.
	Root *Node
	// Kind is the object's type.
	Kind schema.GroupVersionKind
	// Namespace and Name are those of the object's metadata, empty if they are missing or not
	// strings.
	Namespace, Name string
}

// String returns the kind and name of an object for messages.
func (o *Object) String() string {
	if o.Name == "" {
		return o.Kind.Kind
	}
	return o.Kind.Kind + " " + o.Name
}

// Parse returns the documents of a file, except empty ones. It reports documents that cannot be
// read.
func Parse(file *source.File, bag *diag.Bag) []*Document {
	p := &parser{file: file, bag: bag}
	rest := 0
	if trimmed := bytes.TrimLeftFunc(file.Content, unicode.IsSpace); bytes.HasPrefix(trimmed, []byte("{")) {
		rest = p.json()
	}
	if rest < len(file.Content) {
		p.yaml(rest)
	}
	return p.docs
}

type parser struct {
	file *source.File
	bag  *diag.Bag
	docs []*Document
}

// json reads a stream of JSON values. Text that begins with a brace can also be YAML: after at most
// one JSON value, the rest may be YAML. It returns the start of the rest.
func (p *parser) json() (rest int) {
	content := p.file.Content
	dec := json.NewDecoder(bytes.NewReader(content))
	for {
		before := int(dec.InputOffset())
		var raw json.RawMessage
		err := dec.Decode(&raw)
		end := int(dec.InputOffset())
		if err == nil {
			p.add(raw, end-len(raw), end, jsonNodes(p.file, end-len(raw), end), true)
			continue
		}
		left := content[before:]
		skip := len(left) - len(bytes.TrimLeftFunc(left, unicode.IsSpace))
		if skip == len(left) {
			return len(content)
		}
		if len(p.docs) <= 1 {
			if i := bytes.IndexByte(left[:skip], '\n'); i >= 0 {
				skip = i + 1
			}
			if p.isYAML(before + skip) {
				return before + skip
			}
		}
		at := len(content)
		if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
			at = int(syntax.Offset)
		}
		p.syntax(p.file.Span(max(at-1, 0), at), err.Error())
		return len(content)
	}
}

// isYAML reports whether the first document of a text is valid YAML.
func (p *parser) isYAML(from int) bool {
	for chunk := range p.split(from) {
		_, err := kyaml.YAMLToJSON(normalized(chunk.Text()))
		return err == nil
	}
	return false
}

// yaml reads the documents of YAML text.
func (p *parser) yaml(from int) {
	for chunk, bad := range p.split(from) {
		if !bad.IsZero() {
			p.syntax(bad, "a document separator is --- alone, or --- and a comment")
		}
		raw, err := kyaml.YAMLToJSON(normalized(chunk.Text()))
		if err != nil {
			p.syntax(p.lineOf(chunk, err))
			continue
		}
		root, more := yamlNodes(p.file, chunk.Start, chunk.End)
		if root == nil {
			root = &Node{span: p.firstLine(chunk), opaque: true}
		}
		if more {
			p.bag.Warnf(p.documentEnd(chunk), codeIgnored, "kubectl ignores the lines after this one; separate documents with ---")
		}
		p.add(raw, chunk.Start, chunk.End, root, false)
	}
}

// add adds a document, unless it is empty.
func (p *parser) add(raw []byte, start, end int, root *Node, isJSON bool) {
	if text := bytes.TrimSpace(raw); len(text) == 0 || string(text) == "null" {
		return
	}
	span := p.file.Span(start, end)
	var value any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(raw, &value); err != nil {
		p.syntax(span.Sub(0, 0), err.Error())
		return
	}
	p.docs = append(p.docs, &Document{Span: span, Value: value, Root: root, IsJSON: isJSON})
}

func (p *parser) syntax(at source.Span, message string) {
	p.bag.Errorf(at, codeSyntax, "%s", message)
}

// normalized returns the text of a document in the form of kubectl's reader.
func normalized(text string) []byte {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return []byte(text)
}

// split yields the documents of a YAML text after an offset. Like kubectl, it splits by lines
// before parsing. The second span is a malformed separator line. A separator before all text is
// part of the first document.
func (p *parser) split(from int) func(yield func(chunk, bad source.Span) bool) {
	return func(yield func(chunk, bad source.Span) bool) {
		content := p.file.Content
		start, bad := from, source.Span{}
		for at := from; at < len(content); {
			next := len(content)
			if i := bytes.IndexByte(content[at:], '\n'); i >= 0 {
				next = at + i + 1
			}
			if tail, ok := bytes.CutPrefix(content[at:next], []byte("---")); ok {
				tail = bytes.TrimSpace(tail)
				isBad := len(tail) > 0 && tail[0] != '#'
				if at > start || !bad.IsZero() {
					if !yield(p.file.Span(start, at), bad) {
						return
					}
					start, bad = next, source.Span{}
				}
				if isBad {
					start = next
					bad = p.file.Span(at, at+len(bytes.TrimRightFunc(content[at:next], unicode.IsSpace)))
				}
			}
			at = next
		}
		if start < len(content) || !bad.IsZero() {
			yield(p.file.Span(start, len(content)), bad)
		}
	}
}

var yamlErrorLine = regexp.MustCompile(`^(?:yaml: )?line (\d+): `)

// lineBefore matches the messages with the line before the mistake: those of the YAML library's
// parser. Messages of its scanner have the line itself.
var lineBefore = regexp.MustCompile(`^did not find expected (<|node content|'-' indicator|key|',')`)

// lineOf splits the message of the YAML parser into the line and the rest.
func (p *parser) lineOf(chunk source.Span, err error) (source.Span, string) {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if m := yamlErrorLine.FindStringSubmatch(message); m != nil {
		message = message[len(m[0]):]
		line, _ = strconv.Atoi(m[1])
		if lineBefore.MatchString(message) {
			line++
		}
	} else if strings.HasPrefix(message, "unmarshal errors:\n  ") {
		first, _, _ := strings.Cut(strings.TrimPrefix(message, "unmarshal errors:\n  "), "\n")
		return p.lineOf(chunk, errors.New(first))
	}
	if at, explained := misplaced(chunk, message); !at.IsZero() {
		return at, explained
	}
	lines := yamlLines(p.file.Content, chunk.Start, chunk.End)
	line = min(max(line, 1), len(lines))
	if yamlErrorLine.MatchString(strings.TrimPrefix(err.Error(), "yaml: ")) {
		texts := make([]string, len(lines))
		for i, at := range lines {
			end := chunk.End
			if i+1 < len(lines) {
				end = lines[i+1]
			}
			texts[i] = strings.TrimRight(string(p.file.Content[at:end]), "\r\n")
		}
		line, message = mistakeLine(texts, line, message)
		if at := template(p.trimmedLine(lines[line-1], chunk.End)); !at.IsZero() {
			return at, unrendered
		}
	}
	// The parser may be at the line after the last.
	for line > 1 && len(bytes.TrimSpace(p.file.Content[lines[line-1]:chunk.End])) == 0 {
		line--
	}
	return p.trimmedLine(lines[line-1], chunk.End), message
}

// trimmedLine returns the text of a line without surrounding white space.
func (p *parser) trimmedLine(start, limit int) source.Span {
	end := limit
	if i := bytes.IndexAny(p.file.Content[start:limit], "\r\n"); i >= 0 {
		end = start + i
	}
	text := p.file.Content[start:end]
	left := len(text) - len(bytes.TrimLeftFunc(text, unicode.IsSpace))
	return p.file.Span(start+left, start+left+len(bytes.TrimSpace(text)))
}

// firstLine returns the first non-empty line of a document.
func (p *parser) firstLine(chunk source.Span) source.Span {
	for _, at := range yamlLines(p.file.Content, chunk.Start, chunk.End) {
		if line := p.trimmedLine(at, chunk.End); line.End > line.Start && line.Text()[0] != '#' {
			return line
		}
	}
	return chunk.Sub(0, 0)
}

// documentEnd returns the line "..." of a text if more text follows.
func (p *parser) documentEnd(chunk source.Span) source.Span {
	for _, at := range yamlLines(p.file.Content, chunk.Start, chunk.End) {
		if line := p.trimmedLine(at, chunk.End); strings.HasPrefix(line.Text(), "...") {
			return line
		}
	}
	return p.firstLine(chunk)
}

// Objects returns the API objects of a document: the document itself, or the items of a list, which
// may be nested. It reports values that are not API objects.
func (d *Document) Objects(bag *diag.Bag) []*Object {
	return objects(d.Value, d.Root, schema.GroupVersionKind{}, bag)
}

// objects returns the objects of a value. Items of a typed list may omit their type.
func objects(value any, root *Node, implied schema.GroupVersionKind, bag *diag.Bag) []*Object {
	object, ok := value.(map[string]any)
	if !ok {
		bag.Errorf(root.Place().Span, codeNoObject, "this is %s; an API object is a mapping with apiVersion and kind", Describe(value))
		return nil
	}
	if object["apiVersion"] == nil && object["kind"] == nil && !implied.Empty() {
		object["apiVersion"], object["kind"] = implied.GroupVersion().String(), implied.Kind
	}
	apiVersion, hasVersion := object["apiVersion"].(string)
	kind, hasKind := object["kind"].(string)
	for _, field := range []struct {
		name string
		ok   bool
	}{{"apiVersion", hasVersion && apiVersion != ""}, {"kind", hasKind && kind != ""}} {
		if field.ok {
			continue
		}
		if value := object[field.name]; value != nil && value != "" {
			bag.Errorf(root.Locate(field.name).Span, codeNoKind, "%s is %s; write a string", field.name, Describe(value))
		} else {
			bag.Errorf(root.Locate(field.name).Span, codeNoKind, "the object has no %s", field.name)
		}
		return nil
	}
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		bag.Errorf(root.Locate("apiVersion").Span, codeNoKind, "apiVersion %q does not have the form group/version", apiVersion)
		return nil
	}
	o := &Object{Value: object, Root: root, Kind: gv.WithKind(kind)}
	if list, ok := object["items"].([]any); ok && strings.HasSuffix(kind, "List") || kind == "List" {
		var all []*Object
		var item schema.GroupVersionKind
		if kind != "List" {
			item = gv.WithKind(strings.TrimSuffix(kind, "List"))
		}
		for i, value := range list {
			node := root.Field("items").Item(i)
			if node == nil {
				node = root
			}
			all = append(all, objects(value, node, item, bag)...)
		}
		return all
	}
	if metadata, ok := object["metadata"].(map[string]any); ok {
		o.Name, _ = metadata["name"].(string)
		o.Namespace, _ = metadata["namespace"].(string)
		if generated, ok := metadata["generateName"].(string); ok && o.Name == "" {
			o.Name = generated
		}
	}
	return []*Object{o}
}

// Describe returns the name of a value's type for messages.
func Describe(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "a mapping"
	case []any:
		return "a list"
	case string:
		return "a string"
	case bool:
		return "a bool"
	}
	return fmt.Sprintf("the number %v", value)
}
