package goliteral

import (
	"fmt"
	"strings"
	"time"

	"github.com/kindsmith/kindsmith/internal/core/apitype"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
)

// known is the Go of a type with custom JSON.
type known struct {
	// print writes a value that fits.
	print func(f *gofile.File, v *value.Value) string
	// unset writes the condition that an addressable value is the zero value.
	unset func(f *gofile.File, expr string) string
}

// knownTypes has the types of value.IsKnown.
var knownTypes = map[model.Name]known{
	model.Quantity: {
		print: func(f *gofile.File, v *value.Value) string {
			return f.Ident(model.Quantity.Package, "MustParse") + "(" + Quote(strings.TrimSpace(v.Text)) + ")"
		},
		unset: isZero,
	},
	model.Duration: {
		print: func(f *gofile.File, v *value.Value) string {
			return f.Ident(model.Duration.Package, "Duration") + "{Duration: " + f.Duration(value.As[apitype.Duration](v).Duration) + "}"
		},
		unset: func(_ *gofile.File, expr string) string { return expr + ".Duration == 0" },
	},
	model.Time: {
		print: date(model.Time.Package, "Date", func(v *value.Value) time.Time { return value.As[apitype.Time](v).Time }),
		unset: isZero,
	},
	model.MicroTime: {
		print: date(model.MicroTime.Package, "DateMicro", func(v *value.Value) time.Time { return value.As[apitype.MicroTime](v).Time }),
		unset: isZero,
	},
	model.GoTime: {print: date("time", "Date", value.As[time.Time]), unset: isZero},
	model.IntOrString: {
		print: func(f *gofile.File, v *value.Value) string {
			if v.Kind == value.String {
				return f.Ident(model.IntOrString.Package, "FromString") + "(" + Quote(v.Text) + ")"
			}
			return f.Ident(model.IntOrString.Package, "FromInt32") + "(" + v.Text + ")"
		},
		unset: func(f *gofile.File, expr string) string {
			return expr + " == (" + f.Ident(model.IntOrString.Package, "IntOrString") + "{})"
		},
	},
	model.RawExtension: {
		print: raw(model.RawExtension),
		unset: func(_ *gofile.File, expr string) string { return expr + ".Raw == nil && " + expr + ".Object == nil" },
	},
	model.RawJSON: {
		print: raw(model.RawJSON),
		unset: func(_ *gofile.File, expr string) string { return expr + ".Raw == nil" },
	},
	model.GoRawMessage: {
		print: func(f *gofile.File, v *value.Value) string {
			return f.Ident(model.GoRawMessage.Package, model.GoRawMessage.Name) + "(" + Quote(v.JSON()) + ")"
		},
		unset: func(_ *gofile.File, expr string) string { return expr + " == nil" },
	},
}

// isZero writes the condition for a type with a method IsZero.
func isZero(_ *gofile.File, expr string) string { return expr + ".IsZero()" }

// raw writes a struct with JSON as bytes. Null is the struct without bytes.
func raw(name model.Name) func(f *gofile.File, v *value.Value) string {
	return func(f *gofile.File, v *value.Value) string {
		if v.Kind == value.Null {
			return f.Ident(name.Package, name.Name) + "{}"
		}
		return f.Ident(name.Package, name.Name) + "{Raw: []byte(" + Quote(v.JSON()) + ")}"
	}
}

// date writes a time as a call of a function with the parameters of time.Date.
func date(pkg, function string, read func(*value.Value) time.Time) func(f *gofile.File, v *value.Value) string {
	return func(f *gofile.File, v *value.Value) string {
		t := read(v).UTC()
		return fmt.Sprintf("%s(%d, %s, %d, %d, %d, %d, %d, %s)", f.Ident(pkg, function),
			t.Year(), f.Ident("time", t.Month().String()), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), f.Ident("time", "UTC"))
	}
}
