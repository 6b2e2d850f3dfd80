package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/goprogram"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/versions/convert"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// convertFlags are the flags of `kindsmith convert`.
type convertFlags struct {
	*settings
	files  []string
	to     string
	tables string
	// form is that of the output, "" for that of each document.
	form string
	// functions is set if functions of the packages run, and keepUnknown if objects of other kinds stay as they are.
	functions, keepUnknown bool
}

func newConvert(streams Streams) *cobra.Command {
	var f convertFlags
	cmd := &cobra.Command{
		Use:   "convert -f FILE --to VERSION [packages]",
		Short: "Convert manifests to another version of their kinds",
		Long: `Convert reads API objects from YAML and JSON, converts them to a version of
their kinds, and prints them in the same order. The Go types and the version
markers of the packages, by default ./..., define the conversion. Convert
compiles no Go code, and needs no cluster and no network. With --with-functions,
it compiles the Go functions that the markers name, and calls them.

Values that the version cannot represent are stored in the object, and restored
on the way back. Unknown fields and the order of fields are kept.
YAML stays YAML and JSON stays JSON, unless you ask for a form with -o.
Documents that have the version already are printed as they are; a YAML document
that changes loses its comments.

If an object cannot be converted, nothing is printed: its kind or version is
unknown, only a Go function of the packages converts one of its values, or that
function refuses it. With --keep-unknown, objects of unknown kinds are printed
as they are.`,
		Example: `  kindsmith convert -f orders.yaml --to v1
  kindsmith convert -f deploy/ --to v1 --keep-unknown
  kindsmith convert -f orders.json --to shop.example.com/v1beta1 ./api/...
  kubectl get orders -o yaml | kindsmith convert -f - --to v1
  kindsmith convert -f orders.yaml --to v1 -o json
  kindsmith convert -f orders.json --to v1 --with-functions
  kindsmith convert -f orders.json --to v1 --tables tables.json`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: folders,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.begin(cmd, args); err != nil {
				return err
			}
			if err := fileWithoutFlag(f.files, args); err != nil {
				return err
			}
			if err := f.check(args); err != nil {
				return err
			}
			return runConvert(cmd, streams, f)
		},
	}
	f.settings = newSettings(cmd)
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.files, "filename", "f", nil, "convert the manifests in this `file or folder`, or standard input for -; can be repeated")
	flags.StringVar(&f.tables, "tables", "", "take the conversion from this `file`, which kindsmith model --tables prints, and not from packages")
	flags.BoolVar(&f.functions, "with-functions", false, "compile and call the Go functions that convert values")
	flags.BoolVar(&f.keepUnknown, "keep-unknown", false, "print objects of unknown kinds as they are")
	flags.StringVarP(&f.form, "format", "o", "", "print all documents in this `format`: yaml or json")
	values(cmd, "format", []string{convert.YAML, convert.JSON})
	flags.StringVar(&f.to, "to", "", "convert to this `version`: v1 or group/v1")
	must(cmd.RegisterFlagCompletionFunc("to", func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if f.begin(cmd, args) == nil {
			if c, _, err := f.converter(&diag.Bag{}); err == nil && c != nil {
				return c.Versions(), cobra.ShellCompDirectiveNoFileComp
			}
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}))
	return cmd
}

// check returns mistakes in the command line.
func (f *convertFlags) check(args []string) error {
	switch {
	case len(f.files) == 0:
		return errors.New("-f is missing; name the manifests to convert, such as: kindsmith convert -f orders.yaml --to v1")
	case f.tables != "" && len(args) > 0:
		return errors.New("--tables has the conversion already; remove it or the packages")
	case f.tables != "" && f.functions:
		return errors.New("--tables has no Go code; remove it or --with-functions")
	case f.form != "" && f.form != convert.YAML && f.form != convert.JSON:
		return fmt.Errorf("--format %s: write yaml or json", f.form)
	case f.to == "":
		return errors.New("--to is missing; it names the version to convert to")
	}
	return nil
}

