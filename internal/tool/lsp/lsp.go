// Package lsp is the language server: it reports mistakes while authors type, completes and explains tags, and applies
// fixes.
//
// [Serve] speaks with one editor until it shuts down.
//
// It runs beside gopls, so it answers only in markers, reports no mistakes in Go, and does not format. All facts are those of
// other packages: a driver.Workspace analyses the buffers, package explain has the pages, tag.Choices what a reference can
// name.
//
// Each workspace, a folder with kindsmith.yaml or else a module, has a goroutine that analyses it: soon after each change
// without emitters, and completely when the author pauses. Messages of an editor are handled in their order. Requests then
// continue beside others, on the documents as they were.
package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"

	"github.com/go-json-experiment/json"
	"go.lsp.dev/jsonrpc2"

	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/explain"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
)

// ErrNoShutdown is returned if an editor ends the connection without asking the server to shut down.
var ErrNoShutdown = errors.New("the editor ended the connection without a shutdown request")

// Serve speaks the protocol over a stream until the editor ends it, or the context does.
func Serve(ctx context.Context, stream io.ReadWriteCloser, version string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{
		version: version, pages: explain.New(), tags: driver.Tags(), ctx: ctx, exit: make(chan struct{}),
		codeEdits: 1, docs: map[string]*document{}, workspaces: map[string]*workspace{}, running: map[string]context.CancelFunc{},
	}
	s.conn = jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(stream))
	s.conn.Go(ctx, s.handle)
	asked := false
	select {
	case <-s.exit:
		asked = true
	case <-s.conn.Done():
	case <-ctx.Done():
	}
	cancel()
	s.analyses.Wait()
	closed := make(chan error, 1)
	go func() { closed <- s.conn.Close() }()
	var err error
	if !asked { // else the editor may keep standard input open, and nothing ends a read from it
		err = <-closed
	}
	switch {
	case s.phase() == down:
		return nil
	case asked:
		return ErrNoShutdown
	case s.conn.Err() != nil:
		return s.conn.Err()
	case err != nil:
		return err
	}
	return ErrNoShutdown
}

// The phases of a connection.
const (
	fresh = iota
	up
	down
)

type server struct {
	version string
	conn    jsonrpc2.Conn
	pages   *explain.Index
	tags    *tag.Set
	// ctx ends with the connection.
	ctx context.Context //nolint:containedctx // that of all analyses
	// exit is closed when the editor wants the server to end.
	exit     chan struct{}
	analyses sync.WaitGroup

	mu     sync.Mutex
	state  int
	client protocol.ClientCapabilities
	// docs are the open documents and workspaces those with one, by path and folder.
	docs       map[string]*document
	workspaces map[string]*workspace
	// edits counts the changes of documents, and codeEdits those of others than manifests.
	edits, codeEdits uint64
	// running are the requests that can be cancelled, by their identifiers.
	running map[string]context.CancelFunc
}

func (s *server) phase() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// method handles a message. It returns what is left to do, which may run beside later messages; nil if nothing is.
type method func(s *server, params []byte) (func(context.Context) (any, error), error)

// notification handles a message without an answer.
func notification[P any](do func(*server, P)) method {
	return func(s *server, raw []byte) (func(context.Context) (any, error), error) {
		params, err := decode[P](raw)
		if err == nil {
			do(s, params)
		}
		return nil, err
	}
}

// inDocument handles a request about an open document as it is now. The answer is null for others.
func inDocument[P any](of func(P) protocol.TextDocumentIdentifier, do func(*server, context.Context, view, P) (any, error)) method {
	return func(s *server, raw []byte) (func(context.Context) (any, error), error) {
		params, err := decode[P](raw)
		if err != nil {
			return nil, err
		}
		v, ok := s.view(of(params).URI)
		if !ok {
			return nil, nil
		}
		return func(ctx context.Context) (any, error) { return do(s, ctx, v, params) }, nil
	}
}

func decode[P any](raw []byte) (params P, err error) {
	if len(raw) == 0 {
		return params, nil
	}
	if err := json.Unmarshal(raw, &params); err != nil {
		return params, jsonrpc2.NewError(jsonrpc2.InvalidParams, err.Error())
	}
	return params, nil
}

func atPosition(p protocol.PositionParams) protocol.TextDocumentIdentifier { return p.TextDocument }

// methods are the messages that the server handles.
func methods() map[string]method {
	return map[string]method{
		"initialized":                      notification(func(s *server, _ struct{}) { s.watch() }),
		"textDocument/didOpen":             notification((*server).didOpen),
		"textDocument/didChange":           notification((*server).didChange),
		"textDocument/didClose":            notification((*server).didClose),
		"textDocument/didSave":             notification(func(s *server, _ protocol.DocumentParams) { s.wakeAll() }),
		"workspace/didChangeWatchedFiles":  notification(func(s *server, _ struct{}) { s.wakeAll() }),
		"workspace/didChangeConfiguration": notification(func(*server, struct{}) {}),
		"$/cancelRequest":                  notification((*server).cancel),
		"$/setTrace":                       notification(func(*server, struct{}) {}),
		"textDocument/completion":          inDocument(atPosition, (*server).completion),
		"textDocument/hover":               inDocument(atPosition, (*server).hover),
		"textDocument/definition":          inDocument(atPosition, (*server).definition),
		"textDocument/references":          inDocument(func(p protocol.ReferenceParams) protocol.TextDocumentIdentifier { return p.TextDocument }, (*server).references),
		"textDocument/prepareRename":       inDocument(atPosition, (*server).prepareRename),
		"textDocument/rename":              inDocument(func(p protocol.RenameParams) protocol.TextDocumentIdentifier { return p.TextDocument }, (*server).rename),
		"textDocument/inlayHint":           inDocument(func(p protocol.RangeParams) protocol.TextDocumentIdentifier { return p.TextDocument }, (*server).inlayHints),
		"textDocument/codeLens":            inDocument(func(p protocol.DocumentParams) protocol.TextDocumentIdentifier { return p.TextDocument }, (*server).codeLenses),
		"textDocument/codeAction":          inDocument(func(p protocol.CodeActionParams) protocol.TextDocumentIdentifier { return p.TextDocument }, (*server).codeActions),
		"completionItem/resolve":           resolve,
	}
}

