package adopt

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/versions/evolve"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// guess adds a guess, and returns what to take for right: the guess, or what the user writes in its place; not ok if
// the user denies it, or if it waits.
func (p *proposer) guess(g *Guess, of ...*difference) (to string, ok bool) {
	answer, answered := p.renames[g.From]
	if answered {
		if g.To = answer; answer == "" {
			return "", false
		}
	}
	g.Confirmed = answered
	p.guesses = append(p.guesses, g)
	if answered || p.assume {
		return g.To, true
	}
	for _, d := range of {
		p.open[d] = g
	}
	return "", false
}

// byType groups the items that only one side has by the type that both sides have.
func byType(list []*difference, taken map[*difference]bool) (types []*model.Type, older, newer map[*model.Type][]*difference) {
	older, newer = map[*model.Type][]*difference{}, map[*model.Type][]*difference{}
	for _, d := range list {
		if d.old == nil || d.generated == nil || taken[d] {
			continue
		}
		switch d.aspect {
		case missing:
			older[d.generated] = append(older[d.generated], d)
		case extra:
			newer[d.generated] = append(newer[d.generated], d)
		default:
			continue
		}
		if !slices.Contains(types, d.generated) {
			types = append(types, d.generated)
		}
	}
	return types, older, newer
}

// styles finds enums whose constants have another style.
func (p *proposer) styles(list []*difference, taken map[*difference]bool) {
	types, older, newer := byType(list, taken)
	for _, t := range types {
		if len(t.Consts) == 0 || len(older[t]) == 0 || len(older[t]) > len(newer[t]) {
			continue
		}
		for _, style := range slices.Sorted(maps.Keys(jsonconvert.Styles)) {
			pairs := inStyle(style, t, older[t], newer[t])
			if pairs == nil {
				continue
			}
			all := slices.Concat(older[t], pairs)
			for _, d := range all {
				taken[d] = true
			}
			by := *pairs[0]
			by.newConst, by.oldConst, by.item = nil, nil, t.Name
			if to, ok := p.guess(&Guess{From: t.Name, To: "case(" + style + ")", Says: byTransform, Old: by.old.Span, New: t.Span}, all...); ok {
				p.mark(&by, model.RoleChanged, "since", p.since, "transform", to)
			}
			break
		}
	}
}

// inStyle returns the constants that the older version has in a style: all that it lacks, if the others are the same in
// that style; nil if not.
func inStyle(style string, t *model.Type, older, newer []*difference) []*difference {
	var pairs []*difference
	for _, k := range t.Consts {
		i := slices.IndexFunc(newer, func(d *difference) bool { return d.newConst == k })
		was := evolve.InStyle(style, k.Value)
		switch {
		case !k.IsString:
			return nil
		case i >= 0 && slices.ContainsFunc(older, func(d *difference) bool { return d.oldConst.Value == was }):
			pairs = append(pairs, newer[i])
		case i < 0 && was != k.Value:
			return nil
		}
	}
	if len(pairs) < len(older) {
		return nil
	}
	return pairs
}

// splits finds strings that became several fields, and fields that became a string.
func (p *proposer) splits(list []*difference, taken map[*difference]bool) {
	types, older, newer := byType(list, taken)
	for _, t := range types {
		if !t.IsStruct() {
			continue
		}
		// Strings with comments that show the parts come first.
		for _, shown := range []bool{true, false} {
			for _, d := range older[t] {
				p.split(d, d.oldField, newer[t], taken, shown)
			}
			for _, d := range newer[t] {
				p.split(d, d.newField, older[t], taken, shown)
			}
		}
	}
}

// split finds the parts of a string among the fields that only the other side has. If shown is set, the comment of the
// string shows them; else their names are usual, and no other field has a name like the string.
func (p *proposer) split(whole *difference, f *model.Field, others []*difference, taken map[*difference]bool, shown bool) {
	if f == nil || taken[whole] || !single(f.Type).IsString() || f.JSON == "" {
		return
	}
	var parts []part
	for _, d := range others {
		g := d.newField
		if g == nil {
			g = d.oldField
		}
		u := p.before.Underlying(single(g.Type))
		if scalar := u.IsString() || u.IsInteger() || u.IsBool(); scalar && !taken[d] && g.JSON != "" {
			parts = append(parts, part{d, g})
		}
	}
	if !shown && slices.ContainsFunc(parts, func(of part) bool { return overlap(words(f.JSON), words(of.field.JSON)) > 0.5 }) {
		return // it has another name
	}
	pattern, found := patternOf(f, parts, shown)
	if pattern == "" {
		return
	}
	all := []*difference{whole}
	for _, part := range found {
		all = append(all, part.difference)
	}
	if answer, ok := p.renames[whole.item]; ok && !strings.Contains(answer, "{") {
		return // it has another name
	}
	for _, d := range all {
		taken[d] = true
	}
	guess := &Guess{From: whole.item, To: pattern, Says: bySplit, Old: whole.span, New: found[0].field.Span}
	if whole.aspect == extra {
		guess.Old, guess.New = guess.New, f.Span
	}
	to, ok := p.guess(guess, all...)
	if !ok {
		return
	}
	for _, d := range all {
		if d.aspect == missing {
			p.remove(d)
		}
	}
	by := *whole
	by.newField, by.oldField = nil, nil
	p.mark(&by, model.RoleSplit, "since", p.since, "name", f.JSON, "parts", to)
}

// single returns what a pointer points to.
func single(r *model.Ref) *model.Ref {
	if r.Kind == model.KindPointer {
		return r.Elem
	}
	return r
}

