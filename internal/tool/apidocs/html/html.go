// Package html prints the documentation of an API as HTML: index.html, and one file for each kind and version.
//
// [Print] returns the files of a site, by name.
//
// A page is one file without any request: its style and its script are in it, and a policy in its head forbids others.
// It works without the script, which adds the search and keys: / searches, j and k go to the next and the previous
// field, v to the next version. The anchor of a field is its path, such as #spec.users.name; the ids of sections begin
// with an underscore, which names in Kubernetes do not.
package html

import (
	"bytes"
	"embed"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"go/doc/comment"
	"html/template"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/tool/apidocs"
)

var (
	//go:embed *.html.tmpl
	files embed.FS
	//go:embed style.css
	style string
	//go:embed script.js
	script string
	//go:embed try.js
	tryScript string
)

// tryPage is the page that judges manifests.
const tryPage = "try.html"

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"try":     func(*apidocs.Page) string { return "" }, // Print has that of a site
	"comment": commented,
	"inline":  inline,
	"link":    func(from, to *apidocs.Page) (string, error) { return relative(from.Name(), to.Name()+".html") },
	"home":    func(p *apidocs.Page) (string, error) { return relative(p.Name(), "index.html") },
	"style":   func() template.CSS { return template.CSS(style) }, //nolint:gosec // a file of this package
	"script":  func() template.JS { return template.JS(script) },  //nolint:gosec // a file of this package
	"entries": entries,
	// timeline returns the versions of a group, the oldest first.
	"timeline": func(g *apidocs.Group) []*apidocs.Version {
		versions := slices.Clone(g.Versions)
		slices.Reverse(versions)
		return versions
	},
	"pageIn": func(k *apidocs.Kind, v *apidocs.Version) *apidocs.Page {
		if i := slices.IndexFunc(k.Pages, func(p *apidocs.Page) bool { return p.Version == v }); i >= 0 {
			return k.Pages[i]
		}
		return nil
	},
	"sources": sources,
}).ParseFS(files, "*.html.tmpl"))

// Print returns the files of a site, by slash-separated path.
func Print(site *apidocs.Site) (map[string][]byte, error) {
	out := map[string][]byte{}
	pages, err := templates.Clone()
	if err != nil {
		return nil, err
	}
	if site.Try != nil {
		pages.Funcs(template.FuncMap{"try": func(p *apidocs.Page) (string, error) {
			path, err := relative(p.Name(), tryPage)
			return path + "#" + p.Name(), err
		}})
	}
	print := func(name, tmpl string, data any) error {
		var b bytes.Buffer
		b.WriteString("<!doctype html>\n<!-- " + apidocs.Signature + " -->\n")
		if err := pages.ExecuteTemplate(&b, tmpl, data); err != nil {
			return err
		}
		out[name] = tidy(b.Bytes())
		return nil
	}
	if err := print("index.html", "index.html.tmpl", site); err != nil {
		return nil, err
	}
	if site.Try != nil {
		if err := print(tryPage, "try.html.tmpl", tryOf(site)); err != nil {
			return nil, err
		}
	}
	for p := range site.Pages {
		if err := print(p.Name()+".html", "page.html.tmpl", p); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// try is what the page that judges manifests has.
type try struct {
	Examples []tryExample
	// The first four are text of the page, and Script runs.
	WASM, Programs, Exec, Code template.HTML
	Script                     template.JS
}

// tryExample is a manifest to begin with: that of a page.
type tryExample struct {
	Page  string `json:"page"`
	Title string `json:"-"`
	YAML  string `json:"yaml"`
}

// tryOf returns the data of the page. The scripts are of the Go distribution and of this package, and base64 has no
// characters of HTML.
func tryOf(site *apidocs.Site) *try {
	t := &try{
		WASM:     template.HTML(base64.StdEncoding.EncodeToString(site.Try.WASM)),     //nolint:gosec // see above
		Programs: template.HTML(base64.StdEncoding.EncodeToString(site.Try.Programs)), //nolint:gosec // see above
		Exec:     template.HTML(site.Try.Exec),                                        //nolint:gosec // see above
		Code:     template.HTML(base64.StdEncoding.EncodeToString(site.Try.Code)),     //nolint:gosec // see above
		Script:   template.JS(tryScript),                                              //nolint:gosec // see above
	}
	for p := range site.Pages {
		if len(p.Examples) > 0 {
			t.Examples = append(t.Examples, tryExample{Page: p.Name(), Title: p.Kind.Name + " " + p.Version.Name, YAML: p.Examples[0].YAML})
		}
	}
	return t
}

// relative returns the path from a page to a file.
func relative(from, to string) (string, error) {
	rel, err := filepath.Rel(filepath.FromSlash(path.Dir(from)), filepath.FromSlash(to))
	return filepath.ToSlash(rel), err
}

// inCode is code in a comment.
var inCode = regexp.MustCompile("`([^`<>]+)`")

// commented returns a comment of Go as HTML, with code in backquotes.
func commented(text string) template.HTML {
	p := &comment.Printer{DocLinkURL: func(*comment.DocLink) string { return "" }}
	printed := p.HTML(apidocs.Comment(text))
	return template.HTML(inCode.ReplaceAll(printed, []byte("<code>$1</code>"))) //nolint:gosec // the printer escapes
}

// inline returns a phrase, whose code is in backquotes.
func inline(phrase string) template.HTML {
	var b strings.Builder
	for _, s := range apidocs.Spans(phrase) {
		if s.Code {
			b.WriteString("<code>" + template.HTMLEscapeString(s.Text) + "</code>")
		} else {
			b.WriteString(template.HTMLEscapeString(s.Text))
		}
	}
	return template.HTML(b.String()) //nolint:gosec // escaped above
}

// entries returns what the search on the index finds: names with their pages.
func entries(site *apidocs.Site) (template.JS, error) {
	type entry struct {
		Text string `json:"t"`
		Page string `json:"p"`
	}
	list := []entry{}
	for p := range site.Pages {
		name := p.Name() + ".html"
		title := p.Kind.Name + " " + p.Version.Name
		list = append(list, entry{title, name})
		for f := range p.All {
			list = append(list, entry{title + " " + f.Path, name + "#" + f.Path})
		}
	}
	text, err := json.Marshal(list)
	return template.JS(text), err //nolint:gosec // json.Marshal escapes the characters of tags
}

// sources returns the rules that have a tag or an expression.
func sources(rules []apidocs.Rule) []apidocs.Rule {
	var found []apidocs.Rule
	for _, r := range rules {
		if r.Tag != "" || r.CEL != "" {
			found = append(found, r)
		}
	}
	return found
}

// inPre is text whose line breaks count.
var inPre = regexp.MustCompile(`(?s)<(?:pre|script|style)\b.*?</(?:pre|script|style)>`)

// blank are the blank lines and the indentation that templates leave.
var blank = regexp.MustCompile(`\s*\n\s*`)

// tidy removes blank lines and indentation, but not in code.
func tidy(text []byte) []byte {
	var out []byte
	for len(text) > 0 {
		at := inPre.FindIndex(text)
		if at == nil {
			at = []int{len(text), len(text)}
		}
		out = append(out, blank.ReplaceAll(text[:at[0]], []byte("\n"))...)
		out = append(out, text[at[0]:at[1]]...)
		text = text[at[1]:]
	}
	return append(bytes.TrimSpace(out), '\n')
}
