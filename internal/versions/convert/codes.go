package convert

import "github.com/kindsmith/kindsmith/internal/core/diag"

var (
	codes = diag.Firm(diag.Everything)

	codeUnknownKind    = codes.New("convert/unknown-kind", "The packages do not have the kind of the object. Name the packages that have it, or add `--keep-unknown`, which prints such objects as they are.")
	codeUnknownVersion = codes.New("convert/unknown-version", "The kind of the object does not have the object's version, or that of --to, or has no conversion between them. Conversions exist between the versions that one package declares.")
	codeFunction       = codes.New("convert/function", "Only a Go function converts the value, and `kindsmith convert` compiles no Go code without `--with-functions`. Add that, or convert the object with the conversion webhook, or with `jsonconvert.New` in a program that imports the packages. An object without the value converts.")
	codeFailed         = codes.New("convert/failed", "The object cannot be converted: a function that `--with-functions` calls refuses a value or panics, the values that the version cannot represent are too large to be stored in the object, or the object is nested too deeply.")
	codeBuild          = codes.New("convert/build", "The packages do not build, so that `--with-functions` cannot call their functions. The message is that of the go command.")
)

// Codes returns the codes that this package reports.
func Codes() []diag.Code { return codes.All() }
