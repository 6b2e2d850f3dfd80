package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

func newVersion(streams Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  none,

		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(streams.Out, versionLine())
			return err
		},
	}
}

// released is the version of a release whose build cannot know it, such as one from an archive of the
// source: go build -ldflags "-X github.com/kindsmith/kindsmith/internal/tool/cli.released=v0.1.0".
var released string

const unversioned = "(devel)"

// version returns the version of the module that the program was built from.
func version() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	switch {
	case released != "":
		return released
	case info == nil || info.Main.Version == "" || info.Main.Replace != nil: // replaced by a clone
		return unversioned
	}
	return info.Main.Version
}

// release returns the version of the module that others can download; "" if the program was built from a
// clone. The go command also gives a clone a version, but its commit may not be published.
func release() string {
	info, _ := debug.ReadBuildInfo()
	return releaseOf(info)
}

func releaseOf(info *debug.BuildInfo) string {
	v := versionOf(info)
	if released != "" || v != unversioned && info.Main.Sum != "" {
		return v
	}
	if semver.IsValid(v) && semver.Build(v) == "" && !module.IsPseudoVersion(v) { // a clone of a tag
		return v
	}
	return ""
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
