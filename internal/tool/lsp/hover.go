package lsp

import (
	"context"
	"fmt"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/front/marker"
	"github.com/kindsmith/kindsmith/internal/rules/rule/words"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
)

// part is what a place in a marker is: a name, the name or the value of an argument, or a value after '='.
type part struct {
	level
	token marker.Token
	// isName is set on the tag's name. arg is the argument, value its value or the one after '='. Both are nil on a name.
	isName bool
	// isArgument is set in the parentheses.
	isArgument bool
	arg        *tag.Arg
	value      *model.Value
	// nameRef is the reference of an argument's name.
	nameRef *model.Reference
}

// part returns the part that a place is in; nil between parts.
func (p *place) part(levels []level) *part {
	for _, l := range levels {
		if l.outline.Name.Has(p.at) {
			return &part{level: l, token: l.outline.Name, isName: true}
		}
		if l.def == nil {
			continue
		}
		for i, a := range l.outline.Args {
			use := &l.use.Args[i]
			arg := l.def.Arg(use.Name)
			if a.Name != nil && a.Name.Has(p.at) {
				return &part{level: l, token: *a.Name, isArgument: true, arg: arg, nameRef: use.NameRef}
			}
			if a.Value.Has(p.at) {
				return &part{level: l, token: a.Value, isArgument: true, arg: arg, value: &use.Value}
			}
		}
		if t := l.outline.Payload; t != nil && t.Has(p.at) {
			return &part{level: l, token: *t, value: l.use.Payload}
		}
	}
	return nil
}

// hover explains what is below the cursor.
func (s *server) hover(ctx context.Context, v view, params protocol.PositionParams) (any, error) {
	if isManifest(v.doc.path) {
		return s.hoverManifest(ctx, v, params.Position), nil
	}
	p, ok := placeAt(v, params.Position)
	if !ok || v.in == nil {
		return nil, nil
	}
	var text string
	var found *part
	p.withModel(func(m *model.Model, pkg *model.Package) {
		levels := p.levels(p.node(m, pkg))
		if found = p.part(levels); found == nil {
			return
		}
		switch {
		case found.isName:
			text = s.tagText(p, found)
		case found.value != nil && found.value.Ref != nil:
			text = describe(m, found.value.Ref)
		case found.nameRef != nil:
			text = describe(m, found.nameRef)
		case found.arg != nil:
			text = "**" + found.arg.Name + "**: " + found.arg.Doc
			if found.arg.Name == "" || found.arg.Name == tag.AnyName {
				text = found.arg.Doc
			}
		case found.value != nil && found.def != nil:
			text = found.def.Payload.Doc
		}
	})
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	return protocol.Hover{Contents: protocol.Markdown(text), Range: protocol.ToRange(p.span(found.token))}, nil
}

// tagText is the page of a tag, and what it means at the place.
func (s *server) tagText(p *place, found *part) string {
	name := found.token.Text
	if found.def == nil {
		name = p.line.Text()[found.token.Start:] // markers of controller-gen have names with arguments
	}
	page, _ := s.pages.Markdown(name)
	if found.def == nil || found.node == nil || found.node.Scope == tag.OnPackage {
		return page
	}
	var phrases []string
	if use := p.written(found); use != nil {
		for _, r := range tag.Rules(found.node, use) {
			phrases = append(phrases, words.Of(r)...)
		}
	}
	if len(phrases) > 0 {
		page = "**" + strings.Join(phrases, "; ") + "**\n\n" + page
	}
	return page
}

// written returns the tag of the model that a part is in, if it is written the same; nil if it is not, as after an edit.
func (p *place) written(found *part) *model.Tag {
	siblings := found.node.Siblings
	for _, c := range siblings {
		if c.Name == found.token.Text && strings.HasSuffix(p.line.Text(), strings.TrimPrefix(c.Span.Text(), "+")) {
			return c
		}
	}
	return nil
}

// describe explains what a reference names.
func describe(m *model.Model, r *model.Reference) string {
	if f, _ := m.FieldOf(r); f != nil {
		return fmt.Sprintf("```go\n%s %s\n```\n\n%s", f.Name, f.Type, f.Doc)
	}
	if c := m.ConstOf(r); c != nil {
		value := c.Value
		if c.IsString {
			value = tag.Quote(value)
		}
		return fmt.Sprintf("```go\nconst %s %s = %s\n```\n\n%s", c.Name, r.Owner, value, c.Doc)
	}
	if fn := funcOf(m, r); fn != nil {
		return "```go\n" + signature(fn) + "\n```"
	}
	return ""
}

func funcOf(m *model.Model, r *model.Reference) *model.Func {
	if p := m.Package(r.Package); p != nil && r.Kind == model.ToFunc {
		return p.Funcs[r.Name]
	}
	return nil
}

func signature(fn *model.Func) string {
	list := func(refs []*model.Ref) string {
		var names []string
		for _, r := range refs {
			names = append(names, r.String())
		}
		return strings.Join(names, ", ")
	}
	s := "func " + fn.Name + "(" + list(fn.Params) + ")"
	switch len(fn.Results) {
	case 0:
		return s
	case 1:
		return s + " " + list(fn.Results)
	}
	return s + " (" + list(fn.Results) + ")"
}
