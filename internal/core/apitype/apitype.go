// Package apitype has types of Kubernetes with custom JSON, without the packages that declare them.
//
// [Duration], [Time], [MicroTime] and [IntOrString] read and write the same JSON as the types of meta/v1 and intstr with these
// names. Those packages link an HTTP server and a logger, which every page with the evaluator would have to carry.
package apitype

import (
	"encoding/json"
	"time"
)

// microseconds is the form of a MicroTime in JSON: RFC 3339 with exactly six digits after the point.
const microseconds = "2006-01-02T15:04:05.000000Z07:00"

// Duration is a duration that is text in JSON, such as "1h30m".
type Duration struct{ time.Duration }

// UnmarshalJSON reads a duration. Null is an error.
func (d *Duration) UnmarshalJSON(text []byte) error {
	return read(text, time.ParseDuration, &d.Duration)
}

// MarshalJSON writes the duration.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(d.String()) }

// Time is a time that has seconds in JSON. The zero time is null.
type Time struct{ time.Time }

// UnmarshalJSON reads a time with any number of digits after the seconds.
func (t *Time) UnmarshalJSON(text []byte) error { return readTime(text, time.RFC3339, &t.Time) }

// MarshalJSON writes the time in UTC.
func (t Time) MarshalJSON() ([]byte, error) { return writeTime(t.Time, time.RFC3339) }

// MicroTime is a time that has microseconds in JSON. The zero time is null.
type MicroTime struct{ time.Time }

// UnmarshalJSON reads a time with microseconds.
func (t *MicroTime) UnmarshalJSON(text []byte) error { return readTime(text, microseconds, &t.Time) }

// MarshalJSON writes the time in UTC.
func (t MicroTime) MarshalJSON() ([]byte, error) { return writeTime(t.Time, microseconds) }

// IntOrString is a 32-bit integer or a text.
type IntOrString struct {
	// IsText is set on a text, which may be empty.
	IsText bool
	Int    int32
	Text   string
}

// UnmarshalJSON reads an integer or a text.
func (v *IntOrString) UnmarshalJSON(text []byte) error {
	if v.IsText = text[0] == '"'; v.IsText {
		return json.Unmarshal(text, &v.Text)
	}
	return json.Unmarshal(text, &v.Int)
}

// MarshalJSON writes the integer or the text.
func (v IntOrString) MarshalJSON() ([]byte, error) {
	if v.IsText {
		return json.Marshal(v.Text)
	}
	return json.Marshal(v.Int)
}

// read reads a JSON string with a parser. An error leaves the target as it is.
func read[T any](text []byte, parse func(string) (T, error), to *T) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	v, err := parse(s)
	if err == nil {
		*to = v
	}
	return err
}

func readTime(text []byte, layout string, to *time.Time) error {
	if string(text) == "null" {
		*to = time.Time{}
		return nil
	}
	parse := func(s string) (time.Time, error) {
		t, err := time.Parse(layout, s)
		return t.Local(), err
	}
	return read(text, parse, to)
}

func writeTime(t time.Time, layout string) ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return json.Marshal(t.UTC().Format(layout))
}