// part is a field that may be a part of a string.
type part struct {
	*difference
	field *model.Field
}

// patternOf returns the pattern of a string and its parts, "" if nothing suggests one: the comment of the string has the
// names of the parts and what is between them, or the names are usual.
func patternOf(whole *model.Field, parts []part, shown bool) (pattern string, found []part) {
	separator := usualSeparator
	if shown {
		separator = func(a, b *model.Field) string { return shownSeparator(whole.Doc, a, b) }
	}
	next := func(a part) (part, string) {
		for _, b := range parts {
			if b.field != a.field {
				if s := separator(a.field, b.field); s != "" {
					return b, s
				}
			}
		}
		return part{}, ""
	}
	for _, first := range parts {
		if slices.ContainsFunc(parts, func(b part) bool { return b.field != first.field && separator(b.field, first.field) != "" }) {
			continue // it is behind another
		}
		text, list := "{"+first.field.JSON+"}", []part{first}
		for {
			b, s := next(list[len(list)-1])
			if s == "" || slices.Contains(list, b) {
				break
			}
			if inner := s + "{" + b.field.JSON + "}"; b.field.OmitEmpty || b.field.Type.Kind == model.KindPointer {
				text += "[" + inner + "]"
			} else {
				text += inner
			}
			list = append(list, b)
		}
		if len(list) > 1 {
			return text, list
		}
	}
	return "", nil
}

// usual are the texts between parts with these names.
var usual = map[[2]string]string{
	{"host", "port"}: ":", {"address", "port"}: ":", {"ip", "port"}: ":", {"hostname", "port"}: ":",
	{"namespace", "name"}: "/", {"group", "version"}: "/", {"registry", "repository"}: "/",
	{"repository", "tag"}: ":", {"image", "tag"}: ":", {"name", "tag"}: ":",
	{"user", "host"}: "@", {"key", "value"}: "=",
}

// usualSeparator returns the text between two parts with usual names, "" for others.
func usualSeparator(a, b *model.Field) string { return usual[[2]string{lastWord(a), lastWord(b)}] }

func lastWord(f *model.Field) string {
	list := words(f.JSON)
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

// shownSeparator returns the text between two parts that a comment shows, such as host:port or <host>:<port>, "" for none.
func shownSeparator(doc string, a, b *model.Field) string {
	name := func(f *model.Field) string {
		return "(?:" + regexp.QuoteMeta(f.JSON) + "|" + regexp.QuoteMeta(lastWord(f)) + ")"
	}
	if lastWord(a) == "" || lastWord(b) == "" {
		return ""
	}
	m := regexp.MustCompile(`(?i)(?:^|[^\w.])[<{\[]?` + name(a) + `[>}\]]?\[?([:/@=,#|])[<{\[]?` + name(b) + `(?:[^\w]|$)`).FindStringSubmatch(doc)
	if m == nil {
		return ""
	}
	return m[1]
}

// key is the key of a label or an annotation: a domain and a name.
var key = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\.[a-z]+/([A-Za-z0-9][-A-Za-z0-9_.]*)$`)

// entries finds fields that were labels or annotations, or became ones: a constant of the version that lacks the
// field, and of no other, has the key, and the key the name of the field.
func (p *proposer) entries(list []*difference, taken map[*difference]bool) {
	for _, d := range list {
		f := d.newField
		if d.aspect == missing {
			f = d.oldField
		}
		if d.aspect != extra && d.aspect != missing || taken[d] || f == nil || f.Inline || f.JSON == "" || !p.spells(f.Type) {
			continue
		}
		transform, of := "", p.inHub(f.Type)
		if !p.model.Underlying(single(of)).IsString() {
			if transform = p.transform(f.JSON, f.JSON, model.Builtin("string"), of); transform == "" {
				continue
			}
		}
		with, without := p.old, p.hub
		if d.aspect == missing {
			with, without = p.hub, p.old
		}
		k, path := entry(f, with, without)
		if answer := p.renames[d.item]; k == nil || d.aspect == missing && answer != "" && !strings.HasPrefix(answer, "metadata.") {
			continue
		}
		taken[d] = true
		if d.aspect == missing {
			if to, ok := p.guess(&Guess{From: d.item, To: path, Says: isNow, Old: d.span, New: k.Span}, d); ok {
				p.remove(d, "toPath", to, "transform", transform)
			}
			continue
		}
		// The answer names the field, so that one key can be that of several kinds.
		if _, ok := p.guess(&Guess{From: path, To: d.generated.Name + "." + f.JSON, Says: isNow, Old: k.Span, New: f.Span}, d); ok {
			p.mark(d, model.RoleMoved, "since", p.since, "fromPath", path, "transform", transform)
		}
	}
}

// entry returns the constant with the key of a label or an annotation that has the name of a field, and the path; nil if there
// is none. Constants that both versions have are keys beside the field.
func entry(f *model.Field, with, without *model.Package) (found *model.Const, path string) {
	for _, name := range slices.Sorted(maps.Keys(with.Consts)) {
		k, kind := with.Consts[name], ""
		switch lower := strings.ToLower(name); {
		case strings.Contains(lower, "label"):
			kind = "labels"
		case strings.Contains(lower, "annotation"):
			kind = "annotations"
		default:
			continue
		}
		m := key.FindStringSubmatch(k.Value)
		both := slices.ContainsFunc(slices.Collect(maps.Values(without.Consts)), func(other *model.Const) bool { return other.Value == k.Value })
		if k.IsString && m != nil && !both && slices.Equal(words(m[2]), words(f.JSON)) {
			return k, "metadata." + kind + "['" + k.Value + "']"
		}
	}
	return nil, ""
}
