// Package roundtrip emits zz_generated.roundtrip_test.go, which converts random objects
// between all versions of an API: its tests fail if a conversion loses anything. Package
// runtime/convert/roundtrip has the laws.
//
// [Emitter] is called for each package. Mistakes of users are diagnostics.
package roundtrip

import (
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
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

// writer writes the file of one API.
type writer struct {
	m     *model.Model
	hub   *model.Package
	older []*model.Package
	f     *gofile.File
}

func write(c *emit.Context) ([]emit.File, error) {
	at := slices.IndexFunc(c.Steps, func(api *steps.API) bool { return api.Newest == c.Package.Path })
	if at < 0 || model.Skips(c.Package.Tags, model.PartRoundTrip) {
		return nil, nil
	}
	m := c.Steps[at].Model
	w := &writer{m: m, hub: m.Package(c.Package.Path)}
	for _, v := range c.Steps[at].Versions {
		if p := m.Package(v.Package); p != w.hub && !model.Skips(p.Tags, model.PartConversion) && len(w.kindsOf(p)) > 0 {
			w.older = append(w.older, p)
		}
	}
	kinds := w.kinds()
	if len(kinds) == 0 {
		return nil, nil
	}
	w.f = gofile.New(c.Package.Path+"_test", c.Package.Name+"_test")
	w.f.SetHeader(c.Options.Header)
	w.f.SetFormatter(c.Formatter)
	w.f.SetNames(c.PackageName)
	w.f.SetAliases(c.Options.Aliases)
	w.f.Reserve("t")
	w.print(kinds)
	content, err := w.f.Bytes()
	if err != nil {
		return nil, err
	}
	return []emit.File{{Name: FileName, Content: content}}, nil
}

func (w *writer) print(kinds []kind) {
	f := w.f
	f.P("// TestRoundTrip converts random objects between all versions and back, as Go objects and")
	f.P("// as JSON. KINDSMITH_ROUNDTRIP_OBJECTS is the number of objects of each version.")
	f.Block("func TestRoundTrip(t *"+f.Ident("testing", "T")+") {", func() {
		f.P(f.Ident(gofile.RuntimeRoundTrip, "Run"), "(t, ", f.Ident(gofile.RuntimeRoundTrip, "API"), "{")
		f.P("JSON: ", f.Ident(w.older[0].Path, "JSONConversion"), "(),")
		f.P("Kinds: [][]", f.Ident(gofile.RuntimeRoundTrip, "Version"), "{")
		for _, k := range kinds {
			f.P("{")
			for _, t := range k.older {
				p := w.m.Package(t.Package)
				up, down := model.ConversionFunc(p, t.Name, w.hub, k.hub.Name), model.ConversionFunc(w.hub, k.hub.Name, p, t.Name)
				f.P(f.Ident(gofile.RuntimeRoundTrip, "Older"), "(", strconv.Quote(emit.VersionName(p)), ", ", f.Ident(p.Path, up), ", ", f.Ident(p.Path, down), "),")
			}
			f.P("},")
		}
		f.P("},")
		if values := w.values(kinds); len(values.texts) > 0 {
			f.P("Values: []", f.Ident(gofile.RuntimeRoundTrip, "Values"), "{")
			for _, text := range values.texts {
				f.P("{Versions: ", stringList(values.versions[text]), ", ", text, "},")
			}
			f.P("},")
		}
		f.P("})")
	})
}

// kind is a kind of the newest version with its types in older versions.
type kind struct {
	hub   *model.Type
	older []*model.Type
}

// kinds returns the kinds of the newest version that have older versions with conversions.
func (w *writer) kinds() []kind {
	var kinds []kind
	for _, t := range w.hub.Types {
		if t.Kind == nil || t.Kind.List || model.Skips(t.Tags, model.PartRoundTrip) {
			continue
		}
		k := kind{hub: t}
		for _, p := range w.older {
			if o := p.PairOf(t.ID()); o != nil && !model.Skips(p.Tags, model.PartRoundTrip) {
				k.older = append(k.older, o)
			}
		}
		if len(k.older) > 0 {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// kindsOf returns the kinds of an older version that the newest version has.
func (w *writer) kindsOf(p *model.Package) (kinds []*model.Type) {
	for _, t := range w.hub.Types {
		if t.Kind != nil && p.PairOf(t.ID()) != nil {
			kinds = append(kinds, t)
		}
	}
	return kinds
}
