package diag

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Code identifies a kind of diagnostic and has its page.
//
// Only Codes.New makes codes, so code that reports an undeclared one does not
// compile. Codes are comparable. The zero Code is invalid: no bag accepts it.
type Code struct{ id, page string }

// String returns <owner>/<what>, such as "maxlength/not-a-string".
func (c Code) String() string { return c.id }

// Page explains the diagnostic and its remedy, as Markdown.
func (c Code) Page() string { return c.page }

// Codes are the codes of one owner: a tag, a convention, an emitter or a stage.
// The zero value is empty. An owner declares its codes in package-level variables:
//
//	var (
//		codes diag.Codes
//
//		codeNegative = codes.New("maxlength/negative", "A length is 0 or more.")
//	)
type Codes struct{ list []Code }

var codeForm = regexp.MustCompile(`^[a-z0-9]+/[a-z0-9]+(-[a-z0-9]+)*$`)

// New declares a code. It panics if the id is malformed, declared twice or of another owner than
// the rest of the set, or if the page is empty.
func (s *Codes) New(id, page string) Code {
	switch {
	case !codeForm.MatchString(id):
		panic(fmt.Sprintf("diag: code %q is not of the form <owner>/<what>", id))
	case page == "":
		panic(fmt.Sprintf("diag: code %s has no page", id))
	}
	for _, c := range s.list {
		if c.id == id {
			panic(fmt.Sprintf("diag: code %s is declared twice", id))
		}
		if owner(c.id) != owner(id) {
			panic(fmt.Sprintf("diag: codes %s and %s of one set have different owners", c.id, id))
		}
	}
	c := Code{id: id, page: page}
	s.list = append(s.list, c)
	return c
}

// All returns the declared codes, in order of declaration.
func (s *Codes) All() []Code { return slices.Clone(s.list) }

func owner(id string) string {
	name, _, _ := strings.Cut(id, "/")
	return name
}
