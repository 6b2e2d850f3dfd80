// Command demo shows what kindsmith generates for this project's API, and runs
// the generated code on sample objects. It needs no cluster.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/kindsmith/kindsmith/examples/database/internal/offline"
)

func main() {
	dir := flag.String("dir", ".", "the folder of the example")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(2)
	}
}

// run shows all parts. It returns errors of the environment: unreadable samples,
// or a folder that is not the example's.
func run(ctx context.Context, w io.Writer, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "api", "v1", "doc.go")); err != nil {
		return fmt.Errorf("%s is not the folder of the example; set -dir", dir)
	}
	server, err := offline.NewServer()
	if err != nil {
		return err
	}
	d := &demo{server: server, dir: dir, page: newPage(w)}
	for _, part := range []func(context.Context) error{
		d.generated, d.verdicts, d.tour, d.unions, d.defaults,
	} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	d.page.text("")
	return d.page.err
}

// demo is a run of the command.
type demo struct {
	server *offline.Server
	dir    string
	page   *page
	parts  int
}

// title starts the next part.
func (d *demo) title(text string) {
	d.parts++
	d.page.title(fmt.Sprintf("%d. %s", d.parts, text))
}

// sample returns the path of a manifest in config/samples.
func (d *demo) sample(name string) string {
	return filepath.Join(d.dir, "config", "samples", filepath.FromSlash(name))
}