// handled are the methods. A map that is never changed needs no lock.
var handled = sync.OnceValue(methods)

// handle answers one message. Neither a mistake of the editor nor one of ours ends the connection.
func (s *server) handle(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
	name, call := req.Method(), req.IsCall()
	defer func() {
		if r := recover(); r != nil {
			s.log(protocol.MessageError, fmt.Sprintf("kindsmith failed in %s, which is a bug, please report it: %v\n%s", name, r, debug.Stack()))
			err = jsonrpc2.NewError(jsonrpc2.InternalError, fmt.Sprint(r))
		}
		if err != nil && !call {
			s.log(protocol.MessageWarning, name+": "+err.Error())
			result, err = nil, nil
		}
	}()
	if done, result, err := s.lifecycle(name, req.Params()); done {
		return result, err
	}
	m := handled()[name]
	if m == nil {
		if !call {
			return nil, nil // notifications are optional
		}
		return nil, jsonrpc2.NewError(jsonrpc2.MethodNotFound, "kindsmith has no method "+name)
	}
	rest, err := m(s, req.Params())
	if rest == nil || err != nil {
		return nil, err
	}
	ctx, end := s.cancellable(ctx, req.ID())
	defer end()
	jsonrpc2.Async(ctx)
	return rest(ctx)
}

// lifecycle handles the messages that begin and end a session, and refuses others outside of it.
func (s *server) lifecycle(name string, raw []byte) (done bool, result any, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case name == "exit":
		select {
		case <-s.exit:
		default:
			close(s.exit)
		}
		return true, nil, nil
	case name == "initialize" && s.state == fresh:
		params, err := decode[protocol.InitializeParams](raw)
		if err != nil {
			return true, nil, err
		}
		s.state, s.client = up, params.Capabilities
		return true, s.capabilities(), nil
	case name == "initialize" || s.state == down:
		return true, nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server is not in a state for "+name)
	case s.state == fresh:
		return true, nil, jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "send initialize first")
	case name == "shutdown":
		s.state = down
		return true, nil, nil
	}
	return false, nil, nil
}

func (s *server) capabilities() protocol.InitializeResult {
	return protocol.InitializeResult{
		ServerInfo: protocol.ServerInfo{Name: "kindsmith", Version: s.version},
		Capabilities: protocol.ServerCapabilities{
			PositionEncoding:   "utf-16",
			TextDocumentSync:   protocol.TextDocumentSyncOptions{OpenClose: true, Change: protocol.Incremental, Save: true},
			CompletionProvider: protocol.CompletionOptions{TriggerCharacters: []string{"+", ":", "(", "=", ",", "\"", " "}, ResolveProvider: true},
			HoverProvider:      true,
			DefinitionProvider: true,
			ReferencesProvider: true,
			RenameProvider:     protocol.RenameOptions{PrepareProvider: true},
			InlayHintProvider:  true,
			CodeActionProvider: protocol.CodeActionOptions{CodeActionKinds: []string{protocol.QuickFix, protocol.FixAll, protocol.Rewrite}},
		},
	}
}

// watch asks the editor to report changes of files that are not open.
func (s *server) watch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.client.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		return // changes are seen after the next edit
	}
	params := protocol.RegistrationParams{Registrations: []protocol.Registration{{
		ID: "files", Method: "workspace/didChangeWatchedFiles",
		RegisterOptions: protocol.WatchOptions{Watchers: []protocol.Watcher{{GlobPattern: "**/*.{go,mod,work,yaml}"}}},
	}}}
	go func() {
		if _, err := s.conn.Call(s.ctx, "client/registerCapability", params, nil); err != nil && s.ctx.Err() == nil {
			s.log(protocol.MessageWarning, "the editor does not report changes of files: "+err.Error())
		}
	}()
}

// cancellable returns a context that $/cancelRequest ends.
func (s *server) cancellable(ctx context.Context, id jsonrpc2.ID) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	key := fmt.Sprint(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[key] = cancel
	return ctx, func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, key)
	}
}

func (s *server) cancel(params protocol.CancelParams) {
	var id jsonrpc2.ID
	var text string
	var number int64
	switch {
	case json.Unmarshal(params.ID, &number) == nil:
		id = jsonrpc2.NewNumberID(number)
	case json.Unmarshal(params.ID, &text) == nil:
		id = jsonrpc2.NewStringID(text)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.running[fmt.Sprint(id)]; cancel != nil {
		cancel()
	}
}

// log writes to the log of the editor.
func (s *server) log(kind int, message string) {
	_ = s.conn.Notify(s.ctx, "window/logMessage", protocol.MessageParams{Type: kind, Message: message}) // an editor that is gone reads none
}
