// Package loss reports what conversions between versions lose: the edges of plans that are
// neither tracked nor accepted by the author. It also reports defaults that do not convert.
package loss

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/source"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Conversion)

	codeRefused = codes.Firm().New("versions/default-refused", "The default of an added field does not convert to the newest version: a `transform` of a later version refuses it, so every upgrade of an older object would fail. Write a default that the transform converts.")

	codeLossy = codes.New("versions/lossy", "A conversion loses values: a version cannot represent a value of another, or a function may not keep it. A client of that version loses the value when it writes the object. If this is intended, add `lossy: \"<reason>\"` to the marker. If the functions lose nothing, add `lossless: true`.")
)

// Codes returns the codes of the diagnostics about losses.
func Codes() []diag.Code { return codes.All() }

// loss is one change that loses values, with the versions and directions that do.
type loss struct {
	edge     *plan.Edge
	versions [2][]string // by direction, up first
}

// Report adds a diagnostic for each change of a root package that loses values.
func Report(m *model.Model, plans plan.Plans, bag *diag.Bag) {
	for _, hub := range m.Packages {
		if !hub.Root {
			continue
		}
		checkTracking(m, hub, plans, bag)
		checkRestores(hub, bag)
		type key struct {
			span   source.Span
			reason string
		}
		found := map[key]*loss{}
		var order []*loss
		for _, v := range hub.Versions {
			p := plans[v.Package]
			if p == nil || p.Hub.Package != hub.Path {
				continue
			}
			for _, t := range p.Types {
				if t.Idle {
					continue
				}
				checkDefaults(t, bag)
				for i, way := range plan.Ways {
					for _, e := range p.Own(t, way) {
						if e.Accepted() {
							continue
						}
						l := found[key{e.Span, e.Reason}]
						if l == nil {
							l = &loss{edge: e}
							found[key{e.Span, e.Reason}] = l
							order = append(order, l)
						}
						l.add(i, v.Name)
					}
				}
			}
		}
		some := map[source.Span]bool{}
		for _, l := range order {
			some[l.edge.Span] = some[l.edge.Span] || l.edge.Loss == plan.Some
		}
		for _, l := range order {
			if l.edge.Loss == plan.Unknown && some[l.edge.Span] {
				continue
			}
			bag.Errorf(l.edge.Span, codeLossy, "%s", l.message())
		}
	}
}

func (l *loss) add(way int, version string) {
	if n := len(l.versions[way]); n == 0 || l.versions[way][n-1] != version {
		l.versions[way] = append(l.versions[way], version)
	}
}

func (l *loss) message() string {
	const accept = `; if this is intended, add lossy: "<reason>"`
	up, down := l.versions[0], l.versions[1]
	switch {
	case l.edge.Loss == plan.Unknown:
		return l.edge.Reason + ", and may lose values of " + list(slices.Concat(up, down)) + `; add lossless: true if nothing is lost, else lossy: "<reason>"`
	case len(down) == 0:
		return l.edge.Reason + ": values that clients of " + list(up) + " write are lost" + accept
	}
	return l.edge.Reason + ": values are lost when clients of " + list(down) + " write the object" + accept
}

// list joins versions as prose, without repetitions.
func list(versions []string) string {
	var words []string
	for _, v := range versions {
		if !slices.Contains(words, v) {
			words = append(words, v)
		}
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// checkDefaults reports the defaults of a type's fields that transforms refuse.
func checkDefaults(t *plan.Type, bag *diag.Bag) {
	for _, op := range t.Fields {
		if op.Fill != nil && op.Fill.Refused != nil {
			r := op.Fill.Refused
			bag.Errorf(r.Span, codeRefused, "the transform %s of %s refuses this value of the default of %s.%s: %s; write a value that it converts", r.Transform, r.Since, t.Hub.Name, op.Hub.Go, r.Reason)
		}
	}
}
