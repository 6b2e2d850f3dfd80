package explain

import (
	"cmp"
	"io"
	"strings"

	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/tool/controllergen"
)

// markdownCatalogue is the page docs/reference/tags.md.
func (x *Index) markdownCatalogue(w io.Writer) error {
	p := &page{}
	p.line("# Tags")
	p.line("")
	p.line("<!-- Written by `kindsmith tags --format markdown`; `go test ./internal/tool/explain -update` updates it. -->")
	p.line("")
	p.line("All tags of kindsmith. `kindsmith explain <tag>` prints the page of a tag, including its diagnostic codes.")
	p.line("")
	p.line("* **Go**: ✓ is enforced by generated Go, → has its effect elsewhere, ✗ has no effect.")
	p.line("* **Schema**: the same for published schemas and their CEL rules.")
	for _, f := range x.tags.Families() {
		x.markdownMatrix(p, f.Prefix, f.Title, f.Intro)
	}
	markdownCEL(p)
	p.line("")
	p.line("## All tags")
	for _, f := range x.tags.Families() {
		for _, d := range x.group(f.Prefix) {
			markdownTag(p, d)
		}
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// group returns the tags whose names have a prefix; "" means no prefix.
func (x *Index) group(prefix string) []*tag.Definition {
	var list []*tag.Definition
	for _, d := range x.tags.All() {
		before, _, ok := strings.Cut(d.Name, ":")
		if ok && before+":" == prefix || !ok && prefix == "" {
			list = append(list, d)
		}
	}
	return list
}

func (x *Index) markdownMatrix(p *page, prefix, title, intro string) {
	p.line("")
	p.line("## " + title)
	p.line("")
	if intro != "" {
		p.line(intro)
		p.line("")
	}
	p.line("| tag | on | for | error · origin | Go | Schema | stability |")
	p.line("|---|---|---|---|:-:|:-:|---|")
	for _, d := range x.group(prefix) {
		p.line("| [`+" + d.Name + "`](#" + anchor(d.Name) + ") | " + strings.Join(d.Scopes.Names(), ", ") + " | " + strings.Join(d.Shapes.Names(), ", ") +
			" | " + errorCell(d) + " | " + sign(answerOf(d, d.Go)) + " | " + sign(answerOf(d, d.Schema)) + " | " + string(d.Stability) + " |")
	}
}

func errorCell(d *tag.Definition) string {
	switch {
	case d.ErrorType == "":
		return "–"
	case d.Origin == "":
		return d.ErrorType
	}
	return d.ErrorType + " · `" + d.Origin + "`"
}

func sign(a answer) string {
	return map[string]string{output: "✓", elsewhere: "→", unsupported: "✗"}[a.Answer]
}

func markdownTag(p *page, d *tag.Definition) {
	p.line("")
	p.line("### +" + d.Name)
	p.line("")
	p.line("`" + usage(d) + "`")
	p.line("")
	p.line(d.Summary)
	if d.Doc != "" {
		p.line("")
		p.line(strings.TrimRight(d.Doc, "\n"))
	}
	p.line("")
	for _, f := range facts(d) {
		if f[1] != "" {
			p.line("* " + f[0] + ": " + f[1])
		}
	}
	example(p, d.Good)
	example(p, d.Bad)
}

// Markdown returns the page of a tag or a marker of controller-gen for readers of Markdown, such as editors; not ok if
// there is none.
func (x *Index) Markdown(name string) (text string, ok bool) {
	p := &page{}
	if d := x.tags.Lookup(name); d != nil {
		p.line("`" + usage(d) + "`")
		p.line("")
		p.line(d.Summary)
		if d.Doc != "" {
			p.line("")
			p.line(strings.TrimRight(d.Doc, "\n"))
		}
		for _, a := range d.Args {
			p.line("")
			p.line("* " + argument(a))
		}
		if text := payload(d.Payload); text != "" {
			p.line("")
			p.line("* value: " + text)
		}
		example(p, d.Good)
		return p.String(), true
	}
	m, ok := controllergen.MarkerNamed(name)
	if !ok {
		return "", false
	}
	p.line("`+" + m.Name + usageOf(m) + "`")
	p.line("")
	p.line(sentence(m.Summary, m.Name))
	for _, a := range m.Arguments {
		p.line("")
		p.line("* " + strings.TrimRight(cmp.Or(a.Name, "value")+": "+a.Type+" — "+oneLine(a.Doc), " —"))
	}
	p.line("")
	p.line("kindsmith: " + support(m))
	return p.String(), true
}

func example(p *page, code string) {
	if code == "" {
		return
	}
	p.line("")
	p.line("```go")
	p.line(strings.TrimRight(code, "\n"))
	p.line("```")
}

// anchor returns the fragment of a tag's heading in rendered Markdown.
func anchor(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, ":", ""))
}
