package marker

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// args reads an argument list from "(" to ")".
func (p *parser) args() []Arg {
	open := p.pos
	p.pos++
	var list []Arg
	for {
		p.skip()
		switch {
		case p.at(')'):
			p.pos++
			p.checkArgs(list)
			return list
		case p.atEnd():
			p.pos = len(strings.TrimRightFunc(p.text[:p.pos], unicode.IsSpace))
			if !p.silent {
				p.unclosed(open, p.pos > open+1)
			}
			p.checkArgs(list)
			return list
		case p.at(','):
			p.errorf(p.pos, p.pos+1, codeArgComma, `missing argument before ","; remove the comma`).
				Suggest(p.span(p.pos, p.pos+1), "", `remove ","`)
			p.pos++
			continue
		}
		list = append(list, p.arg())
		if p.equalsAfterValue() {
			p.unclosed(open, startsChain(p.rest()[1:]))
			p.checkArgs(list)
			return list
		}
		p.separator(list[len(list)-1])
	}
}

// unclosed reports that the list opened at open is not closed. If it certainly ends
// at pos, it offers a fix.
func (p *parser) unclosed(open int, certain bool) {
	d := p.errorf(open, open+1, codeUnclosedParen, `"(" is not closed; write ")" after the last argument`)
	if certain {
		d.Suggest(p.span(p.pos, p.pos), ")", `insert ")"`)
	}
}

// equalsAfterValue reports whether "=" follows the value just read and no later ")"
// closes the list. In that case the list should have ended here.
func (p *parser) equalsAfterValue() bool {
	return p.at('=') && (startsChain(p.rest()[1:]) || !strings.Contains(p.rest(), ")"))
}

// separator skips what is between two arguments: a comma, or text that belongs to
// neither, which it reports.
func (p *parser) separator(last Arg) {
	end := p.pos
	p.skip()
	switch {
	case p.at(','):
		p.pos++
	case p.at(')') || p.atEnd():
	case p.startsNamed():
		p.errorf(p.pos, p.pos+p.wordLength(), codeArgComma, `"," is missing before %q`, p.text[p.pos:p.pos+p.wordLength()]).
			Suggest(p.span(end, p.pos), ", ", `insert ","`)
	default:
		start := p.pos
		p.skipArg()
		if last.Value.Kind != None { // otherwise already reported
			p.errorf(start, p.pos, codeBadValue, `unexpected %s after an argument: quote values that contain spaces or signs, or separate arguments with ","`, shown(p.text[start:p.pos]))
		}
		p.skip()
		if p.at(',') {
			p.pos++
		}
	}
}

// startsNamed reports whether "name:" follows.
func (p *parser) startsNamed() bool {
	length := p.wordLength()
	colon := skipSpace(p.text, p.pos+length)
	return length > 0 && isIdent(p.rest()[:length]) && colon < len(p.text) && p.text[colon] == ':'
}

// wordLength returns the length of the next bare word.
func (p *parser) wordLength() int {
	return prefixLength(p.rest(), func(r rune) bool {
		return !unicode.IsSpace(r) && !strings.ContainsRune(argStops, r)
	})
}

// skipArg skips everything up to the ',' or ')' that ends an unreadable argument. It
// does not look into strings and brackets.
func (p *parser) skipArg() {
	depth := 0
	for !p.atEnd() {
		switch c := p.text[p.pos]; {
		case c == '"' || c == '`':
			if end := stringEnd(p.rest()); end > 0 {
				p.pos += end
				continue
			}
		case c == '(' || c == '[' || c == '{':
			depth++
		case depth == 0 && (c == ',' || c == ')'):
			p.trimSpace()
			return
		case c == ')' || c == ']' || c == '}':
			depth = max(depth-1, 0)
		}
		p.pos++
	}
	p.trimSpace()
}

// trimSpace moves back before skipped white space.
func (p *parser) trimSpace() {
	p.pos = len(strings.TrimRightFunc(p.text[:p.pos], unicode.IsSpace))
}

