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

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/english"
	"github.com/kindsmith/kindsmith/internal/core/goprogram"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/versions/adopt"
	"github.com/kindsmith/kindsmith/internal/versions/convert"
)

// adoptFlags are the flags of `kindsmith adopt`.
type adoptFlags struct {
	*settings
	confirm                   []string
	write, remove, incomplete bool
	objects                   int
	// args are the packages of the command line.
	args []string
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

With --write --remove, adopt also removes the hand-written types and conversions
that generate writes from then on, if all conversions of a version are equal.

Renames are guessed. Adopt lists the guesses, and writes markers for a version
only if --confirm answers all of its guesses. Versions that cannot be generated
stay hand-written.`,
		Example: `  kindsmith adopt ./api
  kindsmith adopt --write --confirm OrderSpec.count=quantity
  kindsmith adopt --write --remove
  kindsmith adopt --objects 0`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: folders,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.begin(cmd, below(args)); err != nil {
				return err
			}
			f.args = args
			return runAdopt(cmd.Context(), streams, f)
		},
	}
	f.settings = newSettings(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.confirm, "confirm", nil, "take this `guess` as right, such as OrderSpec.count=quantity, or as wrong, OrderSpec.count=; can be repeated")
	flags.BoolVarP(&f.write, "write", "w", false, "write the markers of versions whose guesses are answered")
	flags.BoolVar(&f.remove, "remove", false, "with --write, remove the types and the conversions that generate writes from now on, of versions whose conversions are equal")
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
			return nil, fmt.Errorf("--confirm %s: write Type.name=name, such as OrderSpec.count=quantity", text)
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
	switch {
	case err != nil:
		return err
	case f.remove && !f.write:
		return usageError{errors.New("--remove changes files: add --write")}
	case f.remove && f.objects == 0:
		return usageError{errors.New("--remove needs equal conversions: leave out --objects 0")}
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
		return fmt.Errorf("%s has no API with a hand-written older version: packages in one folder, with one group, a kind in common, and names such as v1beta1 and v1", strings.Join(cfg.Patterns, ", "))
	}
	for _, family := range families {
		if hub := family.Hub; hub.External && strings.Contains(hub.Dir, "@v") {
			return fmt.Errorf("%s is in the module cache; run adopt on a copy of the module", hub.Path)
		}
	}
	found := &diag.Bag{}
	config := adopt.Config{Written: m, Files: files, Load: load, Tags: driver.Tags(), Renames: renames, Assume: !f.write, Incomplete: f.incomplete}
	prover := &adopt.Prover{
		Converter: convert.New,
		Generate:  f.generated,
		Dir:       cfg.Dir, BuildTags: cfg.BuildTags, Objects: f.objects,
	}
	var changed []*driver.File
	var summary strings.Builder
	steps := &adoptSteps{flags: f}
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
		steps.note(a, proofs)
		describeAdoption(&summary, a, proofs, f.remove)
		files := a.Files
		if f.remove && len(a.Holding()) == 0 {
			files = maps.Clone(files)
			maps.Copy(files, a.Removals(kept(proofs), func(v *adopt.Version) bool { return removable(v, proofs) }))
		}
		of, err := changedFiles(files)
		if err != nil {
			return err
		}
		changed = append(changed, of...)
	}
	return finishAdopt(streams, f.write, changed, found, summary.String()+steps.String())
}

// kept returns the functions that convert types in place of generated ones.
func kept(proofs []*adopt.Proof) []string {
	var names []string
	for _, p := range proofs {
		names = append(names, p.Kept...)
	}
	return names
}

// removable reports whether generate writes a version, and all its conversions are proven.
func removable(v *adopt.Version, proofs []*adopt.Proof) bool {
	return v.Equal() && !slices.ContainsFunc(proofs, func(p *adopt.Proof) bool { return p.Version() == v && !p.Proven() })
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
	c, err := convert.New(m)
	return c, generated, err
}

// changedFiles returns the files with the proposed markers.
func changedFiles(contents map[string][]byte) ([]*driver.File, error) {
	var files []*driver.File
	for _, path := range slices.Sorted(maps.Keys(contents)) {
		old, err := source.NewFS(nil).ReadFile(path)
		if err != nil {
			return nil, err
		}
		files = append(files, &driver.File{Path: path, Name: displayed(path), Previous: old, Content: contents[path]})
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
func describeAdoption(b *strings.Builder, a *adopt.Adoption, proofs []*adopt.Proof, removes bool) {
	removals, holding := a.Removals(kept(proofs), func(v *adopt.Version) bool { return v.Declared }), a.Holding()
	if removes && len(holding) > 0 {
		removals = nil
	}
	for _, v := range a.Versions {
		fmt.Fprintf(b, "%s: %s\n", displayed(v.Dir), verdictOf(a, v, removals))
		switch {
		case !removes || !v.Declared:
		case len(holding) > 0:
			fmt.Fprintf(b, "%s: nothing is removed: %s stays hand-written, and its conversions use this version\n", displayed(v.Dir), holding[0].Version)
		case !removable(v, proofs):
			fmt.Fprintf(b, "%s: nothing is removed: not all of its types and conversions are equal\n", displayed(v.Dir))
		}
	}
	if sources := adopt.Sources(a.Hub.Dir, removals); len(sources) > 0 {
		fmt.Fprintf(b, "%s: generate writes the conversions; remove %s\n", displayed(a.Hub.Dir), toRemove(sources))
	}
	for _, p := range proofs {
		with := ""
		if p.Stored != "" {
			with = ", stored with the annotation " + p.Stored
		}
		fmt.Fprintf(b, "%s from %s to %s%s: %s\n", p.Kind.Name, p.From, p.To, with, proofOf(a, p))
	}
}

// adoptSteps collects what the user does next.
type adoptSteps struct {
	flags adoptFlags
	// guesses wait for an answer, and writes means that there are markers to write. removes and byHand are set if what
	// generate writes can be removed with --remove, or not. replaces is set if generate replaces files of other generators.
	guesses, writes, removes, byHand, replaces bool
}

func (s *adoptSteps) note(a *adopt.Adoption, proofs []*adopt.Proof) {
	s.guesses = s.guesses || slices.ContainsFunc(a.Guesses, func(g *adopt.Guess) bool { return !g.Confirmed })
	s.writes = s.writes || len(a.Files) > 0
	for _, v := range a.Versions {
		if !v.Declared || len(a.Holding()) > 0 {
			continue
		}
		if len(a.Removals(nil, func(w *adopt.Version) bool { return w == v })) > 0 {
			proven := len(proofs) > 0 && removable(v, proofs)
			s.removes, s.byHand = s.removes || proven, s.byHand || !proven
		}
		s.replaces = s.replaces || adopt.HasOtherGenerators(v.Package) || adopt.HasOtherGenerators(a.Hub)
	}
}

// String returns the steps as commands and comments of a shell, "" if there are none.
func (s *adoptSteps) String() string {
	packages := " ./..."
	if len(s.flags.args) > 0 {
		packages = " " + strings.Join(s.flags.args, " ")
	}
	const head = "\nnext steps:\n"
	if s.guesses {
		return head + "  # answer the guesses with " + adopt.Flag + ", and run adopt again\n"
	}
	removed := s.flags.write && s.flags.remove
	if !s.writes && !s.removes && !s.byHand && !removed {
		return ""
	}
	var b strings.Builder
	b.WriteString(head)
	if (s.writes || s.removes) && !removed {
		write := "  kindsmith adopt --write"
		if s.removes {
			write += " --remove"
		}
		for _, text := range s.flags.confirm {
			write += " " + adopt.Flag + " " + adopt.Argument(text)
		}
		if s.flags.incomplete {
			write += " --incomplete"
		}
		b.WriteString(write + packages + "\n")
	}
	if s.byHand {
		b.WriteString("  # remove by hand what is listed above, but keep functions whose conversions differ or are not compared\n")
	}
	generate := "  kindsmith generate"
	if s.replaces {
		generate += " --replace"
	}
	b.WriteString(generate + packages + "\n")
	b.WriteString("  go vet ./... && go test ./...\n")
	return b.String()
}

func verdictOf(a *adopt.Adoption, v *adopt.Version, removals map[string][]byte) string {
	if v.Equal() {
		same := "generate writes the same types"
		if sources := adopt.Sources(v.Dir, removals); len(sources) > 0 {
			same += "; remove " + toRemove(sources)
		}
		return same + keptKinds(a, v)
	}
	waiting, rest := false, len(v.Mistakes)
	for _, d := range v.Differences {
		if d.Guess != nil {
			waiting = true
		} else {
			rest++
		}
	}
	why := diag.Count(rest, "difference", "differences")
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

// keptKinds returns the kinds that stay hand-written beside the generated types of a version, as the end of a sentence.
func keptKinds(a *adopt.Adoption, v *adopt.Version) string {
	kinds := v.Kept()
	if len(kinds) == 0 {
		return ""
	}
	return "; keep " + english.And(kinds) + ", which " + a.Hub.Version + " does not have"
}

// toRemove lists files to remove, with what to keep of them.
func toRemove(sources []adopt.Source) string {
	const most = 3
	var list []string
	for _, s := range sources {
		text := s.Name
		if s.Marker != "" {
			text = s.Marker + " in " + s.Name
		} else if n := len(s.Rest); n > most {
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
	text := diag.Count(p.Objects, "object", "objects") + ", "
	undeclared := !p.Version().Declared && !a.Incomplete
	switch n := len(p.Differences); {
	case n == 0 && undeclared:
		text += "no path would differ"
	case n == 0:
		text += "equal"
	case undeclared:
		text += diag.Count(n, "path would differ", "paths would differ")
	default:
		text += diag.Count(n, "path differs", "paths differ")
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
		text += fmt.Sprintf("; %s refuses %s: %s", p.By, diag.Count(p.Refused, "other", "others"), p.Error)
	}
	if rest := slices.DeleteFunc(slices.Clone(p.Stores), func(key string) bool { return slices.Contains(p.Restores, key) }); len(rest) > 0 {
		text += "; not compared: the annotation " + strings.Join(rest, ", ")
	}
	return text
}
