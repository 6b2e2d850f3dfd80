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
}

// CompareNames returns what breaks programs that import a package if the newer package replaces it.
func CompareNames(earlier, newer *types.Package) []NameChange {
	var list []NameChange
	for _, c := range apidiff.Changes(earlier, newer).Changes {
		if !c.Compatible {
			list = append(list, NameChange{Message: c.Message, Pos: declaration(newer.Scope(), c.Message)})
		}
	}
	return list
}

// declaration returns the declaration that a message begins with, such as
// "(*Foo).Name: removed" or "Foo.Size: changed from int to string".
func declaration(scope *types.Scope, message string) token.Pos {
	name, _, _ := strings.Cut(message, ": ")
	name, member, _ := strings.Cut(strings.NewReplacer("(", "", "*", "", ")", "").Replace(name), ".")
	object := scope.Lookup(name)
	if object == nil {
		return token.NoPos
	}
	if part, _, _ := types.LookupFieldOrMethod(object.Type(), true, object.Pkg(), member); member != "" && part != nil && part.Pkg() == object.Pkg() {
		return part.Pos()
	}
	return object.Pos()
}
