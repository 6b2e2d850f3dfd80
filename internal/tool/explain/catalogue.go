package explain

import (
	"encoding/json"
	"io"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// The forms of the catalogue.
const (
	Text     = "text"
	JSON     = "json"
	Markdown = "markdown"
)

// Forms returns the output formats of the catalogue.
func Forms() []string { return []string{Text, JSON, Markdown} }

// Catalogue writes all tags in one of the formats. It returns an error if the format
// is unknown or the writer fails.
func (x *Index) Catalogue(w io.Writer, form string) error {
	switch form {
	case Text:
		return x.textCatalogue(w)
	case JSON:
		return x.jsonCatalogue(w)
	case Markdown:
		return x.markdownCatalogue(w)
	}
	return spell.Unknown("format", form, Forms())
}

// textCatalogue has one block per tag, for terminals.
func (x *Index) textCatalogue(w io.Writer) error {
	p := &page{}
	for i, d := range x.tags.All() {
		if i > 0 {
			p.line("")
		}
		p.line(usage(d))
		p.WriteString(wrap(d.Summary, "    "))
		for _, f := range facts(d) {
			if f[1] != "" {
				p.WriteString(wrap("* "+f[0]+": "+f[1], "    "))
			}
		}
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// jsonCatalogue is the document of `kindsmith tags --format json`. Programs may rely
// on it: within version 1, properties are only added.
type jsonCatalogue struct {
	Version int       `json:"version"`
	Tags    []jsonTag `json:"tags"`
	// Planned is always empty: earlier releases had tags that were not implemented.
	Planned []struct{} `json:"planned"`
}

type jsonTag struct {
	Name       string       `json:"name"`
	Aliases    []string     `json:"aliases,omitempty"`
	Usage      string       `json:"usage"`
	Stability  string       `json:"stability"`
	Scopes     []string     `json:"scopes"`
	Types      []string     `json:"types"`
	Arguments  []jsonArg    `json:"arguments,omitempty"`
	Value      *jsonPayload `json:"value,omitempty"`
	Repeatable bool         `json:"repeatable,omitempty"`
	Summary    string       `json:"summary"`
	Doc        string       `json:"doc,omitempty"`
	Good       string       `json:"good,omitempty"`
	Bad        string       `json:"bad,omitempty"`
	// ErrorType and Origin identify the validation error.
	ErrorType string `json:"errorType,omitempty"`
	Origin    string `json:"origin,omitempty"`
	Go        answer `json:"go"`
	Schema    answer `json:"schema"`
	// Diagnostics are the codes of diagnostics about the tag.
	Diagnostics map[string]string `json:"diagnostics,omitempty"`
}

type jsonArg struct {
	Name     string            `json:"name,omitempty"`
	Kinds    []model.ValueKind `json:"kinds"`
	Required bool              `json:"required,omitempty"`
	Values   []string          `json:"values,omitempty"`
	Doc      string            `json:"doc"`
}

type jsonPayload struct {
	Kinds    []model.ValueKind `json:"kinds,omitempty"`
	Tag      bool              `json:"tag,omitempty"`
	Optional bool              `json:"optional,omitempty"`
	Values   []string          `json:"values,omitempty"`
	Doc      string            `json:"doc"`
}

func (x *Index) jsonCatalogue(w io.Writer) error {
	doc := jsonCatalogue{Version: 1, Tags: []jsonTag{}, Planned: []struct{}{}}
	for _, d := range x.tags.All() {
		doc.Tags = append(doc.Tags, x.jsonTag(d))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(doc)
}

func (x *Index) jsonTag(d *tag.Definition) jsonTag {
	t := jsonTag{
		Name: d.Name, Aliases: d.Aliases, Usage: usage(d), Stability: string(d.Stability),
		Scopes: d.Scopes.Names(), Types: d.Shapes.Names(), Repeatable: d.Repeatable,
		Summary: d.Summary, Doc: d.Doc, Good: d.Good, Bad: d.Bad,
		ErrorType: d.ErrorType, Origin: d.Origin, Go: answerOf(d, d.Go), Schema: answerOf(d, d.Schema),
		Diagnostics: map[string]string{},
	}
	for _, a := range d.Args {
		t.Arguments = append(t.Arguments, jsonArg{a.Name, a.Kinds, a.Required, a.Values, a.Doc})
	}
	if p := d.Payload; p.Tag || len(p.Kinds) > 0 {
		t.Value = &jsonPayload{p.Kinds, p.Tag, p.Optional, p.Values, p.Doc}
	}
	for _, code := range x.codesOf(d.Folder()) {
		t.Diagnostics[code] = x.codes[code].Page()
	}
	return t
}
