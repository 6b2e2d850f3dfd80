package gofile

import (
	"fmt"
	"strings"

	"golang.org/x/mod/module"
)

// Aliases are the import paths that generated code uses for other packages: of a path itself, and of those below it.
// The longest match counts.
type Aliases map[string]string

// ParseAliases reads aliases such as k8s.io/api=example.com/fork/api. The error says what to write instead.
func ParseAliases(texts []string) (Aliases, error) {
	aliases := Aliases{}
	for _, text := range texts {
		old, path, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("the import alias %q has no equals sign; write <import path>=<import path>, such as k8s.io/api=example.com/fork/api", text)
		}
		for _, p := range []string{old, path} {
			if err := module.CheckImportPath(p); err != nil {
				return nil, fmt.Errorf("the import alias %q: %w; write <import path>=<import path>, such as k8s.io/api=example.com/fork/api", text, err)
			}
		}
		if other, twice := aliases[old]; twice {
			return nil, fmt.Errorf("%s has two import aliases, %s and %s; keep one", old, other, path)
		}
		aliases[old] = path
	}
	return aliases, nil
}

// Of returns the path that generated code imports for a package.
func (a Aliases) Of(path string) string {
	for prefix := path; ; {
		if alias, ok := a[prefix]; ok {
			return alias + path[len(prefix):]
		}
		i := strings.LastIndexByte(prefix, '/')
		if i < 0 {
			return path
		}
		prefix = prefix[:i]
	}
}
