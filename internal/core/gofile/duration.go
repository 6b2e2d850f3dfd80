package gofile

import (
	"strconv"
	"time"
)

// Duration writes a duration in its largest whole unit.
func (f *File) Duration(d time.Duration) string {
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
