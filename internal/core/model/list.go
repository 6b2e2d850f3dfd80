package model

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
)

// List is how the items of a list are owned and identified, by tags or by the markers of other
// tools, on the field or on its type.
type List struct {
	// Type is "map", "set" or "atomic": how server-side apply owns the items.
	Type string `json:"type"`
	// Identity is how items are told apart and paired with old items. An atomic list can have items
	// with keys.
	Identity string `json:"identity"`
	// Keys are the JSON names of the fields that identify an item.
	Keys []string `json:"keys,omitempty"`
	// By is the tag or marker that gives the type, "" for none.
	By string `json:"by,omitempty"`
	// From is the declared type that has it; nil is the field itself.
	From *Name `json:"from,omitempty"`
}

// Patch is what the field's markers say about strategic merge patches. API servers for Go types apply them; custom resources
// have no such patches.
type Patch struct {
	Strategy string `json:"strategy,omitempty"`
	MergeKey string `json:"mergeKey,omitempty"`
}

// The types of lists.
const (
	ListAtomic = "atomic"
	ListSet    = "set"
	ListMap    = "map"
)

// ListAt returns how the items of a list are identified: by what its field has, else by what its
// declared types have, outermost first. Tags take precedence over markers.
func (m *Model) ListAt(tags []*Tag, markers []Marker, r *Ref) *List {
	l := &List{Type: ListAtomic}
	l.read(tags, markers, nil)
	_, chain := m.Resolve(r)
	for _, t := range chain {
		id := t.ID()
		l.read(t.Tags, t.Markers, &id)
	}
	if l.Identity == "" {
		l.Identity = l.Type
	}
	return l
}

// read adds what one declaration says.
func (l *List) read(tags []*Tag, markers []Marker, from *Name) {
	for _, c := range Bare(tags) {
		switch c.Role {
		case RoleListType:
			l.declare(c.Text(), "+"+c.Name, from)
		case RoleUnique:
			if l.Identity == "" {
				l.Identity = c.Text()
			}
		case RoleListMapKey:
			l.key(c.Text())
		}
	}
	for _, c := range markers {
		switch c.Name {
		case foreign.ListType:
			l.declare(textOf(c), "+"+c.Name, from)
		case foreign.ListMapKey:
			l.key(textOf(c))
		}
	}
}

// textOf returns the value of a marker, without a comment and quotes.
func textOf(m Marker) string {
	_, value, _ := strings.Cut(foreign.WithoutComment(m.Text), "=")
	return strings.Trim(strings.TrimSpace(value), "\"`")
}

// patchOf returns what markers say about patches; nil for nothing.
func patchOf(markers []Marker) *Patch {
	p := Patch{}
	for _, c := range markers {
		switch c.Name {
		case foreign.PatchStrategy:
			p.Strategy = textOf(c)
		case foreign.PatchMergeKey:
			p.MergeKey = textOf(c)
		}
	}
	if p == (Patch{}) {
		return nil
	}
	return &p
}

func (l *List) declare(kind, by string, from *Name) {
	if l.By == "" {
		l.Type, l.By, l.From = kind, by, from
	}
}

// key adds a key. A field may repeat a key of its type.
func (l *List) key(name string) {
	if !slices.Contains(l.Keys, name) {
		l.Keys = append(l.Keys, name)
	}
}
