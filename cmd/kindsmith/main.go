// Command kindsmith makes Go types the single definition of a Kubernetes API.
package main

import (
	"os"

	"github.com/kindsmith/kindsmith/internal/tool/cli"
	"github.com/kindsmith/kindsmith/internal/tool/dev/process"
)

func main() {
	if process.IsGuard() {
		os.Exit(process.Guard())
	}
	os.Exit(cli.Run(os.Args[1:], cli.Streams{
		In:  os.Stdin,
		Out: cli.NewStream(os.Stdout, os.Getenv),
		Err: cli.NewStream(os.Stderr, os.Getenv),
	}))
}
