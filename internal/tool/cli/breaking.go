package cli

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"sigs.k8s.io/controller-tools/pkg/crd"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/controllergen"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/project"
	"github.com/kindsmith/kindsmith/internal/tool/scaffold"
)

// breakingFlags are the flags of `kindsmith breaking`.
type breakingFlags struct {
	*settings
	format diag.Format
	// commands have controller-gen's arguments: those of the command line, or else of the Makefile.
	commands []*controllergen.Command
}

func newBreaking(streams Streams) *cobra.Command {
	var f breakingFlags
	cmd := &cobra.Command{
		Use:   "breaking [packages]",
		Short: "Report changes that break clients or stored objects",
		Long: `Breaking compares the CustomResourceDefinitions of packages, by default ./...,
with published ones: those of the folder that generate writes to, of a git
revision, or of another file or folder. It reports what breaks clients of a
served version, or stored objects: a field that was renamed, removed, retyped or
became required, an enum value that is gone, a tighter rule, a changed default,
a version that is no longer served. Compared with a revision, it also reports Go
names that are gone or have another type. It writes no files. The exit code is 1
if it reports anything.

Instead of packages, the arguments may be those of controller-gen, as of
generate. Without arguments, and if the Makefile of the folder runs generate or
controller-gen with the generator crd, its arguments apply: definitions are then
compared as these commands write them. So are definitions of controller-gen.`,
		Example: `  kindsmith breaking                         # what generate would overwrite
  kindsmith breaking --against origin/main   # in CI, for pull requests
  kindsmith breaking --against v1.2.0
  kindsmith breaking crd paths=./... --against v1.2.0
  kindsmith breaking --against released/crds.yaml`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: folders,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.begin(cmd, args); err != nil {
				return err
			}
			return breaking(streams, &f)
		},
	}
	f.settings = newSettings(cmd)
	formatFlag(cmd, &f.format)
	return cmd
}

// begin reads flags and arguments.
func (f *breakingFlags) begin(cmd *cobra.Command, args []string) error {
	if !slices.ContainsFunc(args, controllergen.Is) {
		if err := f.settings.begin(cmd, args); err != nil || len(args) > 0 {
			return err
		}
		return f.ofMakefile()
	}
	if err := f.settings.begin(cmd, nil); err != nil {
		return err
	}
	c, err := parse(cmd.Flags(), args)
	if err != nil {
		return err
	}
	if c.CRD == nil {
		return errors.New("breaking compares CustomResourceDefinitions; add the generator crd")
	}
	f.commands = append(f.commands, c)
	return nil
}

// ofMakefile takes the arguments from the Makefile, if it generates CustomResourceDefinitions with those of controller-gen.
func (f *breakingFlags) ofMakefile() error {
	path, err := filepath.Abs("Makefile")
	if err != nil {
		return err
	}
	content, err := source.NewFS(nil).ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, args := range scaffold.Commands(string(content)) {
		if c, err := controllergen.Parse(args); err == nil && c.CRD != nil {
			f.commands = append(f.commands, c)
		}
	}
	return nil
}

// configs returns the runs whose definitions are compared.
func (f *breakingFlags) configs(s *project.Settings) []driver.Config {
	commands := f.commands
	if len(commands) == 0 {
		config := s.Config(source.NewFS(nil))
		if !config.PublishedByControllerGen() {
			return []driver.Config{config}
		}
		commands = []*controllergen.Command{{Paths: s.Packages, CRD: &crd.Generator{}}}
	}
	var list []driver.Config
	for _, c := range commands {
		r := request{config: s.Config(source.NewFS(nil))}
		r.follow(c, s.Generate.PublishTags)
		r.config.Generators = nil
		if f.fixed["crd-dir"] || len(f.commands) == 0 {
			r.config.CRDDir = s.Generate.CRDDir
		}
		list = append(list, r.config)
	}
	return list
}

func breaking(streams Streams, f *breakingFlags) error {
	bag := &diag.Bag{}
	s, err := f.read(source.NewFS(nil), bag)
	if err != nil {
		return err
	}
	if !bag.HasErrors() {
		for _, config := range f.configs(&s) {
			cfg := driver.BreakingConfig{Config: config, Against: s.Breaking.Against}
			if err := driver.Breaking(cfg, bag); err != nil {
				return errors.Join(report(streams.Out, f.format, bag.All()), err)
			}
		}
	}
	if len(bag.All()) > 0 {
		return reportAll(streams.Out, f.format, bag)
	}
	return report(streams.Out, f.format, nil)
}
