package load

import "github.com/kindsmith/kindsmith/internal/core/diag"

// Diagnostic codes.
var (
	codes = diag.Firm(diag.Everything)

	// CodeNoInput is reported by package lower, which reads the marker.
	CodeNoInput = codes.For(diag.Validation|diag.Defaults).New("load/no-input", "`+k8s:validation-gen-input` or `+k8s:defaulter-gen-input` names a package that is not in the build. Add its module to go.mod.")

	codeConstraint = codes.OfText().New("load/build-constraint", "A file of an API package has a build constraint, `//go:build` or a name such as `types_linux.go`. If the build excludes it, nothing reads its markers. If the build has it, code is generated for its types into files without a constraint, which do not compile where the file is excluded. `--tags` names build tags; API types are best in files without constraints.")
	codeGoMod      = codes.OfText().New("load/go-mod", "A go.mod or go.work file cannot be read. `go mod edit -json` and `go work edit -json` report the same error.")
	codeGoList     = codes.OfText().New("load/go-list", "The go command reports an error in a package. `go list -e <package>` reports the same error.")
	codeModule     = codes.OfText().New("load/module", "A pattern such as `./...` of controller-gen's arguments, or in a folder without go.mod file, also matches the packages of modules in folders below. Without a workspace, `generate` and `lint` run in each of these modules. Other commands load one module, and a workspace has only the modules that it lists. `go work use <folder>` adds a module to it; `GOWORK=off kindsmith generate` in a module's folder ignores the workspace.")
	codeNoPackages = codes.OfText().New("load/no-packages", "The patterns match no package with Go files. Patterns are those of `go build`: `./api/...` matches `api` and all folders below it.")
	codeSyntax     = codes.OfText().New("load/syntax", "The file has a syntax error. kindsmith reports nothing else about the package, and of its importers only what does not depend on it.")
	codeTypeCheck  = codes.OfText().New("load/type-check", "A declaration does not compile. kindsmith checks only types, constants and signatures, and ignores generated files, so it does not report missing generated code. Mistakes in markers are reported in the same run, except those that depend on the type.")
	codeUnreadable = codes.OfText().New("load/unreadable", "A file of the package cannot be read.")
)

// Codes returns the codes of the diagnostics about packages and their files.
func Codes() []diag.Code { return codes.All() }

// OfGo returns the codes of mistakes in Go, which compilers and other editor tools report too.
func OfGo() []diag.Code { return []diag.Code{codeSyntax, codeTypeCheck} }

// OfSyntax returns the code of syntax errors: of a package with one, no other mistakes are reported.
func OfSyntax() diag.Code { return codeSyntax }
