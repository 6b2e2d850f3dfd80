package lower

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/kindsmith/kindsmith/internal/defaulting"
	"github.com/kindsmith/kindsmith/internal/marker"
	"github.com/kindsmith/kindsmith/internal/model"
)

var refSyntax = regexp.MustCompile(`^ref\(\s*(?:([^()]*)\.)?([A-Za-z_][A-Za-z0-9_]*)\s*\)$`)

// addDefault reads +default=<JSON> or +default=ref(pkg.Const).
func (l *lowerer) addDefault(out *items, m marker.Marker, c *model.Constraint) {
	if c == nil {
		return
	}
	if c.Payload != nil && c.Payload.Kind == "" {
		return // did not parse, and was reported
	}
	if c.Payload == nil {
		l.bag.Errorf(m.Span, defaulting.CodeNoValue, "+%s needs a value: +%s=<JSON> or +%s=ref(<constant>)", m.Name, m.Name, m.Name)
		return
	}
	d := &model.Default{Marker: m.Name, Span: c.Payload.Span}
	switch v := c.Payload; v.Kind {
	case model.StringValue:
		text, err := json.Marshal(v.Text)
		if err != nil {
			l.bag.Errorf(v.Span, defaulting.CodeNotJSON, "the default is not JSON: %v", err)
			return
		}
		d.JSON = string(text)
	case model.IntValue, model.BoolValue, model.JSONValue:
		d.JSON = v.Text
	default:
		if parts := refSyntax.FindStringSubmatch(v.Text); parts != nil {
			d.Ref = &model.Name{Package: parts[1], Name: parts[2]}
			break
		}
		if json.Valid([]byte(v.Text)) {
			d.JSON = v.Text
			break
		}
		quoted, _ := json.Marshal(v.Text)
		l.bag.Errorf(v.Span, defaulting.CodeNotJSON, "the default is neither JSON nor ref(<constant>); a string needs double quotes").
			Suggest(v.Span, string(quoted), "quote the string")
		return
	}
	l.setDefault(out, d)
}

// addKubebuilderDefault takes a +kubebuilder:default whose value is JSON; other
// values are in controller-gen's grammar and reach only the schema.
func (l *lowerer) addKubebuilderDefault(out *items, m marker.Marker) {
	_, text, ok := strings.Cut(m.Text, "=")
	if !ok {
		return
	}
	text = strings.TrimPrefix(text, "=") // controller-gen allows :=
	if !json.Valid([]byte(text)) {
		return
	}
	l.setDefault(out, &model.Default{JSON: text, Marker: m.Name, Span: m.Span})
}

// setDefault keeps the first default of an item. Several that say the same are
// one; others are a mistake.
func (l *lowerer) setDefault(out *items, d *model.Default) {
	if out.def == nil {
		out.def = d
		return
	}
	if sameDefault(out.def, d) {
		return
	}
	l.bag.Errorf(d.Span, defaulting.CodeConflict, "+%s gives another default than +%s on the same item; keep one of them", d.Marker, out.def.Marker).
		Note(out.def.Span, "the other default is here")
}

func sameDefault(a, b *model.Default) bool {
	if a.Ref != nil || b.Ref != nil {
		return a.Ref != nil && b.Ref != nil && *a.Ref == *b.Ref
	}
	var x, y any
	if json.Unmarshal([]byte(a.JSON), &x) != nil || json.Unmarshal([]byte(b.JSON), &y) != nil {
		return a.JSON == b.JSON
	}
	canonX, _ := json.Marshal(x)
	canonY, _ := json.Marshal(y)
	return string(canonX) == string(canonY)
}
