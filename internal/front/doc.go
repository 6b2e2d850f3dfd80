// Package front is the room of the front end: it finds and type-checks Go packages (load), parses marker comments (marker),
// and turns both into the model (lower).
//
// Patterns of packages enter, and a model with its diagnostics leaves. It may know core and rules, which say what a tag's
// arguments refer to.
package front
