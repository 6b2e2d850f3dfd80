package cli

import (
	"fmt"
	"io"
	"strings"

	crdgen "sigs.k8s.io/controller-tools/pkg/crd"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// What --explain-diff compares with.
const (
	withDisk          = "disk"
	withControllerGen = "controller-gen"
)

// explainDiff prints why the files of a run differ from others.
func explainDiff(streams Streams, f generateFlags, cfg driver.Config, out *driver.Output) error {
	if f.explain == withDisk {
		return printExplained(streams.Out, out.Explain())
	}
	var options *crdgen.Generator
	if f.command != nil {
		options = f.command.CRD
	}
	bag := &diag.Bag{}
	list, err := out.ExplainControllerGen(cfg, options, bag)
	if err != nil {
		return err
	}
	if err := report(streams.Err, f.format, bag.All()); err != nil {
		return err
	}
	return printExplained(streams.Out, list)
}

// printExplained prints a paragraph for each file, and two lines for each difference.
func printExplained(out io.Writer, list []driver.Explained) error {
	var b strings.Builder
	for _, e := range list {
		switch {
		case e.Added:
			fmt.Fprintf(&b, "+ %s\n", e.Name)
		case e.Removed:
			fmt.Fprintf(&b, "- %s\n", e.Name)
		default:
			fmt.Fprintf(&b, "%s\n", e.Name)
		}
		for _, c := range e.Causes {
			if c.At != "" {
				fmt.Fprintf(&b, "  %s %s", c.Mark, c.At)
				if c.Values != "" {
					fmt.Fprintf(&b, ": %s", c.Values)
				}
				if c.Also > 0 {
					fmt.Fprintf(&b, ", and %d more", c.Also)
				}
				b.WriteString("\n")
			}
			at := ""
			if !c.Span.IsZero() {
				at = c.Span.String() + ": "
			}
			fmt.Fprintf(&b, "      %s%s\n", at, c.Text)
		}
	}
	if len(list) == 0 {
		b.WriteString("no differences\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}
