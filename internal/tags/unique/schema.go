package unique

import (
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// schema compares all items with each other in a rule on the list, where that
// does not cost more than a server allows.
func schema(n *tag.Node, c *model.Constraint, s *tag.Schema) {
	if model.Says(n.AllConstraints(), "k8s:customUnique") || s.Props.Items == nil || s.Props.Items.Schema == nil {
		return
	}
	if p := n.Model.Package(n.Owner.Package); p == nil || !p.Root && !p.Generated {
		s.Unprojectable("the type is another module's, which cannot bound what is around it here")
		return
	}
	items := s.Props.Items.Schema
	same, compared := "x == y", []apiextensionsv1.JSONSchemaProps{*items}
	if c.Text() == "map" {
		same, compared = sameKeys(n, items), nil
		for _, key := range n.ListMapKeys() {
			compared = append(compared, items.Properties[key.JSON])
		}
	}
	if reason := tooDear(s.Props, compared); reason != "" {
		s.Unprojectable(reason)
		return
	}
	s.Rule(tag.CELRule("self.all(x, self.exists_one(y, "+same+"))", "items must be unique", tag.ReasonDuplicate, ""))
}

// What a server estimates the rule to cost: for each pair of items a little, and
// a tenth for each character that is compared. Of a string without a bound it
// thinks that it is as long as a request.
const (
	budget         = 10_000_000
	perPair        = 9
	longestRequest = 3 << 20
)

// tooDear returns why the rule would be refused, and what to do; "" if it would not.
func tooDear(list *apiextensionsv1.JSONSchemaProps, compared []apiextensionsv1.JSONSchemaProps) string {
	const why = "comparing all items with each other may cost more than a server allows; "
	if list.MaxItems == nil {
		return why + "bound the list with +k8s:maxItems"
	}
	pairs, each := float64(*list.MaxItems)*float64(*list.MaxItems), float64(perPair)
	unbounded := false
	for _, props := range compared {
		switch {
		case props.Type != "string":
		case props.MaxLength != nil:
			each += float64(*props.MaxLength) / 10
		case len(props.Enum) == 0:
			unbounded = true
			each += longestRequest / 10
		}
	}
	switch {
	case pairs*each <= budget:
		return ""
	case unbounded:
		return why + "bound the strings that are compared with +k8s:maxLength"
	}
	return why + "lower the list's +k8s:maxItems"
}

// sameKeys compares the keys of two items as generated Go does: an unset key of
// a pointer type is a value of its own, one of another type is its zero value.
func sameKeys(n *tag.Node, items *apiextensionsv1.JSONSchemaProps) string {
	var parts []string
	for _, key := range n.ListMapKeys() {
		parts = append(parts, sameKey(n, key, items))
	}
	return strings.Join(parts, " && ")
}

func sameKey(n *tag.Node, key *model.Field, items *apiextensionsv1.JSONSchemaProps) string {
	name := tag.CELName(key.JSON)
	if slices.Contains(items.Required, key.JSON) {
		return "x." + name + " == y." + name
	}
	if _, pointer := n.Model.Deref(key.Type); pointer {
		return "has(x." + name + ") == has(y." + name + ") && (!has(x." + name + ") || x." + name + " == y." + name + ")"
	}
	zero := map[tag.Shape]string{tag.Strings: "''", tag.Integers: "0", tag.Bools: "false"}[tag.ShapeOf(n.Model, key.Type)]
	value := func(item string) string {
		return "(has(" + item + "." + name + ") ? " + item + "." + name + " : " + zero + ")"
	}
	return value("x") + " == " + value("y")
}
