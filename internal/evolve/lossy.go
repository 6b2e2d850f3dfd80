package evolve

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
)

// checkLossy warns about values of the newest version that an older one cannot represent, once for
// each item, unless its marker has lossy.
func (h *hub) checkLossy() {
	used := h.reachable(h.newest())
	for _, t := range h.pkg.Types {
		if !used[t] {
			continue
		}
		for _, f := range t.Fields {
			h.checkLossyField(t, f)
		}
		for _, c := range t.Consts {
			h.checkLossyConst(t, c)
		}
	}
}

func (h *hub) checkLossyField(t *model.Type, f *model.Field) {
	hs := h.of(f)
	if hs.added > h.of(t).added && !saysLossy(hs.addedBy.Lossy) {
		h.lossy(hs.addedBy.Span, "%s exists since %s: %s lose its value, since values are not tracked yet", hs.label, hs.addedBy.Since, h.before(hs.added))
	}
	to := h.typeAt(f, h.newest())
	for _, s := range slices.Backward(hs.steps) {
		if s.changed == nil || s.changed.From == nil {
			continue
		}
		h.checkLossyStep(hs, s, to)
		to = s.changed.From
	}
}

// checkLossyStep warns about a change of type that loses values in one direction. Functions that
// return an error reject such values instead.
func (h *hub) checkLossyStep(hs *history, s step, to *model.Ref) {
	c := s.changed
	if saysLossy(c.Lossy) {
		return
	}
	if narrows(h.m, to, c.From) && h.infallible(c.DowngradeWith.Or("")) {
		h.lossy(c.Span, "%s is %s before %s, which cannot represent every %s: %s lose such values, since values are not tracked yet",
			hs.label, h.a(c.From), c.Since, h.spell(to), h.before(s.version))
	}
	if narrows(h.m, c.From, to) && h.infallible(c.UpgradeWith.Or("")) {
		h.lossy(c.Span, "%s is %s since %s, which cannot represent every %s: values that %s write are lost, since values are not tracked yet",
			hs.label, h.a(to), c.Since, h.spell(c.From), h.before(s.version))
	}
}

func (h *hub) checkLossyConst(t *model.Type, c *model.Const) {
	hs := h.of(c)
	if hs.added == 0 || hs.addedBy.DowngradeTo.Or("") == "" || saysLossy(hs.addedBy.Lossy) {
		return
	}
	target := constNamed(t, hs.addedBy.DowngradeTo.Or(""))
	if target == nil || h.of(target).added >= hs.added {
		return // reported
	}
	h.lossy(hs.addedBy.Span, "%q exists since %s: %s read %q instead and write it back, since values are not tracked yet",
		c.Value, hs.addedBy.Since, h.before(hs.added), target.Value)
}

func (h *hub) lossy(span source.Span, format string, args ...any) {
	h.bag.Warnf(span, codeLossy, format+`; if this is intended, add lossy: "<reason>"`, args...)
}

func saysLossy(why *model.Value) bool { return strings.TrimSpace(why.Or("")) != "" }

// infallible reports whether a function cannot return an error.
func (h *hub) infallible(function string) bool {
	fn := h.pkg.Funcs[function]
	return fn != nil && len(fn.Results) == 1
}

// before names the clients of older versions.
func (h *hub) before(v int) string {
	var older []string
	for _, version := range h.versions[:v] {
		older = append(older, version.Name)
	}
	return "clients of " + list(older, "and")
}
