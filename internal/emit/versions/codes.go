package versions

// codes are the codes of the findings of this package, with what each means
// and what to do.
var codes = map[string]string{
	"versions/declared-twice": "A hand-written file in an older version's folder declares a name that one of the version's constants has. Rename it there.",
	"versions/not-generated":  "The file that an older version's types go to was written by hand, by the lack of a line `// Code generated … DO NOT EDIT.` in it. Rename or remove it.",
}
