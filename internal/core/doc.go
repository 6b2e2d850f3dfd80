// Package core is the room of what every stage shares: files and positions (source), diagnostics (diag), the model of an API
// with its JSON objects (model), expressions (expr), JSON values held against Go types (value), printed Go (gofile, goexpr), and
// words (english, spell).
//
// Nothing enters: its packages are data, and questions to data. They leave in every signature of the other rooms. It may know
// no other room.
package core
