package check_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// mistake is one incorrect use of a tag.
type mistake struct {
	tag, how string
	// text is the tag without '+'; on is the format of a declaration with a verb for the comment.
	text, on string
}

const (
	onType   = "// +%[2]s\ntype %[1]s struct{}\n"
	onField  = "type %[1]s struct {\n\t// +%[2]s\n\tF *string `json:\"f,omitempty\"`\n}\n"
	onInt    = "type %[1]s struct {\n\t// +%[2]s\n\tF *int32 `json:\"f,omitempty\"`\n}\n"
	onList   = "type %[1]s struct {\n\t// +k8s:listType=map\n\t// +k8s:listMapKey=name\n\t// +%[2]s\n\tF []Item `json:\"f,omitempty\"`\n}\n"
	onStruct = "type %[1]s struct {\n\t// +%[2]s\n\tF *Item `json:\"f,omitempty\"`\n}\n"
	onConst  = "type %[1]s string\n\n// +%[2]s\nconst %[1]sA %[1]s = \"a\"\n"
)

// mistakes returns uses of every tag that its definition does not allow: a value of the wrong kind,
// a wrong scope, and a field that does not exist.
func mistakes(tags *tag.Set) []mistake {
	var all []mistake
	all = append(all,
		mistake{"k8s:maxLength", "grammar", "k8s:maxLength(3", onField},
		mistake{"k8s:eachVal", "grammar", "k8s:eachVal=k8s:maxLength=3", onList},
		mistake{"k8s:required", "name", "k8s:requierd", onField},
		mistake{"default", "value", "default=nope", onField},
		mistake{"default", "value", "default=[1]", onField},
	)
	for _, d := range tags.All() {
		if family := tags.FamilyOf(d.Name); family == nil || !family.Words {
			continue // defaults are separate, and only roots declare versions
		}
		on := onField
		switch {
		case d.Shapes == tag.Lists, d.Shapes == tag.Lists|tag.Maps:
			on = onList
		case d.Shapes == tag.Structs && d.Scopes&tag.OnField != 0:
			on = onStruct
		case d.Shapes&tag.Strings == 0 && d.Shapes&tag.Integers != 0:
			on = onInt
		case d.Scopes == tag.OnConst:
			on = onConst
		case d.Scopes&tag.OnField == 0:
			on = onType
		}
		inner, args := "", ""
		if d.Payload.Tag {
			inner = "=+k8s:validateTrue"
		}
		for _, a := range d.Args {
			if a.Required && a.Name == "" {
				args = "(name)"
			}
			switch {
			case a.Refers == tag.OwnerField || a.Refers == tag.ValueField:
				all = append(all, mistake{d.Name, "misspelt", d.Name + `("nam")` + inner, on})
			case a.NameRefers == tag.ElemField:
				all = append(all, mistake{d.Name, "misspelt", d.Name + `(nam: "x")` + inner, on})
				args = `(name: "x")`
			}
		}
		if d.Payload.Refers == tag.ElemField {
			all = append(all, mistake{d.Name, "misspelt", d.Name + "=nam", on})
		}
		all = append(all, mistake{d.Name, "value", d.Name + args + wrongValue(d), on})
		value := inner
		if len(d.Payload.Values) > 0 {
			value = "=" + d.Payload.Values[0]
		} else if len(d.Payload.Kinds) > 0 {
			value = "=" + literals[d.Payload.Kinds[0]]
		}
		switch {
		case d.Scopes&tag.OnConst == 0:
			all = append(all, mistake{d.Name, "place", d.Name + args + value, onConst})
		case d.Scopes&tag.OnField == 0:
			all = append(all, mistake{d.Name, "place", d.Name + args + value, onField})
		}
	}
	return all
}

var literals = map[model.ValueKind]string{
	model.StringValue: `"x"`, model.IntValue: "3", model.BoolValue: "true", model.IdentValue: "word", model.JSONValue: "[1]", model.RawValue: "a b",
}

// wrongValue returns a value of a kind that the tag does not allow.
func wrongValue(d *tag.Definition) string {
	if d.Payload.Tag {
		return "=3"
	}
	for _, kind := range []model.ValueKind{model.StringValue, model.IntValue, model.JSONValue} {
		if !slices.Contains(d.Payload.Kinds, kind) && len(d.Payload.Values) == 0 {
			return "=" + literals[kind]
		}
	}
	return "=[1]"
}

