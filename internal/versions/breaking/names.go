package breaking

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/exp/apidiff"
)

// NameChange is a change of a Go package that breaks programs that import it.
type NameChange struct {
	Message string
	// Pos is the declaration in the newer package; invalid if it has none.
	Pos token.Pos
	// Type is the name of a type that is gone, if this is the change. Member says that a field or a method changed.
	Type   string
	Member bool
}

// CompareNames returns what breaks programs that import a package if the newer package replaces it. It
// leaves out what follows from other changes: functions and constants of types that are gone, and conversions, whose names and
// signatures have the newest version's types. It also leaves out what moved, as it was, to the package that is the newest
// version instead; nil if there is none.
func CompareNames(earlier, newer, newest *types.Package) []NameChange {
	var list []NameChange
	for _, c := range apidiff.Changes(earlier, newer).Changes {
		name, member := subject(c.Message)
		if c.Compatible || converts(name, member) || member == "" && follows(earlier.Scope().Lookup(name), newer) || moved(earlier, newer, newest, name, member) {
			continue
		}
		change := NameChange{Message: c.Message, Pos: declaration(newer.Scope(), name, member), Member: member != ""}
		if _, is := earlier.Scope().Lookup(name).(*types.TypeName); is && member == "" && newer.Scope().Lookup(name) == nil {
			change.Type = name
		}
		list = append(list, change)
	}
	return list
}

// subject returns what a message is about, such as "(*Foo).Name: removed" or "Foo.Size: changed from
// int to string".
func subject(message string) (name, member string) {
	name, _, _ = strings.Cut(message, ": ")
	name, member, _ = strings.Cut(strings.NewReplacer("(", "", "*", "", ")", "").Replace(name), ".")
	return name, member
}

// converts reports whether a name is that of a conversion between versions.
func converts(name, member string) bool {
	if member != "" {
		return member == "Hub" || member == "ConvertTo" || member == "ConvertFrom"
	}
	return strings.HasPrefix(name, "Convert_")
}

// follows reports whether a constant, a variable, or a parameter or result of a function has a type of its package that the
// newer package lacks.
func follows(object types.Object, newer *types.Package) bool {
	if object == nil || newer.Scope().Lookup(object.Name()) != nil {
		return false
	}
	isGone := func(typ types.Type) bool {
		switch t := typ.(type) {
		case *types.Pointer:
			typ = t.Elem()
		case *types.Slice:
			typ = t.Elem()
		}
		named, ok := typ.(*types.Named)
		return ok && named.Obj().Pkg() == object.Pkg() && newer.Scope().Lookup(named.Obj().Name()) == nil
	}
	switch object := object.(type) {
	case *types.Const, *types.Var:
		return isGone(object.Type())
	case *types.Func:
		for _, list := range []*types.Tuple{object.Signature().Params(), object.Signature().Results()} {
			for v := range list.Variables() {
				if isGone(v.Type()) {
					return true
				}
			}
		}
	}
	return false
}

// moved reports whether a name or a method that the newer package lacks is in another package as it was.
func moved(earlier, newer, to *types.Package, name, member string) bool {
	if to == nil || lookup(newer, name, member) != nil {
		return false
	}
	before, after := lookup(earlier, name, member), lookup(to, name, member)
	if _, is := before.(*types.Func); before == nil || after == nil || member != "" && !is {
		return false // a field stays in the type
	}
	text := func(o types.Object) string {
		t := o.Type()
		if _, is := o.(*types.TypeName); is {
			t = t.Underlying()
		}
		return types.TypeString(t, func(p *types.Package) string {
			if p.Path() == o.Pkg().Path() {
				return ""
			}
			return p.Path()
		})
	}
	return text(before) == text(after)
}

// lookup returns a name of a package, or a field or method of one; nil if there is none.
func lookup(p *types.Package, name, member string) types.Object {
	object := p.Scope().Lookup(name)
	if object == nil || member == "" {
		return object
	}
	part, _, _ := types.LookupFieldOrMethod(object.Type(), true, p, member)
	return part
}

// declaration returns the declaration of a name or of its member.
func declaration(scope *types.Scope, name, member string) token.Pos {
	object := scope.Lookup(name)
	if object == nil {
		return token.NoPos
	}
	if part, _, _ := types.LookupFieldOrMethod(object.Type(), true, object.Pkg(), member); member != "" && part != nil && part.Pkg() == object.Pkg() {
		return part.Pos()
	}
	return object.Pos()
}
