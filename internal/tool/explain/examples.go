package explain

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

// examplesFS has the examples of all diagnostic codes, one file per owner of codes. Examples are
// separated by empty lines. The first line of an example is the code. The first character of each
// other line says what the line is:
//
//	@ the name of the file that the next lines are of; without it, DefaultFile
//	$ the command that reports the code; without it, DefaultCommand
//	- a line of the project with the mistake, or a command if the next character is $
//	+ a line of the project without it, or a command
//	  (a space) a line of both
//	| a line of both that pages omit
//	& another code that the project with the mistake is also reported for
//
// Files are excerpts: the test that runs the examples adds what Go requires, such as the package
// clause, and a kind that has the types.
//
//go:embed examples/*.txt
var examplesFS embed.FS

// What an example has that does not say otherwise.
const (
	DefaultFile    = "api/v1/types.go"
	DefaultCommand = "kindsmith lint"
)

// Example shows one mistake, and what to write instead.
type Example struct {
	Bad, Good Project
	// Also are other codes that Bad is reported for.
	Also []string
}

// Project is a set of excerpts of files, and the command that reads them.
type Project struct {
	Command string
	Files   []File
}

// File is an excerpt of a file. Shown is the part of Text that pages have.
type File struct{ Name, Text, Shown string }

// write appends a line to a file of the project.
func (p *Project) write(name, line string, shown bool) {
	if len(p.Files) == 0 || p.Files[len(p.Files)-1].Name != name {
		p.Files = append(p.Files, File{Name: name})
	}
	f := &p.Files[len(p.Files)-1]
	f.Text += line + "\n"
	if shown {
		f.Shown += line + "\n"
	}
}

// text is the project as pages have it: the command and the excerpts, each below a comment with the
// name of its file. The default file has none if it is alone.
func (p *Project) text() string {
	var b strings.Builder
	shown := 0
	for _, f := range p.Files {
		if f.Shown != "" {
			shown++
		}
	}
	if p.Command != DefaultCommand {
		b.WriteString("$ " + p.Command + "\n")
	}
	for _, f := range p.Files {
		if f.Shown == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		switch path.Ext(f.Name) {
		case ".go", ".mod", ".work":
			if shown > 1 || f.Name != DefaultFile {
				b.WriteString("// " + f.Name + "\n")
			}
		default:
			b.WriteString("# " + f.Name + "\n")
		}
		b.WriteString(f.Shown)
	}
	return b.String()
}

// examples returns the examples by code. It panics if a file is malformed.
func examples() map[string]*Example {
	entries, err := examplesFS.ReadDir("examples")
	if err != nil {
		panic(err)
	}
	all := map[string]*Example{}
	for _, entry := range entries {
		text, err := examplesFS.ReadFile("examples/" + entry.Name())
		if err != nil {
			panic(err)
		}
		for block := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
			code, lines, _ := strings.Cut(block, "\n")
			if all[code] != nil {
				panic(fmt.Sprintf("explain: two examples of %s", code))
			}
			all[code] = readExample(code, lines)
		}
	}
	return all
}

// readExample reads the lines of an example below its code.
func readExample(code, lines string) *Example {
	e := &Example{Bad: Project{Command: DefaultCommand}, Good: Project{Command: DefaultCommand}}
	name := DefaultFile
	for line := range strings.SplitSeq(lines, "\n") {
		kind, rest := line[:1], line[1:]
		command, isCommand := strings.CutPrefix(rest, "$ ")
		switch {
		case kind == "@":
			name = strings.TrimSpace(rest)
		case kind == "&":
			e.Also = append(e.Also, strings.TrimSpace(rest))
		case kind == "$":
			e.Bad.Command, e.Good.Command = strings.TrimSpace(rest), strings.TrimSpace(rest)
		case kind == "-" && isCommand:
			e.Bad.Command = command
		case kind == "+" && isCommand:
			e.Good.Command = command
		case kind == "-":
			e.Bad.write(name, rest, true)
		case kind == "+":
			e.Good.write(name, rest, true)
		case kind == " ", kind == "|":
			e.Bad.write(name, rest, kind == " ")
			e.Good.write(name, rest, kind == " ")
		default:
			panic(fmt.Sprintf("explain: the example of %s has the line %q", code, line))
		}
	}
	return e
}
