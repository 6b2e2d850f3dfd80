package lsp

import (
	"bytes"
	"context"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
)

// withMention calls a function with what the marker below the cursor names. It waits for the analysis of the document, since
// positions are those of an analysis; without one, as of a file with a syntax error, it calls nothing.
func (s *server) withMention(ctx context.Context, v view, at protocol.Position, do func(p *place, m *model.Model, pkg *model.Package, one mention)) {
	p, ok := placeAt(v, at)
	if !ok || v.in == nil {
		return
	}
	v.in.reach(ctx, v.edit)
	p.withModel(func(m *model.Model, pkg *model.Package) {
		if m == nil {
			return
		}
		if one, ok := p.mentionAt(m); ok && isOf(one.at.File, p.doc) {
			do(p, m, pkg, one)
		}
	})
}

// isOf reports whether an analysed file is a document as it is now.
func isOf(f *source.File, d *document) bool {
	return bytes.Equal(source.LF(f.Content), source.LF(d.file.Content))
}

// definition returns where the field, the constant or the function below the cursor is declared.
func (s *server) definition(ctx context.Context, v view, params protocol.PositionParams) (any, error) {
	var found any
	s.withMention(ctx, v, params.Position, func(_ *place, m *model.Model, _ *model.Package, one mention) {
		if span := spanOf(m, one.ref); span.File != nil {
			found = v.in.location(span)
		}
	})
	return found, nil
}

// references returns all markers that name what the marker below the cursor names. gopls finds the other uses.
func (s *server) references(ctx context.Context, v view, params protocol.ReferenceParams) (any, error) {
	var found []protocol.Location
	s.withMention(ctx, v, params.Position, func(_ *place, m *model.Model, _ *model.Package, one mention) {
		if span := spanOf(m, one.ref); span.File != nil && params.Context.IncludeDeclaration {
			found = append(found, v.in.location(span))
		}
		for _, other := range mentions(m, s.tags) {
			if m.SameReferent(other.ref, one.ref) {
				found = append(found, v.in.location(other.at))
			}
		}
	})
	if found == nil {
		return nil, nil
	}
	return found, nil
}

// spanOf returns where what a reference names is declared.
func spanOf(m *model.Model, r *model.Reference) source.Span {
	if f, _ := m.FieldOf(r); f != nil {
		return f.Span
	}
	if c := m.ConstOf(r); c != nil {
		return c.Span
	}
	if fn := funcOf(m, r); fn != nil {
		return fn.Span
	}
	return source.Span{}
}
