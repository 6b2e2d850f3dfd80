package lsp

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/rules/rule/words"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
)

// inManifest calls a function with the place of a cursor in a manifest, what is made of the model with its group, and its fields.
// Both are nil if the group is unknown.
func (s *server) inManifest(ctx context.Context, v view, at protocol.Position, do func(p *yamlPlace, all []*about, a *about, root *fieldtree.Node)) {
	p, ok := yamlPlaceAt(v.doc.file, at)
	if !ok || v.in == nil {
		return
	}
	v.in.reach(ctx, 1) // the first analysis has models
	v.in.mu.Lock()
	defer v.in.mu.Unlock()
	all := v.in.kinds()
	for _, a := range all {
		if root := a.tree(p.kind); root != nil {
			do(p, all, a, root)
			return
		}
	}
	do(p, all, nil, nil)
}

// completeManifest proposes fields and values.
func (s *server) completeManifest(ctx context.Context, v view, at protocol.Position) any {
	list := protocol.CompletionList{Items: []protocol.CompletionItem{}}
	s.inManifest(ctx, v, at, func(p *yamlPlace, all []*about, a *about, root *fieldtree.Node) {
		c := &manifestCompleter{p: p, list: &list}
		if len(p.path) == 0 && c.head(all) || root == nil {
			return
		}
		n := nodeAt(root, p.path)
		switch {
		case n == nil:
		case !p.isKey:
			if n.Form == fieldtree.Map {
				c.values(n.Items)
			} else {
				c.values(n.Field(p.key))
			}
		case n.Form == fieldtree.Object:
			c.fields(a, n)
		default:
			c.values(n) // an item of a list
		}
	})
	return list
}

type manifestCompleter struct {
	p    *yamlPlace
	list *protocol.CompletionList
}

// head proposes versions and kinds. It reports whether the cursor is there.
func (c *manifestCompleter) head(all []*about) bool {
	var values []string
	for _, a := range all {
		for _, k := range a.engine.Kinds() {
			gv := k.GroupVersion().String()
			switch {
			case c.p.isKey || c.p.key != "apiVersion" && c.p.key != "kind":
			case c.p.key == "apiVersion" && !slices.Contains(values, gv):
				values = append(values, gv)
			case c.p.key == "kind" && (c.p.kind.Version == "" || c.p.kind.GroupVersion() == k.GroupVersion()) && !slices.Contains(values, k.Kind):
				values = append(values, k.Kind)
			}
		}
	}
	for _, text := range values {
		c.value(text, "", "")
	}
	if len(all) > 0 && c.p.isKey && c.p.kind.Kind == "" {
		for _, name := range []string{"apiVersion", "kind"} {
			if !slices.Contains(c.p.siblings, name) {
				c.key(name, "", "", name+": ")
			}
		}
		return true
	}
	return len(values) > 0
}

// fields proposes the fields that an object does not have yet, the required ones first.
func (c *manifestCompleter) fields(a *about, n *fieldtree.Node) {
	for _, f := range n.Fields {
		if slices.Contains(c.p.siblings, f.Name) {
			continue
		}
		detail := f.TypeWords(a.m)
		if f.Required {
			detail += ", required"
		}
		text := f.Name
		if !c.p.colon {
			text += below(f, c.p.column)
		}
		c.key(f.Name, detail, explained(f), text)
		if last := &c.list.Items[len(c.list.Items)-1]; f.Required {
			last.SortText = "0" + f.Name
		}
	}
}

// below returns what follows the name of a field: a line for a value within it.
func below(f *fieldtree.Node, column int) string {
	indent := strings.Repeat(" ", column+2)
	switch f.Form {
	case fieldtree.Object, fieldtree.Map, fieldtree.Metadata:
		return ":\n" + indent
	case fieldtree.List:
		return ":\n" + indent[2:] + "- "
	}
	return ": "
}

