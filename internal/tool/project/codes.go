package project

import "github.com/kindsmith/kindsmith/internal/core/diag"

var (
	codes = diag.Firm(diag.Everything)

	codeFirm    = codes.New("project/firm", "The diagnostic cannot become a warning: after such a mistake, generated code does not compile, API servers refuse the definition, or a part of the output is missing. Diagnostics about one tag can, because the tag is left out then.")
	codeForm    = codes.New("project/form", "`kindsmith.yaml` is one YAML document: a mapping from the keys in docs/reference/configuration.md to their values.")
	codeKey     = codes.New("project/unknown-key", "`kindsmith.yaml` has no such key. docs/reference/configuration.md lists the keys. Flags for single runs, such as `--check`, are not settings of a project.")
	codeReason  = codes.New("project/no-reason", "A diagnostic that is a warning in this project needs a reason, which kindsmith prints with the warning.")
	codeTwice   = codes.New("project/duplicate-key", "The key is repeated. Only the last value would have an effect; remove the others.")
	codeType    = codes.New("project/wrong-type", "The value has another type than the setting. In YAML, numbers and `true` in quotes are strings, and `yes` without quotes is a string.")
	codeUnknown = codes.New("project/unknown-value", "The setting has a fixed list of values, and this is not one of them.")
)

// Codes returns the codes that this package reports.
func Codes() []diag.Code { return codes.All() }
