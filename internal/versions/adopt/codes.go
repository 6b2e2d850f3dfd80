package adopt

import "github.com/kindsmith/kindsmith/internal/core/diag"

var (
	codes = diag.Firm(diag.Everything)

	codeGuess      = codes.New("adopt/guess", "The names, types and comments suggest that an item was renamed or moved, that a transform converts it, or that several fields are its parts; or a closed enum needs a value for a constant that an older version lacks. Types do not prove this, so answer: `--confirm` with the guess, or with nothing after the equals sign if the guess is wrong. Until then, `kindsmith adopt --write` writes no markers for the version.")
	codeDifference = codes.New("adopt/difference", "`kindsmith generate` would not write the hand-written type as it is, and no marker describes the difference. The version stays hand-written until you change one of the two, or accept what would be generated.")
	codeConversion = codes.New("adopt/conversion", "The existing conversion and that of the markers give different values for the same object. Add the missing argument to the marker, such as `default:` or `upgradeWith:`, keep your function as a hand-written `Convert_…` or move its code into a hook, as the notes say, or accept the new value. A function that ends the program is reported, too.")
	codeBuild      = codes.New("adopt/build", "The packages do not compile together with a program that calls their conversions, or with the code that `kindsmith generate` would write, so the conversions that need it are not compared. The types are.")
)

// Codes returns the codes that this package reports.
func Codes() []diag.Code { return codes.All() }
