package gofile

import "go/format"

// Formatter formats Go files and caches the results for the next run, in which most files are
// unchanged. It is not safe for concurrent use. The nil Formatter caches nothing.
type Formatter struct {
	before, now map[string][]byte
	raw         bool
}

// Unformatted is a formatter for files that are not read: it leaves them as they are.
func Unformatted() *Formatter { return &Formatter{raw: true} }

// Begin begins a run. It drops results that the previous run did not use.
func (f *Formatter) Begin() { f.before, f.now = f.now, map[string][]byte{} }

// source formats a file.
func (f *Formatter) source(src []byte) ([]byte, error) {
	if f == nil {
		return format.Source(src)
	}
	if f.raw {
		return src, nil
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
