package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/objects/gotypes"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/objects/validate"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
	"github.com/kindsmith/kindsmith/internal/tool/project"
	"github.com/kindsmith/kindsmith/internal/versions/convert"
)

// isManifest reports whether a file may have manifests.
func isManifest(path string) bool {
	ext := filepath.Ext(path)
	return (ext == ".yaml" || ext == ".yml") && filepath.Base(path) != project.FileName
}

// about is what is made of a model when it is asked for. The lock of the workspace guards it.
type about struct {
	m        *model.Model
	programs *rule.Programs
	// set, engine and converter are for manifests; nil until one is open.
	set       *eval.Set
	engine    *gotypes.Engine
	converter *convert.Converter
	trees     map[schema.GroupVersionKind]*fieldtree.Node
}

// aboutOf returns what is made of a model. The caller has the lock.
func (w *workspace) aboutOf(m *model.Model) *about {
	if w.about[m] == nil {
		w.about[m] = &about{m: m, programs: kubebuilder.WithKeywords(w.programs(m)), trees: map[schema.GroupVersionKind]*fieldtree.Node{}}
	}
	return w.about[m]
}

// forgetModels removes what was made of models that have been replaced. The caller has the lock.
func (w *workspace) forgetModels() {
	used := map[*model.Model]bool{}
	for _, m := range w.good {
		used[m] = true
	}
	for m := range w.about {
		if !used[m] {
			delete(w.about, m)
		}
	}
}

// kinds returns what is made of the models with kinds. The caller has the lock.
func (w *workspace) kinds() []*about {
	var list []*about
	for _, m := range w.good {
		a := w.aboutOf(m)
		if a.set == nil {
			a.set = eval.New(a.programs)
			a.engine = gotypes.New(a.set, source.NewFS(nil))
		}
		if len(a.engine.Kinds()) > 0 && !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(x, y *about) int {
		return strings.Compare(x.engine.Kinds()[0].String(), y.engine.Kinds()[0].String())
	})
	return list
}

// has reports whether the model declares a group. Its objects are those that it can judge.
func (a *about) has(group string) bool {
	return slices.ContainsFunc(a.engine.Kinds(), func(k schema.GroupVersionKind) bool { return k.Group == group })
}

// tree returns the fields of a kind; nil for an unknown one.
func (a *about) tree(kind schema.GroupVersionKind) *fieldtree.Node {
	if a.trees[kind] == nil {
		name, ok := a.set.Kind(kind)
		if !ok {
			return nil
		}
		a.trees[kind] = fieldtree.New(a.programs, a.m.Type(name))
	}
	return a.trees[kind]
}

// manifestsIn returns the diagnostics of the open manifests of a workspace, by the last good models.
func (w *workspace) manifestsIn(ctx context.Context, state *snapshot) []*diag.Diagnostic {
	w.mu.Lock()
	defer w.mu.Unlock()
	bag := &diag.Bag{}
	for _, d := range state.own {
		if isManifest(d.path) && ctx.Err() == nil {
			w.manifest(ctx, d, bag)
		}
	}
	return bag.All()
}

// manifest judges the objects of a file whose groups the models declare. Each document is judged alone, so a syntax error hides
// only what is in its own.
func (w *workspace) manifest(ctx context.Context, d *document, bag *diag.Bag) {
	rel, err := filepath.Rel(w.dir, d.path)
	if err != nil {
		return
	}
	file := source.NewFile(filepath.ToSlash(rel), source.LF(d.file.Content))
	ours := slices.DeleteFunc(w.kinds(), func(a *about) bool {
		return !slices.ContainsFunc(a.engine.Kinds(), func(k schema.GroupVersionKind) bool {
			return bytes.Contains(file.Content, []byte(k.GroupVersion().String()))
		})
	})
	if len(ours) == 0 {
		return
	}
	syntax := &diag.Bag{}
	docs := manifest.Parse(file, syntax)
	if !bytes.Contains(file.Content, []byte("{{")) { // a template is no YAML yet
		bag.Append(syntax)
	}
	for _, a := range ours {
		in := &validate.Input{}
		for _, doc := range docs {
			for _, o := range doc.Objects(&diag.Bag{}) {
				if a.has(o.Kind.Group) {
					in.Objects = append(in.Objects, o)
				}
			}
			if len(in.Objects) > 0 {
				in.Documents = append(in.Documents, doc)
			}
		}
		validate.Run(ctx, a.engine, in, nil, validate.Options{Strict: true}, bag)
	}
}

