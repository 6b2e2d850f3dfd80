package fieldtree

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// TypeWords returns the type of the value in words, such as "list of strings".
func (n *Node) TypeWords(m *model.Model) string {
	switch n.Form {
	case List:
		if n.Items == nil {
			return "list"
		}
		return "list of " + plural(n.Items.TypeWords(m))
	case Map:
		if n.Items == nil {
			return "map"
		}
		return "map of " + plural(n.Items.TypeWords(m))
	case Integer:
		if bits, unsigned := m.Underlying(n.Type).IntSize(); bits == 32 && !unsigned {
			return "integer"
		} else if unsigned {
			return "integer from 0"
		}
		return "integer of 64 bits"
	case Bytes:
		return "string of base64"
	case Quantity:
		return "quantity, such as 100m or 2Gi"
	case Duration:
		return "duration, such as 30s"
	case Time, MicroTime:
		return "time (RFC 3339)"
	case Metadata:
		return "metadata of an object"
	case Any:
		return "any value"
	}
	return string(n.Form)
}

// plural returns the plural of a type in words.
func plural(words string) string {
	first, rest, _ := strings.Cut(words, " ")
	first, comma := strings.CutSuffix(first, ",")
	switch {
	case first == "any":
		return "values of any type"
	case first == "metadata":
		return words
	case strings.HasSuffix(first, "y"):
		first = strings.TrimSuffix(first, "y") + "ies"
	default:
		first += "s"
	}
	if comma {
		first += ","
	}
	return strings.TrimSpace(first + " " + rest)
}

// Described calls yield with the rules that a description of the value lists: those on it, and on its keys, items and values,
// with what introduces them, such as "each item: ". It leaves out that the value is required and its enum, which are shown
// apart.
func (n *Node) Described(yield func(part string, r rule.Rule) bool) { n.described("", yield) }

func (n *Node) described(part string, yield func(part string, r rule.Rule) bool) bool {
	for _, list := range []struct {
		part  string
		rules []rule.Rule
	}{{part, n.Rules}, {part + "each key: ", n.Keys}} {
		for _, r := range list.rules {
			if !shownApart(r) && !yield(list.part, r) {
				return false
			}
		}
	}
	switch {
	case n.Items == nil:
		return true
	case n.Form == Map:
		part += "each value: "
	default:
		part += "each item: "
	}
	return n.Items.described(part, yield)
}

func shownApart(r rule.Rule) bool {
	switch r.Must.(type) {
	case *rule.Required, *rule.Enum:
		return len(r.Under)+len(r.Unless) == 0
	}
	return false
}
