package driver

import (
	"slices"
)

// Sink says what happens to the files of an emitter.
type Sink int

const (
	// ToFiles writes them.
	ToFiles Sink = iota
	// ToOutput prints them.
	ToOutput
	// ToNothing drops them.
	ToNothing
)

// sink returns what happens to the files of an emitter or a generator.
func (cfg *Config) sink(name string) Sink {
	if s, ok := cfg.Sinks[name]; ok {
		return s
	}
	return cfg.Sinks[""]
}

// Prints reports whether the files of an emitter are printed.
func (cfg *Config) Prints() bool {
	for _, s := range cfg.Sinks {
		if s == ToOutput {
			return true
		}
	}
	return false
}

// sort separates the files to write from those to print, and drops the others.
func sort(files []*File) (written, printed []*File) {
	printed = slices.DeleteFunc(slices.Clone(files), func(f *File) bool { return f.sink != ToOutput })
	return slices.DeleteFunc(files, func(f *File) bool { return f.sink != ToFiles }), printed
}
