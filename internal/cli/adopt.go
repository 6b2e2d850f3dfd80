package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/adopt"
	"github.com/kindsmith/kindsmith/internal/convert"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/goprogram"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
)

// adoptFlags are the flags of `kindsmith adopt`.
type adoptFlags struct {
	*settings
	confirm           []string
	write, incomplete bool
	objects           int
}

func newAdopt(streams Streams) *cobra.Command {
	var f adoptFlags
	cmd := &cobra.Command{
		Use:   "adopt [packages]",
		Short: "Propose change markers that replace hand-written older versions",
		Long: `Adopt compares the hand-written versions of an API, by default in ./..., and
prints a diff that adds change markers to the newest one. From these, generate
writes the older versions and the conversions.

It lists what would not be generated as it is now: differences of the types, and
values that the existing conversions convert in another way. To find these, it
builds a program with the packages, outside of their folders, and converts
random objects in both ways.

Renames are guessed. Adopt lists the guesses, and writes markers for a version
only if --confirm answers all of its guesses. Versions that cannot be generated
stay hand-written.`,
		Example: `  kindsmith adopt ./api
  kindsmith adopt --write --confirm OrderSpec.count=quantity
  kindsmith adopt --objects 0`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: folders,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.begin(cmd, below(args)); err != nil {
				return err
			}
			return runAdopt(cmd.Context(), streams, f)
		},
	}
	f.settings = newSettings(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.confirm, "confirm", nil, "take this `guess` as right, such as OrderSpec.count=quantity, or as wrong, OrderSpec.count=; can be repeated")
	flags.BoolVarP(&f.write, "write", "w", false, "write the markers of versions whose guesses are answered")
	flags.BoolVar(&f.incomplete, "incomplete", false, "propose markers also for versions that need more, of which generate then reports what is missing")
	flags.IntVar(&f.objects, "objects", 200, "`number` of objects to convert, of each kind and in each direction; 0 does not compare conversions")
	return cmd
}

// renames returns the confirmed guesses.
func (f *adoptFlags) renames() (map[string]string, error) {
	renames := map[string]string{}
	for _, text := range f.confirm {
		from, to, ok := strings.Cut(text, "=")
		if !ok || from == "" {
			return nil, usageError{fmt.Errorf("--confirm %s: write Type.name=name, such as OrderSpec.count=quantity", text)}
		}
		renames[from] = to
	}
	return renames, nil
}

func runAdopt(ctx context.Context, streams Streams, f adoptFlags) error {
	if ctx == nil {
		ctx = context.Background()
	}
	renames, err := f.renames()
	if err != nil {
		return err
	}
	bag := &diag.Bag{}
	cfg, err := f.model(bag)
	if err != nil {
		return err
	}
	if cfg.Dir, err = filepath.Abs(cfg.Dir); err != nil {
		return err
	}
	var w driver.Workspace
	load := func(overlay map[string][]byte, bag *diag.Bag) (*model.Model, *source.FS, error) {
		run := cfg
		run.Files = source.NewFS(overlay)
		m, err := w.Written(run, bag)
		return m, run.Files, err
	}
	m, files, err := load(nil, bag)
	if err != nil {
		return err
	}
	if bag.HasErrors() {
		return reportAll(streams.Err, diag.Text, bag)
	}
	families := adopt.Families(m)
	if len(families) == 0 {
		return usageError{fmt.Errorf("%s has no API with a hand-written older version: packages beside each other, with one group, a kind in common, and names such as v1beta1 and v1", strings.Join(cfg.Patterns, ", "))}
	}
	for _, family := range families {
		if hub := family.Hub; hub.External && strings.Contains(hub.Dir, "@v") {
			return usageError{fmt.Errorf("%s is in the module cache; run adopt on a copy of the module", hub.Path)}
		}
	}
	found := &diag.Bag{}
	config := adopt.Config{Written: m, Files: files, Load: load, Tags: driver.Tags(), Renames: renames, Assume: !f.write, Incomplete: f.incomplete}
	prover := &adopt.Prover{
		Converter: func(m *model.Model) (*convert.Converter, error) { return convert.New(cfg.Programs(m)) },
		Generate:  f.generated,
		Dir:       cfg.Dir, BuildTags: cfg.BuildTags, Objects: f.objects,
	}
	var changed []*driver.File
	var summary strings.Builder
	for _, family := range families {
		a, proofs, err := prover.AdoptAndProve(ctx, config, family)
		build := (*goprogram.BuildError)(nil)
		switch {
		case errors.As(err, &build):
			what := "the conversions are not compared"
			if proofs != nil {
				what = "conversions that call functions are not compared"
			}
			adopt.ReportBuild(found, a.Hub.Span, what, build)
		case err != nil:
			return err
		}
		a.Report(found)
		for _, p := range proofs {
			p.Report(found, a, config.Tags)
		}
		describeAdoption(&summary, a, proofs)
		of, err := changedFiles(a)
		if err != nil {
			return err
		}
		changed = append(changed, of...)
	}
	return finishAdopt(streams, f.write, changed, found, summary.String())
}

