package lower_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/front/load"
	"github.com/kindsmith/kindsmith/internal/front/lower"
	"github.com/kindsmith/kindsmith/internal/rules/check"
	"github.com/kindsmith/kindsmith/internal/rules/lint"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/versions/evolve"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
)

// tooLong is the time limit for a package of one file.
const tooLong = 20 * time.Second

// FuzzLower runs all stages on a types.go: they report diagnostics or write files that parse. The
// fuzzer's bytes are edits that combine lines of the seeds, since random bytes are hardly ever Go.
func FuzzLower(f *testing.F) {
	seeds := readSeeds(f)
	for i, s := range seeds {
		f.Add(s, []byte{})
		for round := range byte(3) {
			f.Add(s, []byte{round, byte(7 * i), 31 * (round + 1), round + 3, byte(i), 17 * round, round + 1, byte(i + 90), byte(5 * i)})
		}
	}
	lines := collect(seeds)
	build := dependencies(f)
	f.Fuzz(func(t *testing.T, src string, edits []byte) {
		if len(src) > 20_000 || len(edits) > 60 {
			t.Skip("long texts find nothing that short ones do not")
		}
		src = lines.edit(src, edits)
		timer := time.AfterFunc(tooLong, func() { panic(fmt.Sprintf("no end after %s:\n%s", tooLong, src)) })
		defer timer.Stop()
		defer func() {
			if r := recover(); r != nil {
				t.Fatalf("%v\n%s\n%s", r, debug.Stack(), src)
			}
		}()
		if err := compile(build, src); err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
	})
}

// compile runs all stages on a file. The error is an emitter's.
func compile(build *load.Result, src string) error {
	bag := &diag.Bag{}
	res := build.FromSource("fuzz.example.com/api/v1", []byte(src), bag)
	defer res.Forget()
	m := lower.Lower(res, driver.Tags(), bag)
	m = evolve.Project(m, driver.Tags(), nil, bag)
	steps.Report(m, steps.Build(m), bag)
	tags := driver.Tags()
	m = check.Check(m, tags, bag)
	for _, l := range driver.Lints() {
		l.Run(&lint.Pass{Model: m, Tags: tags, Diags: bag})
	}
	if bag.HasErrors() {
		bag.All()
		return nil
	}

	for _, e := range driver.Emitters() {
		if err := e.Run(emit.Context{Model: m, Tags: tags, Rules: tag.Programs(m, tags), Diags: bag}, nil, func(*emit.Context, emit.File) {}); err != nil {
			return err
		}
	}
	return nil
}

// readSeeds returns the Go files of the emitters' and the tags' cases.
func readSeeds(f *testing.F) []string {
	f.Helper()
	var seeds []string
	for _, name := range glob(f, "../../emit/*/testdata/*/types.go") {
		seeds = append(seeds, read(f, name))
	}
	cases, err := corpus.Load("../../..")
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range cases {
		seeds = append(seeds, string(c.Section(corpus.Types)))
	}
	return seeds
}

func glob(f *testing.F, pattern string) []string {
	f.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil {
		f.Fatal(err)
	}
	return names
}

func read(f *testing.F, name string) string {
	f.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		f.Fatal(err)
	}
	return string(content)
}

// dependencies loads the imports of the seeds, once.
func dependencies(f *testing.F) *load.Result {
	f.Helper()
	res, err := load.Load(load.Config{Patterns: []string{"../../emit/defaults/testdata/shapes", "../../emit/deepcopy/testdata/shapes", "../../emit/definitions/testdata/kubebuilder"}}, &diag.Bag{})
	if err != nil {
		f.Fatal(err)
	}
	// Lowering loads more packages.
	lower.Lower(res, driver.Tags(), &diag.Bag{})
	return res
}

// parts are the lines, types and markers that edits choose from, in order of first appearance.
type parts struct{ markers, types, json, payloads []string }

var (
	markerLine = regexp.MustCompile(`(?m)^\t*// \+.*$`)
	fieldLine  = regexp.MustCompile("(?m)^\t\\w+ +([^ `\n]+) +(`[^`\n]*`)")
	payload    = regexp.MustCompile(`[=(:] ?([^=+()]+)`)
)

