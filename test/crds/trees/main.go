// Command trees runs controller-gen and kindsmith on projects as they are, with the arguments that their
// Makefiles have, and compares what the two write. It writes the table in docs/guides/from-controller-gen.md.
//
// Run it in test/crds, without a workspace: `make trees`. Projects come from the Go module proxy, and everything
// that is not in the module cache is below the cache folder.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == measure {
		os.Exit(runMeasured(os.Args[2], os.Args[3:]))
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	folder := flag.String("cache", filepath.Join(cache, "kindsmith-trees"), "the folder for copies of projects, binaries and output")
	page := flag.String("page", "../../docs/guides/from-controller-gen.md", "the page with the table; none is written if empty, or if only some projects run")
	only := flag.String("only", "", "the names of the projects to run, with commas; empty for all")
	flag.Parse()
	if err := run(*folder, *page, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run compares the projects, and fails if one cannot run or has differences.
func run(folder, page, only string) error {
	tools, err := build(folder)
	if err != nil {
		return err
	}
	var rows []*row
	bad := 0
	for _, t := range trees {
		if only != "" && !strings.Contains(","+only+",", ","+t.name+",") {
			continue
		}
		r, err := tools.compare(t)
		if err != nil {
			fmt.Printf("%s %s: %v\n", t.name, t.version, err)
			bad++
			continue
		}
		fmt.Printf("%s %s: %d documents, %d equal, %d warnings, %d MB and %d MB\n", t.name, t.version, r.documents, r.equal, r.warnings, r.theirs>>20, r.ours>>20)
		if r.equal < r.documents {
			bad++
		}
		rows = append(rows, r)
	}
	if bad > 0 {
		return fmt.Errorf("%d of the projects do not run, or have differences", bad)
	}
	if page == "" || only != "" {
		return nil
	}
	return writeTable(page, rows)
}