// generated returns the converter of the packages with files in the place of those on the disk, and the Go files that
// generate would write then.
func (f *adoptFlags) generated(overlay map[string][]byte, bag *diag.Bag) (*convert.Converter, map[string][]byte, error) {
	files := source.NewFS(overlay)
	s, err := f.read(files, bag)
	if err != nil {
		return nil, nil, err
	}
	cfg := s.Config(files)
	cfg.Replace = true // the files of other generators
	generated, err := driver.GoFiles(cfg, bag)
	if err != nil || bag.HasErrors() {
		return nil, nil, err
	}
	m, err := driver.Model(cfg.ModelConfig, bag)
	if err != nil {
		return nil, nil, err
	}
	c, err := convert.New(cfg.Programs(m))
	return c, generated, err
}

// changedFiles returns the files with the proposed markers.
func changedFiles(a *adopt.Adoption) ([]*driver.File, error) {
	var files []*driver.File
	for _, path := range slices.Sorted(maps.Keys(a.Files)) {
		old, err := source.NewFS(nil).ReadFile(path)
		if err != nil {
			return nil, err
		}
		files = append(files, &driver.File{Path: path, Name: displayed(path), Previous: old, Content: a.Files[path]})
	}
	return files, nil
}

func finishAdopt(streams Streams, writes bool, files []*driver.File, found *diag.Bag, summary string) error {
	if !writes {
		if _, err := streams.Out.Write(driver.Diff(files)); err != nil {
			return err
		}
	} else if len(files) > 0 {
		if err := write(streams, &driver.Output{Files: files}, false); err != nil {
			return err
		}
	}
	if err := report(streams.Err, diag.Text, found.All()); err != nil {
		return err
	}
	if _, err := fmt.Fprint(streams.Err, summary); err != nil {
		return err
	}
	if len(found.All()) > 0 {
		return errDiagnostics
	}
	return nil
}

// describeAdoption writes what becomes of each version, and how its conversions compare.
func describeAdoption(b *strings.Builder, a *adopt.Adoption, proofs []*adopt.Proof) {
	for _, v := range a.Versions {
		fmt.Fprintf(b, "%s: %s\n", displayed(v.Dir), verdictOf(a, v))
	}
	for _, p := range proofs {
		fmt.Fprintf(b, "%s from %s to %s: %s\n", p.Kind.Name, p.From, p.To, proofOf(a, p))
	}
}

func verdictOf(a *adopt.Adoption, v *adopt.Version) string {
	if v.Equal() {
		return "generate writes the same types; remove " + toRemove(v.Sources())
	}
	waiting, rest := false, len(v.Mistakes)
	for _, d := range v.Differences {
		if d.Guess != nil {
			waiting = true
		} else {
			rest++
		}
	}
	why := plural(rest, "difference", "differences")
	switch {
	case waiting && rest == 0:
		why = "guesses wait for " + adopt.Flag
	case waiting:
		why += ", and guesses wait for " + adopt.Flag
	}
	if !v.Declared && !a.Incomplete {
		return "stays hand-written, and " + a.Hub.Version + " does not declare it: " + why
	}
	return "stays hand-written: " + why
}

// toRemove lists files to remove, with what to keep of them.
func toRemove(sources []adopt.Source) string {
	const most = 3
	var list []string
	for _, s := range sources {
		text := s.Name
		if n := len(s.Rest); n > most {
			text += " except " + strings.Join(s.Rest[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
		} else if n > 0 {
			text += " except " + strings.Join(s.Rest, ", ")
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

func proofOf(a *adopt.Adoption, p *adopt.Proof) string {
	if why := p.NotCompared(); why != "" {
		return "not compared: " + why
	}
	text := plural(p.Objects, "object", "objects") + ", "
	undeclared := !p.Version().Declared && !a.Incomplete
	switch n := len(p.Differences); {
	case n == 0 && undeclared:
		text += "no path would differ"
	case n == 0:
		text += "equal"
	case undeclared:
		text += plural(n, "path would differ", "paths would differ")
	default:
		text += plural(n, "path differs", "paths differ")
	}
	switch {
	case len(p.Kept) == 0:
	case p.KeptDifferences == 0:
		text += "; equal with " + strings.Join(p.Kept, ", ")
	default:
		text += fmt.Sprintf("; %d with %s", p.KeptDifferences, strings.Join(p.Kept, ", "))
	}
	if undeclared {
		text += "; " + a.Hub.Version + " does not declare " + p.Version().Version
	}
	if p.By == "" {
		text += "; no function converts them"
	}
	if p.Refused > 0 {
		text += fmt.Sprintf("; %s refuses %s: %s", p.By, plural(p.Refused, "other", "others"), p.Error)
	}
	if len(p.Stores) > 0 {
		text += "; not compared: the annotation " + strings.Join(p.Stores, ", ")
	}
	return text
}
