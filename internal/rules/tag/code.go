package tag

import "strings"

// Code returns the text of an example in a raw string:
//
//	Good: tag.Code(`
//		// +k8s:maxLength=63
//		Name string \'json:"name"\'`),
//
// It begins on the second line. The indentation of this line is that of the source, and not part of the example. \' stands for
// a backquote, which raw strings cannot have.
func Code(raw string) string {
	raw = strings.TrimPrefix(raw, "\n")
	indent := raw[:len(raw)-len(strings.TrimLeft(raw, "\t"))]
	lines := strings.Split(raw, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, indent)
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), `\'`, "`")
}
