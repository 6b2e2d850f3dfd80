package validate

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Path is the path of a value in the object under validation, linked to its parent
// on the stack. Creating one costs a few words and does not allocate; only an
// error converts it to a field.Path.
//
// A Path is valid as long as its parents: generated code keeps them in the frames
// of the callers. Go keeps a Path on the stack only if it is not declared in a loop,
// or in the body of a range over Entries, and passed to the function that contains
// the loop. Recursive functions therefore declare their paths before their loops.
type Path struct {
	parent *Path
	name   string
	index  int
	kind   pathKind
}

type pathKind uint8

const (
	rootPath pathKind = iota // the value that is validated
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

// under converts the path to a field.Path below base. It clones the names: if they
// escaped into the field.Path, the compiler would allocate every Path on the heap.
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