func runConvert(cmd *cobra.Command, streams Streams, f convertFlags) (err error) {
	bag := &diag.Bag{}
	c, patterns, err := f.converter(bag)
	if err != nil {
		return err
	}
	if c == nil {
		return reportAll(streams.Err, diag.Text, bag)
	}
	if c.Kinds() == 0 {
		return fmt.Errorf("%s has no kinds; name other packages", strings.Join(patterns, ", "))
	}
	to, err := c.Target(f.to)
	if err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	c.KeepUnknown, c.Form = f.keepUnknown, f.form
	files, err := manifest.Files(f.files, cmd.InOrStdin())
	if err != nil {
		return err
	}
	if f.functions {
		defer func() { err = errors.Join(err, c.Close()) }()
		if err := f.start(cmd.Context(), c, streams, bag); err != nil {
			return err
		}
		if bag.HasErrors() {
			return reportAll(streams.Err, diag.Text, bag)
		}
	}
	var out bytes.Buffer
	if err := c.Documents(&out, files, to, bag); err != nil {
		return err
	}
	if bag.HasErrors() {
		return reportAll(streams.Err, diag.Text, bag)
	}
	if err := report(streams.Err, diag.Text, bag.All()); err != nil {
		return err
	}
	_, err = streams.Out.Write(out.Bytes())
	return err
}

// generated returns the code that generate would write, and the build tags. Mistakes go to the bag.
func (f *settings) generated(bag *diag.Bag) (files map[string][]byte, tags []string, err error) {
	found, read := &diag.Bag{}, source.NewFS(nil)
	s, err := f.read(read, found)
	if err != nil {
		return nil, nil, err
	}
	files, err = driver.GoFiles(s.Config(read), found)
	reportErrors(bag, found)
	return files, s.BuildTags, err
}

// start builds and starts the functions of a converter, with the code that generate would write.
func (f *settings) start(ctx context.Context, c *convert.Converter, streams Streams, bag *diag.Bag) error {
	generated, tags, err := f.generated(bag)
	if err != nil || bag.HasErrors() {
		return err
	}
	err = c.Start(ctx, convert.Build{Generated: generated, Tags: tags, Stderr: streams.Err})
	if build := (*goprogram.BuildError)(nil); errors.As(err, &build) {
		return convert.ReportBuild(bag, build)
	}
	return err
}

// converter returns the converter of a file of tables, or of packages.
func (f *convertFlags) converter(bag *diag.Bag) (*convert.Converter, []string, error) {
	if f.tables == "" {
		return converter(f.settings, bag)
	}
	text, err := source.NewFS(nil).ReadFile(f.tables)
	if err != nil {
		return nil, nil, err
	}
	file, err := jsonconvert.ReadFile(text)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.tables, err)
	}
	c, err := convert.FromFile(file)
	return c, []string{f.tables}, err
}

// converter returns the converter of the packages that the settings select, and their patterns. If
// they have mistakes, it reports them and returns nil; warnings are for `kindsmith lint`.
func converter(s *settings, bag *diag.Bag) (*convert.Converter, []string, error) {
	found := &diag.Bag{}
	config, err := s.model(found)
	if err != nil {
		return nil, nil, err
	}
	if !found.HasErrors() {
		m, err := driver.Model(config, found)
		if err != nil {
			return nil, nil, err
		}
		if driver.Check(m, found); !found.HasErrors() {
			c, err := convert.New(m)
			return c, config.Patterns, err
		}
	}
	reportErrors(bag, found)
	return nil, nil, nil
}

// reportErrors reports the errors among diagnostics.
func reportErrors(bag, found *diag.Bag) {
	for _, d := range slices.Clone(found.All()) {
		if d.Severity == diag.Error {
			bag.Add(d)
		}
	}
}
