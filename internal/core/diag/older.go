package diag

import (
	"maps"
	"slices"
	"strings"
)

// Older collects the diagnostics of generated older versions, whose source is that of the newest.
// The zero value is ready for use.
type Older struct {
	bags map[string]*Bag
}

// In returns the bag of a version.
func (o *Older) In(version string) *Bag {
	if o.bags[version] == nil {
		if o.bags == nil {
			o.bags = map[string]*Bag{}
		}
		o.bags[version] = &Bag{}
	}
	return o.bags[version]
}

// MoveTo adds to a bag, which has those of the newest version, what only older versions have, with their names. The notes are
// those of the last one.
func (o *Older) MoveTo(bag *Bag, compare func(version, other string) int) {
	all, versions := map[string]*Diagnostic{}, map[string][]string{}
	key := func(d *Diagnostic) string {
		return d.Span.String() + "\x00" + d.Code.String() + "\x00" + d.Message
	}
	for _, version := range slices.SortedFunc(maps.Keys(o.bags), compare) {
		for _, d := range o.bags[version].All() {
			if !bag.Has(d.Span, d.Code) {
				all[key(d)] = d
				versions[key(d)] = append(versions[key(d)], version)
			}
		}
	}
	for key, d := range all {
		d.Message = "in " + strings.Join(versions[key], ", ") + ": " + d.Message
		bag.Add(d)
	}
	o.bags = nil
}
