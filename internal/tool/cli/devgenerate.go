package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/goprogram"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/tool/dev"
	"github.com/kindsmith/kindsmith/internal/tool/dev/admission"
	"github.com/kindsmith/kindsmith/internal/tool/dev/cluster"
	"github.com/kindsmith/kindsmith/internal/tool/dev/inspect"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/project"
	"github.com/kindsmith/kindsmith/internal/versions/convert"
)

// devGenerator runs the generator for `kindsmith dev`.
type devGenerator struct {
	streams   Streams
	flags     *devFlags
	workspace driver.Workspace
	// program is what --run names; its files are inputs too.
	program *dev.Program
	// kinds are the definitions of the last run without mistakes, and samples manifests of the project.
	kinds []*unstructured.Unstructured
}

// run generates once, writes the files, and reports mistakes.
func (g *devGenerator) run(ctx context.Context) *dev.Build {
	files := source.NewFS(nil)
	b := &dev.Build{Record: files.Record()}
	found, begin := &diag.Bag{}, time.Now()
	err := g.generate(ctx, files, b, found)
	err = errors.Join(err, report(g.streams.Err, diag.Text, found.All()))
	if err != nil || found.HasErrors() {
		b = &dev.Build{Record: b.Record, Failed: true, Err: err}
	}
	b.Found, b.Took = found.All(), time.Since(begin)
	return b
}

// generate fills a build. Mistakes go to the bag.
func (g *devGenerator) generate(ctx context.Context, files *source.FS, b *dev.Build, bag *diag.Bag) error {
	flags := generateFlags{settings: g.flags.settings}
	r, err := flags.request(files, bag)
	if err != nil || !project.Known(bag) {
		return err
	}
	if err := r.readHeaders(bag); err != nil {
		return err
	}
	parts := complete(&r.config)
	p := startProgress(g.streams.Err)
	r.config.Progress = p.stage
	out, err := g.workspace.Generate(r.config, bag)
	p.stop()
	if err != nil || bag.HasErrors() {
		return err
	}
	changes, err := parts.write(out.Files, b)
	if err != nil {
		return err
	}
	if g.program != nil && r.config.WebhookDir == "" {
		list, err := others(files)
		if err != nil {
			return err
		}
		b.Objects = append(b.Objects, list...)
	}
	g.kinds = nil
	for _, o := range b.Objects {
		if cluster.IsDefinition(o.Unstructured) {
			g.kinds = append(g.kinds, o.Unstructured)
		}
	}
	c, err := convert.New(out.Model())
	if err != nil {
		return err
	}
	b.Converter = c
	if g.flags.ui {
		if b.API, err = inspect.New(out.Model(), r.config.Programs(out.Model()), g.kinds); err != nil {
			return err
		}
	}
	if g.program != nil || c.Calls() { // they may call any package of the module
		dev.RecordModule(files, r.config.Dir)
	}
	b.Record = files.Record().After(changes)
	if c.Calls() {
		if err := g.start(ctx, c, r.config.BuildTags, bag); err != nil || bag.HasErrors() {
			return err
		}
	}
	return g.admit(ctx, b, out.Model(), r.config.BuildTags, bag)
}

// write writes the files that generate would write, and adds the objects of manifests to a build. It returns the new contents
// of changed files by path.
func (p devParts) write(files []*driver.File, b *dev.Build) (changes map[string][]byte, err error) {
	var written []*driver.File
	changes = map[string][]byte{}
	for _, file := range files {
		part := p.of(file.Path)
		var list []dev.Object
		if part != nil && file.Content != nil {
			if list, err = read(file.Name, file.Content); err != nil {
				return nil, err
			}
			b.Objects = append(b.Objects, list...)
		}
		if part != nil && !part.written || slices.ContainsFunc(list, func(o dev.Object) bool { return cluster.NeedsService(o.Unstructured) }) {
			continue
		}
		written = append(written, file)
		if file.Changed() {
			changes[file.Path] = file.Content
		}
	}
	b.Wrote, err = driver.Write(written)
	return changes, err
}

// admit starts the generated webhooks of a project without a program that serves them, and leaves out the others.
func (g *devGenerator) admit(ctx context.Context, b *dev.Build, m *model.Model, tags []string, bag *diag.Bag) error {
	hasWebhooks := func(o dev.Object) bool { return cluster.HasWebhooks(o.Unstructured) }
	if g.program != nil || !slices.ContainsFunc(b.Objects, hasWebhooks) {
		return nil
	}
	p, err := admission.Start(ctx, goprogram.Packages(m), tags, g.streams.Err)
	if build := (*goprogram.BuildError)(nil); errors.As(err, &build) {
		err = convert.ReportBuild(bag, build)
	}
	if p == nil || err != nil {
		return errors.Join(err, b.Converter.Close())
	}
	b.Admission = p
	var others []string
	for _, o := range b.Objects {
		if hasWebhooks(o) {
			others = append(others, cluster.Limit(o.Unstructured, p.Serves)...)
		}
	}
	b.Without = others
	return nil
}

