package convert

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// unknownError says why objects of a kind are not converted.
type unknownError struct {
	code    diag.Code
	message string
}

// Documents writes the documents of files with their objects converted. JSON stays JSON unless the converter has a form, and
// documents in this form whose objects have the version already stay as they are. It reports objects that cannot
// be converted, and then the output is incomplete.
func (c *Converter) Documents(w io.Writer, files []*source.File, to Target, bag *diag.Bag) error {
	var texts []string
	isJSON := true
	for _, file := range files {
		for _, doc := range manifest.Parse(file, bag) {
			if doc.IsKustomization() {
				continue
			}
			text, err := c.document(doc, to, bag)
			if err != nil {
				return err
			}
			texts, isJSON = append(texts, text), isJSON && c.writesJSON(doc)
		}
	}
	separator := "---\n"
	if isJSON {
		separator = ""
	}
	_, err := io.WriteString(w, strings.Join(texts, separator))
	return err
}

// edit replaces a part of a text.
type edit struct {
	from, to int
	text     []byte
}

// document returns the text of a document with its objects converted.
func (c *Converter) document(doc *manifest.Document, to Target, bag *diag.Bag) (string, error) {
	text, err := doc.JSON()
	if err != nil {
		return "", err
	}
	// The positions in JSON are exact.
	plain := manifest.Parse(source.NewFile(doc.Span.File.Path, text), &diag.Bag{})
	objects := doc.Objects(bag)
	if len(plain) != 1 {
		return "", nil // reported
	}
	var edits []edit
	for i, o := range plain[0].Objects(&diag.Bag{}) {
		if i >= len(objects) {
			break // an item is no object, which is reported
		}
		span := o.Root.Place().Span
		converted := c.object(objects[i], []byte(span.Text()), to, bag)
		if converted != nil && string(converted) != span.Text() {
			edits = append(edits, edit{span.Start, span.End, indented(text[:span.Start], span.Text(), converted)})
		}
	}
	edits = c.lists(plain[0].Value, plain[0].Root, to, edits)
	if len(edits) == 0 && doc.Text() != "" && c.writesJSON(doc) == doc.IsJSON {
		return doc.Text(), nil
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, text[at:e.from]...), e.text...)
		at = e.to
	}
	out = append(out, text[at:]...)
	if !c.writesJSON(doc) {
		out, err = manifest.YAML(out)
		return string(out), err
	}
	if !doc.IsJSON { // JSON has the spaces of its author
		var indented bytes.Buffer
		if err := json.Indent(&indented, out, "", "    "); err != nil {
			return "", err
		}
		out = indented.Bytes()
	}
	return string(out) + "\n", nil
}

// indented returns the JSON of a converted object with line breaks if those of its document had them. before is the text of the document
// before the object.
func indented(before []byte, text string, converted []byte) []byte {
	spaces := func(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }
	_, first, ok := strings.Cut(text, "\n")
	if !ok {
		return converted
	}
	prefix := spaces(string(before[bytes.LastIndexByte(before, '\n')+1:]))
	var out bytes.Buffer
	if json.Indent(&out, converted, prefix, strings.TrimPrefix(spaces(first), prefix)) != nil {
		return converted
	}
	return out.Bytes()
}

// writesJSON reports whether a document is written as JSON.
func (c *Converter) writesJSON(doc *manifest.Document) bool {
	return c.Form == JSON || c.Form == "" && doc.IsJSON
}

// lists adds edits of the versions of typed lists.
func (c *Converter) lists(value any, node *manifest.Node, to Target, edits []edit) []edit {
	object, _ := value.(map[string]any)
	kind, _ := object["kind"].(string)
	items, ok := object["items"].([]any)
	item, isList := strings.CutSuffix(kind, "List")
	if !ok || !isList {
		return edits
	}
	apiVersion, _ := object["apiVersion"].(string)
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err == nil && item != "" && gv.Version != to.Version {
		if _, unknown := c.find(gv.WithKind(item), to); unknown == nil {
			span := node.Field("apiVersion").Place().Span
			gv.Version = to.Version
			edits = append(edits, edit{span.Start, span.End, quoted(gv.String())})
		}
	}
	for i, value := range items {
		edits = c.lists(value, node.Field("items").Item(i), to, edits)
	}
	return edits
}

// object converts an object; nil if that is not possible.
func (c *Converter) object(o *manifest.Object, text []byte, to Target, bag *diag.Bag) []byte {
	f, unknown := c.find(o.Kind, to)
	if unknown != nil && unknown.code == codeUnknownKind && c.KeepUnknown {
		return text
	}
	if unknown != nil {
		field := "kind"
		if unknown.code == codeUnknownVersion {
			field = "apiVersion"
		}
		bag.Errorf(o.Root.Locate(field).Span, unknown.code, "%s", unknown.message)
		return nil
	}
	if o.Kind.Version == to.Version {
		return text
	}
	converted, missing, err := f.convert(typed(text, o.Kind), to.Version)
	path := ""
	if e := (*jsonconvert.Error)(nil); errors.As(err, &e) {
		path, err = fieldPath(e.Path), e.Err
	}
	switch {
	case missing != nil:
		d := bag.Errorf(o.Root.Locate(path).Span, codeFunction, "%s: %s; %s", subject(o, path), missing, f.advice())
		if !missing.span.IsZero() {
			d.Note(missing.span, "%s is declared here", missing.name)
		}
		if !missing.value.IsZero() {
			d.Note(missing.value, "the value is declared here")
		}
	case err != nil:
		bag.Errorf(o.Root.Locate(path).Span, codeFailed, "%s: %v", subject(o, path), err)
	default:
		return converted
	}
	return nil
}

// advice says how to convert values that need functions.
func (f *family) advice() string {
	if f.dir == "" {
		return "tables have no Go code; convert with the packages and --with-functions"
	}
	return "add --with-functions to compile and call it"
}

// subject returns the name of a value for messages.
func subject(o *manifest.Object, path string) string {
	if path == "" {
		return o.String()
	}
	return o.String() + ": " + path
}

// fieldPath returns a path of package jsonconvert in the form of validation errors.
func fieldPath(path string) string {
	return strings.TrimPrefix(strings.NewReplacer(`["`, "[", `"]`, "]").Replace(strings.TrimPrefix(path, "$")), ".")
}

// typed adds the kind to an item of a typed list, which may omit it.
func typed(text []byte, kind schema.GroupVersionKind) []byte {
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) != nil || object["kind"] != nil || object["apiVersion"] != nil {
		return text
	}
	head := `{"apiVersion":` + string(quoted(kind.GroupVersion().String())) + `,"kind":` + string(quoted(kind.Kind))
	if len(object) > 0 {
		head += ","
	}
	return append([]byte(head), bytes.TrimLeft(text, "{ \t\r\n")...)
}

// quoted returns a text as JSON.
func quoted(text string) []byte {
	out, err := json.Marshal(text)
	if err != nil {
		return []byte(`""`) // Marshal encodes all strings
	}
	return out
}
