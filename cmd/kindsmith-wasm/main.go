//go:build js && wasm

// Command kindsmith-wasm judges manifests in a browser: `kindsmith docs --try` builds it into a page. It defines two functions
// of the global object: kindsmithLoad(programs), with what eval.Save has written, and kindsmithJudge(text), which returns a
// tryit.Verdict as JSON. Both return a text that begins with "error: " if they fail. A function kindsmithCode that is defined before answers
// requests of tryit.Code.
package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"syscall/js"

	"github.com/kindsmith/kindsmith/internal/objects/tryit"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
)

func main() {
	var judge *tryit.Judge
	define("kindsmithLoad", func(programs string) (string, error) {
		set, err := eval.Load(strings.NewReader(programs))
		if err == nil {
			if judge = tryit.New(set); js.Global().Get("kindsmithCode").Type() == js.TypeFunction {
				judge.Run(code)
			}
		}
		return "", err
	})
	define("kindsmithJudge", func(text string) (string, error) {
		if judge == nil {
			return "", fmt.Errorf("nothing is loaded")
		}
		out, err := json.Marshal(judge.Judge(text))
		return string(out), err
	})
	select {}
}

// code runs the generated code of the kinds, which is another program.
func code(request []byte) ([]byte, error) {
	return []byte(js.Global().Call("kindsmithCode", string(request)).String()), nil
}

// define defines a function of JavaScript from text to text. A panic is an error, so that the page can go on.
func define(name string, do func(string) (string, error)) {
	js.Global().Set(name, js.FuncOf(func(_ js.Value, args []js.Value) (result any) {
		defer func() {
			if r := recover(); r != nil {
				result = fmt.Sprintf("error: %v", r)
			}
		}()
		if len(args) != 1 {
			return "error: one argument is missing"
		}
		out, err := do(args[0].String())
		if err != nil {
			return "error: " + err.Error()
		}
		return out
	}))
}
