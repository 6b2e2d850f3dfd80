package tag

import "github.com/kindsmith/kindsmith/internal/core/model"

// ArgSince is the argument that all tags on changes have.
var ArgSince = Arg{Name: "since", Kinds: []model.ValueKind{model.StringValue}, Required: true, Refers: Version, Doc: "the version of the change"}

// ArgLossless and ArgLossy are the arguments about values that a change loses.
var (
	ArgLossless = Arg{Name: "lossless", Kinds: []model.ValueKind{model.BoolValue}, Doc: "true if the functions lose no value"}
	ArgLossy    = Arg{Name: "lossy", Kinds: []model.ValueKind{model.StringValue}, Doc: "why conversions may lose values"}
)

// ArgTransform is the argument that names a conversion between the types of a field.
var ArgTransform = Arg{Name: "transform", Kinds: []model.ValueKind{model.StringValue}, Doc: "how the value converts between the types, such as seconds or quantity(Mi), in place of functions"}

// On returns the argument with the scopes that it has in a tag.
func (a Arg) On(scopes Scope) Arg {
	a.Scopes = scopes
	return a
}

// LossesOf returns the arguments about lost values.
func LossesOf(c *model.Tag) model.Losses {
	return model.Losses{Lossless: c.Arg(ArgLossless.Name), Lossy: c.Arg(ArgLossy.Name)}
}

// ArgField is the argument of changes on a struct that names one of its removed fields.
var ArgField = Arg{Name: "field", Kinds: []model.ValueKind{model.StringValue}, Scopes: OnType, Doc: "on a struct: the name of the removed field"}

// BaseOf returns the common part of a change from its tag.
func BaseOf(c *model.Tag) model.ChangeBase {
	since := c.Arg(ArgSince.Name)
	return model.ChangeBase{Role: c.Role, Since: since.Or(""), Span: c.Span, SinceSpan: since.Place(c.Span), Tag: c, Field: c.Arg(ArgField.Name)}
}

// ArgsOn returns the arguments that a tag has on one kind of item.
func (d *Definition) ArgsOn(scope Scope) []Arg {
	var args []Arg
	for _, a := range d.Args {
		if a.Scopes == 0 || a.Scopes&scope != 0 {
			args = append(args, a)
		}
	}
	return args
}
