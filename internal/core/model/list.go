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
	// Patch is how strategic merge patches own the items. API servers for Go types merge so; custom
	// resources have no such patches.
	Patch *Patch `json:"patch,omitempty"`
}

// Patch is what the markers of strategic merge patches say about a list.
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
		_, value, _ := strings.Cut(foreign.WithoutComment(c.Text), "=")
		value = strings.Trim(strings.TrimSpace(value), "\"`")
		switch c.Name {
		case foreign.ListType:
			l.declare(value, "+"+c.Name, from)
		case foreign.ListMapKey:
			l.key(value)
		case foreign.PatchStrategy, foreign.PatchMergeKey:
			if l.Patch == nil {
				l.Patch = &Patch{}
			}
			if c.Name == foreign.PatchStrategy {
				l.Patch.Strategy = value
			} else {
				l.Patch.MergeKey = value
			}
		}
	}
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
