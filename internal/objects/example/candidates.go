package example

import (
	"math/big"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// candidates returns values of a scalar, the best first, without those that its limits and patterns refuse.
func (m *Maker) candidates(n *fieldtree.Node) []any {
	all, ok := m.known[n]
	if !ok {
		all = m.newCandidates(n)
		if m.known == nil {
			m.known = map[*fieldtree.Node][]any{}
		}
		if n.Parent != nil { // others are made for one use
			m.known[n] = all
		}
	}
	return slices.Clip(all)
}

func (m *Maker) newCandidates(n *fieldtree.Node) []any {
	var all []any
	add := func(values ...any) {
		for _, v := range values {
			if v != nil && !slices.Contains(all, v) {
				all = append(all, v)
			}
		}
	}
	for _, v := range markedExamples(n) {
		if !emptyValue(v) && isScalar(v) {
			add(v)
		}
	}
	if n.Default != nil {
		if v := decode(n.Default.JSON()); isScalar(v) {
			add(v)
		}
	}
	for _, v := range n.Values {
		if len(v.Excluded) == 0 {
			add(v.Text)
		}
	}
	if len(n.Values) == 0 || n.Open {
		add(m.ofForm(n)...)
	}
	var kept []any
	for _, v := range all {
		if fits(n, v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// isScalar reports whether a value is a scalar.
func isScalar(v any) bool {
	switch v.(type) {
	case nil, []any, map[string]any:
		return false
	}
	return true
}

func markedExamples(n *fieldtree.Node) []any {
	if n.Member == nil {
		return nil
	}
	var all []any
	for _, marker := range n.Member.Field.Markers {
		if text, ok := kubebuilder.Example(marker); ok {
			all = append(all, decode(text))
		}
	}
	return all
}

// ofForm returns candidates that follow from the form and the rules.
func (m *Maker) ofForm(n *fieldtree.Node) []any {
	switch n.Form {
	case fieldtree.String:
		return texts(n)
	case fieldtree.Bool:
		return []any{true, false}
	case fieldtree.Integer:
		return integers(n)
	case fieldtree.Number:
		return floats(n)
	case fieldtree.Bytes:
		return []any{"ZXhhbXBsZQ=="}
	case fieldtree.Quantity:
		return append(quoted(n, ""), append(measured(n), "1Gi", "100m", int64(1), "0")...)
	case fieldtree.Duration:
		return append(quoted(n, ""), append(measured(n), "30s", "5m0s", "1h0m0s", "0s")...)
	case fieldtree.Time:
		return []any{"2026-01-02T15:04:05Z"}
	case fieldtree.MicroTime:
		return []any{"2026-01-02T15:04:05.000000Z"}
	case fieldtree.IntOrString:
		return []any{int64(1), "50%", "http"}
	case fieldtree.Metadata:
		return []any{nil}
	case fieldtree.Any:
		return nil
	}
	return nil
}

// inQuotes are the texts that comments quote as examples.
var inQuotes = regexp.MustCompile("(?:such as|e\\.g\\.|for example|for instance|like)[:,]?\\s+[\"`']([^\"`'\\s]+)[\"`']")

// quoted returns the examples in a field's comment.
func quoted(n *fieldtree.Node, prefix string) []any {
	var all []any
	if n.Member != nil {
		for _, found := range inQuotes.FindAllStringSubmatch(n.Member.Field.Doc, -1) {
			all = append(all, prefix+found[1])
		}
	}
	return all
}

// usual are texts with the syntax of something common.
var usual = []any{
	"example", "my-name", "example.com", "https://example.com", "/example", "example.com/my-name", "1", "1Gi", "5m", "50%", "80",
	"192.0.2.1", "192.0.2.0/24", "2026-01-02T15:04:05Z", "123e4567-e89b-12d3-a456-426614174000", "Example", "EXAMPLE", "a", "*",
}

// texts returns candidates for a string.
func texts(n *fieldtree.Node) []any {
	all := quoted(n, "")
	all = append(all, named(n))
	for _, r := range n.Rules {
		switch must := r.Must.(type) {
		case *rule.Format:
			all = append(all, rule.Formats[must.Name].Example)
		case *rule.Pattern:
			if text, ok := matching(must.Regexp); ok {
				all = append(all, text)
			}
		}
	}
	all = append(all, usual...)
	sized := make([]any, 0, len(all))
	for _, v := range all {
		if text, ok := v.(string); ok {
			v = resized(n, text)
		}
		sized = append(sized, v)
	}
	return sized
}

// named returns a text that follows from the name of the field: my-bucket.
func named(n *fieldtree.Node) string {
	name := n.Name
	for above := n; name == "" && above != nil; above = above.Parent {
		name = strings.TrimSuffix(above.Name, "s")
	}
	for _, suffix := range []string{"Name", "ID", "Ref"} {
		if base, ok := strings.CutSuffix(name, suffix); ok && base != "" {
			name = base
		}
	}
	var b strings.Builder
	b.WriteString("my")
	begins := true
	for _, r := range name {
		if begins || unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		begins = false
		if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return strings.TrimRight(b.String(), "-")
}

// resized makes a text as long as its limits ask for.
func resized(n *fieldtree.Node, text string) string {
	for _, r := range n.Rules {
		l, ok := r.Must.(*rule.Limit)
		if !ok {
			continue
		}
		limit := int(rule.IntOf(l.Value).Int64())
		count := utf8.RuneCountInString(text)
		switch l.Keyword {
		case rule.MinLength:
			if count < limit && limit < 1<<12 {
				text += strings.Repeat("x", limit-count)
			}
		case rule.MaxLength, rule.MaxBytes:
			if count > limit {
				text = strings.TrimRight(string([]rune(text)[:max(limit, 0)]), "-./")
			}
		}
	}
	return text
}

func integers(n *fieldtree.Node) []any {
	all := []any{int64(1)}
	for _, r := range n.Rules {
		l, ok := r.Must.(*rule.Limit)
		if v := new(big.Int); ok && bigOf(l.Value, v) && v.IsInt64() {
			i := v.Int64()
			switch l.Keyword {
			case rule.ExclusiveMinimum:
				i++
			case rule.ExclusiveMaximum:
				i--
			}
			all = append(all, i)
		}
	}
	return append(all, int64(0), int64(2), int64(3), int64(10), int64(80), int64(100), int64(1000))
}

func bigOf(text string, into *big.Int) bool {
	_, ok := into.SetString(text, 10)
	return ok
}

func floats(n *fieldtree.Node) []any {
	all := []any{0.5, 1.0, 0.0}
	for _, r := range n.Rules {
		if l, ok := r.Must.(*rule.Limit); ok {
			if f, err := strconv.ParseFloat(l.Value, 64); err == nil {
				all = append(all, f)
			}
		}
	}
	return all
}

// measured returns the bounds of durations and quantities.
func measured(n *fieldtree.Node) []any {
	var all []any
	for _, r := range n.Rules {
		if l, ok := r.Must.(*rule.Limit); ok && (l.Keyword == rule.Minimum || l.Keyword == rule.Maximum) {
			all = append(all, l.Value)
		}
	}
	return all
}

// fits reports whether limits, patterns and enums allow a value. The engine does not run those of controller-gen's markers.
func fits(n *fieldtree.Node, v any) bool {
	for _, r := range n.Rules {
		if len(r.Under)+len(r.Unless) == 0 && !satisfies(n, r.Must, v) {
			return false
		}
	}
	return true
}

func satisfies(n *fieldtree.Node, must rule.Predicate, v any) bool {
	text, isText := v.(string)
	switch must := must.(type) {
	case *rule.Pattern:
		re, err := regexp.Compile(must.Regexp)
		return err != nil || !isText || re.MatchString(text)
	case *rule.NotEqual:
		return !isText || text != must.Value.Text
	case *rule.Enum:
		return !isText || n.Open || slices.ContainsFunc(must.Values, func(e rule.EnumValue) bool { return e.Value == text })
	case *rule.Limit:
		switch {
		case isText && must.Of == rule.Number:
			count := utf8.RuneCountInString(text)
			limit := int(rule.IntOf(must.Value).Int64())
			switch must.Keyword {
			case rule.MinLength:
				return count >= limit
			case rule.MaxLength, rule.MaxBytes:
				return count <= limit
			}
		case !isText:
			return within(must, v)
		}
	}
	return true
}

func within(l *rule.Limit, v any) bool {
	f := 0.0
	switch v := v.(type) {
	case int64:
		f = float64(v)
	case float64:
		f = v
	default:
		return true
	}
	bound, err := strconv.ParseFloat(l.Value, 64)
	if err != nil {
		return true
	}
	switch l.Keyword {
	case rule.Minimum:
		return f >= bound
	case rule.Maximum:
		return f <= bound
	case rule.ExclusiveMinimum:
		return f > bound
	case rule.ExclusiveMaximum:
		return f < bound
	case rule.MultipleOf:
		return bound == 0 || f/bound == float64(int64(f/bound))
	}
	return true
}

// matching returns a text that a regular expression matches; not ok if it finds none.
func matching(expression string) (string, bool) {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	match(&b, re.Simplify())
	compiled, err := regexp.Compile(expression)
	return b.String(), err == nil && compiled.MatchString(b.String())
}

// match writes the shortest text that a regular expression matches, with each optional part that may be repeated once.
func match(b *strings.Builder, re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(oneOf(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
	case syntax.OpCapture, syntax.OpPlus:
		match(b, re.Sub[0])
	case syntax.OpRepeat:
		for range max(re.Min, 1) {
			match(b, re.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			match(b, sub)
		}
	case syntax.OpAlternate:
		match(b, re.Sub[0])
	}
}

// oneOf returns a rune of a class, a lower-case letter if there is one.
func oneOf(ranges []rune) rune {
	for _, want := range "axmA1-" {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= want && want <= ranges[i+1] {
				return want
			}
		}
	}
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1] && r < utf8.RuneSelf; r++ {
			if unicode.IsPrint(r) {
				return r
			}
		}
	}
	return ranges[0]
}
