package scaffold

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/requires"
)

// runs plans how the project gets the tool and runs it.
func (b *builder) runs() error {
	makefile, err := b.read("Makefile")
	if err == nil && b.kubebuilder() {
		return b.replace(string(makefile))
	}
	if err == nil && strings.Contains(string(makefile), "kindsmith") {
		return nil
	}
	data, terr := b.tool()
	if terr != nil {
		return terr
	}
	b.command = data.Command
	b.libraries()
	b.Next = append(b.Next, "make "+data.Generate)
	if terr := b.directive(data); terr != nil {
		return terr
	}
	if err != nil {
		return b.create("Makefile", "Makefile", data)
	}
	lines, terr := render("Makefile", data)
	if terr != nil {
		return terr
	}
	b.edit("Makefile", makefile, strings.TrimRight(string(makefile), "\n")+"\n\n"+string(lines))
	return nil
}

// libraries adds a note if the project's libraries are too old for parts of the generated code. It
// does not know yet which parts the project will have.
func (b *builder) libraries() {
	needs := requires.Needs{Dir: b.root, Imported: []string{gofile.Runtime}, Lacking: []string{gofile.Runtime}}
	if advice := needs.Advise(b.Files, b.Release); advice.Raises {
		b.Notes = append(b.Notes, "Generated deep copies, registration and CRDs do not need newer modules, but for validation, defaults, unions and conversion "+
			advice.Reason()+":\n"+advice.Line(b.Dir))
	}
}

var packageClause = regexp.MustCompile(`(?m)^package (\w+)`)

// directive plans the line for `go generate` in the folder of the API.
func (b *builder) directive(r recipe) error {
	line := func(up string) string {
		if r.Folder == "" {
			return "//go:generate go tool kindsmith generate"
		}
		return "//go:generate go tool -modfile=" + up + r.Folder + "/go.mod kindsmith generate"
	}
	folders, _ := b.Files.List(source.Folders, b.root)
	dir := "api"
	switch {
	case slices.Contains(folders, "api/"), b.Kind != "":
	case slices.Contains(folders, "apis/"):
		dir = "apis"
	default:
		b.Notes = append(b.Notes, "For go generate, add this line to a Go file in the folder of go.mod:\n"+line(""))
		return nil
	}
	data := struct{ Package, Doc, Line string }{dir, "// Package " + dir + " has the versions of the API.\n", line("../")}
	names, _ := b.Files.List(source.GoFiles, b.path(dir))
	for _, name := range names {
		content, _ := b.read(path.Join(dir, name))
		if strings.Contains(string(content), "//go:generate") && strings.Contains(string(content), "kindsmith") {
			return nil
		}
		if m := packageClause.FindSubmatch(content); m != nil {
			data.Package, data.Doc = string(m[1]), ""
		}
	}
	return b.create(path.Join(dir, "generate.go"), "generate.go", data)
}

// recipe is how a Makefile runs kindsmith.
type recipe struct {
	// Command runs kindsmith.
	Command string
	// Folder is the folder of the tools module, Up leads back from it; "" if the module of the
	// project has the tool.
	Folder, Up string
	Tool       string
	// Targets are the names of the targets.
	Generate, Check string
}

// tool plans the module that has the tool. The requirements of kindsmith, API server packages among
// them, do not belong into a module that others import, so that is a module for tools.
func (b *builder) tool() (recipe, error) {
	r := recipe{Tool: Tool, Generate: "generate", Check: "check-generated"}
	if makefile, err := b.read("Makefile"); err == nil && regexp.MustCompile(`(?m)^generate\s*:`).Match(makefile) {
		r.Generate = "generate-api"
		b.Notes = append(b.Notes, "The Makefile has a target generate; make it depend on generate-api.")
	}
	gomod, _ := b.read("go.mod")
	if toolLine.Match(gomod) {
		r.Command = "go tool kindsmith"
		return r, nil
	}
	folder, content := "tools", []byte(nil)
	for _, dir := range []string{"tools", "hack/tools", "internal/tools"} {
		if text, err := b.read(path.Join(dir, "go.mod")); err == nil {
			folder, content = dir, text
			break
		}
	}
	r.Command, r.Folder, r.Up = "bin/kindsmith", folder, strings.Repeat("../", strings.Count(folder, "/")+1)
	if content == nil {
		if err := b.create(path.Join(folder, "go.mod"), "tools.go.mod", b); err != nil {
			return r, err
		}
	}
	if !toolLine.Match(content) {
		release, err := b.pinned()
		if err != nil {
			return r, err
		}
		b.Get = []string{"-C", folder, "get", "-tool", Tool + "@" + release}
	}
	if ignored, err := b.read(".gitignore"); err != nil {
		return r, b.create(".gitignore", "gitignore", nil)
	} else if !regexp.MustCompile(`(?m)^/?bin(/\*?)?\s*$`).Match(ignored) {
		b.edit(".gitignore", ignored, strings.TrimRight(string(ignored), "\n")+"\n/bin/\n")
	}
	return r, nil
}

var toolLine = regexp.MustCompile(`(?m)^\s*(tool\s+)?"?` + regexp.QuoteMeta(Tool) + `"?\s*$`)

// kubebuilder reports whether the Makefile runs controller-gen.
func (b *builder) kubebuilder() bool {
	makefile, err := b.read("Makefile")
	return err == nil && (controllerGen.Match(makefile) || b.has("PROJECT"))
}

const ofControllerGen = `sigs\.k8s\.io/controller-tools/cmd/controller-gen`

