package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion(streams Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  arguments(cobra.NoArgs),

		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(streams.Out, versionLine())
			return err
		},
	}
}

// version returns the version of the module that the program was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// versionLine returns the version, the revision that the program was built from if that is known,
// and how it was built.
func versionLine() string {
	revision := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		revision = revisionOf(info.Settings)
	}
	return fmt.Sprintf("kindsmith %s (%s%s, %s/%s)", version(), revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// revisionOf returns the revision of the source in the version line.
func revisionOf(settings []debug.BuildSetting) string {
	of := map[string]string{}
	for _, s := range settings {
		of[s.Key] = s.Value
	}
	switch revision := of["vcs.revision"]; {
	case revision == "":
		return ""
	case of["vcs.modified"] == "true":
		return "revision " + revision + ", modified, "
	default:
		return "revision " + revision + ", "
	}
}
