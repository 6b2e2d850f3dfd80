package project

import "github.com/kindsmith/kindsmith/internal/diag"

var (
	codes = diag.Firm(diag.Everything)

	codeForm    = codes.New("project/form", "`kindsmith.yaml` is one YAML document: a mapping from the keys in docs/configuration.md to their values.")
	codeKey     = codes.New("project/unknown-key", "`kindsmith.yaml` has no such key. docs/configuration.md lists the keys. Flags for single runs, such as `--check`, are not settings of a project.")
	codeTwice   = codes.New("project/duplicate-key", "The key is repeated. Only the last value would have an effect; remove the others.")
	codeType    = codes.New("project/wrong-type", "The value has another type than the setting. In YAML, numbers and `true` in quotes are strings, and `yes` without quotes is a string.")
	codeUnknown = codes.New("project/unknown-value", "The setting has a fixed list of values, and this is not one of them.")
)

// Codes returns the codes that this package reports.
func Codes() []diag.Code { return codes.All() }
