package update

import (
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// messages are upstream's.
var messages = map[string]string{
	noSet:        "field cannot be set once created",
	noUnset:      "field cannot be cleared once set",
	noModify:     "field cannot be modified once set",
	noAddItem:    "item may not be added",
	noRemoveItem: "item may not be removed",
}

// schema compares with oldSelf, on the struct around the field: a rule on the
// field itself does not run when the field comes or goes.
func schema(n *tag.Node, c *model.Constraint, s *tag.Schema) {
	what := c.Text()
	if !s.Correlatable {
		s.Unprojectable("there is no old value to compare with below a list whose items are not paired; give the list a type of map")
		return
	}
	if n.Scope != tag.OnField {
		s.Rule(tag.CELRule(unchanged(n), messages[what], tag.ReasonInvalid, ""))
		return
	}
	was, is := tag.CELSet(n.Model, "oldSelf", n.Field), tag.CELSet(n.Model, "self", n.Field)
	name := tag.CELName(n.Field.JSON)
	rule, reason := "", tag.ReasonInvalid
	switch what {
	case noSet:
		rule = was + " || !" + is
	case noUnset:
		rule = "!" + was + " || " + is
	case noModify:
		rule = "!" + was + " || !" + is + " || self." + name + " == oldSelf." + name
	case noAddItem:
		rule, reason = within(n, "self."+name, "oldSelf."+name), apiextensionsv1.FieldValueForbidden
	case noRemoveItem:
		rule, reason = within(n, "oldSelf."+name, "self."+name), apiextensionsv1.FieldValueForbidden
	}
	s.ParentRule(tag.CELRule(rule, messages[what], reason, n.Field.JSON))
}

// unchanged says that a list's or map's value is what it was, or was or is unset.
func unchanged(n *tag.Node) string {
	zero := tag.CELZero(n.Model, n.Type)
	if zero == "" {
		return "self == oldSelf"
	}
	return "self == oldSelf || self == " + zero + " || oldSelf == " + zero
}

// within says that every item of one list or map is in another.
func within(n *tag.Node, x, y string) string {
	keys := n.ListMapKeys()
	switch u := n.Underlying(); {
	case u.Kind == model.KindMap:
		return "!has(" + x + ") || " + x + ".all(k, has(" + y + ") && k in " + y + ")"
	case n.Semantics() == "map" && len(keys) > 0:
		same := make([]string, len(keys))
		for i, k := range keys {
			name := tag.CELName(k.JSON)
			same[i] = "j." + name + " == i." + name
		}
		return "!has(" + x + ") || " + x + ".all(i, has(" + y + ") && " + y + ".exists(j, " + strings.Join(same, " && ") + "))"
	}
	return "!has(" + x + ") || " + x + ".all(i, has(" + y + ") && i in " + y + ")"
}
