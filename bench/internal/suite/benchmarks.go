package suite

import (
	"fmt"
	"io"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kindsmith/kindsmith/bench/internal/cases"
	"github.com/kindsmith/kindsmith/bench/internal/crd"
	"github.com/kindsmith/kindsmith/bench/internal/differ"
	"github.com/kindsmith/kindsmith/bench/internal/measure"
	"github.com/kindsmith/kindsmith/bench/internal/pair"
	"github.com/kindsmith/kindsmith/bench/internal/trees"
)

var (
	thorough = measure.Effort{Rounds: 7, Time: 150 * time.Millisecond}
	quick    = measure.Effort{Rounds: 1, Time: 20 * time.Millisecond}
)

// benchmarks measures the validators on every case, and prints a table.
func benchmarks(out io.Writer, g Generated, short bool) error {
	effort := thorough
	if short {
		effort = quick
	}
	fmt.Fprintf(out, "Validators on valid objects: ns/op and allocs/op, the best of %d rounds in turns\n\n", effort.Rounds)
	fmt.Fprintf(out, "%-26s %14s %8s %14s %8s %8s %-12s %14s %9s %8s\n", "", "theirs", "allocs", "ours", "allocs", "ratio", "", "schema+CEL", "allocs", "ratio")
	group := ""
	for _, c := range cases.All() {
		functions, err := competitors(g, c)
		if err != nil {
			return err
		}
		results, err := measure.InTurns(effort, functions...)
		if err != nil {
			return err
		}
		if c.Group != group {
			group = c.Group
			fmt.Fprintf(out, "\n%s\n", group)
		}
		theirs, ours := results[0], results[1]
		ratio := theirs.NsPerOp / ours.NsPerOp
		fmt.Fprintf(out, "  %-24s %14s %8d %14s %8d %7.1f× %-12s", c.Request, ns(theirs), theirs.Allocs, ns(ours), ours.Allocs, ratio, verdict(c.Target, ratio))
		if len(results) > 2 {
			fmt.Fprintf(out, " %14s %9d %7.0f×", ns(results[2]), results[2].Allocs, results[2].NsPerOp/ours.NsPerOp)
		} else {
			fmt.Fprintf(out, " %14s", "–")
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "\n– these types cannot have a CustomResourceDefinition: Pod has no API group, and a server rejects the\n")
	fmt.Fprintf(out, "  rules of ResourceSlice, whose cost it cannot bound.\n\n")
	return nil
}

func ns(r measure.Result) string {
	if r.NsPerOp < 100 {
		return fmt.Sprintf("%.1f", r.NsPerOp)
	}
	return fmt.Sprintf("%.0f", r.NsPerOp)
}

// verdict compares a ratio with a target.
func verdict(target, ratio float64) string {
	switch {
	case target == 0:
		return ""
	case ratio >= target:
		return fmt.Sprintf("(≥ %.0f×)", target)
	}
	return fmt.Sprintf("(MISSES %.0f×)", target)
}

// competitors returns the functions to measure for a case: upstream's validator, ours,
// and for samples the CRD's.
func competitors(g Generated, c cases.Case) ([]func(), error) {
	k, err := kindOf(g, c.Kind)
	if err != nil {
		return nil, err
	}
	in := input(g, c)
	var functions []func()
	for _, v := range []pair.Validator{k.Theirs, k.Ours} {
		if errs := differ.Validate(v, in); len(errs) > 0 {
			return nil, fmt.Errorf("%s, %s: the object is not valid: %w", c.Group, c.Request, errs.ToAggregate())
		}
		functions = append(functions, call(v, in))
	}
	file, ok := trees.Definitions[c.Kind]
	if !ok {
		return functions, nil
	}
	v, err := crd.Load(file)
	if err != nil {
		return nil, err
	}
	obj, err := untyped(c.Object)
	if err != nil {
		return nil, err
	}
	var old *unstructured.Unstructured
	if c.Old != nil {
		if old, err = untyped(c.Old); err != nil {
			return nil, err
		}
	}
	if errs := v.Validate(obj, old); len(errs) > 0 {
		return nil, fmt.Errorf("%s, %s: the CRD rejects the object: %w", c.Group, c.Request, errs.ToAggregate())
	}
	return append(functions, func() { v.Validate(obj, old) }), nil
}

func untyped(obj any) (*unstructured.Unstructured, error) {
	content, err := cases.Unstructured(obj)
	return &unstructured.Unstructured{Object: content}, err
}

// input returns a case as a request, with all options disabled.
func input(g Generated, c cases.Case) differ.Input {
	in := differ.Input{Object: c.Object, Old: c.Old, Options: map[string]bool{}}
	for _, name := range g.Options {
		in.Options[name] = false
	}
	return in
}
