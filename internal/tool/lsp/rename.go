package lsp

import (
	"context"
	"fmt"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"go.lsp.dev/jsonrpc2"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
)

// requestFailed is the error of a request that is right, but cannot be fulfilled. Editors show its message.
func requestFailed(format string, args ...any) error {
	return jsonrpc2.NewError(protocol.RequestFailed, fmt.Sprintf(format, args...))
}

// prepareRename returns the name below the cursor; null if it cannot be renamed.
func (s *server) prepareRename(ctx context.Context, v view, params protocol.PositionParams) (any, error) {
	var found any
	s.withMention(ctx, v, params.Position, func(_ *place, m *model.Model, _ *model.Package, one mention) {
		if span := spanOf(m, one.ref); span.File != nil {
			found = protocol.PrepareRename{Range: protocol.ToRange(one.at), Placeholder: one.at.Text()}
		}
	})
	return found, nil
}

// rename changes the name in all markers and where it is declared: the name of a field in JSON, the value of a constant, or the
// name of a constant or a function in Go. Older versions keep the former name of a field or value.
func (s *server) rename(ctx context.Context, v view, params protocol.RenameParams) (any, error) {
	var edit *protocol.WorkspaceEdit
	err := requestFailed("nothing here can be renamed; put the cursor on the name of a field, a constant or a function in a marker without mistakes")
	s.withMention(ctx, v, params.Position, func(_ *place, m *model.Model, _ *model.Package, one mention) {
		r := &renamer{server: s, in: v.in, m: m, to: params.NewName}
		if err = r.rename(one); err != nil {
			return
		}
		if edit = s.edit(v.in, r.edits); edit == nil {
			err = requestFailed("%s is also named in files that were edited since, or that are not of this project", one.at.Text())
		}
	})
	if err != nil {
		return nil, err
	}
	return edit, nil
}

type renamer struct {
	server *server
	in     *workspace
	m      *model.Model
	to     string
	edits  []diag.Edit
}

func (r *renamer) rename(one mention) error {
	var err error
	f, _ := r.m.FieldOf(one.ref)
	c := r.m.ConstOf(one.ref)
	switch {
	case one.goName:
		err = r.identifier(one.ref)
	case f != nil:
		err = r.field(f)
	case c != nil:
		err = r.constant(one.ref, c)
	default:
		err = requestFailed("%s is declared in no Go file", one.at.Text())
	}
	if err != nil {
		return err
	}
	for _, other := range mentions(r.m, r.server.tags) {
		if other.goName == one.goName && r.m.SameReferent(other.ref, one.ref) {
			r.edits = append(r.edits, r.mention(other))
		}
	}
	return nil
}

// mention returns the edit of a mention, which may need quotes then.
func (r *renamer) mention(other mention) diag.Edit {
	f, at := other.at.File, other.at
	quoted := at.Start > 0 && strings.ContainsRune("\"`", rune(f.Content[at.Start-1]))
	text := r.to
	if !quoted && !isWord(text) {
		text = tag.Quote(text)
	}
	return diag.Edit{Span: at, NewText: text}
}

// isWord reports whether a text needs no quotes in a marker.
func isWord(text string) bool {
	return token.IsIdentifier(text) || text != "" && strings.IndexFunc(text, func(c rune) bool { return !unicode.IsDigit(c) }) < 0
}

// unwritable are characters of no name that a marker or a struct tag can have.
const unwritable = "\"`\\,\n\r\t "

// jsonName is the name in a struct tag.
var jsonName = regexp.MustCompile(`json:"([^",]+)`)

