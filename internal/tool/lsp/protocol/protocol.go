// Package protocol has the types of the Language Server Protocol 3.17 that package lsp uses, and positions in its units.
//
// [ToOffset] and [ToPath] convert the protocol's positions and names to those of package source.
//
// Names are those of the specification. A field that is not here is not read: clients send more.
package protocol

import "github.com/go-json-experiment/json/jsontext"

// Position is a place between two characters. Both numbers count from 0; characters are UTF-16 code units.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is the text from Start up to End.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Location is a range of a file.
type Location struct {
	URI   string `json:"uri"`
	Range Range  `json:"range"`
}

// InitializeParams are what a client says of itself.
type InitializeParams struct {
	Capabilities ClientCapabilities `json:"capabilities"`
}

// ClientCapabilities are what a client can do.
type ClientCapabilities struct {
	TextDocument struct {
		Completion struct {
			CompletionItem struct {
				SnippetSupport bool `json:"snippetSupport"`
			} `json:"completionItem"`
		} `json:"completion"`
		CodeAction struct {
			IsPreferredSupport bool `json:"isPreferredSupport"`
		} `json:"codeAction"`
		PublishDiagnostics struct {
			RelatedInformation bool `json:"relatedInformation"`
		} `json:"publishDiagnostics"`
	} `json:"textDocument"`
	Workspace struct {
		DidChangeWatchedFiles struct {
			DynamicRegistration bool `json:"dynamicRegistration"`
		} `json:"didChangeWatchedFiles"`
	} `json:"workspace"`
}

// InitializeResult is what the server says of itself.
type InitializeResult struct {
	Capabilities ServerCapabilities `json:"capabilities"`
	ServerInfo   ServerInfo         `json:"serverInfo"`
}

// ServerInfo is the name and the version of the server.
type ServerInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// ServerCapabilities are what the server can do.
type ServerCapabilities struct {
	PositionEncoding   string                  `json:"positionEncoding"`
	TextDocumentSync   TextDocumentSyncOptions `json:"textDocumentSync"`
	CompletionProvider CompletionOptions       `json:"completionProvider"`
	HoverProvider      bool                    `json:"hoverProvider"`
	DefinitionProvider bool                    `json:"definitionProvider"`
	ReferencesProvider bool                    `json:"referencesProvider"`
	RenameProvider     RenameOptions           `json:"renameProvider"`
	InlayHintProvider  bool                    `json:"inlayHintProvider"`
	CodeLensProvider   struct{}                `json:"codeLensProvider"`
	CodeActionProvider CodeActionOptions       `json:"codeActionProvider"`
}

// Incremental is the kind of synchronisation in which clients send only what changes.
const Incremental = 2

// TextDocumentSyncOptions say what clients send of open documents.
type TextDocumentSyncOptions struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"`
	Save      bool `json:"save"`
}

// CompletionOptions say when clients ask for completion.
type CompletionOptions struct {
	TriggerCharacters []string `json:"triggerCharacters"`
	ResolveProvider   bool     `json:"resolveProvider"`
}

// RenameOptions say whether clients may ask what would be renamed.
type RenameOptions struct {
	PrepareProvider bool `json:"prepareProvider"`
}

// CodeActionOptions are the kinds of actions.
type CodeActionOptions struct {
	CodeActionKinds []string `json:"codeActionKinds"`
}

// TextDocumentItem is a document that a client opens.
type TextDocumentItem struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	Text    string `json:"text"`
}

// TextDocumentIdentifier names a document. Version is that of a change, else 0.
type TextDocumentIdentifier struct {
	URI     string `json:"uri"`
	Version int    `json:"version,omitzero"`
}

// DidOpenParams open a document.
type DidOpenParams struct {
	TextDocument TextDocumentItem `json:"textDocument"`
}

// DidChangeParams change a document.
type DidChangeParams struct {
	TextDocument   TextDocumentIdentifier `json:"textDocument"`
	ContentChanges []ContentChange        `json:"contentChanges"`
}

// ContentChange replaces a range, or without one the document.
type ContentChange struct {
	Range *Range `json:"range,omitzero"`
	Text  string `json:"text"`
}

// DocumentParams name a document, of notifications that say no more.
type DocumentParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
}

// PositionParams name a place in a document.
type PositionParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
	Position     Position               `json:"position"`
}

// ReferenceParams ask for references.
type ReferenceParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
	Position     Position               `json:"position"`
	Context      struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

// RenameParams ask for a new name.
type RenameParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
	Position     Position               `json:"position"`
	NewName      string                 `json:"newName"`
}

// PrepareRename is the text that a rename replaces.
type PrepareRename struct {
	Range       Range  `json:"range"`
	Placeholder string `json:"placeholder"`
}

// RangeParams name a part of a document.
type RangeParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
	Range        Range                  `json:"range"`
}

