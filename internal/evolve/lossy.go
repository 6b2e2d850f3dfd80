package evolve

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
)

// checkLossy warns of every value of the newest version that an older one
// cannot hold, once an item, unless its marker says that the loss is meant.
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
	if hs.added > h.of(t).added && !saysLossy(hs.addedBy) {
		h.lossy(hs.addedBy, "%s exists from %s on: %s lose its value, since values are not tracked yet", hs.label, hs.addedBy.Since, h.before(hs.added))
	}
	to := h.typeAt(f, h.newest())
	for _, s := range slices.Backward(hs.steps) {
		if s.From == nil {
			continue
		}
		h.checkLossyStep(hs, s, to)
		to = s.From
	}
}

// checkLossyStep warns of a change of type that loses values one way or the
// other. A function that returns an error refuses what it cannot hold instead.
func (h *hub) checkLossyStep(hs *history, s step, to *model.Ref) {
	if saysLossy(s.Change) {
		return
	}
	if narrows(h.m, to, s.From) && h.infallible(s.Arg("downgradeWith")) {
		h.lossy(s.Change, "%s is %s before %s, which does not hold every %s: %s lose such values, since values are not tracked yet",
			hs.label, h.a(s.From), s.Since, h.spell(to), h.before(s.version))
	}
	if narrows(h.m, s.From, to) && h.infallible(s.Arg("upgradeWith")) {
		h.lossy(s.Change, "%s is %s from %s on, which does not hold every %s: values that %s write are lost, since values are not tracked yet",
			hs.label, h.a(to), s.Since, h.spell(s.From), h.before(s.version))
	}
}

func (h *hub) checkLossyConst(t *model.Type, c *model.Const) {
	hs := h.of(c)
	if hs.added == 0 || hs.addedBy.Arg("downgradeTo") == "" || saysLossy(hs.addedBy) {
		return
	}
	target := constNamed(t, hs.addedBy.Arg("downgradeTo"))
	if target == nil || h.of(target).added >= hs.added {
		return // reported
	}
	h.lossy(hs.addedBy, "%q exists from %s on: %s see %q in its place and write that back, since values are not tracked yet",
		c.Value, hs.addedBy.Since, h.before(hs.added), target.Value)
}

func (h *hub) lossy(c *model.Change, format string, args ...any) {
	h.bag.Warnf(c.Span, codeLossy, format+`; if that is meant, say lossy: "<why>"`, args...)
}

func saysLossy(c *model.Change) bool { return strings.TrimSpace(c.Arg("lossy")) != "" }

// infallible reports whether a function cannot refuse a value.
func (h *hub) infallible(function string) bool {
	fn := h.pkg.Funcs[function]
	return fn != nil && len(fn.Results) == 1
}

// before names the clients of the versions before one.
func (h *hub) before(v int) string {
	var older []string
	for _, version := range h.versions[:v] {
		older = append(older, version.Name)
	}
	return "clients of " + list(older, "and")
}
