package explain

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/tool/controllergen"
	"github.com/kindsmith/kindsmith/internal/tool/project"
)

// Contents is the page of `kindsmith explain` without a name: everything that has a page.
func (x *Index) Contents() string {
	p := &page{}
	p.line("kindsmith explain <name> prints the page of:")
	for _, f := range x.tags.Families() {
		var names []string
		for _, d := range x.group(f.Prefix) {
			names = append(names, "+"+d.Name)
		}
		p.contents(f.Title, names)
	}
	var markers []string
	for _, m := range controllergen.Markers() {
		if strings.HasPrefix(m.Name, foreign.KubebuilderPrefix) {
			markers = append(markers, "+"+m.Name)
		}
	}
	p.contents("Markers of controller-gen", markers)
	var lints []string
	for name := range x.lints {
		lints = append(lints, name)
	}
	slices.Sort(lints)
	p.contents("Conventions of kindsmith lint", lints)
	p.contents("Settings of a project", []string{project.FileName})
	p.line("")
	p.line("Diagnostic codes, in brackets after each message, by their first half")
	p.WriteString(wrap(strings.Join(x.folders(), "/ ")+"/", "  "))
	return p.String()
}

// contents writes a heading and names.
func (p *page) contents(heading string, names []string) {
	p.line("")
	p.line(heading)
	p.WriteString(wrap(strings.Join(names, " "), "  "))
}

// folders returns the first halves of codes, sorted.
func (x *Index) folders() []string {
	var folders []string
	for _, code := range x.Codes() {
		folder, _, _ := strings.Cut(code, "/")
		folders = append(folders, folder)
	}
	return slices.Compact(folders)
}

// settingsPage describes the keys of kindsmith.yaml.
func settingsPage() string {
	p := &page{}
	p.line(project.FileName)
	p.prose("The settings of a project, so that commands need no flags. Each key but `packages` and `diagnostics` is a flag of its commands, too.")
	settings := project.Default()
	section := ""
	for _, o := range settings.Options() {
		if o.Section != section {
			section = o.Section
			p.line("")
			p.line(section + ":")
		}
		indent := ""
		if section != "" {
			indent = "  "
		}
		head := o.Key()
		if !o.NoFlag {
			head += " (--" + o.Name + ")"
		}
		p.line("")
		p.line(indent + head)
		p.WriteString(wrap(o.Sentence(), indent+"    "))
	}
	return p.String()
}

// Markers writes the table of controller-gen's markers as Markdown.
func (x *Index) Markers(w io.Writer) error {
	p := &page{}
	p.line("# Markers of kubebuilder")
	p.line("")
	p.line("<!-- Written by `go test ./internal/tool/explain -update`. -->")
	p.line("")
	p.line("kindsmith reads all markers of controller-gen, so you need not change any. API servers enforce these rules. If you write the tag instead, generated Go enforces the rule too.")
	p.line("")
	p.line("`kindsmith explain +kubebuilder:validation:Minimum` prints the page of a marker. In a package with tags, `kindsmith lint --fix` replaces markers whose tag has exactly the same meaning.")
	p.line("")
	p.line("| marker | on | tag | kindsmith |")
	p.line("|---|---|---|---|")
	markers := slices.Clone(controllergen.Markers())
	slices.SortFunc(markers, func(a, b controllergen.Marker) int { return cmp.Compare(a.Name, b.Name) })
	for _, m := range markers {
		if !strings.HasPrefix(m.Name, foreign.KubebuilderPrefix) {
			continue
		}
		equal, does := x.counterpart(m.Name), support(m)
		if d := x.tag(m.Name); d != nil {
			equal, does = d.Name, d.Summary
		}
		how := ""
		if equal == "" {
			equal, how = x.similar(m.Name)
		}
		if equal != "" {
			equal = "[`+" + equal + "`](tags.md#" + anchor(equal) + ")"
		}
		if how != "" {
			equal += ", " + how
		}
		p.line("| `+" + m.Name + "` | " + strings.Join(m.On, ", ") + " | " + equal + " | " + cell(does) + " |")
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// Diagnostics writes the index of all codes as Markdown.
func (x *Index) Diagnostics(w io.Writer) error {
	p := &page{}
	p.line("# Diagnostics")
	p.line("")
	p.line("<!-- Written by `go test ./internal/tool/explain -update`. -->")
	p.line("")
	p.line("Each message ends with a code in brackets. `kindsmith explain <code>` prints its page, with a good and a bad example.")
	for _, folder := range x.folders() {
		p.line("")
		p.line("## " + folder)
		p.line("")
		p.line("| code | meaning |")
		p.line("|---|---|")
		for _, code := range x.codesOf(folder) {
			p.line("| `" + code + "` | " + cell(x.codes[code].Page()) + " |")
		}
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// cell returns the first paragraph of a text for a cell of a table.
func cell(text string) string {
	first, _, _ := strings.Cut(text, "\n\n")
	return strings.ReplaceAll(oneLine(first), "|", `\|`)
}
