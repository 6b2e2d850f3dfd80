package operator

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

const guide = "../../../docs/guides/run-it.md"

var (
	block = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
	word  = regexp.MustCompile(`'[^']*'|\S+`)
)

// commands returns the commands of kubectl below a heading of the guide, each as arguments.
func commands(t *testing.T, heading string) (list [][]string) {
	t.Helper()
	page, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(page), "# "+heading+"\n")
	if !ok {
		t.Fatalf("the guide has no section %s", heading)
	}
	section, _, _ = strings.Cut(section, "\n#")
	for _, m := range block.FindAllStringSubmatch(section, -1) {
		for line := range strings.Lines(m[1]) {
			command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ kubectl ")
			if !ok {
				continue
			}
			var args []string
			for _, w := range word.FindAllString(command, -1) {
				args = append(args, strings.Trim(w, "'"))
			}
			list = append(list, args)
		}
	}
	if len(list) == 0 {
		t.Fatalf("the section %s of the guide has no commands of kubectl", heading)
	}
	return list
}
