package tag

import (
	"maps"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Choice is a text that an argument or a value can have, for editors.
type Choice struct {
	Text string
	// Of says what the text names, such as "field Replicas (int32)"; Doc is its documentation.
	Of, Doc string
}

// Choices returns what a reference in a tag on the node can name. NamedBy is the reference of the argument's name. It
// returns nothing for plain values.
func (n *Node) Choices(c *model.Tag, refers Refers, namedBy *model.Reference) []Choice {
	d := n.Tags.Lookup(c.Name)
	if d == nil {
		return nil
	}
	switch refers {
	case OwnerField, ElemField, ValueField:
		return n.fieldChoices(n.StructOf(refers), refers)
	case ValueConst:
		return ConstChoices(n.Model, n.Type)
	case NamedConst:
		if f, _ := n.Model.FieldOf(namedBy); f != nil {
			return ConstChoices(n.Model, f.Type)
		}
	case SelectorConst:
		if f := n.selector(d, c); f != nil {
			return ConstChoices(n.Model, f.Type)
		}
	case Group:
		return n.groupChoices(c)
	case Function:
		return n.functionChoices()
	case Version:
		return n.versionChoices()
	}
	return nil
}

func (n *Node) fieldChoices(t *model.Type, refers Refers) []Choice {
	var list []Choice
	o := n.Model.Object(t)
	if o == nil {
		return nil
	}
	for _, member := range o.Members {
		if refers == OwnerField && member.Field == n.Field {
			continue
		}
		of := FieldNode(n.Model, n.Tags, t, member.Field)
		list = append(list, Choice{Text: member.Name, Of: of.Describe(), Doc: member.Field.Doc})
	}
	return list
}

// ConstChoices returns the values of the constants of a type, and of the types that it is declared from.
func ConstChoices(m *model.Model, r *model.Ref) []Choice {
	var list []Choice
	elem, _ := m.Deref(r)
	_, chain := m.Resolve(elem)
	for _, t := range chain {
		for _, c := range t.Consts {
			if !slices.ContainsFunc(list, func(other Choice) bool { return other.Text == c.Value }) {
				list = append(list, Choice{Text: c.Value, Of: "constant " + c.Name, Doc: c.Doc})
			}
		}
	}
	return list
}

// groupChoices returns the names of the unions, or of the modalities, that other fields of the struct declare.
func (n *Node) groupChoices(c *model.Tag) []Choice {
	names := map[string]string{}
	if n.Owner == nil {
		return nil
	}
	for _, f := range n.Owner.Fields {
		for _, s := range f.Tags {
			if d := n.Tags.Lookup(s.Name); d == nil || s == c || d.ArgReferring(Group) == nil {
				continue
			}
			if name := n.Tags.group(s); name != "" && names[name] == "" {
				names[name] = s.Describe() + " on " + f.Name
			}
		}
	}
	var list []Choice
	for _, name := range slices.Sorted(maps.Keys(names)) {
		list = append(list, Choice{Text: name, Of: names[name]})
	}
	return list
}

func (n *Node) functionChoices() []Choice {
	p := n.pkg()
	if p == nil {
		return nil
	}
	var list []Choice
	for _, name := range slices.Sorted(maps.Keys(p.Funcs)) {
		list = append(list, Choice{Text: name, Of: "function " + name})
	}
	return list
}

// versionChoices returns the versions of the API, the newest first: most changes are in it.
func (n *Node) versionChoices() []Choice {
	p := n.pkg()
	if p == nil {
		return nil
	}
	var list []Choice
	for _, v := range slices.Backward(p.Versions) {
		list = append(list, Choice{Text: v.Name, Of: "version of " + p.Group, Doc: v.Doc})
	}
	return list
}

// pkg returns the package of the node's declaration, nil if it is unknown.
func (n *Node) pkg() *model.Package {
	if n.Owner == nil {
		return n.Package
	}
	return n.Model.Package(n.Owner.Package)
}
