package cli

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/versions/convert"
)

func newModel(streams Streams) *cobra.Command {
	var s *settings
	var rules, tables, objects bool
	var older string
	cmd := &cobra.Command{
		Use:   "model [packages]",
		Short: "Print what kindsmith knows about packages, as JSON",
		Long: `Model prints what kindsmith knows about packages, by default ./..., as JSON:
types, fields, tags, defaults and older versions, each with its position, and
the types of other packages that these refer to. Use it to debug generated code.
The format may change with every release.

With --rules it prints the rules of each type, which generated validators,
schemas and the evaluator enforce. With --objects it prints the JSON object of
each struct: its members with inlined ones, whether they are required, what
counts as unset, defaults, list types and enums, each with what decides it.
With --plan it prints what happens to objects in each step from an older version
to the newest, and what conversions may lose there. With --tables it prints the
conversions of all versions as tables. From a file of these, kindsmith convert
and package runtime/jsonconvert convert objects without the types. The format of
the tables has a number, and later releases read it.`,
		Example: `  kindsmith model ./api/v1
  kindsmith model --rules ./api/v1
  kindsmith model --objects ./api/v1
  kindsmith model --plan v1beta1 ./api/v1
  kindsmith model --tables ./api/... > tables.json
  kindsmith model ./api/... | jq '.packages[] | select(.root) | .types[].name'`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: folders,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.begin(cmd, args); err != nil {
				return err
			}
			return printModel(streams, s, rules, tables, objects, older)
		},
	}
	s = newSettings(cmd)
	cmd.Flags().BoolVar(&rules, "rules", false, "print the rules of the packages' types")
	cmd.Flags().BoolVar(&objects, "objects", false, "print the JSON objects of the packages' structs")
	cmd.Flags().StringVar(&older, "plan", "", "print the conversions of this older `version`")
	cmd.Flags().BoolVar(&tables, "tables", false, "print the tables that convert objects")
	cmd.MarkFlagsMutuallyExclusive("rules", "objects", "plan", "tables")
	return cmd
}

// printModel prints the model, its rules or its plans, also if there are diagnostics:
// somebody may be looking into their cause.
func printModel(streams Streams, s *settings, rules, tables, objects bool, older string) error {
	bag := &diag.Bag{}
	config, err := s.model(bag)
	if err != nil {
		return err
	}
	if bag.HasErrors() {
		return reportAll(streams.Err, diag.Text, bag)
	}
	m, err := driver.Model(config, bag)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(streams.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	var out any = m
	switch {
	case rules:
		out = driver.Rules(m)
	case objects:
		out = m.Objects()
	case tables:
		out = convert.Tables(m)
	case older != "":
		plans := driver.Plans(m, older)
		if len(plans) == 0 && !bag.HasErrors() {
			return noVersion(m, older)
		}
		out = plans
	}
	if err := enc.Encode(out); err != nil {
		return err
	}
	if err := report(streams.Err, diag.Text, bag.All()); err != nil {
		return err
	}
	if bag.HasErrors() {
		return errDiagnostics
	}
	return nil
}

// noVersion is the error about an older version that no package has.
func noVersion(m *model.Model, version string) error {
	var older []string
	for _, p := range m.Packages {
		if p.Hub != "" && !slices.Contains(older, p.Version) {
			older = append(older, p.Version)
		}
	}
	if len(older) == 0 {
		return errors.New("no package has older versions")
	}
	return spell.Unknown("older version", version, older)
}