// start builds and starts the functions that conversions call. Mistakes of the Go compiler go to the bag.
func (g *devGenerator) start(ctx context.Context, c *convert.Converter, tags []string, bag *diag.Bag) error {
	err := c.Start(ctx, convert.Build{Tags: tags, Stderr: g.streams.Err})
	if build := (*goprogram.BuildError)(nil); errors.As(err, &build) {
		err = convert.ReportBuild(bag, build)
	}
	if err != nil || bag.HasErrors() {
		err = errors.Join(err, c.Close())
	}
	return err
}

// devPart is a folder of manifests.
type devPart struct {
	dir string
	// written is set if generate would write its files, too.
	written bool
}

type devParts []*devPart

// of returns the part that a file belongs to, nil for none.
func (p devParts) of(path string) *devPart {
	for _, part := range p {
		if filepath.Dir(path) == part.dir {
			return part
		}
	}
	return nil
}

// complete adds to a configuration what is applied whether or not the project has it in files.
func complete(c *driver.Config) devParts {
	var parts devParts
	add := func(emitter string, dir *string, fallback string) {
		selected := *dir != "" && (len(c.Only) == 0 || slices.Contains(c.Only, emitter)) && !slices.Contains(c.Skip, emitter)
		if *dir == "" {
			*dir = fallback
		}
		c.Skip = slices.DeleteFunc(slices.Clone(c.Skip), func(name string) bool { return name == emitter })
		if len(c.Only) > 0 && !slices.Contains(c.Only, emitter) {
			c.Only = append(slices.Clone(c.Only), emitter)
		}
		path, err := filepath.Abs(filepath.Join(c.Dir, *dir))
		if filepath.IsAbs(*dir) || err != nil {
			path = filepath.Clean(*dir)
		}
		parts = append(parts, &devPart{path, selected})
	}
	add("crd", &c.CRDDir, "config/crd/bases")
	add("policy", &c.PolicyDir, "config/policy")
	if c.WebhookDir != "" {
		add(webhookPart, &c.WebhookDir, "")
	}
	if c.CRDs.Conversion == nil {
		c.CRDs.Conversion, _ = emit.ParseConversionWebhook(cluster.Placeholder) // the text is valid
	}
	return parts
}

// others returns the webhook configurations that another generator has written, where kubebuilder has them.
func others(files *source.FS) ([]dev.Object, error) {
	name := filepath.Join(webhookDir, "manifests.yaml")
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	content, err := files.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return read(name, content)
}

// read returns the objects of a manifest.
func read(name string, content []byte) ([]dev.Object, error) {
	var list []dev.Object
	for _, text := range bytes.Split(append([]byte("\n"), content...), []byte("\n---\n")) {
		o := dev.Object{Unstructured: &unstructured.Unstructured{}, Text: text}
		json, err := yaml.YAMLToJSON(text)
		if err == nil && string(json) != "null" {
			err = o.UnmarshalJSON(json)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if cluster.Knows(o.GroupVersionKind().GroupKind()) {
			list = append(list, o)
		}
	}
	return list, nil
}

// next says what a user can do when an API is served.
func (g *devGenerator) next(at *place, f *devFlags) string {
	var b strings.Builder
	path := at.kubeconfig
	if rel, err := filepath.Rel(".", path); err == nil && len(rel) < len(path) {
		path = rel
	}
	b.WriteString("\n")
	if f.context == "" {
		abs, err := filepath.Abs(path)
		if err != nil {
			abs = path
		}
		fmt.Fprintf(&b, "  export KUBECONFIG=%s\n", quote(abs))
	} else {
		fmt.Fprintf(&b, "  kubectl config use-context %s\n", quote(f.context))
	}
	if dir, err := filepath.Abs("config/samples"); err == nil && hasManifests(dir) {
		b.WriteString("  kubectl apply -f config/samples\n")
	}
	for i, crd := range g.kinds {
		plural, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "plural")
		all := ""
		if scope, _, _ := unstructured.NestedString(crd.Object, "spec", "scope"); scope == "Namespaced" {
			all = " --all-namespaces"
		}
		if i < 3 {
			fmt.Fprintf(&b, "  kubectl get %s%s\n", plural, all)
		}
		if i == 0 {
			fmt.Fprintf(&b, "  kubectl explain %s.spec\n", plural)
			for _, v := range older(crd) {
				group, _, _ := unstructured.NestedString(crd.Object, "spec", "group")
				fmt.Fprintf(&b, "  kubectl get %s.%s.%s%s -o yaml\n", plural, v, group, all)
			}
		}
	}
	if at.page != "" {
		fmt.Fprintf(&b, "\n  requests and objects: %s\n", at.page)
	}
	b.WriteString("\n")
	return b.String()
}

func hasManifests(dir string) bool {
	names, err := source.NewFS(nil).List(source.Manifests, dir)
	return err == nil && len(names) > 0
}

// older returns the versions of a definition that are served and not stored.
func older(crd *unstructured.Unstructured) (names []string) {
	versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
	for _, item := range versions {
		v, _ := item.(map[string]any)
		if name, ok := v["name"].(string); ok && v["served"] == true && v["storage"] != true {
			names = append(names, name)
		}
	}
	return names
}

// quote returns a word for a shell.
func quote(word string) string {
	if strings.ContainsAny(word, " '\"$&;()*?\\") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}
