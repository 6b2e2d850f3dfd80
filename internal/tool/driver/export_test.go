package driver

import "github.com/kindsmith/kindsmith/internal/emit"

// OnFailure calls a function with the failures of emitters in runs with errors, until the returned function is called.
func OnFailure(f func(*emit.Emitter, error)) (restore func()) {
	onFailure = f
	return func() { onFailure = nil }
}

// WorkspaceOf returns a workspace with other emitters.
func WorkspaceOf(emitters ...*emit.Emitter) *Workspace { return &Workspace{emitters: emitters} }
