// Command prebuild builds the binaries that package launch needs and prints
// their paths, one a line. Run before the tests, it keeps a build that takes
// minutes out of their time limit.
package main

import (
	"fmt"
	"os"

	"github.com/kindsmith/kindsmith/test/oracle/launch"
)

func main() {
	for _, build := range []func() (string, error){launch.Build, launch.BuildKubectl, launch.BuildStorageMigrator} {
		path, err := build()
		if err != nil {
			fmt.Fprintln(os.Stderr, "prebuild:", err)
			os.Exit(1)
		}
		fmt.Println(path)
	}
}
