package load

import "github.com/kindsmith/kindsmith/internal/diag"

// Diagnostic codes.
var (
	codes diag.Codes

	// CodeNoInput is reported by package lower, which reads the marker.
	CodeNoInput = codes.New("load/no-input", "+k8s:validation-gen-input names a package whose types this package's validators are to be about, and the build does not have it. Add its module to go.mod.")

	codeGoMod      = codes.New("load/go-mod", "A go.mod or go.work file cannot be read, so the go command finds no packages. `go mod edit -json` and `go work edit -json` show the same.")
	codeGoList     = codes.New("load/go-list", "The go command could not make sense of a package: its message follows. `go list -e <package>` shows the same.")
	codeNoPackages = codes.New("load/no-packages", "The patterns name no package with Go files. They are as for `go build`: `./api/...` is everything below `api`.")
	codeSyntax     = codes.New("load/syntax", "The file is not Go. Nothing can be read from it until it parses.")
	codeTypeCheck  = codes.New("load/type-check", "A declaration does not compile. Only types, constants and signatures are looked at, and generated files are not: code that is yet to be generated is not missed.")
	codeUnreadable = codes.New("load/unreadable", "A file of the package could not be read.")
)

// Codes returns the codes of the diagnostics about packages and their files.
func Codes() []diag.Code { return codes.All() }
