package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// The table is between these lines of the page.
const (
	begin = "<!-- begin: make trees -->\n"
	end   = "<!-- end: make trees -->\n"
)

// writeTable replaces the table of a page.
func writeTable(page string, rows []*row) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := bytes.Cut(text, []byte(begin))
	_, after, found := bytes.Cut(rest, []byte(end))
	if !ok || !found {
		return fmt.Errorf("%s has no lines %s and %s", page, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	var out bytes.Buffer
	out.Write(before)
	out.WriteString(begin)
	out.WriteString("| project | documents | equal | warnings | controller-gen | kindsmith |\n|---|---|---|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(&out, "| %s %s | %d | %d | %d | %d MB | %d MB |\n", r.title, r.version, r.documents, r.equal, r.warnings, r.theirs>>20, r.ours>>20)
	}
	out.WriteString(end)
	out.Write(after)
	return os.WriteFile(page, out.Bytes(), 0o644)
}