var (
	// controllerGen is a command line of controller-gen: the program, space, and the first of its
	// arguments.
	controllerGen = regexp.MustCompile(`(\$[({]CONTROLLER_GEN[)}]["']?|` + ofControllerGen + `(?:@\S+)?|controller-gen)((?:[ \t]|\\\n)+)((?:object|crd|rbac|webhook|applyconfiguration|schemapatch|paths|output)\b(?:[^\n\\]|\\.|\\\n)*)`)
	toolsVersion  = regexp.MustCompile(`(?m)^(\s*)CONTROLLER_TOOLS_VERSION(\s*[?:]?=\s*)\S+`)
	pinned        = regexp.MustCompile(ofControllerGen + `@v\S+`)
)

// replace plans a Makefile that runs kindsmith instead of controller-gen: all that concerns the one
// is for the other, because the command lines are the same.
func (b *builder) replace(makefile string) error {
	lines := controllerGen.FindAllStringSubmatchIndex(makefile, -1)
	if len(lines) == 0 {
		return nil
	}
	release := b.Release
	if toolsVersion.MatchString(makefile) || pinned.MatchString(makefile) || goTool.MatchString(makefile) {
		var err error
		if release, err = b.pinned(); err != nil {
			return err
		}
	}
	text := switched(controllerGen.ReplaceAllString(makefile, "${1}${2}generate ${3}"), release)
	var checks []string
	content, _ := b.read("go.mod")
	gomod := string(content)
	b.Notes = append(b.Notes, "kindsmith overwrites the files of controller-gen only with --replace, which later runs do not need.")
	if strings.Contains(text, "LOCALBIN") {
		b.Next = append(b.Next, "make kindsmith")
	}
	for _, line := range lines {
		program, args := switched(makefile[line[2]:line[3]], release), arguments(makefile[line[6]:line[7]])
		runner := goCommand.FindString(makefile[:line[0]]) // "go run " or "go tool "
		recipe, shell := runner+program, runner+program
		if strings.HasPrefix(program, "$") {
			recipe, shell = `"$(KINDSMITH)"`, "kindsmith"
			if strings.Contains(text, "LOCALBIN") {
				shell = "bin/kindsmith"
			}
		}
		if m := goTool.FindStringSubmatch(runner + "controller-gen"); m != nil && !toolLine.MatchString(gomod) {
			b.once("go get -tool " + m[1] + Tool + "@" + release)
		}
		checks = append(checks, recipe+" generate "+args+" --check")
		b.Next = append(b.Next, shell+" generate "+expand(makefile, args)+" --replace")
	}
	if !checkTarget.MatchString(text) {
		target, err := render("check.mk", struct {
			Needs  bool
			Checks []string
		}{kindsmithTarget.MatchString(text), checks})
		if err != nil {
			return err
		}
		text = strings.TrimRight(text, "\r\n") + "\n\n" + string(target)
	}
	b.edit("Makefile", []byte(makefile), text)
	return nil
}

// once adds a command to those that follow, unless it is there.
func (b *builder) once(command string) {
	if !slices.Contains(b.Next, command) {
		b.Next = append(b.Next, command)
	}
}

var (
	// goCommand ends where the go command runs the program that follows; goTool has the flags before it.
	goCommand = regexp.MustCompile(`go[ \t]+(?:run|tool)[ \t]+(?:-\S+[ \t]+)*$`)
	goTool    = regexp.MustCompile(`go[ \t]+tool[ \t]+((?:-\S+[ \t]+)*)controller-gen\b`)

	checkTarget     = regexp.MustCompile(`(?m)^check-generated\s*:`)
	kindsmithTarget = regexp.MustCompile(`(?m)^kindsmith\s*:`)
)

// switched returns lines of a Makefile with kindsmith's names instead of controller-gen's.
func switched(text, release string) string {
	text = toolsVersion.ReplaceAllString(text, "${1}KINDSMITH_VERSION${2}"+release)
	text = pinned.ReplaceAllString(text, Tool+"@"+release)
	text = regexp.MustCompile(ofControllerGen).ReplaceAllString(text, Tool)
	return strings.NewReplacer("CONTROLLER_TOOLS_VERSION", "KINDSMITH_VERSION", "CONTROLLER_GEN", "KINDSMITH", "controller-gen", "kindsmith").Replace(text)
}

// otherCommands begins where a line of shell goes on after a command.
var otherCommands = regexp.MustCompile(`(?:[ \t]+(?:&&|\|\|?|2?>|[;#])|;[ \t]|;$).*$`)

// arguments returns the arguments of a command in a Makefile on one line.
func arguments(text string) string {
	line := strings.Join(strings.Fields(strings.ReplaceAll(text, "\\\n", " ")), " ")
	return otherCommands.ReplaceAllString(line, "")
}

var (
	definition = regexp.MustCompile(`(?m)^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*(?:\?|:{1,3})?=[ \t]*(.*?)[ \t\r]*$`)
	reference  = regexp.MustCompile(`\$(?:\(([A-Za-z0-9_.-]+)\)|\{([A-Za-z0-9_.-]+)\})`)
)

// expand returns text of a Makefile as a shell reads it, with the variables that the Makefile defines.
func expand(makefile, text string) string {
	values := map[string]string{}
	for _, m := range definition.FindAllStringSubmatch(makefile, -1) {
		values[m[1]] = m[2]
	}
	for range 10 { // variables may refer to each other
		text = reference.ReplaceAllStringFunc(text, func(ref string) string {
			if value, ok := values[ref[2:len(ref)-1]]; ok {
				return value
			}
			return ref
		})
	}
	return strings.NewReplacer("$(shell ", "$(", "$$", "$").Replace(text)
}
