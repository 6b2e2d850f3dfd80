package cli

import (
	"go/build"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/project"
)

// settings are the settings of a project that a command has: its flags, and the keys of
// kindsmith.yaml for those that are not set.
type settings struct {
	// flags has the values of flags and arguments.
	flags project.Settings
	// fixed are the names of the options that kindsmith.yaml does not change.
	fixed map[string]bool
}

// newSettings adds the flags of a command's settings.
func newSettings(cmd *cobra.Command) *settings {
	s := &settings{flags: project.Default(), fixed: map[string]bool{}}
	flags := cmd.Flags()
	for _, o := range s.flags.Options() {
		if !o.Of(cmd.Name()) || o.NoFlag {
			continue
		}
		switch v := o.Value.(type) {
		case *string:
			flags.StringVar(v, o.Name, *v, o.Usage)
		case *[]string:
			if o.Meaning == project.Path {
				flags.StringArrayVar(v, o.Name, *v, o.Usage)
			} else {
				flags.StringSliceVar(v, o.Name, *v, o.Usage)
			}
		case *bool:
			flags.BoolVar(v, o.Name, *v, o.Usage)
		case *int:
			flags.IntVar(v, o.Name, *v, o.Usage)
		}
		if o.Values != nil {
			values(cmd, o.Name, o.Values)
		}
	}
	return s
}

// begin takes the packages from the arguments, and checks the values of flags.
func (s *settings) begin(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		s.flags.Packages, s.fixed["packages"] = args, true
	}
	for _, o := range s.flags.Options() {
		if f := cmd.Flags().Lookup(o.Name); !o.Of(cmd.Name()) || f == nil || !f.Changed {
			continue
		}
		s.fixed[o.Name] = true
		for _, text := range o.Texts() {
			if err := o.Check(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// below returns patterns that match all packages in the folders that patterns name: the versions of an API are packages
// in one folder.
func below(patterns []string) []string {
	out := make([]string, len(patterns))
	for i, pattern := range patterns {
		out[i] = pattern
		if (build.IsLocalImport(pattern) || filepath.IsAbs(pattern)) && !strings.HasSuffix(pattern, "...") {
			out[i] = strings.TrimSuffix(pattern, "/") + "/..."
		}
	}
	return out
}

// fix keeps kindsmith.yaml from changing options.
func (s *settings) fix(names ...string) {
	for _, name := range names {
		s.fixed[name] = true
	}
}

// read returns the settings of a run. Mistakes in kindsmith.yaml go to the bag.
func (s *settings) read(files *source.FS, bag *diag.Bag) (project.Settings, error) {
	all := s.flags
	err := all.Read(files, "", func(o *project.Option) bool { return s.fixed[o.Name] }, bag)
	return all, err
}

// model returns the packages that the settings select.
func (s *settings) model(bag *diag.Bag) (driver.ModelConfig, error) {
	files := source.NewFS(nil)
	all, err := s.read(files, bag)
	return all.Model(files), err
}
