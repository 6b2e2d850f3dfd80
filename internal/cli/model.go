package cli

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
)

func newModel(streams Streams) *cobra.Command {
	var config driver.ModelConfig
	cmd := &cobra.Command{
		Use:   "model [packages]",
		Short: "Print what kindsmith knows about packages, as JSON",
		Long: `Model prints what kindsmith knows about packages, by default about ./..., as
JSON: types, fields, tags, defaults and older versions, each with its place, and
the types of other packages that these refer to. It is for finding out why
generated code is what it is; its form changes with kindsmith.`,
		Example: `  kindsmith model ./api/v1
  kindsmith model ./api/... | jq '.packages[] | select(.root) | .types[].name'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			config.Patterns = patterns(args)
			return printModel(streams, config)
		},
	}
	cmd.Flags().StringSliceVar(&config.BuildTags, "tags", nil, "build tags to load the packages with")
	return cmd
}

// printModel prints the model also when there are findings: these may be what
// somebody is looking into.
func printModel(streams Streams, config driver.ModelConfig) error {
	bag := &diag.Bag{}
	m, err := driver.Model(config, bag)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(streams.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m); err != nil {
		return err
	}
	if err := report(streams.Err, diag.Text, bag.All()); err != nil {
		return err
	}
	if bag.HasErrors() {
		return errFindings
	}
	return nil
}
