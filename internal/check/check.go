// Package check looks for mistakes over the whole model.
//
// What a tag's definition says about scope, shape, arguments and payload is
// checked here, from the definition; what only the tag can know is its Check's.
package check

import (
	"regexp"
	"strings"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Check reports every mistake in the packages that were asked for, and in the
// versions that kindsmith generates from them: a tag may hold in an older
// version only. What both have is reported once.
func Check(m *model.Model, tags *tag.Set, bag *diag.Bag) {
	older := &diag.Bag{}
	for _, p := range m.Packages {
		if !p.Root {
			continue
		}
		c := &checker{model: m, tags: tags, bag: bag}
		if p.Generated {
			c.bag = older
		}
		c.pkg(p)
	}
	for _, d := range older.All() {
		if !bag.Has(d.Span, d.Code) {
			bag.Add(d)
		}
	}
}

type checker struct {
	model *model.Model
	tags  *tag.Set
	bag   *diag.Bag
}

func (c *checker) pkg(p *model.Package) {
	c.place(&tag.Node{Model: c.model, Tags: c.tags, Scope: tag.OnPackage, Siblings: p.Constraints}, p.Constraints)
	c.stray(p.Markers)
	for _, t := range p.Types {
		c.typ(t)
	}
	for _, def := range c.tags.All() {
		if def.CheckPackage != nil {
			def.CheckPackage(c.model, p, c.bag)
		}
	}
}

func (c *checker) typ(t *model.Type) {
	n := tag.TypeNode(c.model, c.tags, t)
	c.place(n, t.Constraints)
	c.stray(t.Markers)
	c.defaults(n, t.Default)
	for _, f := range t.Fields {
		c.anonymous(t, f, f.Type)
		n := tag.FieldNode(c.model, c.tags, t, f)
		c.offTheWire(f)
		c.place(n, f.Constraints)
		c.stray(f.Markers)
		c.defaults(n, f.Default)
	}
	for _, v := range t.Consts {
		c.place(&tag.Node{
			Model: c.model, Tags: c.tags, Scope: tag.OnConst, Owner: t,
			Type: model.Named(t.Package, t.Name), Siblings: v.Constraints,
		}, v.Constraints)
		c.stray(v.Markers)
	}
}

// offTheWire reports rules on a field that clients never send.
func (c *checker) offTheWire(f *model.Field) {
	if !f.Skipped {
		return
	}
	for _, constraint := range f.Constraints {
		c.bag.Warnf(constraint.Span, codeOffTheWire, "field %s is not on the wire, so +%s holds nowhere; drop the tag, or give the field a name in its json tag", f.Name, constraint.Name)
	}
}

// anonymous reports a struct type that is written in place: it has no name by
// which generated code could speak of it.
func (c *checker) anonymous(t *model.Type, f *model.Field, r *model.Ref) {
	if r == nil || f.Skipped {
		return
	}
	if r.Kind == model.KindStruct && r.Name == model.AnonymousStruct {
		c.bag.Errorf(f.TypeSpan, codeAnonymousStruct, "field %s has a struct type without a name; declare it: type %s%s struct {…}", f.Name, t.Name, f.Name)
		return
	}
	c.anonymous(t, f, r.Elem)
	c.anonymous(t, f, r.Key)
}

// defaults runs the check of the default tag, whose value the model keeps
// apart from other tags.
func (c *checker) defaults(n *tag.Node, d *model.Default) {
	def := c.tags.Lookup("default")
	if d == nil || def == nil || def.Check == nil {
		return
	}
	def.Check(n, &model.Constraint{Name: "default", Span: d.Span, NameSpan: d.Span}, c.bag)
}

// place checks all constraints of one place.
func (c *checker) place(n *tag.Node, list []*model.Constraint) {
	seen := map[string]*model.Constraint{}
	for _, constraint := range list {
		if def := c.tags.Lookup(constraint.Name); def != nil && !def.Repeatable {
			if first := seen[def.Name]; first != nil {
				report := c.bag.Errorf
				if first.Describe() == constraint.Describe() {
					report = c.bag.Warnf // the same twice contradicts nothing
				}
				report(constraint.Span, codeRepeated, "+%s stands here twice; keep one", constraint.Name).
					Note(first.Span, "the first is here")
				continue
			}
			seen[def.Name] = constraint
		}
		c.constraint(n, constraint)
	}
}

func (c *checker) constraint(n *tag.Node, constraint *model.Constraint) {
	def := c.tags.Lookup(constraint.Name)
	if def == nil {
		c.unknown(constraint)
		return
	}
	if !c.scope(n, def, constraint) || !c.shape(n, def, constraint) {
		return
	}
	args, payload := c.args(def, constraint), c.payload(def, constraint)
	if !args || !payload {
		return
	}
	if def.Check != nil {
		def.Check(n, constraint, c.bag)
	}
	if constraint.Inner == nil {
		return
	}
	if inner := n.Inner(constraint); inner != nil {
		c.constraint(inner, constraint.Inner)
	}
}

// unknown reports a name that is ours by its prefix and that no catalogue has.
func (c *checker) unknown(constraint *model.Constraint) {
	if meanwhile, ok := c.tags.Planned(constraint.Name); ok {
		c.bag.Warnf(constraint.NameSpan, codeNotBuilt, "+%s is part of the catalogue and not built yet: %s", constraint.Name, meanwhile)
		return
	}
	if name := strings.TrimRight(constraint.Name, ".,;"); c.tags.Lookup(name) != nil {
		c.bag.Warnf(constraint.NameSpan, codeProse, "this line begins with the name of a tag and reads like prose, so no rule is made of it; if the tag is meant, write +%s alone", name)
		return
	}
	d := c.bag.Errorf(constraint.NameSpan, codeUnknownTag, "there is no tag +%s", constraint.Name)
	if near := c.tags.Nearest(constraint.Name); near != "" {
		d.Message += "; did you mean +" + near + "?"
		d.Suggest(constraint.NameSpan, near, "write +%s", near)
	} else {
		d.Message += "; `kindsmith tags` lists all"
	}
}

// strayTag finds the marker of ours in front of whose name the prefix is
// missing or in the wrong case.
var strayTag = regexp.MustCompile(`(?i)^(k8s|versioned)[:.]`)

// stray reports markers that look like tags of ours and are not: nothing would
// read them.
func (c *checker) stray(markers []model.Marker) {
	for _, m := range markers {
		if !strayTag.MatchString(m.Name) {
			continue
		}
		if name, ok := strings.CutPrefix(m.Name, openapiPrefix); ok {
			c.openapi(m, name)
			continue
		}
		if near := c.tags.Nearest(m.Name); near != "" && near != m.Name && c.tags.Lookup(m.Name) == nil {
			if otherTools.MatchString(m.Name) {
				continue
			}
			span := m.Span.Sub(1, 1+len(m.Name))
			c.bag.Errorf(span, codeUnknownTag, "there is no tag +%s; did you mean +%s?", m.Name, near).
				Suggest(span, near, "write +%s", near)
		}
	}
}

// openapiPrefix begins the names of openapi-gen's markers, which say what
// published schemas of native types have, and which no validator is made from.
const openapiPrefix = "k8s:validation:"

// openapi warns of a marker of openapi-gen's: it is easily taken for a rule.
func (c *checker) openapi(m model.Marker, name string) {
	span := m.Span.Sub(1, 1+len(m.Name))
	d := c.bag.Warnf(span, codeOpenapiTag, "+%s is for openapi-gen, and no rule is made of it", m.Name)
	for _, same := range []string{
		"k8s:required", "k8s:optional", "k8s:minLength", "k8s:maxLength", "k8s:pattern", "k8s:minimum", "k8s:maximum",
		"k8s:multipleOf", "k8s:minItems", "k8s:maxItems", "k8s:minProperties", "k8s:maxProperties",
	} {
		if strings.EqualFold("k8s:"+name, same) {
			d.Message += "; the rule is +" + same
		}
	}
}

// otherTools are "k8s:" markers of other generators, which package lower leaves
// to them.
var otherTools = regexp.MustCompile(`^k8s:[a-z-]+`)
