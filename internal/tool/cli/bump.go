package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/versions/bump"
)

// bumpFlags are the flags of `kindsmith bump`.
type bumpFlags struct {
	*settings
	dryRun, agree bool
}

func newBump(streams Streams) *cobra.Command {
	var f bumpFlags
	cmd := &cobra.Command{
		Use:   "bump <version> [packages]",
		Short: "Start a new newest version of an API",
		Long: `Bump moves the hand-written files of an API's newest version to a new package in
the same folder, and declares the new version there. From then on, generate
writes the old version. Nothing changes for clients and stored objects: the new
version has the same fields, and the storage version stays.

The packages, by default ./..., must have one API. Bump first shows what it is
going to do, and asks on a terminal.`,
		Example: `  kindsmith bump v2
  kindsmith bump v2alpha1 ./api/shop --dry-run
  kindsmith bump v1beta2 --yes && kindsmith generate`,
		Args: some("version"),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return folders(cmd, args[1:], text)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.begin(cmd, below(args[1:])); err != nil {
				return err
			}
			return startVersion(cmd.InOrStdin(), streams, f, args[0])
		},
	}
	f.settings = newSettings(cmd)
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "write nothing; print a diff")
	cmd.Flags().BoolVarP(&f.agree, "yes", "y", false, "do not ask")
	return cmd
}

// startVersion shows the plan for a new version, and carries it out.
func startVersion(in io.Reader, streams Streams, f bumpFlags, name string) error {
	bag := &diag.Bag{}
	config, err := f.model(bag)
	if err != nil {
		return err
	}
	m, err := driver.Model(config, bag)
	if err != nil {
		return err
	}
	if bag.HasErrors() {
		return reportAll(streams.Err, diag.Text, bag)
	}
	marker := driver.Tags().WithRole(model.RoleVersion)
	p, err := bump.Hub(m, marker)
	if err != nil {
		return err
	}
	plan, err := bump.New(p, name, marker)
	if err != nil {
		return err
	}
	var files []*driver.File
	for _, move := range plan.Moves {
		files = append(files,
			&driver.File{Path: move.From, Name: displayed(move.From), Previous: move.Old},
			&driver.File{Path: move.To, Name: displayed(move.To), Content: move.New})
	}
	if f.dryRun {
		_, err := streams.Out.Write(driver.Diff(files))
		return err
	}
	if _, err := fmt.Fprintf(streams.Err, "move %s from %s to %s\n", diag.Count(len(plan.Moves), "file", "files"), displayed(plan.From), displayed(plan.To)); err != nil {
		return err
	}
	if !f.agree {
		if ok, err := confirm(in, streams, "Move these files?"); err != nil || !ok {
			return err
		}
	}
	if err := write(streams, &driver.Output{Files: files}, false); err != nil {
		return err
	}
	_, err = io.WriteString(streams.Out, afterBump(plan, p.Version))
	return err
}

// afterBump says what remains to do.
func afterBump(plan *bump.Plan, old string) string {
	var b strings.Builder
	if len(plan.Mentions) > 0 {
		fmt.Fprintf(&b, "\nThese texts name %s; change those that mean the newest version:\n", old)
		for _, span := range plan.Mentions {
			at := span.Position()
			fmt.Fprintf(&b, "  %s:%d: %s\n", displayed(span.File.Path), at.Line, span.Text())
		}
	}
	if plan.Older != plan.From {
		fmt.Fprintf(&b, "\nVersion %s will be generated in %s: change what imports %s.\n", old, displayed(plan.Older), displayed(plan.From))
		plan.From = plan.Older
	}
	fmt.Fprintf(&b, "\nPackages that import %s keep its types, without hand-written functions and methods.\nImport %s to use the newest version.\n", displayed(plan.From), displayed(plan.To))
	b.WriteString("\nNext, run:\n  kindsmith generate\n  go build ./...\n")
	return b.String()
}

// displayed returns a path relative to the working folder if it is below that.
func displayed(path string) string {
	if dir, err := filepath.Abs("."); err == nil {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return path
}
