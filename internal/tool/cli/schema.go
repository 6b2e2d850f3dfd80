package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/objects/jsonschema"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// schemaOfAll is the file with the schema of all kinds.
const schemaOfAll = "all.json"

func newSchema(streams Streams) *cobra.Command {
	var f struct {
		*settings
		json bool
		out  string
	}
	cmd := &cobra.Command{
		Use:   "schema --json [packages]",
		Short: "Print JSON Schema of manifests, for YAML editors",
		Long: `Schema describes the manifests of all kinds in all versions as JSON Schema.
YAML language servers read it: they complete fields, and report unknown fields
and values that break a rule. The packages, by default ./..., are the only
source.

--json prints one schema, which selects by apiVersion and kind. With --out,
there is also a file for each kind and version, GROUP/KIND_VERSION.json, as in
other catalogs of schemas.

JSON Schema can express most rules of one value, unions, and CEL that asks which
fields are set or compares a field with a constant. Other rules are only in
descriptions: kindsmith lsp and kindsmith validate check these.`,
		Example: `  kindsmith schema --json > schema.json
  kindsmith schema --out schemas ./api/...`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: folders,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.begin(cmd, below(args)); err != nil {
				return err
			}
			if f.json == (f.out != "") {
				return errors.New("write --json to print the schema, or --out with a folder for files")
			}
			bag := &diag.Bag{}
			programs, kinds, err := f.schemas(bag)
			if err != nil {
				return err
			}
			if bag.HasErrors() {
				return reportAll(streams.Err, diag.Text, bag)
			}
			all, err := jsonschema.All(programs, kinds)
			if err != nil {
				return err
			}
			if f.json {
				_, err = streams.Out.Write(all)
				return err
			}
			files := map[string][]byte{schemaOfAll: all}
			for _, k := range kinds {
				if files[k.Name()], err = jsonschema.Of(programs, k); err != nil {
					return err
				}
			}
			if err := writeSchemas(f.out, files); err != nil {
				return err
			}
			_, err = fmt.Fprintf(streams.Out, "wrote %s and %s\n", filepath.Join(f.out, schemaOfAll), diag.Count(len(kinds), "schema", "schemas"))
			return err
		},
	}
	f.settings = newSettings(cmd)
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON Schema of all kinds")
	cmd.Flags().StringVar(&f.out, "out", "", "write the schemas to this `folder`")
	must(cmd.MarkFlagDirname("out"))
	return cmd
}

// schemas returns the kinds of the packages; none if they have mistakes, which it reports.
func (s *settings) schemas(bag *diag.Bag) (*rule.Programs, []jsonschema.Kind, error) {
	found := &diag.Bag{}
	config, err := s.model(found)
	if err != nil {
		return nil, nil, err
	}
	defer func() { reportErrors(bag, found) }()
	if found.HasErrors() {
		return nil, nil, nil
	}
	m, err := driver.Model(config, found)
	if err != nil {
		return nil, nil, err
	}
	if driver.Check(m, found); found.HasErrors() {
		return nil, nil, nil
	}
	programs := kubebuilder.WithKeywords(config.Programs(m))
	var kinds []jsonschema.Kind
	for _, p := range m.Packages {
		for _, t := range p.Types {
			if p.Root && p.HasGroup() && p.Version != "" && t.Kind != nil && !t.Kind.List {
				gvk := schema.GroupVersionKind{Group: p.Group, Version: p.Version, Kind: t.Name}
				kinds = append(kinds, jsonschema.Kind{GroupVersionKind: gvk, Root: fieldtree.New(programs, t)})
			}
		}
	}
	if len(kinds) == 0 {
		return nil, nil, errors.New("the packages have no kinds; name others")
	}
	return programs, kinds, nil
}

// writeSchemas writes files, but not over those of somebody else.
func writeSchemas(dir string, files map[string][]byte) error {
	var changes []source.Change
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		before, err := source.NewFS(nil).ReadFile(path)
		switch {
		case err == nil && !bytes.Contains(before, []byte(jsonschema.Signature)):
			return fmt.Errorf("%s was not written by kindsmith schema; name another folder with --out", path)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		}
		changes = append(changes, source.Change{Path: path, Content: content})
	}
	return source.Write(changes)
}
