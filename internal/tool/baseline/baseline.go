// Package baseline keeps the diagnostics that an API had when it adopted lint, so that lint reports
// only new ones.
//
// [Read] reads a [Baseline], which filters diagnostics, and [New] writes one.
//
// An entry identifies a diagnostic by file, code and message, not by its line, so that it survives
// edits of other lines.
package baseline

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Diagnostic codes.
var (
	codes = diag.Firm(diag.Everything)

	codeStale = codes.New("baseline/stale", "An entry of the baseline is no longer reported, because the mistake is corrected or its message has changed. Remove the entry, or write the file again with `--write-baseline`. Otherwise the same mistake would go unnoticed later.")
)

// Codes returns the codes of diagnostics about a baseline.
func Codes() []diag.Code { return codes.All() }

// Baseline is the content of a baseline file.
type Baseline struct {
	entries []entry
	// file is the file, dir its folder, to which the paths of entries are relative.
	file *source.File
	dir  string
}

// entry is one accepted diagnostic, or Count equal ones.
type entry struct {
	File    string `json:"file"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Count   int    `json:"count,omitempty"`
}

type document struct {
	Version     int     `json:"version"`
	Diagnostics []entry `json:"diagnostics"`
}

const header = "# Written by `kindsmith lint --write-baseline`: diagnostics that `kindsmith lint --baseline` does not report.\n"

// Read reads a baseline file with an absolute path. Name is for messages.
func Read(files *source.FS, path, name string) (*Baseline, error) {
	content, err := files.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var doc document
	if err := yaml.UnmarshalStrict(content, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if doc.Version != 1 {
		return nil, fmt.Errorf("%s: version %d of the file is not supported; write it again with --write-baseline", name, doc.Version)
	}
	for i := range doc.Diagnostics {
		doc.Diagnostics[i].Count = max(doc.Diagnostics[i].Count, 1)
	}
	return &Baseline{entries: doc.Diagnostics, file: source.NewFile(name, content), dir: filepath.Dir(path)}, nil
}

// New returns the baseline file at a path that accepts a list of diagnostics; the paths of these are
// relative to root. Diagnostics without a position are left out.
func New(path, root string, list []*diag.Diagnostic) ([]byte, error) {
	b := &Baseline{dir: filepath.Dir(path)}
	counts := map[entry]int{}
	for _, d := range list {
		if !d.Span.IsZero() {
			counts[b.entryOf(d, root)]++
		}
	}
	doc := document{Version: 1, Diagnostics: []entry{}}
	for e, n := range counts {
		if n > 1 {
			e.Count = n
		}
		doc.Diagnostics = append(doc.Diagnostics, e)
	}
	slices.SortFunc(doc.Diagnostics, func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Code, y.Code), cmp.Compare(x.Message, y.Message))
	})
	content, err := yaml.Marshal(doc)
	return append([]byte(header), content...), err
}

// positions are those that messages mention.
var positions = regexp.MustCompile(`:\d+:\d+`)

func (b *Baseline) entryOf(d *diag.Diagnostic, root string) entry {
	path := filepath.FromSlash(d.Span.File.Path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	if rel, err := filepath.Rel(b.dir, path); err == nil {
		path = rel
	}
	return entry{File: filepath.ToSlash(path), Code: d.Code.String(), Message: positions.ReplaceAllString(d.Message, "")}
}

// Filter returns the diagnostics of a list that the baseline does not accept. The nil Baseline
// accepts none.
func (b *Baseline) Filter(root string, list []*diag.Diagnostic) []*diag.Diagnostic {
	rest, _ := b.split(root, list)
	return rest
}

// split returns the diagnostics that the baseline does not accept, and how many of each entry are
// left over.
func (b *Baseline) split(root string, list []*diag.Diagnostic) (rest []*diag.Diagnostic, left map[entry]int) {
	if b == nil {
		return list, nil
	}
	left = map[entry]int{}
	for _, e := range b.entries {
		n := e.Count
		e.Count = 0
		left[e] += n
	}
	for _, d := range list {
		if d.Span.IsZero() {
			rest = append(rest, d)
			continue
		}
		if e := b.entryOf(d, root); left[e] > 0 {
			left[e]--
		} else {
			rest = append(rest, d)
		}
	}
	return rest, left
}

// Apply returns the diagnostics that the baseline does not accept, and reports stale entries for
// files in the given folders, which were linted, and for files that are gone.
func (b *Baseline) Apply(files *source.FS, root string, folders []string, list []*diag.Diagnostic) []*diag.Diagnostic {
	rest, left := b.split(root, list)
	if b == nil {
		return rest
	}
	stale := &diag.Bag{}
	for i, e := range b.entries {
		key := e
		key.Count = 0
		path := filepath.Join(b.dir, filepath.FromSlash(e.File))
		_, err := files.ReadFile(path)
		if left[key] == 0 || err == nil && !slices.Contains(folders, filepath.Dir(path)) {
			continue
		}
		what := "is no longer reported"
		if left[key] < e.Count {
			what = fmt.Sprintf("is reported %d times, not %d", e.Count-left[key], e.Count)
		}
		left[key] = 0
		stale.Warnf(b.span(i), codeStale, "%s in %s %s; remove the entry, or run lint with --write-baseline", e.Code, e.File, what)
	}
	return append(rest, stale.All()...)
}

// span returns the first line of an entry.
func (b *Baseline) span(i int) source.Span {
	at := 0
	for line := range bytes.Lines(b.file.Content) {
		if bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("- ")) {
			if i == 0 {
				text := strings.TrimRight(string(line), "\r\n")
				start := len(text) - len(strings.TrimLeft(text, " "))
				return b.file.Span(at+start, at+len(text))
			}
			i--
		}
		at += len(line)
	}
	return b.file.Span(0, 0)
}