// manifestActions returns what can be done with the manifest below the cursor.
func (s *server) manifestActions(v view, at protocol.Position) []protocol.CodeAction {
	var actions []protocol.CodeAction
	file := source.NewFile(v.doc.path, v.doc.file.Content)
	offset := protocol.ToOffset(file, at)
	v.in.mu.Lock()
	defer v.in.mu.Unlock()
	for _, doc := range manifest.Parse(file, &diag.Bag{}) {
		if offset < doc.Span.Start || doc.Span.End < offset {
			continue
		}
		objects := doc.Objects(&diag.Bag{})
		if len(objects) != 1 || objects[0].Root != doc.Root {
			continue // of a list, it is not clear which one is meant
		}
		for _, a := range v.in.kinds() {
			if !a.has(objects[0].Kind.Group) {
				continue
			}
			for _, to := range a.otherVersions(objects[0].Kind) {
				if text, ok := a.converted(doc, to); ok {
					actions = append(actions, rewrite(v, "Convert to "+to, doc.Span, text))
				}
			}
			if edits := a.defaults(doc, objects[0]); len(edits) > 0 {
				action := rewrite(v, "Add defaults", doc.Span, "")
				action.Edit.Changes[v.doc.uri] = edits
				actions = append(actions, action)
			}
		}
	}
	return actions
}

func rewrite(v view, title string, at source.Span, text string) protocol.CodeAction {
	return protocol.CodeAction{Title: title, Kind: protocol.Rewrite, Edit: &protocol.WorkspaceEdit{Changes: map[string][]protocol.TextEdit{
		v.doc.uri: {{Range: protocol.ToRange(at), NewText: string(source.EndingsOf(v.doc.file.Content, []byte(text)))}},
	}}}
}

// otherVersions returns the other versions of a kind, as the model declares them.
func (a *about) otherVersions(kind schema.GroupVersionKind) []string {
	var versions []string
	for _, k := range a.engine.Kinds() {
		if k.GroupKind() == kind.GroupKind() && k.Version != kind.Version {
			versions = append(versions, k.Version)
		}
	}
	slices.SortFunc(versions, func(x, y string) int { return model.CompareVersions(y, x) })
	return versions
}

// converted returns a document in another version; false if only Go functions convert it.
func (a *about) converted(doc *manifest.Document, to string) (string, bool) {
	if a.converter == nil {
		c, err := convert.New(a.m)
		if err != nil {
			return "", false
		}
		a.converter = c
	}
	bag := &diag.Bag{}
	var out bytes.Buffer
	one := source.NewFile("manifest.yaml", []byte(doc.Span.Text()))
	if err := a.converter.Documents(&out, []*source.File{one}, convert.Target{Version: to}, bag); err != nil || bag.HasErrors() {
		return "", false
	}
	return out.String(), true
}

// defaults returns the edits that add the defaults to an object. What the author wrote stays as it is.
func (a *about) defaults(doc *manifest.Document, o *manifest.Object) []protocol.TextEdit {
	name, ok := a.set.Kind(o.Kind)
	if !ok || doc.IsJSON {
		return nil
	}
	filled, _, err := a.set.Default(name, o.Value)
	if err != nil {
		return nil
	}
	f := &filler{file: doc.Span.File, end: doc.Span.End}
	f.object(o.Value, filled, o.Root, f.end)
	return f.edits
}

