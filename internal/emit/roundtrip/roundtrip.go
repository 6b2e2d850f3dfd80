// Package roundtrip emits zz_generated.roundtrip_test.go, which converts random objects
// between all versions of an API: its tests fail if a conversion loses anything that the
// plan does not list as lost. Package runtime/convert/roundtrip has the laws.
package roundtrip

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
)

// FileName is the name of the file in the package of the newest version.
const FileName = "zz_generated.roundtrip_test.go"

// Emitter returns the emitter.
func Emitter() *emit.Emitter {
	return &emit.Emitter{
		Name:    "roundtrip",
		Part:    diag.RoundTrip,
		Summary: "zz_generated.roundtrip_test.go, which converts random objects between all versions and back",
		Files:   []string{FileName},
		Calls:   "conversion",
		Emit:    write,
	}
}

// writer writes the file of one hub.
type writer struct {
	c   *emit.Context
	m   *model.Model
	hub *model.Package
	// plans are those of the older versions, oldest first.
	plans []*plan.Plan
	// packages are those of all versions, the hub last.
	packages []*model.Package
	// parents are the operations of the parents of moved fields.
	parents map[*plan.Op]parent
	// emptied are their types, of which zero fields may become absent.
	emptied map[model.Name]bool
}

func write(c *emit.Context) ([]emit.File, error) {
	if c.Package.Hub != "" || model.Skips(c.Package.Tags, model.PartRoundTrip) {
		return nil, nil
	}
	m := c.Plans.Model(c.Model)
	w := &writer{c: c, m: m, hub: m.Package(c.Package.Path)}
	for _, v := range c.Package.Versions {
		p, pkg := c.Plans[v.Package], m.Package(v.Package)
		if p == nil || p.Hub.Package != c.Package.Path || model.Skips(pkg.Tags, model.PartConversion) || model.Skips(pkg.Tags, model.PartRoundTrip) {
			continue
		}
		w.plans, w.packages = append(w.plans, p), append(w.packages, pkg)
	}
	w.packages = append(w.packages, w.hub)
	w.readParents()
	kinds := w.kinds()
	if len(kinds) == 0 {
		return nil, nil
	}
	f := gofile.New(c.Package.Path+"_test", c.Package.Name+"_test")
	f.SetHeader(c.Options.Header)
	f.SetFormatter(c.Formatter)
	f.SetNames(c.PackageName)
	f.SetAliases(c.Options.Aliases)
	f.Reserve("t")
	f.P("// TestRoundTrip converts random objects between all versions and back, as Go objects and")
	f.P("// as JSON. KINDSMITH_ROUNDTRIP_OBJECTS is the number of objects a pair of versions.")
	f.P("func TestRoundTrip(t *", f.Ident("testing", "T"), ") {")
	f.P(f.Ident(gofile.RuntimeRoundTrip, "Run"), "(t, ", f.Ident(gofile.RuntimeRoundTrip, "API"), "{")
	f.P("Wire: []", f.Ident(gofile.RuntimeWire, "Conversion"), "{")
	for _, p := range w.plans {
		f.P(f.Ident(p.Older.Package, "WireConversion"), "(),")
	}
	f.P("},")
	f.P("Kinds: [][]", f.Ident(gofile.RuntimeRoundTrip, "Version"), "{")
	for _, versions := range kinds {
		f.P("{")
		for _, v := range versions {
			up, down := w.function(v, plan.Up), w.function(v, plan.Down)
			f.P(f.Ident(gofile.RuntimeRoundTrip, "Older"), "(", strconv.Quote(v.plan.Older.Name), ", ", f.Ident(v.plan.Older.Package, up), ", ", f.Ident(v.plan.Older.Package, down), "),")
		}
		f.P("},")
	}
	f.P("},")
	values, fields := w.describe(kinds)
	values.print(f, "Values", "Values")
	fields.print(f, "Fields", "Field")
	entries := w.entries(kinds)
	entries.print(f, "Entries", "Entry")
	f.P("})")
	f.P("}")
	content, err := f.Bytes()
	if err != nil {
		return nil, err
	}
	return []emit.File{{Name: FileName, Content: content}}, nil
}

