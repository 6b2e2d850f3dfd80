package model

// DiscriminatedBy returns the Go name of the discriminator that a member of a union of KEP-1027
// names, or "".
func DiscriminatedBy(f *Field) string {
	for _, c := range Find(f.Tags, RoleDiscriminatedBy) {
		return c.Text()
	}
	return ""
}

// SameCondition compares what two conditions depend on; since when is history.
func SameCondition(a, b *Tag) bool { return a.Role == b.Role && a.ArgText("") == b.ArgText("") }
