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
type Code struct {
	id, page string
	protects Parts
	firm     bool
	ofText   bool
	limit    bool
}

// String returns <owner>/<what>, such as "maxlength/not-a-string".
func (c Code) String() string { return c.id }

// Page explains the diagnostic and its remedy, as Markdown.
func (c Code) Page() string { return c.page }

// Protects returns the parts that would be wrong if a run ignored the diagnostic: see Scope.
func (c Code) Protects() Parts { return c.protects }

// Firm reports whether no setting makes the diagnostic a warning, because the output would be wrong
// or incomplete, or would not compile.
func (c Code) Firm() bool { return c.firm }

// OfText reports whether the diagnostic is right whatever the types of the API are: it is about how a marker is written.
func (c Code) OfText() bool { return c.ofText }

// Codes are the codes of one owner: a tag, a convention, an emitter or a stage. An owner
// declares its codes in package-level variables, with the parts that they protect:
//
//	var (
//		codes = diag.Protect(diag.Rules)
//
//		codeNegative = codes.New("maxlength/negative", "A length is 0 or more.")
//	)
//
// The zero value cannot declare codes.
type Codes struct {
	list     *[]Code
	protects Parts
	firm     bool
	ofText   bool
	limit    bool
}

// Protect returns an empty set. Its codes protect the parts; a setting may make them warnings.
func Protect(parts Parts) Codes { return Codes{list: &[]Code{}, protects: parts} }

// Firm returns an empty set. Its codes protect the parts, and no setting makes them warnings.
func Firm(parts Parts) Codes { return Codes{list: &[]Code{}, protects: parts, firm: true} }

// For returns the same set, to declare a code that protects other parts.
func (s *Codes) For(parts Parts) *Codes {
	return s.with(func(c *Codes) { c.protects = parts })
}

// Firm returns the same set, to declare a code that no setting makes a warning.
func (s *Codes) Firm() *Codes { return s.with(func(c *Codes) { c.firm = true }) }

// OfText returns the same set, to declare a code of diagnostics that depend on no types: see Code.OfText.
func (s *Codes) OfText() *Codes { return s.with(func(c *Codes) { c.ofText = true }) }

// Limit returns the same set, to declare a code of errors about a limit of the output. The types have no mistake, so the
// errors block only the parts that the code protects.
func (s *Codes) Limit() *Codes { return s.with(func(c *Codes) { c.limit = true }) }

func (s *Codes) with(change func(*Codes)) *Codes {
	out := *s
	change(&out)
	return &out
}

var codeForm = regexp.MustCompile(`^[a-z0-9]+/[a-z0-9]+(-[a-z0-9]+)*$`)

// New declares a code. It panics if the id is malformed, declared twice or of another owner than
// the rest of the set, if the page is empty, or if the set is the zero value.
func (s *Codes) New(id, page string) Code {
	switch {
	case !codeForm.MatchString(id):
		panic(fmt.Sprintf("diag: code %q is not of the form <owner>/<what>", id))
	case page == "":
		panic(fmt.Sprintf("diag: code %s has no page", id))
	case s.protects == 0:
		panic(fmt.Sprintf("diag: code %s protects nothing", id))
	}
	for _, c := range *s.list {
		if c.id == id {
			panic(fmt.Sprintf("diag: code %s is declared twice", id))
		}
		if owner(c.id) != owner(id) {
			panic(fmt.Sprintf("diag: codes %s and %s of one set have different owners", c.id, id))
		}
	}
	c := Code{id: id, page: page, protects: s.protects, firm: s.firm, ofText: s.ofText, limit: s.limit}
	*s.list = append(*s.list, c)
	return c
}

// All returns the declared codes, in order of declaration.
func (s *Codes) All() []Code { return slices.Clone(*s.list) }

func owner(id string) string {
	name, _, _ := strings.Cut(id, "/")
	return name
}
