package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/source"
)

// breakingFlags are the flags of `kindsmith breaking`.
type breakingFlags struct {
	*settings
	format diag.Format
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
if it reports anything.`,
		Example: `  kindsmith breaking                         # what generate would overwrite
  kindsmith breaking --against origin/main   # in CI, for pull requests
  kindsmith breaking --against v1.2.0
  kindsmith breaking --against released/crds.yaml`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: folders,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.begin(cmd, args); err != nil {
				return err
			}
			return breaking(streams, f)
		},
	}
	f.settings = newSettings(cmd)
	formatFlag(cmd, &f.format)
	return cmd
}

func breaking(streams Streams, f breakingFlags) error {
	bag := &diag.Bag{}
	s, err := f.read(source.NewFS(nil), bag)
	if err != nil {
		return err
	}
	if !bag.HasErrors() {
		cfg := driver.BreakingConfig{Config: s.Config(source.NewFS(nil)), Against: s.Breaking.Against}
		if err := driver.Breaking(cfg, bag); err != nil {
			return errors.Join(report(streams.Out, f.format, bag.All()), err)
		}
	}
	if len(bag.All()) > 0 {
		return reportAll(streams.Out, f.format, bag)
	}
	return report(streams.Out, f.format, nil)
}
