package lsp

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/jsonrpc2"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
)

// client is an editor.
type client struct {
	t    testing.TB
	dir  string
	conn jsonrpc2.Conn
	ends func() error

	mu          sync.Mutex
	diagnostics map[string]protocol.PublishDiagnosticsParams
	published   chan struct{}
	messages    []string
	registered  []string
	texts       map[string]string
	versions    map[string]int
}

// folder writes a project.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	for name, value := range map[string]string{"GOFLAGS": "", "GOWORK": "off", "GOPROXY": "off"} {
		t.Setenv(name, value)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := source.WriteFile(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

type stream struct {
	io.ReadCloser
	io.WriteCloser
}

func (s stream) Close() error {
	_ = s.ReadCloser.Close()
	return s.WriteCloser.Close()
}

// dial starts a server and a client of it, with pipes between them.
func dial(t testing.TB, dir string) *client {
	t.Helper()
	fromServer, toClient := io.Pipe()
	fromClient, toServer := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- Serve(context.Background(), stream{fromClient, toClient}, "test") }()
	c := &client{
		t: t, dir: dir, conn: jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(stream{fromServer, toServer})), diagnostics: map[string]protocol.PublishDiagnosticsParams{},
		published: make(chan struct{}, 1), texts: map[string]string{}, versions: map[string]int{},
	}
	c.conn.Go(context.Background(), c.handle)
	c.ends = sync.OnceValue(func() error {
		_ = c.conn.Notify(context.Background(), "exit", nil)
		select {
		case err := <-served:
			_ = c.conn.Close()
			return err
		case <-time.After(30 * time.Second):
			t.Error("the server does not end")
			return nil
		}
	})
	t.Cleanup(func() { _ = c.ends() })
	return c
}

// connect is dial, and begins the session.
func connect(t testing.TB, dir string) *client {
	c := dial(t, dir)
	params := jsontext.Value(`{"processId":null,"rootUri":null,"capabilities":{"textDocument":{"publishDiagnostics":{"relatedInformation":true}},"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}}}}`)
	var result protocol.InitializeResult
	c.call("initialize", params, &result)
	if result.Capabilities.PositionEncoding != "utf-16" || result.ServerInfo.Name != "kindsmith" {
		t.Fatalf("the server says of itself: %+v", result)
	}
	c.notify("initialized", jsontext.Value("{}"))
	return c
}

func (c *client) handle(_ context.Context, req *jsonrpc2.Request) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch req.Method() {
	case "textDocument/publishDiagnostics":
		var p protocol.PublishDiagnosticsParams
		if err := json.Unmarshal(req.Params(), &p); err != nil {
			return nil, err
		}
		path, _ := protocol.ToPath(p.URI)
		name, _ := filepath.Rel(c.dir, path)
		c.diagnostics[filepath.ToSlash(name)] = p
		select {
		case c.published <- struct{}{}:
		default:
		}
	case "window/logMessage":
		c.messages = append(c.messages, string(req.Params()))
	case "client/registerCapability":
		c.registered = append(c.registered, string(req.Params()))
	}
	return nil, nil
}

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	if _, err := c.conn.Call(ctx, method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *client) uri(name string) string {
	return protocol.ToURI(filepath.Join(c.dir, filepath.FromSlash(name)))
}

func (c *client) open(name, text string) {
	c.texts[name], c.versions[name] = text, 1
	c.notify("textDocument/didOpen", protocol.DidOpenParams{TextDocument: protocol.TextDocumentItem{URI: c.uri(name), Version: 1, Text: text}})
}

// change replaces a text in a document, like an editor: with the range and the new text.
func (c *client) change(name, old, now string) {
	c.t.Helper()
	text := c.texts[name]
	start := strings.Index(text, old)
	if start < 0 {
		c.t.Fatalf("%s does not have %q", name, old)
	}
	at := protocol.ToRange(source.NewFile(name, []byte(text)).Span(start, start+len(old)))
	c.texts[name] = text[:start] + now + text[start+len(old):]
	c.versions[name]++
	c.notify("textDocument/didChange", protocol.DidChangeParams{
		TextDocument:   protocol.TextDocumentIdentifier{URI: c.uri(name), Version: c.versions[name]},
		ContentChanges: []protocol.ContentChange{{Range: &at, Text: now}},
	})
}

// replace replaces the whole text of types.go.
func (c *client) replace(text string) {
	const name = types
	c.texts[name] = text
	c.versions[name]++
	c.notify("textDocument/didChange", protocol.DidChangeParams{
		TextDocument:   protocol.TextDocumentIdentifier{URI: c.uri(name), Version: c.versions[name]},
		ContentChanges: []protocol.ContentChange{{Text: text}},
	})
}

func (c *client) close(name string) {
	c.notify("textDocument/didClose", protocol.DocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: c.uri(name)}})
}

// at returns the position of the cursor in a text of types.go.
func (c *client) at(text string) protocol.PositionParams {
	return c.in(types, text)
}

// in is like at, for any file.
func (c *client) in(name, text string) protocol.PositionParams {
	c.t.Helper()
	before, after, ok := strings.Cut(text, "‸")
	i := strings.Index(c.texts[name], before+after)
	if !ok || i < 0 {
		c.t.Fatalf("%s does not have %q with a cursor", name, text)
	}
	return protocol.PositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: c.uri(name)},
		Position:     protocol.ToPosition(source.NewFile(name, []byte(c.texts[name])), i+len(before)),
	}
}

// lines returns the diagnostics of a file, as line:column: code.
func (c *client) lines(name string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := []string{}
	for _, d := range c.diagnostics[name].Diagnostics {
		p := d.Range.Start
		list = append(list, strings.TrimSpace(strings.Join([]string{
			itoa(p.Line + 1), ":", itoa(p.Character + 1), " ", d.Code,
		}, "")))
	}
	return list
}

func itoa(n int) string { text, _ := json.Marshal(n); return string(text) }

// expect waits until a file has diagnostics.
func (c *client) expect(name string, want ...string) {
	c.t.Helper()
	if want == nil {
		want = []string{}
	}
	deadline := time.After(20 * time.Second)
	for !slices.Equal(c.lines(name), want) {
		select {
		case <-c.published:
		case <-deadline:
			c.t.Fatalf("%s: the editor has %q, want %q; messages: %q", name, c.lines(name), want, c.messages)
		}
	}
}

// settled waits until the server has analysed all edits.
func (c *client) settled(name string) {
	c.actions(name, protocol.Range{})
}

func (c *client) actions(name string, at protocol.Range, only ...string) []protocol.CodeAction {
	c.t.Helper()
	params := protocol.CodeActionParams{TextDocument: protocol.TextDocumentIdentifier{URI: c.uri(name)}, Range: at}
	params.Context.Only = only
	var list []protocol.CodeAction
	c.call("textDocument/codeAction", params, &list)
	return list
}
