package load

// Codes returns the codes of the findings of this package, with what each
// means and what to do.
func Codes() map[string]string {
	return map[string]string{
		"load/go-list":     "The go command could not make sense of a package: its message follows. `go list -e <package>` shows the same.",
		"load/no-input":    "+k8s:validation-gen-input names a package whose types this package's validators are to be about, and the build does not have it. Add its module to go.mod.",
		"load/no-packages": "The patterns name no package with Go files. They are as for `go build`: `./api/...` is everything below `api`.",
		"load/syntax":      "The file is not Go. Nothing can be read from it until it parses.",
		"load/type-check":  "A declaration does not compile. Only types, constants and signatures are looked at, and generated files are not: code that is yet to be generated is not missed.",
		"load/unreadable":  "A file of the package could not be read.",
	}
}
