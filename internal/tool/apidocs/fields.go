package apidocs

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/objects/example"
	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/words"
)

// fields returns the fields of a node, the required ones first. Those of the object itself are without those that all
// objects have.
func (b *builder) fields(s *subject, n *fieldtree.Node) []*Field {
	var list []*Field
	for _, member := range n.Members() {
		if n.Parent == nil && slices.Contains([]string{"apiVersion", "kind", "metadata"}, member.Name) {
			continue
		}
		list = append(list, b.field(s, member))
	}
	slices.SortStableFunc(list, func(a, c *Field) int {
		switch {
		case a.Required == c.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	return list
}

func (b *builder) field(s *subject, n *fieldtree.Node) *Field {
	f := &Field{Name: n.Name, Path: n.Path, Type: n.TypeWords(b.m), Required: n.Required}
	s.fields[n] = f
	f.Doc, f.Deprecated = split(text(n.Member.Field.Doc))
	if n.Default != nil {
		f.Default = n.Default.JSON()
	}
	last := innermost(n)
	f.Open = last.Open
	for _, v := range last.Values {
		about := unnamed(text(v.Doc), v.Name) + words.Excluded(rule.EnumValue{Excluded: v.Excluded})
		f.Values = append(f.Values, Value{v.Text, strings.TrimSpace(about)})
	}
	b.rules(f, n)
	for _, u := range last.Unions {
		if !u.Several { // that of several is no choice: it is among the rules
			f.Choices = append(f.Choices, b.choice(s, last, u.Union))
		}
	}
	if n.Parent.Parent == nil && n.Name == "status" && hasStatus(s.typ) {
		f.Rules = append(f.Rules, Rule{Words: "written by the controller, through the subresource status; other clients only read it"})
	}
	if last.Same != nil {
		same := last.Same
		for same.Name == "" && same.Parent != nil {
			same = same.Parent
		}
		f.Same = same.Path
		return f
	}
	f.Fields = b.fields(s, n)
	return f
}

// unnamed returns the comment of a constant without the constant's name, which only Go has.
func unnamed(doc, name string) string {
	rest, ok := strings.CutPrefix(doc, name+" ")
	if !ok {
		return doc
	}
	return strings.TrimPrefix(rest, "is ")
}

func hasStatus(t *model.Type) bool {
	return slices.Contains(t.Subresources(), "/status") ||
		model.HasMarker(t.Markers, foreign.SubresourceStatus)
}

// rules adds the rules on a value, and those on its keys and items.
func (b *builder) rules(f *Field, n *fieldtree.Node) {
	for part, r := range n.Described {
		cel := b.cel(r)
		for _, phrase := range words.Of(r) {
			one := Rule{Words: part + phrase, Tag: r.Text, CEL: cel, Schema: rule.Keywords(r.Must)}
			if !slices.ContainsFunc(f.Rules, func(o Rule) bool { return o.Words == one.Words }) {
				f.Rules = append(f.Rules, one)
			}
		}
	}
}

// cel returns a rule as an expression about self; "" if there is none.
func (b *builder) cel(r rule.Rule) string {
	if c, ok := r.Must.(*rule.CEL); ok {
		return strings.TrimSpace(c.Rule)
	}
	holds, _, _ := b.Programs.Holds(r.Must, expr.Self())
	if _, immutable := r.Must.(*rule.Immutable); immutable {
		holds = expr.Eq(expr.Self(), expr.OldSelf())
	}
	if holds == nil {
		return ""
	}
	return expr.CEL(holds)
}

// split returns a comment without the paragraph that deprecates the field, and that paragraph's text.
func split(doc string) (rest, deprecated string) {
	var kept []string
	for paragraph := range strings.SplitSeq(doc, "\n\n") {
		if text, ok := strings.CutPrefix(paragraph, model.DeprecatedParagraph); ok {
			deprecated = strings.TrimSpace(text)
		} else {
			kept = append(kept, paragraph)
		}
	}
	return strings.Join(kept, "\n\n"), deprecated
}

// choice returns a union as a choice.
func (b *builder) choice(s *subject, n *fieldtree.Node, u *rule.Union) Choice {
	c := Choice{Words: words.Of(rule.Rule{Must: u})[0]}
	names := make([]string, len(u.Members))
	for i, m := range u.Members {
		names[i] = m.Name
	}
	if u.Discriminator != nil {
		c.Discriminator = u.Discriminator.Field.JSON
	}
	maker := b.maker(s)
	for _, chosen := range maker.ChoicesOf(n, u) {
		o := Option{Value: chosen.Value}
		if chosen.Member >= 0 {
			o.Member = names[chosen.Member]
		}
		if c.Discriminator != "" {
			for _, name := range names {
				if name != o.Member {
					o.Clears = append(o.Clears, name)
				}
			}
		}
		if example.Writes(n) && !b.bare {
			o.Example = b.manifest(s, func() (example.Example, error) { return maker.Chosen(chosen) })
		}
		c.Options = append(c.Options, o)
	}
	return c
}
