package crd

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/objects/verdict"
)

// celRule is a rule of x-kubernetes-validations.
type celRule struct {
	rule, message, messageExpression, reason string
}

func newCELRule(value map[string]any) *celRule {
	text := func(key string) string {
		s, _ := value[key].(string)
		return s
	}
	return &celRule{rule: text("rule"), message: text("message"), messageExpression: text("messageExpression"), reason: text("reason")}
}

// short is the server's form of the rule in its own messages.
func (c *celRule) short() string {
	if c.message != "" {
		return strings.TrimSpace(c.message)
	}
	return strings.TrimSpace(c.rule)
}

// detail is the message of an object that breaks the rule.
func (c *celRule) detail() string {
	if c.message != "" {
		return strings.TrimSpace(c.message)
	}
	return "failed rule: " + strings.TrimSpace(c.rule)
}

// marks are the rules whose messages are replaced with a mark. The server's errors do not identify
// their rule, but they have its message.
type marks struct{ rules []*rule }

// add assigns a mark to a rule.
func (m *marks) add(r *rule) {
	r.mark = "\x00" + strconv.Itoa(len(m.rules)) + "\x00"
	m.rules = append(m.rules, r)
}

var mark = regexp.MustCompile("\x00(\\d+)\x00")

// restore returns the detail of an error with the original message, and the rule.
func (m *marks) restore(detail string) (string, *rule) {
	found := mark.FindStringSubmatch(detail)
	if found == nil {
		return detail, nil
	}
	i, err := strconv.Atoi(found[1])
	if err != nil || i >= len(m.rules) {
		return detail, nil
	}
	r := m.rules[i]
	if found[0] == detail {
		return r.cel.detail(), r
	}
	return strings.ReplaceAll(detail, found[0], r.cel.short()), r
}

// blame finds the broken rules of an object's errors; old is nil on a create.
func (v *version) blame(ctx context.Context, errs field.ErrorList, object, old *admitted) []verdict.Error {
	var list []verdict.Error
	for _, err := range errs {
		e := *err
		var broken *rule
		if e.Detail, broken = v.definition.marks.restore(e.Detail); broken == nil {
			broken = v.root.find(&e)
		}
		if broken == nil {
			broken = v.findCEL(ctx, &e, object, old)
		}
		found := verdict.Error{Error: &e}
		if broken != nil {
			found.Rule = &broken.Rule
		}
		list = append(list, found)
	}
	return list
}

// keywordsOf are the keywords that report errors of a type.
var keywordsOf = map[field.ErrorType][]string{
	field.ErrorTypeNotSupported: {"enum"},
	field.ErrorTypeTooLong:      {"maxLength"},
	field.ErrorTypeTooMany:      {"maxItems", "maxProperties"},
}

// keywordIn has, for errors of the type Invalid, the words in the message that identify the
// keyword. The first match counts.
var keywordIn = []struct{ words, keyword string }{
	{"(oneOf)", "oneOf"},
	{"(anyOf)", "anyOf"},
	{"(not)", "not"},
	{"should be less than", "maximum"},
	{"should be greater than", "minimum"},
	{"should be a multiple of", "multipleOf"},
	{"should match", "pattern"},
	{"chars long", "minLength"},
	{"should have at least", "minItems"},
}

// find returns the broken rule of an error without a mark, nil if it is not certain.
func (n *schemaNode) find(err *field.Error) *rule {
	switch err.Type {
	case field.ErrorTypeRequired:
		for _, parent := range parents(err.Field) {
			name := strings.TrimPrefix(err.Field[len(parent):], ".")
			if r := pick(n.rulesAt(parent), func(r *rule) bool { return r.keyword == keywordRequired && r.argument == name }); r != nil {
				return r
			}
		}
	case field.ErrorTypeDuplicate:
		if i := strings.LastIndex(err.Field, "["); i >= 0 {
			if r := pick(n.rulesAt(err.Field[:i]), func(r *rule) bool { return r.keyword == "x-kubernetes-list-type" }); r != nil {
				return r
			}
		}
	case field.ErrorTypeTypeInvalid:
		return pick(n.rulesAt(err.Field), func(r *rule) bool {
			return r.keyword == "format" && strings.Contains(err.Detail, "must be of type "+r.argument)
		})
	case field.ErrorTypeInvalid:
		for _, entry := range keywordIn {
			if !strings.Contains(err.Detail, entry.words) {
				continue
			}
			keywords := []string{entry.keyword}
			if entry.keyword == "minItems" {
				keywords = append(keywords, "minProperties")
			}
			if r := pick(n.rulesAt(err.Field), hasKeyword(keywords)); r != nil {
				return r
			}
		}
	default:
		if r := pick(n.rulesAt(err.Field), hasKeyword(keywordsOf[err.Type])); r != nil {
			return r
		}
	}
	return nil
}

func hasKeyword(keywords []string) func(*rule) bool {
	return func(r *rule) bool { return slices.Contains(keywords, r.keyword) }
}

func pick(rules []*rule, is func(*rule) bool) *rule {
	if i := slices.IndexFunc(rules, is); i >= 0 {
		return rules[i]
	}
	return nil
}

// findCEL returns the CEL rule of an error without a mark, because the rule has a
// messageExpression, or because its reason has no message. It is nil if there is none.
func (v *version) findCEL(ctx context.Context, err *field.Error, object, old *admitted) *rule {
	var candidates []*rule
	for _, path := range append([]string{err.Field}, parents(err.Field)...) {
		for _, r := range v.root.rulesAt(path) {
			if r.cel != nil && !slices.Contains(candidates, r) && r.cel.reports(err.Type) && (r.cel.messageExpression != "" || err.Type == field.ErrorTypeDuplicate) {
				candidates = append(candidates, r)
			}
		}
	}
	if len(candidates) == 1 {
		return candidates[0]
	}
	return pick(candidates, func(r *rule) bool { return v.breaksAlone(ctx, r, err, object, old) })
}

// reports reports whether the rule's errors have a type.
func (c *celRule) reports(t field.ErrorType) bool {
	return c.reason == string(t) || c.reason == "" && t == field.ErrorTypeInvalid
}