func collect(seeds []string) parts {
	p := parts{
		markers: []string{
			"// +k8s:validation-gen-scheme-registry=not a name", "// +k8s:validation-gen=TypesWithField=", "// +k8s:validation-gen-input=../x",
			"// +groupName=a\"b\\", "// +groupName=", "// +versioned:version(name: \"v1\")", "// +versioned:version(name: \"v1alpha1\")", "// +versioned:version(name: \"../v2\")",
			"// +k8s:isSubresource=\"a\\\"b\"", "// +kubebuilder:object:root=true", "// +kubebuilder:resource:path=\"a b\",scope=Cluster",
			"// +versioned:added(since: \"v1\")", "// +versioned:changed(since: \"v1\", fromName: \"func\")", "// +versioned:changed(since: \"v1\", fromType: \"[]struct{}\")",
			"// +k8s:item(name: \"a\")=+k8s:optional", "// +k8s:subfield(name)=+k8s:required", "// +k8s:deepcopy-gen:interfaces=a b.C,.,x.",
		},
		types:    []string{"Missing", "[4]int32", "map[string]map[string]int32", "chan int", "func()", "any", "*[]string", "[][]byte", "map[int32]string", "float64", "**int32", "uint64"},
		json:     []string{"", "`json:\"-\"`", "`json:\",inline\"`", "`json:\"a.b/c\"`", "`json:\"type\"`", "`json:\"x,omitempty,omitzero\"`", "`json:\"\\\"`", "`json:\"ä\"`"},
		payloads: []string{"", "0", "-1", "99999999999999999999", `""`, `"\u0000"`, "{}", "[", "null", "true", "ref(X)", "1.5", "é", "`"},
	}
	add := func(list *[]string, s string) {
		if !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for _, s := range seeds {
		for _, m := range markerLine.FindAllString(s, -1) {
			m = strings.TrimSpace(m)
			add(&p.markers, m)
			for _, found := range payload.FindAllStringSubmatch(m, -1) {
				add(&p.payloads, found[1])
			}
		}
		for _, found := range fieldLine.FindAllStringSubmatch(s, -1) {
			add(&p.types, found[1])
			add(&p.json, found[2])
		}
	}
	return p
}

// edit makes edits of three bytes: the operation, the position, and the part to use.
func (p parts) edit(src string, edits []byte) string {
	for ; len(edits) >= 3; edits = edits[3:] {
		what, where, which := edits[0], int(edits[1]), int(edits[2])+int(edits[0]/7)*256
		switch what % 7 {
		case 0: // replace a marker
			src = replace(src, markerLine, 0, where, "\t"+pick(p.markers, which))
		case 1: // add a marker
			src = replace(src, fieldLine, -1, where, "\t"+pick(p.markers, which)+"\n")
		case 2: // a type of a field
			src = replace(src, fieldLine, 1, where, pick(p.types, which))
		case 3: // a struct tag
			src = replace(src, fieldLine, 2, where, pick(p.json, which))
		case 4: // a value in a marker
			src = replace(src, payload, 1, where, pick(p.payloads, which))
		case 5: // remove a line
			lines := strings.Split(src, "\n")
			i := where % len(lines)
			src = strings.Join(slices.Delete(lines, i, i+1), "\n")
		case 6: // nest a marker in another
			if found := markerLine.FindAllString(src, -1); len(found) > 0 {
				inner := strings.TrimPrefix(strings.TrimSpace(found[where%len(found)]), "// ")
				outer, _, _ := strings.Cut(pick(p.markers, which), "=")
				src = replace(src, markerLine, 0, where, "\t"+outer+"="+inner)
			}
		}
	}
	return src
}

func pick(list []string, i int) string { return list[i%len(list)] }

// replace replaces a group of one match of the expression; group -1 inserts before the match.
func replace(src string, re *regexp.Regexp, group, where int, with string) string {
	found := re.FindAllStringSubmatchIndex(src, -1)
	if len(found) == 0 {
		return src
	}
	m := found[where%len(found)]
	start, end := m[0], m[0]
	if group >= 0 {
		start, end = m[2*group], m[2*group+1]
	}
	return src[:start] + with + src[end:]
}
