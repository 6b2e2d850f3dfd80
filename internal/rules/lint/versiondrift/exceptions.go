package versiondrift

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// exceptions are the differences in a file.
type exceptions struct{ entries []*entry }

// entry is one intended difference.
type entry struct {
	Type     string   `yaml:"type"`
	Field    string   `yaml:"field"`
	Tag      string   `yaml:"tag"`
	Versions []string `yaml:"versions"`
	Reason   string   `yaml:"reason"`

	span source.Span
	used bool
}

// readExceptions reads the file in a folder, which may not exist. Beside is the package clause of a
// version, from which the file's display path is derived.
func readExceptions(files *source.FS, dir string, beside source.Span, bag *diag.Bag) exceptions {
	content, err := files.ReadFile(filepath.Join(dir, FileName))
	if errors.Is(err, fs.ErrNotExist) {
		return exceptions{}
	}
	file := source.NewFile(path.Join(path.Dir(path.Dir(beside.File.Path)), FileName), content)
	if err != nil {
		var wrong *fs.PathError
		if errors.As(err, &wrong) {
			err = wrong.Err // without the absolute path
		}
		bag.Errorf(file.Span(0, 0), codeBadFile, "cannot read the exceptions: %v", err)
		return exceptions{}
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(content, &doc); err != nil {
		bag.Errorf(file.Span(0, 0), codeBadFile, "the exceptions are not valid YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
		return exceptions{}
	}
	if len(doc.Content) == 0 {
		return exceptions{} // nothing but comments
	}
	list := doc.Content[0]
	if list.Kind != yaml.SequenceNode {
		bag.Errorf(spanOf(file, list), codeBadFile, "the exceptions are not a list; write `- type: …` for each")
		return exceptions{}
	}
	var all exceptions
	for _, node := range list.Content {
		if e := readEntry(file, node, bag); e != nil {
			all.entries = append(all.entries, e)
		}
	}
	return all
}

var keys = []string{"type", "field", "tag", "versions", "reason"}

func readEntry(file *source.File, node *yaml.Node, bag *diag.Bag) *entry {
	e := &entry{span: spanOf(file, node)}
	for i := 0; node.Kind == yaml.MappingNode && i < len(node.Content); i += 2 {
		if key := node.Content[i]; !slices.Contains(keys, key.Value) {
			bag.Errorf(spanOf(file, key), codeBadFile, "unknown key %q in an exception; the keys are: %s", key.Value, strings.Join(keys, ", "))
			return nil
		}
	}
	if err := node.Decode(e); err != nil || e.Type == "" || e.Tag == "" || len(e.Versions) != 2 {
		bag.Errorf(e.span, codeBadFile, "the exception is incomplete; write a type, a tag and two versions: {type: Spec, field: Replicas, tag: k8s:maximum, versions: [v1beta1, v1], reason: …}")
		return nil
	}
	e.Tag = strings.TrimPrefix(e.Tag, "+")
	if strings.TrimSpace(e.Reason) == "" {
		bag.Warnf(e.span, codeReason, "the exception does not give a reason; add `reason: …`")
	}
	return e
}

// spanOf returns the span of a node's first line.
func spanOf(file *source.File, node *yaml.Node) source.Span {
	start := file.Offset(source.Position{Line: node.Line, Column: node.Column})
	end := file.Offset(source.Position{Line: node.Line}) + len(file.Line(node.Line))
	return file.Span(start, max(start, end))
}

// excuse reports whether a difference is listed, and marks the entry as used.
func (x exceptions) excuse(c *comparison, d difference) bool {
	for _, e := range x.entries {
		if e.Type == d.typ && e.Field == d.field && e.Tag == d.tag &&
			slices.Contains(e.Versions, c.older.Version) && slices.Contains(e.Versions, c.newer.Version) {
			e.used = true
			return true
		}
	}
	return false
}

// reportStale reports unused entries, except for versions that the run has not loaded.
func (x exceptions) reportStale(files *source.FS, versions []*model.Package, bag *diag.Bag) {
	for _, e := range x.entries {
		if !e.used && !slices.ContainsFunc(e.Versions, func(v string) bool { return unknown(files, versions, v) }) {
			bag.Warnf(e.span, codeStale, "%s has the same +%[4]s in %[2]s and %[3]s; remove the exception", e.what(), e.Versions[0], e.Versions[1], e.Tag)
		}
	}
}

func (e *entry) what() string {
	if e.Field == "" {
		return "type " + e.Type
	}
	return "field " + e.Field + " of " + e.Type
}

// unknown reports whether a version's folder exists that the run has not loaded.
func unknown(files *source.FS, versions []*model.Package, name string) bool {
	if slices.ContainsFunc(versions, func(p *model.Package) bool { return p.Version == name }) {
		return false
	}
	_, err := files.List(source.GoFiles, filepath.Join(filepath.Dir(versions[0].Dir), name))
	return err == nil
}