// field renames a field in JSON.
func (r *renamer) field(f *model.Field) error {
	if r.to == "" || strings.ContainsAny(r.to, unwritable) {
		return requestFailed("%q is not a name in JSON; write letters and digits", r.to)
	}
	for _, p := range r.m.Packages {
		for _, t := range p.Types {
			object := r.m.Object(t)
			if object == nil || p.Generated {
				continue
			}
			if old := object.Member(f.JSON); old != nil && old.Field == f && object.Member(r.to) != nil {
				return requestFailed("%s has a field %s already", t.Name, r.to)
			}
		}
	}
	at := jsonName.FindStringSubmatchIndex(f.TagSpan.Text())
	if at == nil {
		return requestFailed("the struct tag of %s has no name; write one first", f.Name)
	}
	r.edits = append(r.edits, diag.Edit{Span: f.TagSpan.Sub(at[2], at[3]), NewText: r.to})
	for _, p := range r.m.Packages {
		for _, t := range p.Types {
			for _, own := range t.Fields {
				if own == f {
					r.former(p, f.Changes, f.JSON, f.Span, func(older *model.Package) bool { return hasField(older, t, f) })
				}
			}
		}
	}
	return nil
}

// hasField reports whether a version has a field of the newest version's type.
func hasField(older *model.Package, t *model.Type, f *model.Field) bool {
	for _, o := range older.Types {
		if o.Hub == nil || *o.Hub != t.ID() {
			continue
		}
		for _, of := range o.Fields {
			if of.Origin != nil && of.Origin.Field == f.Name {
				return true
			}
		}
	}
	return false
}

// constant changes the value of a constant.
func (r *renamer) constant(ref *model.Reference, c *model.Const) error {
	t := r.m.OwnerType(ref)
	if !c.IsString {
		return requestFailed("%s is a number; change it where it is declared", c.Name)
	}
	if r.to == "" || strings.ContainsAny(r.to, "\"`\\\n\r") {
		return requestFailed("%q cannot be a value in markers", r.to)
	}
	for _, other := range t.Consts {
		if other.Value == r.to {
			return requestFailed("%s has the value %s already", other.Name, r.to)
		}
	}
	at, ok := literalOf(c)
	if !ok {
		return requestFailed("the value of %s is not a plain string; change it where it is declared", c.Name)
	}
	r.edits = append(r.edits, diag.Edit{Span: at, NewText: strconv.Quote(r.to)})
	if p := r.m.Package(ref.Package); p != nil {
		r.former(p, c.Changes, c.Value, c.Span, func(older *model.Package) bool {
			for _, o := range older.Types {
				if o.Hub != nil && *o.Hub == t.ID() {
					for _, oc := range o.Consts {
						if oc.Name == c.Name {
							return true
						}
					}
				}
			}
			return false
		})
	}
	return nil
}

// literalOf returns the literal on the line of a constant.
func literalOf(c *model.Const) (source.Span, bool) {
	f := c.Span.File
	start := c.Span.End
	end := start
	for end < len(f.Content) && f.Content[end] != '\n' {
		end++
	}
	rest := string(f.Content[start:end])
	want := strconv.Quote(c.Value)
	equals := strings.IndexByte(rest, '=')
	if equals < 0 || !strings.HasPrefix(strings.TrimLeft(rest[equals+1:], " \t"), want) {
		return source.Span{}, false
	}
	at := start + equals + 1 + strings.Index(rest[equals+1:], want)
	return f.Span(at, at+len(want)), true
}

// former adds the marker with which older versions keep a former name, if the version before has the item under this name.
func (r *renamer) former(p *model.Package, changes []model.Change, old string, at source.Span, has func(older *model.Package) bool) {
	if len(p.Versions) < 2 {
		return
	}
	newest, before := p.Versions[len(p.Versions)-1], p.Versions[len(p.Versions)-2]
	older := r.m.Package(before.Package)
	if newest.Package != p.Path || older == nil || !has(older) {
		return
	}
	for _, c := range changes {
		if changed, ok := c.(*model.Changed); ok && changed.Since == newest.Name && changed.FromName != nil {
			return // it was renamed before in this version
		}
	}
	line := at.File.Offset(source.Position{Line: at.Position().Line, Column: 1})
	indent := string(at.File.Content[line:at.Start])
	if strings.TrimSpace(indent) != "" {
		indent = "" // of several names on a line, the marker is for all
	}
	marker := fmt.Sprintf("%s// +%s(since: %q, fromName: %q)\n", indent, r.server.tags.WithRole(model.RoleChanged), newest.Name, old)
	r.edits = append(r.edits, diag.Edit{Span: at.File.Span(line, line), NewText: marker})
}
