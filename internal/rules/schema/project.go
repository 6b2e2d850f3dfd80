package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// target is a schema that rules are written to.
type target struct {
	place *rule.Place
	props *props
	// parent is, for a field, the schema of the enclosing struct; else nil.
	parent *props
	// name is the field's name in it.
	name string
	// around is the place of the enclosing struct.
	around *rule.Place
	// correlatable is set if the server correlates old and new values.
	correlatable bool
	// present and optional are set if other rules make the field required or optional.
	present, optional bool
}

// ranks order the rules of a place: other rules need the list type in the schema, and uniqueness
// needs the limits of items and strings.
func rank(r rule.Rule) int {
	switch must := r.Must.(type) {
	case *rule.ListType:
		return -1
	case *rule.Unique:
		return 1
	case *rule.Each, *rule.Part, *rule.Item:
		if below := rule.Below(must); len(below) > 0 {
			return rank(below[0])
		}
	}
	return 0
}

// write writes the rules of tags to a schema, in the order of the tags. It warns about rules that a
// schema cannot express.
func (b *Builder) write(owner *model.Type, rules []rule.Rule, at target) {
	sorted := slices.Clone(rules)
	slices.SortStableFunc(sorted, func(x, y rule.Rule) int { return cmp.Or(rank(x)-rank(y), x.Span.Compare(y.Span)) })
	for _, r := range sorted {
		required, ok := r.Must.(*rule.Required)
		at.present = at.present || ok && !required.Defaulted && len(r.Under) == 0
		_, guard := r.Must.(*rule.IsSet)
		at.optional = at.optional || guard || ok && required.Defaulted
	}
	for _, r := range sorted {
		b.rule(owner, r, at)
	}
}

// rule writes one rule.
func (b *Builder) rule(owner *model.Type, r rule.Rule, at target) {
	p := &projector{b: b, owner: owner, rule: r}
	if holds, reason := b.projectionOf(owner.Package).Holds(r.Under); !holds {
		p.cannot(reason)
		return
	}
	if r.Around {
		at = target{place: at.around, props: at.parent, correlatable: at.correlatable}
	}
	switch must := r.Must.(type) {
	case *rule.Required:
		p.required(at, must)
	case *rule.Limit:
		p.limit(at, must)
	case *rule.Pattern:
		p.pattern(at, must.Regexp)
	case *rule.Format:
		p.format(at, rule.Formats[must.Name])
	case *rule.Enum:
		p.enum(at, must)
	case *rule.ListType:
		p.listType(at, must)
	case *rule.Unique:
		p.unique(at, must)
	case *rule.Each:
		p.each(at, must)
	case *rule.Part:
		p.part(at, must)
	case *rule.Item:
		p.item(at, must)
	default:
		p.add(p.host(at, r))
	}
}

// host returns the schema for a CEL rule, and the rule's clauses there. A rule that also applies to
// an absent value is on the enclosing struct.
func (p *projector) host(at target, r rule.Rule) (*props, []clause) {
	self := &loc{place: at.place, x: expr.Self(), old: old(at.correlatable)}
	around := at.parent != nil && p.absent(at, r)
	host := at.props
	if around {
		host = at.parent
		self = &loc{in: &loc{x: expr.Self(), old: self.old}, field: at.name, place: at.place, required: at.present, optional: at.optional}
	}
	clauses := p.clauses(r, self)
	m := p.b.rulesOf.At(at.place)
	if m != nil && m.NotInCEL != "" && (around || m.Shapeless) && slices.ContainsFunc(clauses, func(c clause) bool { return c.reason == "" }) {
		return host, p.none(r, rule.Reason(m.NotInCEL))
	}
	return host, clauses
}

// absent reports whether a rule of a field also applies to an absent value.
func (p *projector) absent(at target, r rule.Rule) bool {
	switch must := r.Must.(type) {
	case *rule.Forbidden, *rule.Update:
		return true
	case *rule.Immutable:
		return !at.present
	case *rule.Monotonic:
		return !at.present && !at.place.IsPointer(p.b.model)
	case *rule.Union:
		return must.Members[0].Field == nil && !must.ZeroOrOne && !at.present && !at.optional
	}
	return false
}