// filler adds missing values to a document.
type filler struct {
	file  *source.File
	end   int
	edits []protocol.TextEdit
}

// object adds what a mapping lacks behind its last line. The mapping ends at an offset.
func (f *filler) object(have, want map[string]any, node *manifest.Node, end int) {
	names := node.Names()
	var lacks []string
	for name := range want {
		if _, ok := have[name]; !ok {
			lacks = append(lacks, name)
		}
	}
	for i, name := range names {
		to := end
		if i+1 < len(names) {
			to = f.lineStart(node.Field(names[i+1]).Key().Start)
		}
		f.value(have[name], want[name], node.Field(name), to)
	}
	if len(lacks) == 0 || len(names) == 0 {
		return
	}
	slices.Sort(lacks)
	key := node.Field(names[0]).Key()
	if key.IsZero() || f.inBrackets(key) {
		return
	}
	indent := strings.Repeat(" ", key.Position().Column-1)
	var text strings.Builder
	for _, name := range lacks {
		for line := range strings.Lines(block(name, want[name])) {
			text.WriteString(indent + line)
		}
	}
	at := f.lastLine(key.Start, end)
	added := text.String()
	if at > 0 && f.file.Content[at-1] != '\n' {
		added = "\n" + strings.TrimSuffix(added, "\n")
	}
	place := protocol.ToPosition(f.file, at)
	f.edits = append(f.edits, protocol.TextEdit{Range: protocol.Range{Start: place, End: place}, NewText: string(source.EndingsOf(f.file.Content, []byte(added)))})
}

func (f *filler) value(have, want any, node *manifest.Node, end int) {
	switch have := have.(type) {
	case map[string]any:
		if want, ok := want.(map[string]any); ok {
			if len(have) == 0 && len(want) > 0 {
				f.empty(want, node)
				return
			}
			f.object(have, want, node, end)
		}
	case []any:
		want, ok := want.([]any)
		if !ok || len(want) != len(have) {
			return
		}
		for i := range have {
			to := end
			if i+1 < len(have) {
				if next := node.Item(i + 1); next != nil {
					to = f.lineStart(next.Place().Span.Start)
				}
			}
			f.value(have[i], want[i], node.Item(i), to)
		}
	}
}

// empty replaces {} in one line.
func (f *filler) empty(want map[string]any, node *manifest.Node) {
	at := node.Place().Span
	line := at.File.Line(at.Position().Line)
	i := strings.Index(line, "{}")
	text, err := json.Marshal(want)
	if i < 0 || strings.Count(line, "{}") > 1 || err != nil {
		return
	}
	start := f.lineStart(at.Start) + i
	f.edits = append(f.edits, protocol.TextEdit{Range: protocol.ToRange(f.file.Span(start, start+2)), NewText: string(text)})
}

// inBrackets reports whether a key is in a mapping in brackets, which is on lines with other text.
func (f *filler) inBrackets(key source.Span) bool {
	before := strings.TrimLeft(string(f.file.Content[f.lineStart(key.Start):key.Start]), " -")
	return before != ""
}

func (f *filler) lineStart(offset int) int {
	return bytes.LastIndexByte(f.file.Content[:offset], '\n') + 1
}

// lastLine returns the offset behind the last line with text between two offsets.
func (f *filler) lastLine(start, end int) int {
	text := f.file.Content[start:end]
	lines := bytes.SplitAfter(text, []byte("\n"))
	at := start
	last := start
	for _, line := range lines {
		at += len(line)
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && trimmed[0] != '#' && !bytes.HasPrefix(line, []byte("---")) {
			last = at
		}
	}
	return last
}

// block returns a field as lines of YAML.
func block(name string, value any) string {
	text, err := json.Marshal(map[string]any{name: value})
	if err != nil {
		return ""
	}
	yaml, err := manifest.YAML(text)
	if err != nil {
		return ""
	}
	return string(yaml)
}
