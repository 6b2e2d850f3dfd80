package conformance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/conformance/runner"
)

// goVerdicts returns the verdicts of generated code for all objects. The code of all
// cases is built into one program, which runs once.
var goVerdicts = sync.OnceValues(func() (map[*corpus.Object]*judgement, error) {
	w, err := shared.once()
	if err != nil {
		return nil, err
	}
	if err := writeGenerated(); err != nil {
		return nil, err
	}
	main, err := w.program()
	if err != nil {
		return nil, err
	}
	if err := w.put("program/main.go", []byte(main)); err != nil {
		return nil, err
	}
	if err := w.goTool("build", "-o", w.binary(), "./program"); err != nil {
		return nil, err
	}
	return w.ask(w.binary())
})

// binary is the program that goVerdicts builds.
func (w *workspace) binary() string { return filepath.Join(w.dir, "program", "program") }

// program is the main package: it registers the judged types of all cases.
func (w *workspace) program() (string, error) {
	var imports, types strings.Builder
	for i, c := range w.cases {
		if !c.ok() || len(c.Objects) == 0 {
			continue
		}
		fmt.Fprintf(&imports, "\tcase%d %q\n", i, c.pkg())
		text, err := w.generated(c)
		if err != nil {
			return "", err
		}
		function := func(name string) string {
			if bytes.Contains(text, []byte("\nfunc "+name+"(")) {
				return fmt.Sprintf("case%d.%s", i, name)
			}
			return "nil"
		}
		for _, name := range c.judged {
			fmt.Fprintf(&types, "\t\trunner.Of[case%d.%s](%q, %s, %s),\n", i, name, typeID(c, name), function("Validate_"+name), function("RegisterValidations"))
		}
	}
	return "package main\n\nimport (\n\t\"github.com/kindsmith/kindsmith/conformance/runner\"\n\n" + imports.String() + ")\n\n" +
		"func main() {\n\trunner.Main(\n" + types.String() + "\t)\n}\n", nil
}

func typeID(c *loadedCase, name string) string { return c.Name + "." + name }

// goTool runs the go command in the workspace.
func (w *workspace) goTool(args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir = w.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", args[0], err, out)
	}
	return nil
}

// judgement is the verdict of generated code for an object and, for an update, for the
// old object alone.
type judgement struct{ now, old runner.Verdict }

// ask runs the program on all objects.
func (w *workspace) ask(binary string) (map[*corpus.Object]*judgement, error) {
	judgements := map[*corpus.Object]*judgement{}
	var requests []runner.Request
	var answers []*runner.Verdict // the verdict of each request
	for _, c := range w.cases {
		if !c.ok() {
			continue
		}
		for _, o := range c.Objects {
			j := &judgement{}
			judgements[o] = j
			r := runner.Request{Type: typeID(c, o.Type), Subresource: o.Subresource, Options: o.Options}
			var err error
			if r.Object, err = json.Marshal(o.Object); err != nil {
				return nil, err
			}
			if o.IsUpdate() {
				if r.Old, err = json.Marshal(o.Old); err != nil {
					return nil, err
				}
				requests, answers = append(requests, runner.Request{Type: r.Type, Object: r.Old, Options: o.Options}), append(answers, &j.old)
			}
			requests, answers = append(requests, r), append(answers, &j.now)
		}
	}
	verdicts, err := run(binary, requests)
	if err != nil {
		return nil, err
	}
	for i, v := range verdicts {
		*answers[i] = v
	}
	return judgements, nil
}

func run(binary string, requests []runner.Request) ([]runner.Verdict, error) {
	input, err := json.Marshal(requests)
	if err != nil {
		return nil, err
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(binary)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("the program of the cases: %w\n%s", err, &stderr)
	}
	var verdicts []runner.Verdict
	if err := json.Unmarshal(stdout.Bytes(), &verdicts); err != nil {
		return nil, fmt.Errorf("the answers of the program: %w", err)
	}
	if len(verdicts) != len(requests) {
		return nil, fmt.Errorf("the program of the cases answered %d of %d requests", len(verdicts), len(requests))
	}
	return verdicts, nil
}
