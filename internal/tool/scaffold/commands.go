package scaffold

import (
	"regexp"
	"slices"
	"strings"
)

// commandLine is a command line of kindsmith or controller-gen with arguments of the latter.
var commandLine = regexp.MustCompile(`(?:\$[({](?:KINDSMITH|CONTROLLER_GEN)[)}]|kindsmith|controller-gen)(?:@\S+)?["']?(?:[ \t]|\\\n)+(?:generate(?:[ \t]|\\\n)+)?((?:object|crd|rbac|webhook|applyconfiguration|schemapatch|paths|output)\b(?:[^\n\\]|\\.|\\\n)*)`)

// Commands returns the arguments of controller-gen with which a Makefile runs kindsmith or controller-gen: of each
// command line, without flags. It leaves out those with variables that the Makefile does not define.
func Commands(makefile string) [][]string {
	var commands [][]string
	for _, m := range commandLine.FindAllStringSubmatch(expand(makefile, makefile), -1) {
		var args []string
		for _, word := range strings.Fields(arguments(m[1])) {
			if word = strings.NewReplacer(`"`, "", "'", "").Replace(word); !strings.HasPrefix(word, "-") {
				args = append(args, word)
			}
		}
		isKnown := !slices.ContainsFunc(args, func(arg string) bool { return strings.Contains(arg, "$") })
		if isKnown && !slices.ContainsFunc(commands, func(c []string) bool { return slices.Equal(c, args) }) {
			commands = append(commands, args)
		}
	}
	return commands
}
