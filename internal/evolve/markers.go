package evolve

import (
	"regexp"
	"strings"

	"github.com/kindsmith/kindsmith/internal/expr"
	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/kubebuilder"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/value"
)

// pathMarkers are markers on kinds, by the argument that is a path into the object.
var pathMarkers = map[string]*regexp.Regexp{
	foreign.PrintColumn:      regexp.MustCompile("JSONPath=[\"`]?(\\.[^\"`,]*)"),
	foreign.SelectableField:  regexp.MustCompile("JSONPath=[\"`]?(\\.[^\"`,]*)"),
	foreign.SubresourceScale: regexp.MustCompile("(?:spec|status|selector)path=[\"`]?(\\.[^\"`,]*)"),
}

// markerAt translates a marker of another tool to the version; not ok if it refers to something
// that the version lacks.
func (p *projection) markerAt(here place, m model.Marker) (model.Marker, bool) {
	for prefix, paths := range pathMarkers {
		if strings.HasPrefix(m.Text, prefix) {
			return p.pathsAt(here.owner, m, paths)
		}
	}
	switch m.Name {
	case foreign.ListMapKey, foreign.PatchMergeKey:
		name, value, _ := strings.Cut(m.Text, "=")
		renamed, ok := p.jsonAt(p.m.Struct(p.elem(here.ref)), value)
		m.Text = name + "=" + renamed
		return m, ok
	case foreign.KubebuilderDefault:
		if json, ok := kubebuilder.Default(m); ok {
			if renamed := value.Rename(p.m, here.ref, json, spelling{p}); renamed != json {
				m.Text = m.Name + "=" + renamed
			}
		}
		return m, true
	}
	if strings.HasPrefix(m.Name, foreign.KubebuilderXValidation) {
		p.checkRule(here, m)
	}
	return m, true
}

// pathsAt translates the paths in a marker. It omits markers with a path to something that the
// version lacks.
func (p *projection) pathsAt(kind *model.Type, m model.Marker, paths *regexp.Regexp) (model.Marker, bool) {
	var b strings.Builder
	last := 0
	for _, loc := range paths.FindAllStringSubmatchIndex(m.Text, -1) {
		renamed, ok := p.pathAt(kind, m.Text[loc[2]:loc[3]])
		if !ok {
			return m, false
		}
		b.WriteString(m.Text[last:loc[2]] + renamed)
		last = loc[3]
	}
	m.Text = b.String() + m.Text[last:]
	return m, true
}

// pathAt translates a path such as .spec.replicas. It does not change parts that it cannot resolve,
// such as a filter on a list.
func (p *projection) pathAt(kind *model.Type, path string) (string, bool) {
	var b strings.Builder
	t := kind
	for _, segment := range strings.SplitAfter(path, ".") {
		name := strings.TrimRight(segment, ".")
		base, index, _ := strings.Cut(name, "[")
		f := p.wireField(t, base)
		if f == nil {
			b.WriteString(segment)
			t = nil
			if name == "" {
				t = kind
			}
			continue
		}
		if !p.of(f).exists(p.v) {
			return "", false
		}
		_, renamed := p.fieldAt(f, p.v)
		b.WriteString(strings.Replace(segment, base, renamed, 1))
		r := p.typeAt(f, p.v)
		if index != "" {
			r = p.elem(r)
		}
		t = p.m.Struct(r)
	}
	return b.String(), true
}

// wireField returns the field with a JSON name in a struct or in its inlined structs.
func (p *projection) wireField(t *model.Type, name string) *model.Field {
	if t == nil || name == "" {
		return nil
	}
	if f := t.FieldByJSON(name); f != nil {
		return f
	}
	for _, f := range t.Fields {
		if f.Inline {
			if found := p.wireField(p.m.Struct(f.Type), name); found != nil {
				return found
			}
		}
	}
	return nil
}

// checkRule reports a CEL rule that uses a field which the version lacks or names differently.
// kindsmith does not rewrite the author's rules.
func (p *projection) checkRule(here place, m model.Marker) {
	c, ok := kubebuilder.Read(m, here.field != nil)
	if !ok {
		return // the emitter of schemas reports it
	}
	t := here.owner
	if here.field != nil {
		t = p.m.Struct(here.ref)
	}
	for _, tree := range []expr.Tree{c.Tree, c.MessageTree} {
		if tree.Expr == nil {
			continue
		}
		reported := false
		expr.Walk(tree.Expr, func(e expr.Expr) bool {
			if s, ok := e.(*expr.Select); ok && !reported {
				name, _ := s.Property()
				reported = p.checkName(p.structOf(s.Operand, t), m, name)
			}
			return !reported
		})
		if reported {
			return
		}
	}
	for _, name := range c.Path() {
		if p.checkName(t, m, name) {
			return
		}
		t = p.structAt(t, name)
	}
}

// structOf returns the struct that an expression of a rule on t has as its value; nil
// where that is not a field of self or oldSelf.
func (p *projection) structOf(e expr.Expr, t *model.Type) *model.Type {
	switch e := e.(type) {
	case *expr.Var:
		if e.Name == expr.SelfName || e.Name == expr.OldSelfName {
			return t
		}
	case *expr.Select:
		name, _ := e.Property()
		return p.structAt(p.structOf(e.Operand, t), name)
	case *expr.Call:
		if e.Target != nil && e.Func == "value" { // of an optional oldSelf
			return p.structOf(e.Target, t)
		}
	}
	return nil
}

// structAt returns the struct that a field is of; nil for any other.
func (p *projection) structAt(t *model.Type, name string) *model.Type {
	if f := p.wireField(t, name); f != nil {
		return p.m.Struct(f.Type)
	}
	return nil
}

// checkName reports a field of a struct that a rule uses and the version lacks or names
// differently.
func (p *projection) checkName(t *model.Type, m model.Marker, name string) bool {
	if t == nil || name == "" {
		return false
	}
	renamed, ok := p.jsonAt(t, name)
	if ok && renamed == name {
		return false
	}
	what := "lacks it"
	if ok {
		what = "calls it " + renamed
	}
	p.bag.Errorf(m.Span, codeRule, "the rule uses %s, but version %s %s; wrap the rule in +%s, and write the rule for older versions with +%s",
		name, p.pkg.Name, what, p.name(model.RoleSince), p.name(model.RoleUntil))
	return true
}
