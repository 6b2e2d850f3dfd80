package source

import "bytes"

// Version control may check files out with lines that end in CRLF. All stages see LF,
// and a file that is written again keeps the endings that it had.

// LF returns a text with LF at the ends of its lines.
func LF(content []byte) []byte {
	if bytes.IndexByte(content, '\r') < 0 {
		return content
	}
	return bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
}

// EndingsOf returns a text with LF at the ends of its lines with the line endings of
// another text: CRLF if the first line of that ends so.
func EndingsOf(other, content []byte) []byte {
	if first, _, _ := bytes.Cut(other, []byte("\n")); bytes.HasSuffix(first, []byte("\r")) {
		return bytes.ReplaceAll(content, []byte("\n"), []byte("\r\n"))
	}
	return content
}