// entries returns the labels and annotations that are fields in other versions.
func (w *writer) entries(kinds [][]older) table {
	var entries table
	for _, versions := range kinds {
		for _, v := range versions {
			for _, op := range v.pair.Fields {
				switch text, of := entryOf(v.pair, op); {
				case text == "":
				case of == plan.Down:
					entries.add(w.m.Package(v.plan.Older.Package), text)
				default:
					entries.add(w.hub, text)
					for _, other := range versions {
						if !slices.ContainsFunc(other.pair.Fields, func(op *plan.Op) bool { t, _ := entryOf(other.pair, op); return t == text }) {
							entries.add(w.m.Package(other.plan.Older.Package), text)
						}
					}
				}
			}
		}
	}
	return entries
}

// entryOf returns the label or the annotation that a field of a kind is in the older version or in the hub;
// "" if it is none.
func entryOf(kind *plan.Type, op *plan.Op) (text string, of plan.Way) {
	entry, of := op.Entry()
	if entry == nil {
		return "", of
	}
	var l literal
	l.text("Kind", kind.Hub.Name)
	l.text("Map", op.Path(of, false)[1].JSON)
	l.text("Key", entry.JSON)
	return l.String(), of
}

// print prints a field of the API, which is a list of literals of a type.
func (t *table) print(f *gofile.File, name, typ string) {
	if len(t.literals) == 0 {
		return
	}
	f.P(name, ": []", f.Ident(gofile.RuntimeRoundTrip, typ), "{")
	for _, text := range t.literals {
		var versions literal
		versions.texts("Versions", t.versions[text])
		f.P("{", versions.String(), ", ", text, "},")
	}
	f.P("},")
}

// older is one older version of a kind.
type older struct {
	plan *plan.Plan
	pair *plan.Type
}

// kinds returns the kinds of the hub that have older versions with conversions.
func (w *writer) kinds() [][]older {
	var kinds [][]older
	for _, t := range w.hub.Types {
		if t.Kind == nil || t.Kind.List {
			continue
		}
		var versions []older
		for _, p := range w.plans {
			if pair := pairOf(p, t.ID()); pair != nil && pair.Value == nil && !model.Skips(t.Tags, model.PartRoundTrip) {
				versions = append(versions, older{p, pair})
			}
		}
		if len(versions) > 0 {
			kinds = append(kinds, versions)
		}
	}
	return kinds
}

// pairOf returns the conversion of a type in objects, or nil. Fields of types that are not converted may move out of them.
func pairOf(p *plan.Plan, hub model.Name) *plan.Type {
	for _, t := range p.Types {
		if t.Hub == hub && (!t.Idle || slices.ContainsFunc(t.Fields, func(op *plan.Op) bool { return op.By != nil })) {
			return t
		}
	}
	return nil
}

func (w *writer) function(v older, way plan.Way) string {
	from, to := w.m.Package(v.plan.Older.Package), w.hub
	if way == plan.Down {
		from, to = to, from
	}
	in, out := v.pair.Ends(way)
	return model.ConversionFunc(from, in.Name, to, out.Name)
}

// literal is the inside of a composite literal.
type literal []string

func (l *literal) text(name, value string) {
	if value != "" {
		*l = append(*l, name+": "+strconv.Quote(value))
	}
}

func (l *literal) flag(name string, set bool) {
	if set {
		*l = append(*l, name+": true")
	}
}

func (l *literal) texts(name string, values []string) {
	if len(values) == 0 {
		return
	}
	var quoted []string
	for _, v := range values {
		if strconv.CanBackquote(v) && strings.Contains(v, `"`) {
			quoted = append(quoted, "`"+v+"`")
		} else {
			quoted = append(quoted, strconv.Quote(v))
		}
	}
	*l = append(*l, name+": []string{"+strings.Join(quoted, ", ")+"}")
}

func (l *literal) String() string { return strings.Join(*l, ", ") }
