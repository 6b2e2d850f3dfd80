package validate

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Path is a place inside the object under validation, linked to its parent on
// the stack. Making one costs a few words and no allocation; only a failure
// turns it into a field.Path.
//
// A Path is valid for as long as its parents are: generated code keeps them in
// the frames of the callers. Go keeps them there only if none is declared in a
// loop, or in the body of a range over Entries, and handed to the function that
// the loop is in: a recursive function declares its paths before its loops.
type Path struct {
	parent *Path
	name   string
	index  int
	kind   pathKind
}

type pathKind uint8

const (
	rootPath pathKind = iota // the place where validation began
	childPath
	indexPath
	keyPath
)

// Child returns the path of the field with the given JSON name.
func (p *Path) Child(name string) Path { return Path{parent: p, name: name, kind: childPath} }

// Index returns the path of the list item at i.
func (p *Path) Index(i int) Path { return Path{parent: p, index: i, kind: indexPath} }

// Key returns the path of the map value at key.
func (p *Path) Key(key string) Path { return Path{parent: p, name: key, kind: keyPath} }

// under renders the path below base. The names are cloned: were they to flow
// into the field.Path, the compiler would have to put every Path on the heap.
func (p *Path) under(base *field.Path) *field.Path {
	switch {
	case p == nil || p.kind == rootPath:
		return base
	case p.kind == childPath:
		return p.parent.under(base).Child(strings.Clone(p.name))
	case p.kind == indexPath:
		return p.parent.under(base).Index(p.index)
	default:
		return p.parent.under(base).Key(strings.Clone(p.name))
	}
}
