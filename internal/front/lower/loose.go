package lower

import (
	"bytes"
	"go/ast"
	"go/token"
	"sort"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/front/load"
	"github.com/kindsmith/kindsmith/internal/front/marker"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
)

// loose are the markers of a package that belong to no declaration.
type loose struct {
	effects
	markers []model.LooseMarker
}

// comments reads the comments of a package's hand-written files that belong to no declaration, and
// reports lines that lack the plus sign of a marker. All declarations of the package have been read.
func (l *lowerer) comments(p *lowered) *loose {
	out := &loose{}
	defer l.record(&out.effects, p.load.Path)()
	for _, f := range p.load.Files {
		if f.Generated {
			continue
		}
		for _, g := range f.Syntax.Comments {
			span := l.res.Span(g.Pos(), g.End())
			for _, m := range marker.WithoutPlus(span) {
				if l.tags.Lookup(m.Name) != nil || foreign.IsValidation(m.Name) {
					l.now.found.Warnf(m.Span, marker.CodeNoPlus, "%s has no effect: a marker begins with +; write +%s", m.Name, m.Text)
				}
			}
			for _, m := range marker.AfterText(span) {
				if l.tags.Lookup(m.Name) != nil || foreign.IsValidation(m.Name) {
					l.now.found.Warnf(m.Span, marker.CodeAfterText, "+%s has no effect after other text; write it on a separate line", m.Name)
				}
			}
			markers := marker.Scan(span)
			for _, m := range markers {
				if l.isUnread(m) {
					l.now.found.Warnf(m.Span, marker.CodeBlockComment, "+%s has no effect in a /* */ comment, where controller-gen does not read it; write // +%s", m.Name, m.Text)
				}
			}
			if len(markers) == 0 || p.owned[g] || isCode(span.Text()) {
				continue
			}
			why := looseness(f, span)
			for _, m := range markers {
				if !p.read[m.Span] && !l.isUnread(m) {
					out.markers = append(out.markers, model.LooseMarker{Marker: model.Marker{Name: m.Name, Text: m.Text, Span: m.Span}, Why: why})
				}
			}
		}
	}
	return out
}

// isUnread reports whether a marker is in a /* */ comment and is read by controller-gen only in // comments. Tags of
// upstream's generators, which read both, count as such if the packages are read like controller-gen reads them.
func (l *lowerer) isUnread(m marker.Marker) bool {
	if !m.Block {
		return false
	}
	if l.tags.FamilyOf(m.Name) != nil && m.Name != foreign.KubebuilderDefault && !l.res.Descriptions() {
		return false
	}
	return strings.HasPrefix(m.Name, foreign.KubebuilderPrefix) || kubebuilder.Reads(model.Marker{Name: m.Name, Text: m.Text})
}

// isCode reports whether a comment is a field that is commented out, with its tags.
func isCode(comment string) bool { return strings.Contains(comment, "`json:\"") }

// looseness returns why a comment belongs to no declaration and what to do about it.
func looseness(f *load.File, comment source.Span) string {
	content := string(f.Source.Content)
	before := content[strings.LastIndexByte(content[:comment.Start], '\n')+1 : comment.Start]
	if before = strings.TrimSpace(before); before != "" && !strings.HasSuffix(before, "*/") {
		return "it follows code on the same line; write it on the line above the declaration"
	}
	after := strings.TrimLeft(content[comment.End:], " \t\r")
	next := strings.TrimLeft(after, " \t\r\n")
	first, _, _ := strings.Cut(next, "\n")
	word := strings.TrimRight(strings.TrimSpace(first[:prefix(first)]), "(")
	inGroup := strings.HasSuffix(strings.TrimSpace(first), "(") && (word == "type" || word == "const")
	switch {
	case next == "" || next[0] == '}' || next[0] == ')':
		return "no declaration follows it"
	case word == "func":
		return "it is on a function; tags are for types, fields and constants of declared types"
	case word == "import", word == "var":
		return "it is on " + map[string]string{"import": "an import", "var": "a variable"}[word] + "; tags are for types, fields and constants of declared types"
	case inGroup:
		return "it is above a group of declarations; write it above each one that it is for"
	case strings.HasPrefix(after, "\n") && strings.HasPrefix(strings.TrimLeft(after[1:], " \t\r"), "\n"):
		return "an empty line separates it from what follows; remove that line"
	default:
		return "it is neither on a type, nor on a field of a declared struct, nor on a constant of a declared type"
	}
}

// prefix returns the length of the word that a line begins with.
func prefix(line string) int {
	if i := strings.IndexAny(line, " \t("); i >= 0 {
		return i
	}
	return len(line)
}

// above returns the comment above a declaration at a position, with any number of empty lines
// between them; nil if there is none.
func (l *lowerer) above(f *load.File, pos token.Pos) *ast.CommentGroup {
	i := sort.Search(len(f.Syntax.Comments), func(i int) bool { return f.Syntax.Comments[i].End() > pos })
	if i == 0 {
		return nil
	}
	g := f.Syntax.Comments[i-1]
	comment, content := l.res.Span(g.Pos(), g.End()), f.Source.Content
	before := content[bytes.LastIndexByte(content[:comment.Start], '\n')+1 : comment.Start]
	between := content[comment.End:l.res.Span(pos, pos).Start]
	if len(bytes.TrimSpace(before)) > 0 || len(bytes.TrimSpace(between)) > 0 {
		return nil
	}
	return g
}

// foreignAbove returns the markers of other tools above a declaration, which controller-gen reads
// however many empty lines follow them.
func (l *lowerer) foreignAbove(p *lowered, f *load.File, pos token.Pos) []marker.Marker {
	g := l.above(f, pos)
	if g == nil {
		return nil
	}
	var list []marker.Marker
	for _, m := range marker.Scan(l.res.Span(g.Pos(), g.End())) {
		if l.tags.FamilyOf(m.Name) == nil || m.Name == foreign.KubebuilderDefault {
			list = append(list, m)
			p.read[m.Span] = true
		}
	}
	return list
}
