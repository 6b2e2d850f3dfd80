package adopt

import "github.com/kindsmith/kindsmith/internal/diag"

var (
	codes diag.Codes

	codeGuess      = codes.New("adopt/guess", "The names, types and comments suggest that an item was renamed or moved, or a closed enum needs a value for a constant that an older version lacks. Nothing proves it: confirm it with `--confirm`, or deny it with `--confirm` and nothing behind the equals sign. Until then `kindsmith adopt --write` writes no markers for the version.")
	codeDifference = codes.New("adopt/difference", "`kindsmith generate` would not write the hand-written type as it is, and no marker describes the difference. The version stays hand-written until you change one of the two, or accept what would be generated.")
	codeConversion = codes.New("adopt/conversion", "The existing conversion and that of the markers give different values for the same object. Add the missing argument to the marker, such as `default:` or `upgradeWith:`, keep your function as a hand-written `Convert_…`, or accept the new value.")
	codeBuild      = codes.New("adopt/build", "The packages do not compile together with a program that calls their conversions, so the conversions are not compared. The types are.")
)

// Codes returns the codes that this package reports.
func Codes() []diag.Code { return codes.All() }
