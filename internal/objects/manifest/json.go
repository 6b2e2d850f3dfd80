package manifest

import (
	"bytes"
	"encoding/json"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// jsonNodes reads the positions in one valid JSON value.
func jsonNodes(file *source.File, start, end int) *Node {
	p := &jsonPlaces{file: file, base: start, text: file.Content[start:end]}
	p.dec = json.NewDecoder(bytes.NewReader(p.text))
	p.dec.UseNumber()
	return p.value(source.Span{})
}

type jsonPlaces struct {
	file *source.File
	base int // offset of text in the file
	text []byte
	dec  *json.Decoder
}

// token reads a token and returns it with its span.
func (p *jsonPlaces) token() (json.Token, source.Span) {
	start := int(p.dec.InputOffset())
	for start < len(p.text) && bytes.IndexByte([]byte(" \t\r\n,:"), p.text[start]) >= 0 {
		start++
	}
	token, err := p.dec.Token()
	if err != nil {
		return nil, p.file.Span(p.base+start, p.base+start)
	}
	return token, p.file.Span(p.base+start, p.base+int(p.dec.InputOffset()))
}

func (p *jsonPlaces) value(key source.Span) *Node {
	token, span := p.token()
	n := &Node{key: key, span: span}
	switch token {
	case json.Delim('{'):
		written := map[string]source.Span{}
		for p.dec.More() {
			name, at := p.token()
			text, ok := name.(string)
			if !ok {
				return n
			}
			n.setKey(text, p.value(at), written)
		}
	case json.Delim('['):
		for p.dec.More() {
			n.items = append(n.items, p.value(source.Span{}))
		}
	default:
		n.scalar = true
		return n
	}
	_, last := p.token()
	n.span = span.To(last)
	return n
}
