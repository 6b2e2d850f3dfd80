package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/goprogram"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/objects/gotypes"
	"github.com/kindsmith/kindsmith/internal/objects/tryit/program"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
	"github.com/kindsmith/kindsmith/internal/tool/apidocs"
	"github.com/kindsmith/kindsmith/internal/tool/apidocs/html"
	"github.com/kindsmith/kindsmith/internal/tool/apidocs/markdown"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/versions/convert"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
)

// docsFormats are the printers of documentation.
var docsFormats = map[string]func(*apidocs.Site) (map[string][]byte, error){"html": html.Print, "markdown": markdown.Print}

// docsFlags are the flags of `kindsmith docs`.
type docsFlags struct {
	*settings
	out, format string
	// against is a git revision.
	against              string
	functions, try, code bool
}

func newDocs(streams Streams) *cobra.Command {
	var f docsFlags
	formats := slices.Sorted(maps.Keys(docsFormats))
	cmd := &cobra.Command{
		Use:   "docs --out DIR [packages]",
		Short: "Write reference documentation for users of the API",
		Long: `Docs writes pages for people who write manifests: each kind in each version,
with all fields, their types, defaults and rules in words, valid examples, what
changed since the version before, and the errors that a manifest can get. The
packages, by default ./..., are the only source; nothing has to be generated.

The pages need no server, no network and no JavaScript: open index.html in a
browser. The Markdown pages begin at README.md.

kindsmith checks all examples. If it finds no valid value of a field, it reports
the field; write +kubebuilder:example=<JSON> above it. Go functions that convert
fields run only with --with-functions, which compiles them; without it, the
manifests of a changed version lack these fields.

With --try, the page try.html judges manifests that users write: the rules run
in the page, also from a file. It takes several megabytes, and more if rules are
in CEL. Go functions do not run there, and the page names those that apply. With
--with-code, the page also has your validators and defaults, compiled for
browsers with the functions that they call.`,
		Example: `  kindsmith docs --out site
  kindsmith docs --out docs/api --format markdown ./api/...
  kindsmith docs --out site --against v1.4.0
  kindsmith docs --out site --with-functions
  kindsmith docs --out site --try
  kindsmith docs --out site --try --with-code`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: folders,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.begin(cmd, below(args)); err != nil {
				return err
			}
			switch {
			case f.out == "":
				return errors.New("--out is missing; name the folder to write to, such as: kindsmith docs --out site")
			case docsFormats[f.format] == nil:
				return fmt.Errorf("--format: %w", spell.Unknown("format", f.format, formats))
			case f.try && f.format != "html":
				return errors.New("--try is for pages with scripts; remove it, or write --format html")
			case f.code && !f.try:
				return errors.New("--with-code is for the page that --try writes; add --try")
			}
			return runDocs(cmd.Context(), streams, f)
		},
	}
	f.settings = newSettings(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "write the pages to this `folder`")
	flags.StringVar(&f.format, "format", "html", "`format` of the pages: "+strings.Join(formats, " or "))
	flags.BoolVar(&f.functions, "with-functions", false, "compile and call the Go functions that convert values, for manifests in two versions")
	flags.BoolVar(&f.try, "try", false, "also write try.html, which judges manifests in the browser")
	flags.BoolVar(&f.code, "with-code", false, "with --try: compile your generated code and Go functions into the page")
	flags.StringVar(&f.against, "against", "", "also show what has changed since this git `revision`")
	must(cmd.MarkFlagDirname("out"))
	values(cmd, "format", formats)
	return cmd
}