func (c *manifestCompleter) key(name, detail, doc, text string) {
	item := protocol.CompletionItem{
		Label: name, Kind: protocol.KindField, Detail: detail, FilterText: name, SortText: "1" + name, InsertTextMode: protocol.AsIs,
		TextEdit: &protocol.TextEdit{Range: protocol.ToRange(c.p.keyAt), NewText: text},
	}
	if doc != "" {
		item.Documentation = protocol.Markdown(doc)
	}
	c.list.Items = append(c.list.Items, item)
}

// values proposes the values of an enum, a default, true and false.
func (c *manifestCompleter) values(n *fieldtree.Node) {
	if n == nil {
		return
	}
	fallback := ""
	if n.Default != nil {
		fallback = strings.Trim(n.Default.JSON(), `"`)
	}
	for _, v := range n.Values {
		detail := ""
		if v.Text == fallback {
			detail = "default"
		}
		c.value(v.Text, detail, v.Doc)
	}
	if n.Form == fieldtree.Bool {
		c.value("true", "", "")
		c.value("false", "", "")
		return
	}
	known := slices.ContainsFunc(n.Values, func(v fieldtree.Value) bool { return v.Text == fallback })
	if fallback != "" && !known && !strings.ContainsAny(fallback, "{[\"") {
		c.value(fallback, "default", "")
	}
}

func (c *manifestCompleter) value(text, detail, doc string) {
	item := protocol.CompletionItem{Label: text, Kind: protocol.KindValue, Detail: detail, FilterText: text}
	if doc != "" {
		item.Documentation = protocol.Markdown(doc)
	}
	space := ""
	if f := c.p.valueAt.File; c.p.colon && c.p.valueAt.Start > 0 && f.Content[c.p.valueAt.Start-1] == ':' {
		space = " "
	}
	item.TextEdit = &protocol.TextEdit{Range: protocol.ToRange(c.p.valueAt), NewText: space + scalar(text)}
	c.list.Items = append(c.list.Items, item)
}

// scalar returns a value as YAML: with quotes if a plain text would be something else.
func scalar(text string) string {
	switch strings.ToLower(text) {
	case "", "yes", "no", "on", "off", "null", "~", "y", "n":
		return strconv.Quote(text)
	}
	if strings.ContainsAny(text, ":#{}[],&*!|>'\"%@`\n") || strings.TrimSpace(text) != text {
		return strconv.Quote(text)
	}
	return text
}

// hoverManifest explains the field below the cursor.
func (s *server) hoverManifest(ctx context.Context, v view, at protocol.Position) any {
	var found any
	s.inManifest(ctx, v, at, func(p *yamlPlace, _ []*about, a *about, root *fieldtree.Node) {
		if root == nil || !p.colon {
			return
		}
		n := nodeAt(root, append(slices.Clone(p.path), p.key))
		if n == nil || n.Member == nil {
			return
		}
		head := "**" + n.Path + "** · *" + n.TypeWords(a.m) + "*"
		if n.Required {
			head += " · required"
		}
		if n.Default != nil {
			head += " · default `" + n.Default.JSON() + "`"
		}
		found = protocol.Hover{Contents: protocol.Markdown(head + "\n\n" + explained(n)), Range: protocol.ToRange(p.keyAt)}
	})
	return found
}

// explained returns the comment, the values and the rules of a field.
func explained(n *fieldtree.Node) string {
	text := n.Member.Field.Doc
	var list []string
	for _, v := range n.Values {
		line := "`" + v.Text + "`"
		if v.Doc != "" {
			line += ": " + strings.ReplaceAll(v.Doc, "\n", " ")
		}
		list = append(list, line)
	}
	for part, r := range n.Described {
		for _, phrase := range words.Of(r) {
			if !slices.Contains(list, part+phrase) {
				list = append(list, part+phrase)
			}
		}
	}
	for _, line := range list {
		text += "\n- " + line
	}
	if len(list) > 0 && n.Member.Field.Doc != "" {
		text = strings.Replace(text, "\n- ", "\n\n- ", 1)
	}
	return text
}
