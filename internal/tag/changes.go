package tag

import "github.com/kindsmith/kindsmith/internal/model"

// ArgSince is the argument that all tags on changes have.
var ArgSince = Arg{Name: "since", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the version of the change"}

// BaseOf returns the common part of a change from its tag.
func BaseOf(c *model.Tag) model.ChangeBase {
	since := c.Arg(ArgSince.Name)
	return model.ChangeBase{Role: c.Role, Since: since.Or(""), Span: c.Span, SinceSpan: since.Place(c.Span), Tag: c}
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