func runDocs(ctx context.Context, streams Streams, f docsFlags) error {
	bag := &diag.Bag{}
	site, err := f.site(ctx, streams, bag)
	if err != nil {
		return err
	}
	if bag.HasErrors() {
		return reportAll(streams.Err, diag.Text, bag)
	}
	files, err := docsFormats[f.format](site)
	if err != nil {
		return err
	}
	if err := apidocs.Write(f.out, files); err != nil {
		return err
	}
	if err := report(streams.Err, diag.Text, bag.All()); err != nil {
		return err
	}
	if n := site.LacksManifests(); n > 0 && !f.functions {
		if _, err := fmt.Fprintf(streams.Err, "the manifests of %s lack fields that Go functions convert; --with-functions calls the functions\n", diag.Count(n, "changed version", "changed versions")); err != nil {
			return err
		}
	}
	first := "README.md"
	if files[first] == nil {
		first = "index.html"
	}
	_, err = fmt.Fprintf(streams.Out, "wrote %s and %s\n", filepath.Join(f.out, first), diag.Count(len(files)-1, "page", "pages"))
	return err
}

// site makes the documentation of the packages; nil if they have mistakes, which it reports.
func (f *docsFlags) site(ctx context.Context, streams Streams, bag *diag.Bag) (site *apidocs.Site, err error) {
	found := &diag.Bag{}
	config, err := f.model(found)
	if err != nil {
		return nil, err
	}
	defer func() { reportErrors(bag, found) }()
	if found.HasErrors() {
		return nil, nil
	}
	m, err := driver.Model(config, found)
	if err != nil {
		return nil, err
	}
	if driver.Check(m, found); found.HasErrors() {
		return nil, nil
	}
	programs := kubebuilder.WithKeywords(config.Programs(m))
	c, err := convert.New(m)
	if err != nil {
		return nil, err
	}
	if c.Kinds() == 0 {
		return nil, fmt.Errorf("%s has no kinds; name other packages", strings.Join(config.Patterns, ", "))
	}
	if f.functions {
		defer func() { err = errors.Join(err, c.Close()) }()
		if err := f.start(ctx, c, streams, found); err != nil || found.HasErrors() {
			return nil, err
		}
	}
	var past *apidocs.Past
	if f.against != "" {
		then, err := config.Past(f.against)
		if err != nil {
			return nil, fmt.Errorf("--against: %w", err)
		}
		past = &apidocs.Past{Name: f.against, Programs: kubebuilder.WithKeywords(config.Programs(then))}
	}
	site, err = apidocs.Build(apidocs.Input{
		Past: past, Programs: programs, Engine: gotypes.New(eval.New(programs), source.NewFS(nil)), APIs: steps.Build(m),
		Convert: func(object []byte, kind schema.GroupVersionKind, to string) ([]byte, error, error) {
			return c.Object(object, kind, to)
		},
	}, found)
	if err == nil && f.try && !found.HasErrors() {
		if site.Try, err = tryOf(ctx, streams, eval.New(programs)); err == nil && f.code {
			site.Try.Code, err = f.compiled(ctx, m, found)
		}
	}
	return site, err
}

// compiled compiles the generated code of the packages for browsers. It reports the mistakes of code that does not compile.
func (f *docsFlags) compiled(ctx context.Context, m *model.Model, bag *diag.Bag) ([]byte, error) {
	generated, tags, err := f.generated(bag)
	if err != nil || bag.HasErrors() {
		return nil, err
	}
	code, err := program.BuildCode(ctx, goprogram.Packages(m), generated, tags)
	if build := (*goprogram.BuildError)(nil); errors.As(err, &build) {
		return nil, convert.ReportBuild(bag, build)
	}
	return code, err
}

// tryOf builds the evaluator of the page that judges manifests.
func tryOf(ctx context.Context, streams Streams, set *eval.Set) (*apidocs.Try, error) {
	built, err := program.Build(ctx, release(), set.UsesCEL(), func(text string) { _, _ = fmt.Fprintln(streams.Err, text) })
	if err != nil {
		return nil, fmt.Errorf("--try: %w", err)
	}
	var rules bytes.Buffer
	if err := set.Save(&rules); err != nil {
		return nil, err
	}
	packed, err := program.Compress(rules.Bytes())
	return &apidocs.Try{WASM: built.WASM, Programs: packed, Exec: built.Exec}, err
}
