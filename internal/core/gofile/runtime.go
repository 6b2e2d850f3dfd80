package gofile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The packages of the runtime module that generated code imports. Those below
// gen are for generated code only.
const (
	Runtime         = "github.com/kindsmith/kindsmith/runtime"
	RuntimeValidate = runtimeGen + "/validate"
	RuntimeUnions   = runtimeGen + "/unions"
	RuntimeEquality = runtimeGen + "/equality"
	RuntimeConvert  = runtimeGen + "/convert"
	RuntimeCoverage = Runtime + "/coverage"
	// RuntimeJSONConvert converts JSON.
	RuntimeJSONConvert = Runtime + "/jsonconvert"
	RuntimeUnion       = Runtime + "/union"

	RuntimeRoundTrip = Runtime + "/convert/roundtrip"

	runtimeGen = Runtime + "/gen"
)

// RuntimeVersion is the version of the runtime's package gen that files are
// generated for. A file that imports the runtime compiles only with a runtime that
// supports this version.
const RuntimeVersion = 3

// handshake returns the declarations that check the runtime's version, and imports
// what they need; "" if the file does not import the runtime. The command that upgrades
// the runtime depends on the project's go.mod, so package requires makes it, not the file.
func (f *File) handshake() string {
	paths := slices.Collect(maps.Keys(f.imports))
	if !slices.ContainsFunc(paths, func(p string) bool { return strings.HasPrefix(p, Runtime+"/") }) {
		return ""
	}
	gen := f.Import(runtimeGen)
	return fmt.Sprintf(`// These compile only with a runtime module that supports this file.
const (
	_ = %[1]s.UpgradeRuntime(%[1]s.Version - %[2]d) // else: kindsmith generate prints the go get command
	_ = %[1]s.RunGenerate(%[2]d - %[1]s.OldestVersion) // else: kindsmith generate
)

`, gen, RuntimeVersion)
}