func old(correlatable bool) expr.Expr {
	if !correlatable {
		return nil
	}
	return expr.OldSelf()
}

// projector writes one rule.
type projector struct {
	b     *Builder
	owner *model.Type
	rule  rule.Rule
}

// comment is the fact that the tags beside the rule's are right: the comment that has them.
func (p *projector) comment() diag.Fact {
	span := p.rule.Span
	if span.IsZero() {
		return diag.Fact{}
	}
	content := string(span.File.Content)
	isComment := func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "//") }
	span.Start = strings.LastIndexByte(content[:span.Start], '\n') + 1
	for span.Start > 0 {
		above := strings.LastIndexByte(content[:span.Start-1], '\n') + 1
		if !isComment(content[above : span.Start-1]) {
			break
		}
		span.Start = above
	}
	for span.End < len(content) {
		line, _, _ := strings.Cut(content[span.End:], "\n")
		next, _, _ := strings.Cut(content[min(span.End+len(line)+1, len(content)):], "\n")
		if span.End += len(line); !isComment(next) {
			break
		}
		span.End = min(span.End+1+len(next), len(content))
	}
	return diag.Meaning(span)
}

// cannot warns that the schema does not have the rule.
func (p *projector) cannot(reason rule.Reason) {
	if reason != "" && p.b.ours(p.owner.Package) {
		p.b.diags.Warnf(p.rule.Span, codeNotProjected, "API servers do not enforce %s of a custom resource: %s", p.rule.Text, reason).RestsOn(p.comment())
	}
}

// add adds CEL rules to a schema and records their tags. It adds equal rules once.
func (p *projector) add(s *props, clauses []clause) {
	for _, c := range clauses {
		if c.reason != "" {
			p.cannot(c.reason)
			continue
		}
		holds, _ := c.complete()
		if field := unselectable(holds); field != "" {
			p.cannot(rule.Reason(fmt.Sprintf("CEL cannot select the field %q", field)))
			continue
		}
		v := c.validation()
		p.b.wrote(v.Rule, c.span, p.owner.Package)
		if c.unless != nil {
			p.b.cheaper[v.Rule] = p.cheaper(c)
		}
		if !slices.ContainsFunc(s.XValidations, func(r apiextensionsv1.ValidationRule) bool { return r.Rule == v.Rule }) {
			s.XValidations = append(s.XValidations, v)
		}
	}
}

// cheaper returns the rule to publish if that of a clause costs too much, nil for none.
func (p *projector) cheaper(c clause) *apiextensionsv1.ValidationRule {
	if c.spare {
		return nil
	}
	c.unless = nil
	v := c.validation()
	p.b.wrote(v.Rule, c.span, p.owner.Package)
	return &v
}

// unselectable returns a field whose name CEL cannot spell, "" if there is none.
func unselectable(x expr.Expr) (field string) {
	expr.Walk(x, func(x expr.Expr) bool {
		if s, ok := x.(*expr.Select); ok && !s.Verbatim {
			if _, ok := expr.EscapeName(s.Field); !ok {
				field = s.Field
			}
		}
		return field == ""
	})
	return field
}

// say adds one condition on the value of a schema.
func (p *projector) say(s *props, holds expr.Expr, message string) {
	p.add(s, []clause{{holds: holds, message: message, span: p.rule.Span}})
}

// unsupported warns about tags without rules that the schema does not have: those that a schema
// cannot express, and those for the shape of the API under a false condition.
func (b *Builder) unsupported(owner *model.Type, list []*model.Tag) {
	for _, c := range list {
		bare, under := c.Bare()
		if bare == nil {
			continue
		}
		d := b.tags.Lookup(bare.Name)
		if d == nil || d.Lower != nil {
			continue
		}
		p := &projector{b: b, owner: owner, rule: rule.Rule{Text: bare.Describe(), Span: bare.Span}}
		if holds, reason := b.projectionOf(owner.Package).Holds(tag.ConditionsOf(under)); !holds {
			p.cannot(reason)
		} else if reason, ok := d.Schema.(tag.Unsupported); ok {
			p.cannot(rule.Reason(reason))
		}
	}
}
