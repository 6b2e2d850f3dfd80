// Package stability checks the stability levels of tags and of their rules.
package stability

import (
	"path"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/lint"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeUnstable     = codes.New("stability/unstable", "The tag is less stable than the level of its rules. Write `+k8s:alpha=` or `+k8s:beta=` before it.")
	codeNotOutermost = codes.New("stability/not-outermost", "The level must be the first tag of a chain: `+k8s:alpha=+k8s:eachVal=…`.")
)

// Definition returns the convention.
func Definition() *lint.Definition {
	return &lint.Definition{
		Name: "stability", Upstream: true,
		Summary: "Rules are not more stable than their tags.",
		Doc: "Alpha and beta tags may still change, and so may their rules. `+k8s:alpha` or `+k8s:beta` before the tag marks the rules for code that runs validation. " +
			"In packages of an alpha or beta version (`v1alpha1`) all rules have that level. After `+k8s:ifEnabled` and `+k8s:ifDisabled`, beta tags need no prefix.\n\n" +
			"The level is the first tag of a chain and applies to the whole chain. " +
			"`+k8s:validation-gen-nolint` on a type, or above the package clause, disables the convention.",
		Good: tag.Code(`
			// +k8s:required
			// +k8s:alpha=+k8s:neq="default"
			Namespace string \'json:"namespace"\'`),
		Bad: tag.Code(`
			// +k8s:required
			// +k8s:neq="default"
			Namespace string \'json:"namespace"\' // always enforced, but the tag may change`),
		Codes: codes.All(),
		Run:   run,
	}
}

func run(pass *lint.Pass) {
	m, tags, bag := pass.Model, pass.Tags, pass.Diags
	for p, t := range lint.Types(m) {
		if lint.IsExempt(p, t) {
			continue
		}
		l := linter{tags: tags, bag: bag, level: levelOf(p)}
		l.list(t.Tags)
		for _, f := range t.Fields {
			l.list(f.Tags)
		}
		for _, c := range t.Consts {
			l.list(c.Tags)
		}
	}
}

// levels are the stability levels, most stable first.
var levels = []tag.Stability{tag.Stable, tag.Beta, tag.Alpha}

// prefixes are the roles of stability levels.
var prefixes = map[model.Role]tag.Stability{model.RoleAlpha: tag.Alpha, model.RoleBeta: tag.Beta}

// levelOf returns the level of a package's rules, by its version.
func levelOf(p *model.Package) tag.Stability {
	switch version := path.Base(p.Path); {
	case strings.Contains(version, "alpha"):
		return tag.Alpha
	case strings.Contains(version, "beta"):
		return tag.Beta
	}
	return tag.Stable
}

type linter struct {
	tags  *tag.Set
	bag   *diag.Bag
	level tag.Stability
}

func (l linter) list(tags []*model.Tag) {
	for _, c := range tags {
		level := l.level
		if prefix, ok := prefixes[c.Role]; ok {
			level, c = prefix, c.Inner
		}
		if c != nil && level == tag.Stable && c.Role.IsOption() {
			level = tag.Beta
		}
		for ; c != nil; c = c.Inner {
			l.tag(c, level)
		}
	}
}

func (l linter) tag(c *model.Tag, level tag.Stability) {
	if c.Role.IsLevel() {
		l.bag.Errorf(c.NameSpan, codeNotOutermost, "+%s applies to the whole chain of tags; write it first", c.Name)
		return
	}
	d := l.tags.Lookup(c.Name)
	if d == nil || slices.Index(levels, d.Stability) <= slices.Index(levels, level) {
		return
	}
	prefix := model.RoleBeta
	if d.Stability == tag.Alpha {
		prefix = model.RoleAlpha
	}
	l.bag.Warnf(c.NameSpan, codeUnstable, "+%s is %s, but its rules are %s; write +%s= before it",
		c.Name, strings.ToLower(string(d.Stability)), strings.ToLower(string(level)), l.tags.WithRole(prefix)).
		RestsOn(diag.Meaning(c.NameSpan)) // a tag in the wrong place has no rules
}
