package layout

import (
	"slices"
	"strings"
	"testing"
)

// rooms are the folders of internal, from the bottom up, with the rooms that each may know besides itself. Their doc comments
// say what enters and what leaves.
var rooms = []struct {
	name  string
	knows []string
}{
	{"core", nil},
	{"rules", []string{"core"}},
	{"front", []string{"core", "rules"}},
	{"objects", []string{"core", "rules"}},
	{"versions", []string{"core", "rules", "objects"}},
	{"emit", []string{"core", "rules", "objects", "versions"}},
	{"tool", []string{"core", "rules", "front", "objects", "versions", "emit"}},
	{"testing", []string{"core", "rules", "emit", "tool", "versions"}},
}

// TestRooms finds packages outside of rooms, rooms that know others than listed, and listed ones that they do not know.
func TestRooms(t *testing.T) {
	known := map[string]map[string]bool{}
	for _, r := range rooms {
		known[r.name] = map[string]bool{}
	}
	for _, p := range list(t, "../../..", "./internal/...") {
		name, _ := internal(p.ImportPath)
		room, _, _ := strings.Cut(name, "/")
		if known[room] == nil {
			t.Errorf("internal/%s is in no room", name)
			continue
		}
		for _, imported := range p.Imports {
			if target, ok := internal(imported); ok {
				other, _, _ := strings.Cut(target, "/")
				known[room][other] = true
			}
		}
	}
	for _, r := range rooms {
		for other := range known[r.name] {
			if other != r.name && !slices.Contains(r.knows, other) {
				t.Errorf("internal/%s knows internal/%s; it may know %v", r.name, other, r.knows)
			}
		}
		for _, other := range r.knows {
			if !known[r.name][other] {
				t.Errorf("internal/%s does not know internal/%s; remove the allowance", r.name, other)
			}
		}
	}
}
