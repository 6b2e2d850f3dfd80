package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/front/marker"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/tool/controllergen"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
)

// completion proposes what can be written at the cursor.
func (s *server) completion(ctx context.Context, v view, params protocol.PositionParams) (any, error) {
	if isManifest(v.doc.path) {
		return s.completeManifest(ctx, v, params.Position), nil
	}
	p, ok := placeAt(v, params.Position)
	if !ok || v.in == nil {
		return nil, nil
	}
	c := &completer{server: s, place: p}
	p.withModel(func(m *model.Model, pkg *model.Package) {
		levels := p.levels(p.node(m, pkg))
		if found := p.part(levels); found != nil {
			c.part(found, levels)
		}
	})
	return protocol.CompletionList{Items: c.items}, nil
}

// resolve adds the page of a tag to an item.
func resolve(s *server, raw []byte) (func(context.Context) (any, error), error) {
	item, err := decode[protocol.CompletionItem](raw)
	if err != nil {
		return nil, err
	}
	if page, ok := s.pages.Markdown(item.Data); ok {
		item.Documentation = protocol.Markdown(page)
	}
	return func(context.Context) (any, error) { return item, nil }, nil
}

type completer struct {
	*place
	server *server
	items  []protocol.CompletionItem
}

// part proposes texts for a part.
func (c *completer) part(found *part, levels []level) {
	switch {
	case found.isName:
		c.names(found, found.outline == levels[0].outline)
	case found.value == nil:
		c.arguments(found)
	case found.isArgument:
		c.argument(found)
	default:
		c.payload(found)
	}
}

// names proposes tags that can be on the node, and markers of controller-gen.
func (c *completer) names(found *part, outermost bool) {
	typed, others := found.token.Text, c.others()
	more := strings.TrimLeft(c.line.Text()[found.token.End:], " ")
	ends := more == "" || more[0] != '(' && more[0] != '=' && more[0] != ','
	for _, d := range c.server.tags.All() {
		if found.scope != 0 && d.Scopes&found.scope == 0 || found.node != nil && found.node.Scope != tag.OnPackage && !d.For(found.node.Model, found.node.Type) {
			continue
		}
		if outermost && !d.Repeatable && d.Name != typed && others[d.Name] {
			continue
		}
		text, snippet := d.Name, d.Name
		if ends {
			text, snippet = written(d, found.scope)
		}
		c.name(found.token, d.Name, d.Summary, text, snippet)
	}
	if !outermost {
		return
	}
	for _, m := range controllergen.Markers() {
		if !strings.HasPrefix(m.Name, foreign.KubebuilderPrefix) || !describes(m, found.scope) {
			continue
		}
		text := m.Name
		if ends && len(m.Arguments) > 0 {
			text += ":"
			if m.Arguments[0].Name == "" {
				text = m.Name + "="
			}
		}
		c.name(found.token, m.Name, m.Summary, text, text)
	}
}

// others returns the names of the other markers in the comment.
func (c *completer) others() map[string]bool {
	names := map[string]bool{}
	for _, m := range marker.Scan(c.comment) {
		if m.Span.Start+1 != c.line.Start {
			names[m.Name] = true
		}
	}
	return names
}

// describes reports whether a marker of controller-gen can be in a scope.
func describes(m controllergen.Marker, scope tag.Scope) bool {
	names := map[tag.Scope]string{tag.OnPackage: "packages", tag.OnType: "types", tag.OnField: "fields"}
	return scope == 0 || slices.Contains(m.On, names[scope])
}

// name proposes a name. Clients compare what is typed with the filter, some only with its beginning.
func (c *completer) name(t marker.Token, name, summary, text, snippet string) {
	filter := name
	if !strings.Contains(t.Text, ":") {
		filter = name[strings.LastIndexByte(name, ':')+1:]
		if strings.HasPrefix(name, t.Text) {
			filter = name
		}
	}
	summary, _, _ = strings.Cut(summary, "\n")
	item := protocol.CompletionItem{Label: name, Kind: protocol.KindKeyword, Detail: summary, FilterText: filter, Data: name, SortText: name}
	if strings.HasPrefix(name, foreign.KubebuilderPrefix) {
		item.SortText = "~" + name // behind tags
	}
	if c.server.client.TextDocument.Completion.CompletionItem.SnippetSupport && snippet != text {
		text, item.InsertTextFormat = snippet, protocol.SnippetFormat
	}
	c.add(item, t, text)
}

func (c *completer) add(item protocol.CompletionItem, t marker.Token, text string) {
	item.TextEdit = &protocol.TextEdit{Range: protocol.ToRange(c.span(t)), NewText: text}
	c.items = append(c.items, item)
}

// written returns a tag with what it needs: as text up to the first value, and as a snippet.
func written(d *tag.Definition, scope tag.Scope) (text, snippet string) {
	text, snippet = d.Name, d.Name
	n, stops := 0, 0
	hole := func(format string, words bool) {
		n++
		if words {
			format = `"` + format + `"`
		}
		snippet += strings.Replace(format, "$", fmt.Sprintf("$%d", n), 1)
	}
	for _, a := range d.Args {
		if !a.Required || scope != 0 && a.Scopes != 0 && a.Scopes&scope == 0 {
			continue
		}
		if stops++; stops == 1 {
			text += "("
			snippet += "("
		} else {
			snippet += ", "
		}
		if a.Name != "" && a.Name != tag.AnyName {
			snippet += a.Name + ": "
		}
		hole("$", inQuotes(a.Kinds))
	}
	if stops > 0 {
		snippet += ")"
	}
	switch p := d.Payload; {
	case p.Tag:
		snippet += "=+$0"
		if stops == 0 {
			text += "=+"
		}
	case len(p.Kinds) > 0 && !p.Optional:
		snippet += "="
		hole("$", inQuotes(p.Kinds) && len(p.Values) == 0)
		if stops == 0 {
			text += "="
		}
	}
	return text, snippet
}

