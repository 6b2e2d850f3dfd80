// Command offline evaluates requests as a page of `kindsmith docs --try` does: built for js/wasm, with saved programs.
//
//	offline programs.json requests.json > results.json
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/kindsmith/kindsmith/internal/rules/eval"
)

// Request is an object to judge. Object and Old are JSON.
type Request struct {
	Type        eval.TypeName   `json:"type"`
	Object      json.RawMessage `json:"object"`
	Old         json.RawMessage `json:"old,omitempty"`
	Options     map[string]bool `json:"options,omitempty"`
	Subresource string          `json:"subresource,omitempty"`
}

// Result are the errors, in order, and the names of what does not run here.
type Result struct {
	Errors []string `json:"errors"`
	NotRun []string `json:"notRun"`
}

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(programs, requests string) error {
	file, err := os.Open(programs)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	set, err := eval.Load(file)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(requests)
	if err != nil {
		return err
	}
	var list []Request
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	results := make([]Result, len(list))
	for i, r := range list {
		if results[i], err = judge(set, r); err != nil {
			return fmt.Errorf("%v: %w", r.Type, err)
		}
	}
	return json.NewEncoder(os.Stdout).Encode(results)
}

func judge(set *eval.Set, r Request) (Result, error) {
	request := eval.Request{Type: r.Type, Options: r.Options, Subresource: r.Subresource}
	for _, in := range []struct {
		text []byte
		to   *map[string]any
	}{{r.Object, &request.Object}, {r.Old, &request.Old}} {
		if len(in.text) == 0 || string(in.text) == "null" {
			continue
		}
		object, err := eval.Decode(in.text)
		if err != nil {
			return Result{}, err
		}
		*in.to = object
	}
	result, err := set.Validate(request)
	if err != nil {
		return Result{}, err
	}
	out := Result{Errors: []string{}, NotRun: []string{}}
	for _, e := range result.Malformed {
		out.Errors = append(out.Errors, "malformed: "+e.Error())
	}
	for _, e := range result.Errors {
		out.Errors = append(out.Errors, fmt.Sprintf("%s [%s %s]", e.Error.Error(), e.Origin, e.Level()))
	}
	for _, n := range result.NotRun {
		out.NotRun = append(out.NotRun, n.Name)
	}
	return out, nil
}
