package defaulting

import (
	"regexp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
)

var refSyntax = regexp.MustCompile(`^ref\(\s*(?:([^()]*)\.)?([A-Za-z_][A-Za-z0-9_]*)\s*\)$`)

// Read returns the default that a tag declares: +default=<JSON> or
// +default=ref(pkg.Const). It reports a tag without either and returns nil.
func Read(c *model.Tag, bag *diag.Bag) *model.Default {
	switch {
	case c.Payload == nil:
		bag.Errorf(c.Span, codeNoValue, "+%s needs a value: +%s=<JSON> or +%s=ref(<constant>)", c.Name, c.Name, c.Name)
		return nil
	case c.Payload.Kind == "":
		return nil // did not parse, and was reported
	}
	d := &model.Default{Marker: c.Name, JSON: c.Payload.Text, Span: c.Payload.Span}
	if c.Payload.Kind == model.StringValue {
		d.JSON = value.OfString(c.Payload.Text).JSON()
		return d
	}
	if parts := refSyntax.FindStringSubmatch(c.Payload.Text); parts != nil {
		d.JSON, d.Ref = "", &model.Name{Package: parts[1], Name: parts[2]}
		return d
	}
	if !IsJSON(d.JSON) {
		bag.Errorf(d.Span, ValueCodes[value.NotJSON], "the default is neither JSON nor ref(<constant>); a string needs double quotes").
			Suggest(d.Span, value.OfString(c.Payload.Text).JSON(), "quote the string")
		return nil
	}
	return d
}

// IsJSON reports whether a text is JSON.
func IsJSON(text string) bool {
	v, _ := value.Parse(text)
	return v != nil
}

// SameIn is Same of defaults that are declared in a package of a model, where a
// reference is its constant's value. One to an unknown constant, which is reported
// elsewhere, is the same as any other.
func SameIn(m *model.Model, pkg string, a, b *model.Default) bool {
	x, y := valueIn(m, pkg, a), valueIn(m, pkg, b)
	return x == nil || y == nil || value.Same(x, y)
}

func valueIn(m *model.Model, pkg string, d *model.Default) *value.Value {
	if d.Ref == nil {
		v, _ := value.Parse(d.JSON)
		return v
	}
	c, ok := FindConstant(m, pkg, *d.Ref)
	if !ok {
		return nil
	}
	return value.OfConst(c.Const)
}

// Same reports whether two declared defaults are equal.
func Same(a, b *model.Default) bool {
	if a.Ref != nil || b.Ref != nil {
		return a.Ref != nil && b.Ref != nil && *a.Ref == *b.Ref
	}
	x, _ := value.Parse(a.JSON)
	y, _ := value.Parse(b.JSON)
	return x != nil && y != nil && value.Same(x, y)
}