// InlayHint is a text that an editor shows within the document.
type InlayHint struct {
	Position    Position `json:"position"`
	Label       string   `json:"label"`
	Tooltip     string   `json:"tooltip,omitzero"`
	PaddingLeft bool     `json:"paddingLeft,omitzero"`
}

// CodeLens is a line that an editor shows above a declaration.
type CodeLens struct {
	Range   Range   `json:"range"`
	Command Command `json:"command"`
}

// Command is a text to click; one without a name does nothing.
type Command struct {
	Title   string `json:"title"`
	Command string `json:"command"`
}

// RequestFailed is the code of a request that is right, but cannot be fulfilled.
const RequestFailed = -32803

// CompletionList is the answer to textDocument/completion. An incomplete list is asked for again while the user types.
type CompletionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []CompletionItem `json:"items"`
}

// The kinds of completion items.
const (
	KindFunction = 3
	KindField    = 5
	KindProperty = 10
	KindValue    = 12
	KindKeyword  = 14
	KindSnippet  = 15
	KindConstant = 21
)

// SnippetFormat is the format of an insertion with placeholders.
const SnippetFormat = 2

// AsIs is the mode of an insertion whose lines have their indentation.
const AsIs = 1

// CompletionItem is one proposal.
type CompletionItem struct {
	Label            string         `json:"label"`
	Kind             int            `json:"kind,omitzero"`
	Detail           string         `json:"detail,omitzero"`
	Documentation    *MarkupContent `json:"documentation,omitzero"`
	SortText         string         `json:"sortText,omitzero"`
	FilterText       string         `json:"filterText,omitzero"`
	InsertTextFormat int            `json:"insertTextFormat,omitzero"`
	InsertTextMode   int            `json:"insertTextMode,omitzero"`
	TextEdit         *TextEdit      `json:"textEdit,omitzero"`
	// Data is the name of the page that completionItem/resolve adds.
	Data string `json:"data,omitzero"`
}

// MarkupContent is text.
type MarkupContent struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// Markdown returns text in Markdown.
func Markdown(text string) *MarkupContent { return &MarkupContent{Kind: "markdown", Value: text} }

// Hover is the answer to textDocument/hover.
type Hover struct {
	Contents *MarkupContent `json:"contents"`
	Range    Range          `json:"range"`
}

// TextEdit replaces a range.
type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// WorkspaceEdit changes files, by their URIs.
type WorkspaceEdit struct {
	Changes map[string][]TextEdit `json:"changes"`
}

// CodeActionParams ask for the actions in a range.
type CodeActionParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
	Range        Range                  `json:"range"`
	Context      struct {
		Only []string `json:"only"`
	} `json:"context"`
}

// The kinds of code actions.
const (
	QuickFix = "quickfix"
	FixAll   = "source.fixAll"
	Rewrite  = "refactor.rewrite"
)

// CodeAction is a change that a user can choose.
type CodeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []Diagnostic   `json:"diagnostics,omitempty"`
	IsPreferred bool           `json:"isPreferred,omitzero"`
	Edit        *WorkspaceEdit `json:"edit"`
}

// PublishDiagnosticsParams are the diagnostics of a file. Version is that of an open document.
type PublishDiagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitzero"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// The severities of diagnostics.
const (
	SeverityError   = 1
	SeverityWarning = 2
	SeverityHint    = 4
)

// Diagnostic is a message about a range.
type Diagnostic struct {
	Range              Range                `json:"range"`
	Severity           int                  `json:"severity"`
	Code               string               `json:"code"`
	CodeDescription    *CodeDescription     `json:"codeDescription,omitzero"`
	Source             string               `json:"source"`
	Message            string               `json:"message"`
	RelatedInformation []RelatedInformation `json:"relatedInformation,omitempty"`
}

// CodeDescription is the page of a code.
type CodeDescription struct {
	Href string `json:"href"`
}

// RelatedInformation is a message about another place.
type RelatedInformation struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// The types of messages.
const (
	MessageError   = 1
	MessageWarning = 2
)

// MessageParams are a message that a client shows or logs.
type MessageParams struct {
	Type    int    `json:"type"`
	Message string `json:"message"`
}

// CancelParams name a request that is no longer needed.
type CancelParams struct {
	ID jsontext.Value `json:"id"`
}

// RegistrationParams ask a client for notifications.
type RegistrationParams struct {
	Registrations []Registration `json:"registrations"`
}

// Registration is one of them.
type Registration struct {
	ID              string `json:"id"`
	Method          string `json:"method"`
	RegisterOptions any    `json:"registerOptions"`
}

// WatchOptions are the files whose changes a client reports.
type WatchOptions struct {
	Watchers []Watcher `json:"watchers"`
}

// Watcher is a pattern of files.
type Watcher struct {
	GlobPattern string `json:"globPattern"`
}
