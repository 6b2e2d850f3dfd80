package main

import (
	"errors"
	"runtime/debug"
	"strings"
	_ "unsafe" // for go:linkname

	"k8s.io/component-base/version"
)

// These are the variables that builds of Kubernetes set with -ldflags. go install cannot give a package such flags, so the
// program sets them by itself.
var (
	//go:linkname gitVersion k8s.io/component-base/version.gitVersion
	gitVersion string
	//go:linkname gitMajor k8s.io/component-base/version.gitMajor
	gitMajor string
	//go:linkname gitMinor k8s.io/component-base/version.gitMinor
	gitMinor string
	//go:linkname gitCommit k8s.io/component-base/version.gitCommit
	gitCommit string
	//go:linkname gitTreeState k8s.io/component-base/version.gitTreeState
	gitTreeState string
)

// setVersion makes the server report the release of Kubernetes that the program is built from.
func setVersion() error {
	release := kubernetesVersion()
	parts := strings.SplitN(strings.TrimPrefix(release, "v"), ".", 3)
	if len(parts) != 3 {
		return errors.New("the program does not know its version of Kubernetes: build it with the go command, from its module")
	}
	gitVersion, gitMajor, gitMinor, gitCommit, gitTreeState = release, parts[0], parts[1], "unknown", "clean"
	return version.SetDynamicVersion(release)
}

// kubernetesVersion returns the version of the module k8s.io/kubernetes, such as v1.37.2; "" if it is not known.
func kubernetesVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range info.Deps {
		if m.Path == "k8s.io/kubernetes" {
			return m.Version
		}
	}
	return ""
}
