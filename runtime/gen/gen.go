// Package gen is the version handshake between generated code and this module.
// Only generated code uses this package and the packages below it: they change
// together with the generator. Do not import them in hand-written code.
//
// [Version] is raised with each change of generated code, [OldestVersion] if older code no longer works.
//
// Every generated file that imports this module contains
//
//	const (
//		_ = gen.UpgradeRuntime(gen.Version - 1)
//		_ = gen.RunGenerate(1 - gen.OldestVersion)
//	)
//
// where 1 is the version that the file was generated for. A conversion of a
// negative constant to an unsigned type does not compile, and the compiler's
// message names the type: UpgradeRuntime if the file needs a newer runtime,
// RunGenerate if the runtime no longer supports the file.
package gen

const (
	// Version is the newest version of generated code that this module supports.
	// It increases with every addition that generated code uses.
	Version = 3
	// OldestVersion is the oldest version of generated code that this module
	// supports. It becomes Version with every change that breaks generated code.
	OldestVersion = 3
)

// UpgradeRuntime appears in the compiler's error if a generated file is newer than
// this module. The command that upgrades the module, with the libraries that have to
// fit it, is what this prints:
//
//	kindsmith generate
type UpgradeRuntime uint

// RunGenerate appears in the compiler's error if a generated file is too old for
// this module. Regenerate it with a kindsmith that is as new as this module:
//
//	kindsmith generate
type RunGenerate uint