// TestUnnamedPackage uses every tag incorrectly in a package of the same module that is not a root,
// and requires an error at the line of each mistake.
func TestUnnamedPackage(t *testing.T) {
	dir, lines := unnamed(t, "example.com/cases/common")
	write(t, filepath.Join(dir, "go.mod"), "module example.com/cases\n\ngo 1.26\n")
	bag := &diag.Bag{}
	if _, err := driver.Lint(driver.LintConfig{Config: driver.Config{ModelConfig: driver.ModelConfig{Dir: dir, Patterns: []string{"./api"}}}}, bag); err != nil {
		t.Fatal(err)
	}
	compare(t, lines, bag, diag.Error)
}

// TestDependency does the same in a package of another module, where each mistake is a warning.
// Code is generated without the mistaken tags.
func TestDependency(t *testing.T) {
	dir, lines := unnamed(t, "example.com/common")
	write(t, filepath.Join(dir, "go.mod"), "module example.com/cases\n\ngo 1.26\n\nrequire example.com/common v0.0.0\n\nreplace example.com/common => ./common\n")
	write(t, filepath.Join(dir, "common/go.mod"), "module example.com/common\n\ngo 1.26\n")
	bag := &diag.Bag{}
	out, err := driver.Generate(driver.Config{
		ModelConfig: driver.ModelConfig{Dir: dir, Patterns: []string{"./api"}}, Only: []string{"validation", "defaults", "unions"},
	}, bag)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, lines, bag, diag.Warning)
	if _, err := driver.Write(out.Files); err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, f := range out.Files {
		text += string(f.Content)
	}
	if !strings.Contains(text, "validate.MaxBytes(r, &at, obj.Sound, 7)") {
		t.Errorf("the sound tag of the dependency is not in the generated code:\n%s", text)
	}
	if strings.Count(text, "MaxBytes") != 1 {
		t.Errorf("generated code has a mistaken tag of the dependency:\n%s", text)
	}
	compile(t, dir)
}

// compile builds the generated code against the runtime module of this tree.
func compile(t *testing.T, dir string) {
	t.Helper()
	runtime, err := filepath.Abs("../../../runtime")
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(dir, "go.work")
	write(t, work, "go 1.26.0\n\nuse (\n\t"+dir+"\n\t"+runtime+"\n)\n")
	cmd := exec.Command("go", "build", "./api")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK="+work, "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the generated code does not compile: %v\n%s", err, text)
	}
}

// unnamed writes a root package that uses one type of another package for each mistake, and returns
// the mistakes by their lines there.
func unnamed(t *testing.T, path string) (dir string, lines map[int]mistake) {
	t.Helper()
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	dir, lines = t.TempDir(), map[int]mistake{}
	var common, api strings.Builder
	common.WriteString("package common\n\ntype Item struct {\n\t// +k8s:required\n\tName string `json:\"name\"`\n}\n\n" +
		"type Fine struct {\n\t// +k8s:optional\n\t// +k8s:maxBytes=7\n\tSound string `json:\"sound,omitempty\"`\n}\n")
	api.WriteString("package api\n\nimport \"" + path + "\"\n\ntype Root struct {\n\tFine common.Fine `json:\"fine\"`\n")
	for i, m := range mistakes(driver.Tags()) {
		name := fmt.Sprintf("Case%d", i)
		common.WriteString("\n")
		before, _, _ := strings.Cut(fmt.Sprintf(m.on, name, "\x00"), "\x00")
		lines[strings.Count(common.String()+before, "\n")+1] = m
		fmt.Fprintf(&common, m.on, name, m.text)
		fmt.Fprintf(&api, "\t%s common.%s `json:\"%s\"`\n", name, name, strings.ToLower(name))
	}
	write(t, filepath.Join(dir, "common/types.go"), common.String())
	write(t, filepath.Join(dir, "api/types.go"), api.String()+"}\n")
	return dir, lines
}

// compare requires a diagnostic of the severity at the line of every mistake.
func compare(t *testing.T, lines map[int]mistake, bag *diag.Bag, severity diag.Severity) {
	t.Helper()
	found := map[int]bool{}
	for _, d := range bag.All() {
		if d.Severity != severity && !strings.HasPrefix(d.Span.String(), "api/") {
			continue
		}
		if !strings.HasPrefix(d.Span.String(), "common/") {
			t.Errorf("%s: %s [%s]", d.Span, d.Message, d.Code)
			continue
		}
		found[d.Span.Position().Line] = true
	}
	for line, m := range lines {
		if !found[line] {
			t.Errorf("line %d: nothing is reported for +%s (%s)", line, m.text, m.how)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
