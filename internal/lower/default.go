package lower

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/defaulting"
	"github.com/kindsmith/kindsmith/internal/marker"
	"github.com/kindsmith/kindsmith/internal/model"
)

// addDefault reads the tag +default.
func (l *lowerer) addDefault(out *items, c *model.Constraint) {
	if c == nil {
		return
	}
	if d := defaulting.Read(c, l.bag); d != nil {
		l.setDefault(out, d)
	}
}

// addKubebuilderDefault reads a +kubebuilder:default whose value is JSON. Values in
// controller-gen's own grammar are only for the schema.
func (l *lowerer) addKubebuilderDefault(out *items, m marker.Marker) {
	_, text, ok := strings.Cut(m.Text, "=")
	if !ok {
		return
	}
	text = strings.TrimPrefix(text, "=") // controller-gen allows :=
	if defaulting.IsJSON(text) {
		l.setDefault(out, &model.Default{JSON: text, Marker: m.Name, Span: m.Span})
	}
}

// setDefault keeps the first default of an item and reports others that differ from it.
func (l *lowerer) setDefault(out *items, d *model.Default) {
	if out.def == nil {
		out.def = d
		return
	}
	if defaulting.Same(out.def, d) {
		return
	}
	l.bag.Errorf(d.Span, defaulting.CodeConflict, "+%s and +%s set different defaults; remove one", d.Marker, out.def.Marker).
		Note(out.def.Span, "the other default")
}
