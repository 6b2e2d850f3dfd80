package plan

import (
	"maps"
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/model"
)

// enum returns the values of an enum that differ, or nil.
func (b *builder) enum(older, hub *model.Type) *Enum {
	byName := map[string]*model.Const{}
	for _, c := range hub.Consts {
		byName[c.Name] = c
	}
	e := &Enum{}
	up := map[string]string{}     // of constants that both versions have
	downward := map[string]bool{} // the hub's constants that older constants represent
	for _, c := range older.Consts {
		to := Const{c.Name, c.Value}
		if origin := byName[c.Origin]; origin != nil {
			up[c.Value], downward[origin.Value] = origin.Value, true
			if origin.Value != c.Value {
				from := Const{origin.Name, origin.Value}
				e.Up = append(e.Up, Case{From: to, To: from})
				e.Down = append(e.Down, Case{From: from, To: to})
			}
		}
		for _, f := range older.Fallbacks {
			if from := byName[f.Hub]; f.To == c.Name && from != nil {
				downward[from.Value] = true
				edge := b.fallbackEdge(from, c)
				e.Down = append(e.Down, Case{Const{from.Name, from.Value}, to, edge})
				if !older.IsEnum() && (e.Edges.Up == nil || e.Edges.Up.Accepted()) {
					e.Edges.Up = edge // objects of the older version may have the value too
				}
			}
		}
	}
	// A value that is no constant of the hub, but has a constant's name of the older version,
	// must not become that constant. It takes a name that is free there.
	for _, name := range slices.Sorted(maps.Keys(up)) {
		if downward[name] {
			continue
		}
		free := up[name]
		for range up {
			if next, taken := up[free]; taken {
				free = next
			}
		}
		e.Down = append(e.Down, Case{From: Const{Value: name}, To: Const{Value: free}})
		e.Up = append(e.Up, Case{From: Const{Value: free}, To: Const{Value: name}})
	}
	if len(e.Up)+len(e.Down) == 0 {
		return nil
	}
	return e
}

// fallbackEdge returns what the replacement of a constant loses.
func (b *builder) fallbackEdge(from, to *model.Const) *Edge {
	e := &Edge{Loss: Some, Span: from.Span, Reason: quote(from) + " does not exist in " + b.Older.Name + ", which has " + quote(to) + " instead"}
	if added := addedBy(from.Changes); added != nil {
		e.Span, e.Lossy = added.Span, added.Reason()
		e.Reason = quote(from) + " exists since " + added.Since + ", and older versions have " + added.DowngradeTo.Or("another value") + " instead"
	}
	return b.tracked(e)
}

// quote returns a constant's value as users read it.
func quote(c *model.Const) string {
	if c.IsString {
		return strconv.Quote(c.Value)
	}
	return c.Value
}
