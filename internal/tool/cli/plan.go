package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/versions/upgrade"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

func newPlan(streams Streams) *cobra.Command {
	var from, to, renames []string
	var noGuess bool
	cmd := &cobra.Command{
		Use:   "plan --from <old.yaml> --to <new.yaml>",
		Short: "Plan the upgrade of CustomResourceDefinitions without Go types",
		Long: `Plan compares CustomResourceDefinitions of any origin: of Crossplane, kro, or
operators in Rust or Java. It prints tables, with which
kindsmith-converter converts the objects of all versions. It says in which order
to deploy, and which stored objects must migrate.

A schema does not say what happened to a field. Plan guesses renamed, moved and
retyped fields where one answer is likely, and reports each guess as a warning
with its line. State what you know with --rename, or leave guesses out with
--no-guess. An annotation keeps values of fields that only one version has.

Mistakes that no plan can repair are errors, and nothing is printed. For an API
with Go types, kindsmith model --tables prints the tables without guesses.`,
		Example: `  kindsmith plan --from released/crds.yaml --to crds.yaml > plans/shop.json
  kindsmith plan --from old.yaml --to new.yaml --rename spec.copies=spec.replicas
  kindsmith plan --from old.yaml --to new.yaml --rename spec.disk=spec.storage.size
  kindsmith plan --from old/ --to new/ --no-guess`,
		Args:              none,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, _ []string) error {
			if len(from) == 0 || len(to) == 0 {
				return errors.New("name the definitions of before and after: kindsmith plan --from old.yaml --to new.yaml")
			}
			options, err := planOptions(renames, noGuess)
			if err != nil {
				return err
			}
			return planUpgrade(streams, from, to, options)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&from, "from", nil, "a `file` or folder with the definitions that a cluster has; can be repeated")
	flags.StringArrayVar(&to, "to", nil, "a `file` or folder with the new definitions; can be repeated")
	flags.StringArrayVar(&renames, "rename", nil, "a `field` with its former and its new path, such as spec.copies=spec.replicas; can be repeated")
	flags.BoolVar(&noGuess, "no-guess", false, "do not guess renamed, moved and retyped fields")
	return cmd
}

func planOptions(renames []string, noGuess bool) (upgrade.Options, error) {
	o := upgrade.Options{Renames: map[string]string{}, NoGuess: noGuess}
	for _, text := range renames {
		former, path, ok := strings.Cut(text, "=")
		if !ok || former == "" || path == "" {
			return o, fmt.Errorf("--rename %s: write the former and the new path of a field, such as spec.copies=spec.replicas", text)
		}
		o.Renames[former] = path
	}
	return o, nil
}

// planUpgrade prints the tables, and reports the rest.
func planUpgrade(streams Streams, from, to []string, options upgrade.Options) error {
	bag := &diag.Bag{}
	read := func(flag string, names []string) ([]*upgrade.Definition, error) {
		files, err := manifest.Files(names, streams.In)
		if err != nil {
			return nil, err
		}
		list := upgrade.Read(files, bag)
		if len(list) == 0 && !bag.HasErrors() {
			return nil, fmt.Errorf("--%s: %s has no CustomResourceDefinition", flag, strings.Join(names, ", "))
		}
		return list, nil
	}
	before, err := read("from", from)
	if err != nil {
		return err
	}
	after, err := read("to", to)
	if err != nil {
		return err
	}
	if bag.HasErrors() {
		return reportAll(streams.Err, diag.Text, bag)
	}
	p := upgrade.New(before, after, options, bag)
	if err := report(streams.Err, diag.Text, bag.All()); err != nil {
		return err
	}
	var b strings.Builder
	for _, text := range p.News {
		b.WriteString(text + "\n")
	}
	if len(p.Actions) > 0 {
		b.WriteString("\nUpgrade in this order:\n")
	}
	for i, action := range p.Actions {
		fmt.Fprintf(&b, "  %d. %s\n", i+1, action)
	}
	if bag.HasErrors() {
		return errDiagnostics
	}
	if _, err := fmt.Fprint(streams.Err, b.String()); err != nil {
		return err
	}
	enc := json.NewEncoder(streams.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(jsonconvert.NewFile(p.APIs...))
}
