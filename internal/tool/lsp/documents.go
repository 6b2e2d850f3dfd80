package lsp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
	"github.com/kindsmith/kindsmith/internal/tool/project"
)

// document is an open document. It does not change: an edit makes another one.
type document struct {
	uri     string
	path    string
	version int
	file    *source.File
	// root is the folder of its workspace. The server's lock guards it.
	root string

	parse sync.Once
	fset  *token.FileSet
	// syntax is what could be parsed, nil for other files than Go.
	syntax *ast.File
}

func newDocument(uri, path string, version int, text []byte) *document {
	return &document{uri: uri, path: path, version: version, file: source.NewFile(path, text)}
}

// parsed returns the syntax of the document: of one with mistakes, the part that can be read.
func (d *document) parsed() (*token.FileSet, *ast.File) {
	d.parse.Do(func() {
		if filepath.Ext(d.path) == ".go" {
			d.fset = token.NewFileSet()
			d.syntax, _ = parser.ParseFile(d.fset, d.path, d.file.Content, parser.ParseComments|parser.SkipObjectResolution)
		}
	})
	return d.fset, d.syntax
}

// view is a document as a request sees it, with its workspace.
type view struct {
	doc *document
	in  *workspace
	// edit is the number of the last change.
	edit uint64
}

func (s *server) view(uri string) (view, bool) {
	path, ok := protocol.ToPath(uri)
	if !ok {
		return view{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.docs[path]
	if d == nil {
		return view{}, false
	}
	return view{doc: d, in: s.workspaces[d.root], edit: s.edits}, true
}

func (s *server) didOpen(p protocol.DidOpenParams) {
	if path, ok := protocol.ToPath(p.TextDocument.URI); ok {
		s.put(newDocument(p.TextDocument.URI, path, p.TextDocument.Version, []byte(p.TextDocument.Text)))
	}
}

func (s *server) didChange(p protocol.DidChangeParams) {
	path, _ := protocol.ToPath(p.TextDocument.URI)
	s.mu.Lock()
	d := s.docs[path]
	s.mu.Unlock()
	if d != nil { // messages are handled one after the other, so nothing else changes it
		s.put(newDocument(d.uri, path, p.TextDocument.Version, protocol.Apply(d.file.Content, p.ContentChanges)))
	}
}

// put stores a document and wakes its workspace.
func (s *server) put(d *document) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.docs[d.path]
	s.docs[d.path] = d
	s.edited(d.path)
	if old == nil {
		s.assign()
	} else {
		d.root = old.root
	}
	if w := s.workspaces[d.root]; w != nil {
		w.wake()
	}
}

// edited counts an edit of a file. The caller has the lock.
func (s *server) edited(path string) {
	s.edits++
	if !isManifest(path) {
		s.codeEdits++
	}
}

func (s *server) didClose(p protocol.DocumentParams) {
	path, _ := protocol.ToPath(p.TextDocument.URI)
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.docs[path]; d != nil {
		delete(s.docs, path)
		s.edited(path)
		s.assign()
		if w := s.workspaces[d.root]; w != nil {
			w.wake()
		}
	}
}

// wakeAll analyses everything again, since files may have changed.
func (s *server) wakeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.edits++
	s.codeEdits++
	s.assign()
	for _, w := range s.workspaces {
		w.wake()
	}
}

// assign finds the workspaces of the documents. It starts those that are new and ends those without documents.
func (s *server) assign() {
	used := map[string]bool{}
	for _, d := range s.docs {
		if isDependency(d.path) {
			continue
		}
		d.root = root(d.path)
		used[d.root] = true
		if s.workspaces[d.root] == nil {
			s.workspaces[d.root] = s.start(d.root)
		}
	}
	for dir, w := range s.workspaces {
		if !used[dir] {
			w.stop()
			delete(s.workspaces, dir)
		}
	}
}

// inModule matches the folder of a module in the module cache.
var inModule = regexp.MustCompile(`@v[0-9]+\.[0-9]+\.[0-9]+`)

// isDependency reports whether a file is in the module cache. An editor opens such a file to show it. Its author is somebody
// else, so that it has no workspace.
func isDependency(path string) bool { return inModule.MatchString(filepath.Dir(path)) }

// root returns the folder of the workspace of a file: that of kindsmith.yaml, or else of the module, or else of the file.
func root(path string) string {
	dir := filepath.Dir(path)
	files := source.NewFS(nil)
	for _, name := range []string{project.FileName, "go.mod"} {
		if root, ok := files.Above(dir, name); ok {
			return root
		}
	}
	return dir
}
