package gofile

import "go/format"

// Formatter formats Go files, and keeps what it has formatted: of a run that follows
// another, most files are as they were. It is not safe for concurrent use. The nil
// Formatter keeps nothing.
type Formatter struct{ before, now map[string][]byte }

// Begin begins a run. Results that the run before did not need are dropped.
func (f *Formatter) Begin() { f.before, f.now = f.now, map[string][]byte{} }

// source formats a file.
func (f *Formatter) source(src []byte) ([]byte, error) {
	if f == nil {
		return format.Source(src)
	}
	text, known := f.before[string(src)]
	if !known {
		var err error
		if text, err = format.Source(src); err != nil {
			return nil, err
		}
	}
	f.now[string(src)] = text
	return text, nil
}
