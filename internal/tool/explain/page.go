package explain

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/rules/lint"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// width is the number of columns of a page.
const width = 80

// page is text under construction.
type page struct{ strings.Builder }

// line writes one line as it is.
func (p *page) line(text string) { p.WriteString(text + "\n") }

// prose writes Markdown after a blank line and wraps paragraphs and list items.
func (p *page) prose(text string) {
	if text == "" {
		return
	}
	p.line("")
	p.WriteString(wrap(text, ""))
}

// code writes a blank line and a titled block of Go.
func (p *page) code(title, text string) {
	if text == "" {
		return
	}
	p.line("")
	p.line(title)
	p.line("")
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		p.line(strings.TrimRight("    "+line, " "))
	}
}

// facts writes a blank line and names with their values, aligned.
func (p *page) facts(list [][2]string) {
	p.line("")
	longest := 0
	for _, f := range list {
		longest = max(longest, len(f[0]))
	}
	for _, f := range list {
		if f[1] == "" {
			continue
		}
		head := f[0] + strings.Repeat(" ", longest-len(f[0])+2)
		text := wrap(f[1], strings.Repeat(" ", len(head)))
		p.WriteString(head + strings.TrimLeft(text, " "))
	}
}

// diagnostics lists codes with their documentation.
func (x *Index) diagnostics(p *page, codes []string) {
	if len(codes) == 0 {
		return
	}
	p.line("")
	p.line("Diagnostics:")
	for _, code := range codes {
		p.line("")
		p.line("  " + code)
		p.WriteString(wrap(x.codes[code].Page(), "      "))
	}
}

func (x *Index) tagPage(d *tag.Definition) string {
	p := &page{}
	p.line(usage(d))
	p.line("")
	p.WriteString(wrap(d.Summary, ""))
	p.facts(facts(d))
	p.prose(d.Doc)
	p.code("Good:", d.Good)
	p.code("Bad:", d.Bad)
	x.diagnostics(p, x.codesOf(d.Folder()))
	return p.String()
}

// facts returns the properties of a definition.
func facts(d *tag.Definition) [][2]string {
	var list [][2]string
	if len(d.Aliases) > 0 {
		list = append(list, [2]string{"also spelt", "+" + strings.Join(d.Aliases, ", +")})
	}
	list = append(list,
		[2]string{"used on", strings.Join(d.Scopes.Names(), ", ")},
		[2]string{"is for", strings.Join(d.Shapes.Names(), ", ")},
	)
	for _, a := range d.Args {
		list = append(list, [2]string{"argument", argument(a)})
	}
	if text := payload(d.Payload); text != "" {
		list = append(list, [2]string{"value", text})
	}
	if d.Repeatable {
		list = append(list, [2]string{"repeatable", "yes"})
	}
	list = append(list, [2]string{"reports", reports(d)})
	return append(list,
		[2]string{"stability", string(d.Stability)},
		[2]string{"in Go", answerOf(d, d.Go).String()},
		[2]string{"in schemas", answerOf(d, d.Schema).String()},
	)
}

func (x *Index) lintPage(l *lint.Definition) string {
	p := &page{}
	p.line(l.Name)
	p.line("")
	p.WriteString(wrap(l.Summary, ""))
	p.prose(l.Doc)
	switch {
	case l.Always:
		p.prose("`kindsmith lint` and `kindsmith generate` check the convention.")
	case l.Upstream:
		p.prose("`kindsmith lint` checks the convention where packages have upstream's `+" + foreign.ValidationGen + "`, and with `--enable " + l.Name + "`.")
	default:
		p.prose("`kindsmith lint` checks the convention.")
	}
	p.code("Good:", l.Good)
	p.code("Bad:", l.Bad)
	x.diagnostics(p, x.codesOf(l.Name))
	return p.String()
}

// codePage is a code's documentation and its example.
func (x *Index) codePage(code diag.Code) string {
	p := &page{}
	p.line(code.String())
	p.prose(code.Page())
	if e := x.examples[code.String()]; e != nil {
		p.code("Bad:", e.Bad.text())
		p.code("Good:", e.Good.text())
		if len(e.Also) > 0 {
			p.prose("The example is also reported as " + strings.Join(e.Also, ", ") + ".")
		}
	}
	folder, _, _ := strings.Cut(code.String(), "/")
	for _, d := range x.tags.All() {
		if d.Folder() == folder {
			p.prose("See also: kindsmith explain " + d.Name)
		}
	}
	if l := x.lints[folder]; l != nil {
		p.prose("See also: kindsmith explain " + l.Name)
	}
	return p.String()
}
