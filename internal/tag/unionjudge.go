package tag

// Judge counts the members that a constant struct sets. A union whose members
// depend on options, or are items of a list, is left open.
func (u *Union) Judge(n *Node, v Literal) Verdict {
	if v.Object == nil || len(u.Conditions) > 0 {
		return Undecided
	}
	d := u.Discriminator
	set, selected := 0, true
	for _, m := range u.Members {
		if m.Field == nil || len(m.Conditions) > 0 {
			return Undecided
		}
		is := IsSet(n.Model, m.Field.Type, v.Object[m.Field.JSON])
		if is {
			set++
		}
		if d != nil && is != (v.Object[d.JSON] == m.Value) {
			selected = false
		}
	}
	switch {
	case d != nil:
		return KeptIf(selected)
	case u.ZeroOrOne:
		return KeptIf(set <= 1)
	}
	return KeptIf(set == 1)
}
