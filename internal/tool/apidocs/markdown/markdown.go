// Package markdown prints the documentation of an API as Markdown: README.md, and one file for each kind and version.
//
// [Print] returns the files of a site, by name.
//
// The anchors are those of package html. They are elements <a id="…">, since the anchors of headings would be others.
package markdown

import (
	"bytes"
	"cmp"
	"embed"
	"go/doc/comment"
	"path"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/kindsmith/kindsmith/internal/tool/apidocs"
)

//go:embed *.md.tmpl
var files embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"comment": commented,
	"inline":  inline,
	"link":    link,
	"indent":  func(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\n", "\n  ")) },
	"one":     func(text string) string { return strings.Join(strings.Fields(text), " ") },
}).ParseFS(files, "*.md.tmpl"))

// Print returns the files of a site, by slash-separated path.
func Print(site *apidocs.Site) (map[string][]byte, error) {
	out := map[string][]byte{}
	print := func(name, tmpl string, data any) error {
		var b bytes.Buffer
		if err := templates.ExecuteTemplate(&b, tmpl, data); err != nil {
			return err
		}
		out[name] = append([]byte("<!-- "+apidocs.Signature+" -->\n\n"), tidy(b.Bytes())...)
		return nil
	}
	if err := print("README.md", "index.md.tmpl", site); err != nil {
		return nil, err
	}
	for p := range site.Pages {
		if err := print(p.Name()+".md", "page.md.tmpl", p); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// link returns the path from one page to another.
func link(from, to *apidocs.Page) (string, error) {
	rel, err := filepath.Rel(filepath.FromSlash(path.Dir(from.Name())), filepath.FromSlash(to.Name()+".md"))
	return filepath.ToSlash(rel), err
}

// commented returns a comment of Go as Markdown. Code in backquotes stays code.
func commented(text string) string {
	parsed := apidocs.Comment(text)
	printed := string((&comment.Printer{}).Markdown(parsed))
	return strings.TrimSpace(strings.ReplaceAll(printed, "\\`", "`"))
}

// special are the characters that Markdown would read.
var special = strings.NewReplacer("*", `\*`, "_", `\_`, "<", "&lt;", "[", `\[`, "]", `\]`)

// inline returns a phrase, whose code is in backquotes.
func inline(phrase string) string {
	var b strings.Builder
	for _, s := range apidocs.Spans(phrase) {
		switch quote := "`"; {
		case !s.Code:
			b.WriteString(special.Replace(s.Text))
		case strings.Contains(s.Text, "`"):
			b.WriteString("`` " + s.Text + " ``")
		default:
			b.WriteString(quote + cmp.Or(s.Text, " ") + quote)
		}
	}
	return strings.ReplaceAll(b.String(), "\n", " ")
}

// tidy leaves one blank line where a template leaves more, but not in code.
func tidy(text []byte) []byte {
	var out []string
	fenced := false
	for line := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n") {
		line = strings.TrimRight(line, " ")
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if !fenced && line == "" && len(out) > 0 && out[len(out)-1] == "" {
			continue
		}
		out = append(out, line)
	}
	return []byte(strings.Join(out, "\n") + "\n")
}
