package pattern

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

func check(_ *tag.Node, c *model.Tag, bag *diag.Bag) {
	if c.Text() == "" {
		bag.Errorf(c.Payload.Span, codeEmpty, "the empty pattern matches every string; remove the tag")
		return
	}
	_, err := regexp.Compile(c.Text())
	if err == nil {
		return
	}
	var wrong *syntax.Error
	if !errors.As(err, &wrong) {
		bag.Errorf(c.Payload.Span, codeSyntax, "the pattern is not a regular expression: %v", err)
		return
	}
	bag.Errorf(part(c.Payload, wrong.Expr), codeSyntax, "the pattern is not a regular expression in RE2 syntax: %s", wrong.Code)
}

// part returns the span of the first occurrence of a substring in a string literal, or that of the
// whole literal.
func part(v *model.Value, text string) source.Span {
	start := strings.Index(v.Text, text)
	if start < 0 || text == "" {
		return v.Span
	}
	from, to := offset(v, start), offset(v, start+len(text))
	if from < 0 || to < 0 {
		return v.Span
	}
	return v.Span.Sub(from, to)
}

// offset returns the source offset of a byte of a string literal's text; -1 if it is unknown.
func offset(v *model.Value, at int) int {
	literal := v.Span.Text()
	if len(literal) < 2 || literal[0] != '"' {
		return 1 + at
	}
	rest := literal[1:]
	for at > 0 {
		r, multibyte, tail, err := strconv.UnquoteChar(rest, '"')
		if err != nil {
			return -1
		}
		rest = tail
		at--
		if multibyte {
			at -= utf8.RuneLen(r) - 1
		}
	}
	return len(literal) - len(rest)
}
