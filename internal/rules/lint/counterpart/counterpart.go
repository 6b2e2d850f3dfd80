// Package counterpart reports controller-gen's markers that generated Go does not enforce, and
// rewrites those that have a tag of the same meaning.
package counterpart

import (
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
	"github.com/kindsmith/kindsmith/internal/rules/lint"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Validation)

	codeNotInGo = codes.New("counterpart/not-in-go", "API servers enforce the rules of controller-gen's markers, generated Go does not: the two accept different objects. `kindsmith lint --fix` replaces the markers that have a tag with exactly the same meaning. Replace the others by hand, or disable the convention if nothing calls the generated validators.")
)

// Definition returns the convention.
func Definition() *lint.Definition {
	return &lint.Definition{
		Name:    "counterpart",
		Summary: "Rules are tags, which generated Go enforces too.",
		Doc: "API servers and generated Go enforce tags. Only API servers enforce controller-gen's markers, except for CEL rules and the markers ExactlyOneOf, AtMostOneOf and AtLeastOneOf. +listType pairs items in both, but only API servers check that items are unique. " +
			"In a package with tags or rules in CEL, the convention reports such markers once, and `kindsmith lint --fix` replaces those that have an exact counterpart: " +
			"a tag for the same keyword of schemas, with the same value. It does not replace a marker where the tag would also apply to the zero value of an unset field: " +
			"give the field a tag for its presence first.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:maxLength=63
			Name *string \'json:"name,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:optional
			// +kubebuilder:validation:MaxLength=63
			Name *string \'json:"name,omitempty"\' // generated Go accepts any length`),
		Codes: codes.All(),
		Run:   run,
	}
}

func run(pass *lint.Pass) {
	var at *finder
	for p, t := range lint.Types(pass.Model) {
		if at == nil || at.pkg != p {
			at.report(pass.Diags)
			at = &finder{tags: pass.Tags, pkg: p}
		}
		at.node(tag.TypeNode(pass.Model, pass.Tags, t), t.Markers)
		for _, f := range t.Fields {
			if !f.Skipped {
				at.node(tag.FieldNode(pass.Model, pass.Tags, t, f), f.Markers)
			}
		}
	}
	at.report(pass.Diags)
}

// finder collects the markers of one package.
type finder struct {
	tags *tag.Set
	pkg  *model.Package
	// tagged is set if the package has tags or rules in CEL, and so validators.
	tagged bool
	// markers are the markers that Go does not enforce, edits the replacements.
	markers []model.Marker
	edits   []diag.Edit
}

// node collects the markers of a type or a field.
func (s *finder) node(n *tag.Node, markers []model.Marker) {
	for _, use := range n.Siblings {
		s.tagged = s.tagged || !use.Role.IsAboutVersions()
	}
	for _, m := range markers {
		s.tagged = s.tagged || foreign.IsCEL(m.Name)
	}
	for _, m := range kubebuilder.Unenforced(s.tags, n, markers) {
		s.markers = append(s.markers, m)
		if text := s.counterpart(n, m, markers); text != "" && !kubebuilder.IsUnique(m) {
			s.edits = append(s.edits, diag.Edit{Span: m.Span, NewText: text})
		}
	}
}

// counterpart returns the tag that means what a marker means; "" if there is none.
func (s *finder) counterpart(n *tag.Node, m model.Marker, markers []model.Marker) string {
	prefix, keyword := kubebuilder.SplitName(m.Name)
	ofItems, def := prefix == foreign.KubebuilderItems, s.tags.ForKeyword(keyword)
	if def == nil || count(markers, prefix+"Exclusive"+keyword) > 0 || foreign.WithoutComment(m.Text) != m.Text {
		return ""
	}
	value, ok := payload(def, m)
	if !ok || count(markers, m.Name) > 1 {
		return ""
	}
	typ, each := n.Value(), ""
	if ofItems {
		typ, each = n.Underlying().Elem, "+"+s.tags.WithRole(model.RoleEachVal)+"="
	}
	if typ == nil || !def.For(n.Model, typ) || !ofItems && !isPresenceSaid(n) && !acceptsZero(def, value) {
		return ""
	}
	return each + "+" + def.Name + "=" + value
}

// payload returns a marker's value as that of a tag.
func payload(def *tag.Definition, m model.Marker) (string, bool) {
	_, value, _ := strings.Cut(m.Text, "=")
	value = strings.TrimSpace(value)
	for _, kind := range def.Payload.Kinds {
		if def.Payload.Measured && kind != model.IntValue {
			continue // bounds of durations and quantities are tags already
		}
		switch kind {
		case model.IntValue:
			if _, err := strconv.ParseInt(value, 10, 64); err == nil {
				return value, true
			}
		case model.StringValue:
			if text, err := strconv.Unquote(value); err == nil {
				value = text
			}
			if value == "" {
				return "", false
			}
			if strconv.CanBackquote(value) {
				return "`" + value + "`", true
			}
			return strconv.Quote(value), true
		}
	}
	return "", false
}

// isPresenceSaid reports whether tags or a pointer determine if the value must be set. Otherwise the
// tag also applies to the zero value of a field that clients leave out, which the marker does not.
func isPresenceSaid(n *tag.Node) bool {
	if n.IsPointer() {
		return true
	}
	for _, use := range n.Siblings {
		if use.Role.IsPresence() {
			return true
		}
	}
	return false
}

// acceptsZero reports whether a rule accepts the zero value of its type.
func acceptsZero(def *tag.Definition, value string) bool {
	n, err := strconv.ParseInt(value, 10, 64)
	switch {
	case err != nil:
		return false
	case strings.HasPrefix(def.OpenAPI, "max"):
		return n >= 0
	case strings.HasPrefix(def.OpenAPI, "min"):
		return n <= 0
	}
	return true // a multiple
}

func count(markers []model.Marker, name string) (n int) {
	for _, m := range markers {
		if m.Name == name {
			n++
		}
	}
	return n
}

// report reports the markers of the package, once.
func (s *finder) report(bag *diag.Bag) {
	if s == nil || !s.tagged || len(s.markers) == 0 {
		return
	}
	first := s.markers[0]
	d := bag.Warnf(first.Span, codeNotInGo, "generated Go does not enforce +%s", first.Name).
		RestsOn(diag.Meaning(first.Span))
	if kubebuilder.IsUnique(first) {
		d.Message = "generated Go does not check that items are unique, as +" + first.Name + " says to API servers; add +" + s.tags.WithRole(model.RoleListType)
	}
	if more := len(s.markers) - 1; more > 0 {
		d.Message += ", and " + strconv.Itoa(more) + " more of controller-gen's markers in this package"
	}
	if len(s.edits) > 0 {
		d.Message += "; `kindsmith lint --fix` replaces " + strconv.Itoa(len(s.edits)) + " by tags of the same meaning"
		d.Fix = &diag.Fix{Message: "replace markers by tags", Edits: s.edits}
	} else if !kubebuilder.IsUnique(first) {
		d.Message += "; `kindsmith explain +" + first.Name + "` says what to write instead"
	}
}
