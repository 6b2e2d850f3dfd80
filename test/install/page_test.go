package install

import (
	"regexp"
	"strings"
	"testing"
)

var (
	fence  = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")
	saveAs = regexp.MustCompile("(?s)Save this as `([^`]+)`:\\s*$")
)

// TestPages follows the pages that install kindsmith: one in an empty folder, one in a project of kubebuilder.
func TestPages(t *testing.T) {
	t.Run("first-api", func(t *testing.T) {
		empty(t).follows("docs/start/first-api.md")
	})
	t.Run("from-kubebuilder", func(t *testing.T) {
		p := empty(t)
		p.copy(scaffolds + "/common")
		p.copy(scaffolds + "/v4.16")
		if !*soak {
			p.update()
		}
		p.run("git init -q && git add -A && git -c user.name=a -c user.email=a@example.com commit -qm scaffold")
		p.follows("docs/guides/from-kubebuilder.md")
		p.run("make build")
	})
}

// follows saves the files of a page and runs its commands.
func (p *project) follows(page string) {
	p.Helper()
	text := (&project{p.T, rehearsal.repo}).read(page)
	commands := 0
	for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
		before, kind, body := text[:m[0]], text[m[2]:m[3]], text[m[4]:m[5]]
		name := saveAs.FindStringSubmatch(before)
		switch {
		case name != nil:
			p.write(name[1], body)
		case kind == "console":
			for _, step := range strings.Split("\n"+body, "\n$ ")[1:] {
				commands++
				line, want, _ := strings.Cut(step, "\n")
				p.step(line, strings.TrimRight(want, "\n"))
			}
		}
	}
	if commands < 10 {
		p.Errorf("%s has %d commands", page, commands)
	}
}

// step runs a command of a page and compares all that it prints. Three dots are any text. A command that
// changes the folder changes that of the next ones.
func (p *project) step(line, want string) {
	p.Helper()
	if strings.HasPrefix(line, "go install ") {
		return // prepare has installed the command, from the proxy
	}
	p.Logf("$ %s", line)
	out, err := command(p.dir, "exec 2>&1; "+line+"\nstatus=$?; echo; pwd; exit $status")
	at := strings.LastIndex(strings.TrimSuffix(out, "\n"), "\n")
	if at < 0 {
		p.Fatal(err)
	}
	printed := strings.TrimRight(out[:at], "\n")
	p.dir = strings.TrimSpace(out[at:])
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), `\.\.\.`, `[\s\S]*`)
	if !regexp.MustCompile(`^` + pattern + `$`).MatchString(strings.Trim(printed, "\n")) {
		p.Fatalf("$ %s\nprints\n%s\nthe page has\n%s", line, printed, want)
	}
}
