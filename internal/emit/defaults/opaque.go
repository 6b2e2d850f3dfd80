package defaults

import (
	"fmt"
	"strconv"
	"time"

	"github.com/kindsmith/kindsmith/internal/defaulting"
	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/model"
)

// opaque is a type with JSON of its own, and how it is written in Go.
type opaque struct {
	// unset returns the condition that an addressable value is absent.
	unset func(f *gofile.File, expr string) string
	// literal writes a value that fits; text is its JSON.
	literal func(f *gofile.File, v *defaulting.Value, text string) string
}

// opaques has one entry for each of defaulting.Literals.
var opaques = map[model.Name]opaque{
	defaulting.Quantity: {
		isZero,
		func(f *gofile.File, v *defaulting.Value, _ string) string {
			return f.Ident(defaulting.Quantity.Package, "MustParse") + "(" + quote(v.Text) + ")"
		},
	},
	defaulting.Duration: {
		func(_ *gofile.File, expr string) string { return expr + ".Duration == 0" },
		func(f *gofile.File, v *defaulting.Value, _ string) string {
			d, _ := time.ParseDuration(v.Text)
			return f.Ident(defaulting.Duration.Package, "Duration") + "{Duration: " + goDuration(f, d) + "}"
		},
	},
	defaulting.Time:      {isZero, date(defaulting.Time.Package, "Date", time.RFC3339)},
	defaulting.MicroTime: {isZero, date(defaulting.MicroTime.Package, "DateMicro", time.RFC3339Nano)},
	defaulting.GoTime:    {isZero, date("time", "Date", time.RFC3339Nano)},
	defaulting.IntOrString: {
		func(f *gofile.File, expr string) string {
			return expr + " == (" + f.Ident(defaulting.IntOrString.Package, "IntOrString") + "{})"
		},
		func(f *gofile.File, v *defaulting.Value, _ string) string {
			if v.Kind == defaulting.String {
				return f.Ident(defaulting.IntOrString.Package, "FromString") + "(" + quote(v.Text) + ")"
			}
			return f.Ident(defaulting.IntOrString.Package, "FromInt32") + "(" + v.Text + ")"
		},
	},
	defaulting.RawExtension: {
		func(_ *gofile.File, expr string) string { return expr + ".Raw == nil && " + expr + ".Object == nil" },
		raw(defaulting.RawExtension),
	},
	defaulting.RawJSON: {
		func(_ *gofile.File, expr string) string { return expr + ".Raw == nil" },
		raw(defaulting.RawJSON),
	},
	defaulting.GoRawMessage: {
		func(_ *gofile.File, expr string) string { return expr + " == nil" },
		func(f *gofile.File, _ *defaulting.Value, text string) string {
			return f.Ident("encoding/json", "RawMessage") + "(" + quote(text) + ")"
		},
	},
}

func isZero(_ *gofile.File, expr string) string { return expr + ".IsZero()" }

// raw writes a struct that holds JSON as bytes.
func raw(name model.Name) func(f *gofile.File, v *defaulting.Value, text string) string {
	return func(f *gofile.File, _ *defaulting.Value, text string) string {
		return f.Ident(name.Package, name.Name) + "{Raw: []byte(" + quote(text) + ")}"
	}
}

// date writes a point in time by a function with the parameters of time.Date.
func date(pkg, function, layout string) func(f *gofile.File, v *defaulting.Value, text string) string {
	return func(f *gofile.File, v *defaulting.Value, _ string) string {
		t, _ := time.Parse(layout, v.Text)
		t = t.UTC()
		return fmt.Sprintf("%s(%d, %s, %d, %d, %d, %d, %d, %s)", f.Ident(pkg, function),
			t.Year(), f.Ident("time", t.Month().String()), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), f.Ident("time", "UTC"))
	}
}

// goDuration writes a duration in its largest whole unit.
func goDuration(f *gofile.File, d time.Duration) string {
	for _, unit := range []struct {
		size time.Duration
		name string
	}{
		{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"},
		{time.Millisecond, "Millisecond"}, {time.Microsecond, "Microsecond"},
	} {
		if d != 0 && d%unit.size == 0 {
			if d == unit.size {
				return f.Ident("time", unit.name)
			}
			return strconv.FormatInt(int64(d/unit.size), 10) + " * " + f.Ident("time", unit.name)
		}
	}
	return strconv.FormatInt(int64(d), 10)
}