// inQuotes reports whether a value is text that needs quotes.
func inQuotes(kinds []model.ValueKind) bool {
	return slices.Contains(kinds, model.StringValue) && !slices.Contains(kinds, model.IdentValue) && !slices.Contains(kinds, model.RawValue) &&
		!slices.Contains(kinds, model.IntValue) && !slices.Contains(kinds, model.BoolValue)
}

// arguments proposes names of arguments that the tag does not have yet.
func (c *completer) arguments(found *part) {
	for _, a := range found.def.Args {
		if found.scope != 0 && a.Scopes != 0 && a.Scopes&found.scope == 0 {
			continue
		}
		if a.Name == tag.AnyName {
			c.choices(found, a.NameRefers, nil, func(text string) string { return text + ": " })
			continue
		}
		used := slices.ContainsFunc(found.outline.Args, func(o marker.OutlineArg) bool {
			return o.Name != nil && o.Name.Text == a.Name && *o.Name != found.token
		})
		if a.Name == "" || used {
			continue
		}
		text := a.Name
		if rest := c.line.Text()[found.token.End:]; !strings.HasPrefix(strings.TrimLeft(rest, " "), ":") {
			text += ": "
		}
		c.add(protocol.CompletionItem{
			Label: a.Name, Kind: protocol.KindProperty, Detail: detailOf(a), FilterText: a.Name, Documentation: protocol.Markdown(a.Doc),
		}, found.token, text)
	}
}

func detailOf(a tag.Arg) string {
	if a.Required {
		return "required"
	}
	return ""
}

// argument proposes values of an argument. A word without a name may become the name.
func (c *completer) argument(found *part) {
	if found.def == nil {
		return
	}
	named := slices.ContainsFunc(found.outline.Args, func(a marker.OutlineArg) bool { return a.Value == found.token && a.Name != nil })
	if !named && found.token.Quote == 0 {
		c.arguments(found)
	}
	if a := found.arg; a != nil {
		var namedBy *model.Reference
		for i, o := range found.outline.Args {
			if o.Value == found.token {
				namedBy = found.use.Args[i].NameRef
			}
		}
		c.values(found, a.Values, a.Kinds, a.Refers, namedBy, a.Doc)
	}
}

// payload proposes values after '='.
func (c *completer) payload(found *part) {
	if found.def == nil {
		return
	}
	p := found.def.Payload
	kinds, refers := p.Kinds, p.Refers
	if found.node != nil && found.node.Scope != tag.OnPackage {
		kinds = found.def.PayloadKinds(found.node)
	}
	if p.Tag && found.token.Start == found.token.End {
		c.add(protocol.CompletionItem{Label: "+", Kind: protocol.KindKeyword, Detail: "a tag"}, found.token, "+")
	}
	c.values(found, p.Values, kinds, refers, nil, p.Doc)
	if found.def.Role == model.RoleDefault && found.node != nil && found.node.Scope != tag.OnPackage {
		c.defaults(found)
	}
}

// defaults proposes the constants of the value's type, and true and false.
func (c *completer) defaults(found *part) {
	for _, choice := range tag.ConstChoices(found.node.Model, found.node.Type) {
		text := choice.Text
		if found.node.Underlying().IsString() {
			text = tag.Quote(text)
		}
		c.value(found, choice, text)
	}
	if found.node.Underlying().IsBool() {
		c.value(found, tag.Choice{Text: "true"}, "true")
		c.value(found, tag.Choice{Text: "false"}, "false")
	}
}

// values proposes values: those of a list, the ones that a reference can name, or true and false.
func (c *completer) values(found *part, list []string, kinds []model.ValueKind, refers tag.Refers, namedBy *model.Reference, doc string) {
	quoted := func(text string) string {
		if found.token.Quote == '`' {
			return "`" + text + "`"
		}
		if found.token.Quote != 0 || slices.Contains(kinds, model.StringValue) && !slices.Contains(kinds, model.IdentValue) && !slices.Contains(kinds, model.RawValue) {
			return tag.Quote(text)
		}
		return text
	}
	for _, text := range list {
		c.value(found, tag.Choice{Text: text, Of: doc}, quoted(text))
	}
	c.choices(found, refers, namedBy, quoted)
	if len(list) == 0 && len(kinds) > 0 && slices.Contains(kinds, model.BoolValue) && !slices.Contains(kinds, model.JSONValue) {
		c.value(found, tag.Choice{Text: "true"}, "true")
		c.value(found, tag.Choice{Text: "false"}, "false")
	}
}

// choices proposes what a reference can name.
func (c *completer) choices(found *part, refers tag.Refers, namedBy *model.Reference, write func(string) string) {
	if found.node == nil {
		return
	}
	for _, choice := range found.node.Choices(found.use, refers, namedBy) {
		c.value(found, choice, write(choice.Text))
	}
}

func (c *completer) value(found *part, choice tag.Choice, text string) {
	item := protocol.CompletionItem{Label: choice.Text, Kind: protocol.KindValue, Detail: choice.Of, FilterText: text}
	if choice.Doc != "" {
		item.Documentation = protocol.Markdown(choice.Doc)
	}
	c.add(item, found.token, text)
}
