package adopt

import (
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/goprogram"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Flag is the flag that confirms guesses.
const Flag = "--confirm"

// Report adds what an adoption cannot do, and what waits for the user.
func (a *Adoption) Report(bag *diag.Bag) {
	for _, g := range a.Guesses {
		if g.Confirmed {
			continue
		}
		yes, no := Argument(g.From+"="+g.To), Argument(g.From+"=")
		if g.Says == replacing {
			bag.Warnf(g.Old, codeGuess, "this version lacks %s, which some value must replace; write %s %s, or name another value", g.From, Flag, yes).
				Note(g.New, "the constant in the newest version")
			continue
		}
		bag.Warnf(g.Old, codeGuess, "%s "+g.Says.verb+"; write %s %s if %s, and %[3]s %[6]s if not", g.From, g.To, Flag, yes, g.Says.short, no).
			Note(g.New, "the item there")
	}
	for _, d := range a.Unable {
		bag.Add(d)
	}
	a.cycles(bag)
	for _, v := range a.Versions {
		for _, d := range v.Mistakes {
			bag.Add(d)
		}
		for _, d := range v.Differences {
			if d.Guess != nil {
				continue // reported
			}
			w := bag.Warnf(d.Span, codeDifference, "%s %s", d.Item, d.Message)
			if d.SameJSON {
				w.Note(source.Span{}, "the JSON is the same")
			}
			if d.Reason != "" {
				w.Note(source.Span{}, "adopt proposes no marker for it: %s", d.Reason)
			}
		}
	}
}

// Argument returns a text as a shell takes it.
func Argument(text string) string {
	switch {
	case !strings.ContainsAny(text, "(){}[]'\" ,:/@#|"):
		return text
	case strings.Contains(text, "'"):
		return `"` + text + `"`
	}
	return "'" + text + "'"
}

// shortest is the length at which values in messages are cut.
const shortest = 120

// Report adds the differences between the conversions of a kind.
func (p *Proof) Report(bag *diag.Bag, a *Adoption, tags *tag.Set) {
	by := "by " + p.By
	if p.By == "" {
		by = "without a conversion function"
	}
	for _, d := range p.Differences {
		w := bag.Warnf(p.Kind.Span, codeConversion, "%s from %s to %s: %s is %s %s and %s by the markers",
			p.Kind.Name, p.From, p.To, orObject(d.Path), shownOr(d.Existing), by, shownOr(d.Planned))
		if d.Always && p.By != "" {
			w.Note(source.Span{}, "it is always so where the markers give nothing: a default of the marker may be missing")
		}
		if d.code != nil {
			d.code.propose(w, p, d, a, tags)
		}
		w.Note(source.Span{}, "in the object %s", cut(d.Object, 4*shortest))
	}
	if why := p.NotCompared(); why != "" && p.Refused > 0 && len(p.Needs) == 0 {
		bag.Warnf(p.Kind.Span, codeConversion, "%s from %s to %s: no object is compared: %s", p.Kind.Name, p.From, p.To, why)
	}
	if p.Ended != "" {
		bag.Warnf(p.Kind.Span, codeConversion, "%s from %s to %s: not all objects are compared: %s", p.Kind.Name, p.From, p.To, p.Ended)
	}
	for _, needs := range slices.Sorted(maps.Keys(p.Needs)) {
		bag.Warnf(p.Kind.Span, codeConversion, "%s from %s to %s: %d objects are not compared: %s", p.Kind.Name, p.From, p.To, p.Needs[needs], needs)
	}
}

func orObject(path string) string {
	if path == "" {
		return "the object"
	}
	return path
}

func shownOr(text string) string {
	if text == "" {
		return "absent"
	}
	return cut(text, shortest)
}

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// ReportBuild adds that the packages do not build, so that conversions are not compared: what.
func ReportBuild(bag *diag.Bag, at source.Span, what string, err *goprogram.BuildError) {
	list := err.Mistakes()
	if len(list) == 0 {
		bag.Warnf(at, codeBuild, "the go command fails, so that %s", what).Note(source.Span{}, "%s", cut(err.Output, 10*shortest))
		return
	}
	d := bag.Warnf(list[0].At, codeBuild, "%s; %s", list[0].Message, what)
	for _, m := range list[1:] {
		d.Note(m.At, "%s", m.Message)
	}
}