// arg reads one argument, named or not.
func (p *parser) arg() Arg {
	start := p.pos
	value := p.argValue()
	end, next := p.pos, skipSpace(p.text, p.pos)
	if next == len(p.text) {
		return Arg{Value: value}
	}
	switch p.text[next] {
	case ':':
		if !p.argName(value) {
			p.skipArg()
			return Arg{Value: Value{Span: p.span(start, p.pos)}}
		}
	case '=':
		rest := p.text[next+1:]
		if value.Kind != Ident || next == end && startsChain(rest) || !strings.Contains(rest, ")") {
			return Arg{Value: value}
		}
		p.errorf(next, next+1, codeArgEquals, `a named argument is written with ":", not "="; write %q`, value.Text+": …").
			Suggest(p.span(end, skipSpace(p.text, next+1)), ": ", `write ":" for "="`)
	default:
		return Arg{Value: value}
	}
	p.pos = next + 1
	arg := Arg{Name: value.Text, NameSpan: p.span(start, end)}
	p.skip()
	if p.at(',') || p.at(')') || p.atEnd() {
		p.pos = next + 1
		p.errorf(start, next+1, codeNoValue, `argument %q has no value; write one after ":"`, arg.Name)
		arg.Value = Value{Span: p.span(p.pos, p.pos)}
		return arg
	}
	arg.Value = p.argValue()
	return arg
}

// argName reports a value before ':' that is not an argument name. It returns whether
// the value can be used as a name.
func (p *parser) argName(value Value) bool {
	start, end := value.Span.Start-p.marker.Span.Start-1, value.Span.End-p.marker.Span.Start-1
	switch {
	case value.Kind == Ident || value.Kind == Bool:
		return true
	case value.Kind == String && isIdent(value.Text):
		p.errorf(start, end, codeQuotes, `the name of an argument is written without quotes`).
			Suggest(value.Span, value.Text, "remove the quotes")
		return true
	case value.Kind != None: // None is already reported
		p.errorf(start, end, codeArgName, `%s is not the name of an argument: a name is letters, digits, "_", "-" and "."`, p.text[start:end])
	}
	return false
}

// argValue reads the value of an argument. Its Kind is None if there is none.
func (p *parser) argValue() Value {
	start := p.pos
	first, _ := utf8.DecodeRuneInString(p.rest())
	switch {
	case first == '"' || first == '`':
		return p.quoted(true)
	case isForeignQuote(first):
		return p.foreignQuoted()
	}
	word := p.rest()[:p.wordLength()]
	if value, ok := p.word(word); ok {
		return value
	}
	p.skipArg()
	value := Value{Span: p.span(start, p.pos)}
	written := p.text[start:p.pos]
	switch {
	case word == written && startsDigit(word):
		p.badInteger(start, p.pos)
	case startsChain(written):
		p.errorf(start, p.pos, codeBadValue, `a chained tag follows "=", after the arguments: write %s`, shown("="+written))
	case first == '[' || first == '{':
		p.errorf(start, p.pos, codeBadValue, `an argument cannot be JSON: write JSON after "=", or put it in backquotes`)
	default:
		d := p.errorf(start, p.pos, codeBadValue, `cannot read %s as a string, an integer, true, false or an identifier; put text in double quotes`, shown(written))
		if !strings.ContainsAny(written, "\"`'\\:=") {
			d.Suggest(value.Span, `"`+written+`"`, "put it in quotes")
		}
	}
	return value
}

// checkArgs reports lists that mix named and positional arguments, have several
// positional arguments, or repeat a name. Reported arguments without a name have no value, since
// it has no argument to belong to.
func (p *parser) checkArgs(list []Arg) {
	seen := map[string]Arg{}
	named := slices.ContainsFunc(list, func(arg Arg) bool { return arg.Name != "" })
	positional := 0
	for i, arg := range list {
		if arg.Name != "" {
			if first, twice := seen[arg.Name]; twice {
				p.bag.Errorf(arg.NameSpan, codeArgDuplicate, `argument %q is repeated; remove one`, arg.Name).
					Note(first.NameSpan, "first used here")
				continue
			}
			seen[arg.Name] = arg
			continue
		}
		positional++
		switch {
		case named && arg.Value.Kind == None: // already reported; the unreadable text may be a name
		case named:
			p.bag.Errorf(arg.Value.Span, codeArgMixed, `this argument has no name, but others do: write %s`, shown("name: "+arg.Value.Span.Text()))
			list[i].Value = Value{Span: arg.Value.Span}
		case positional == 2:
			p.bag.Errorf(arg.Value.Span, codeArgCount, `a tag has at most one argument without a name; write several as "name: value, name: value"`)
			for j := range list {
				list[j].Value = Value{Span: list[j].Value.Span}
			}
		}
	}
}
