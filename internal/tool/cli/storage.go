package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/storage"
)

// clusterFlags say which API server a command talks to, like those of kubectl.
type clusterFlags struct {
	kubeconfig, context string
}

func (f *clusterFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.kubeconfig, "kubeconfig", "", "read this kubeconfig `file`, by default that of $KUBECONFIG or ~/.kube/config")
	flags.StringVar(&f.context, "context", "", "use this `context` of the kubeconfig")
	must(cmd.MarkFlagFilename("kubeconfig"))
}

func (f *clusterFlags) cluster() (*storage.Cluster, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = f.kubeconfig
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: f.context}).ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		return nil, errors.New("there is no kubeconfig; name one with --kubeconfig or $KUBECONFIG")
	}
	if err != nil {
		return nil, err
	}
	return storage.New(config)
}

func newStorage(streams Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "storage",
		Short: "Move stored objects to another version of their kind",
		Long: `Storage moves the stored objects of a CustomResourceDefinition to its storage
version, so that you can remove older versions from it.

An API server stores an object in the version that was the storage version when
the object was last written. Until each object was written once more, the
definition lists the old version in status.storedVersions, and API servers
refuse to remove the version.`,
		Example: `  kindsmith storage plan
  kindsmith storage run orders.shop.example.com
  kindsmith storage detach orders.shop.example.com`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
	}
	const group = "steps"
	cmd.AddGroup(&cobra.Group{ID: group, Title: "Commands:"})
	for _, c := range []*cobra.Command{newStoragePlan(streams), newStorageRun(streams), newStorageDetach(streams)} {
		c.GroupID = group
		cmd.AddCommand(c)
	}
	return cmd
}

func newStoragePlan(streams Streams) *cobra.Command {
	var in clusterFlags
	var form string
	cmd := &cobra.Command{
		Use:   "plan [definitions]",
		Short: "Print which versions can be removed, and what prevents the others",
		Long: `Plan prints the versions of CustomResourceDefinitions: whether each is served,
whether objects may be stored in it, how many objects were last written by a
request in it, and what prevents its removal. Without names, it prints the
definitions that have several versions. It reads the metadata of all objects,
and writes nothing.

API servers do not tell in which version an object is stored.`,
		Example: `  kindsmith storage plan
  kindsmith storage plan orders.shop.example.com
  kindsmith storage plan -o json | jq '.[].removal[] | select(.blockers == null)'`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, names []string) error {
			if form != "text" && form != "json" {
				return fmt.Errorf("--format %s: write text or json", form)
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return storagePlan(ctx, streams, in, names, form == "json")
		},
	}
	in.add(cmd)
	cmd.Flags().StringVarP(&form, "format", "o", "text", "print the plan in this `format`: text or json")
	values(cmd, "format", []string{"text", "json"})
	return cmd
}

func storagePlan(ctx context.Context, streams Streams, in clusterFlags, names []string, asJSON bool) error {
	c, err := in.cluster()
	if err != nil {
		return err
	}
	found, err := definitions(ctx, c, names)
	if err != nil {
		return err
	}
	shown := startProgress(streams.Err)
	defer shown.stop()
	plans := []*storage.Plan{}
	var failed []error
	for _, d := range found {
		shown.stage("Reading the metadata of " + d.Name)
		p, err := c.Plan(ctx, d)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		plans = append(plans, p)
	}
	shown.stop()
	if asJSON {
		encoder := json.NewEncoder(streams.Out)
		encoder.SetIndent("", "  ")
		return errors.Join(append(failed, encoder.Encode(plans))...)
	}
	if len(found) == 0 {
		_, err := fmt.Fprintln(streams.Out, "Each definition has one version, and all objects are stored in it.")
		return err
	}
	for i, p := range plans {
		if i > 0 {
			_, _ = fmt.Fprintln(streams.Out)
		}
		if err := printPlan(streams.Out, p); err != nil {
			return err
		}
	}
	return errors.Join(failed...)
}

// definitions returns definitions by their names, or all that have several versions.
func definitions(ctx context.Context, c *storage.Cluster, names []string) ([]*storage.Definition, error) {
	if len(names) == 0 {
		return c.Definitions(ctx)
	}
	var found []*storage.Definition
	var failed []error
	for _, name := range names {
		d, err := c.Definition(ctx, name)
		failed = append(failed, err)
		found = append(found, d)
	}
	return found, errors.Join(failed...)
}

func printPlan(out Stream, p *storage.Plan) error {
	if _, err := fmt.Fprintf(out, "%s: %s, storage version %s\n", p.Name, diag.Count(p.Objects, "object", "objects"), p.Storage); err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	_, _ = fmt.Fprintln(w, "  VERSION\tSERVED\tSTORED\tWRITTEN\tCAN BE REMOVED")
	for _, r := range p.Removal {
		served, stored := "no", "no"
		for _, v := range p.Versions {
			if v.Name == r.Version && v.Served {
				served = "yes"
			}
		}
		for _, v := range p.Stored {
			if v == r.Version {
				stored = "yes"
			}
		}
		verdict := "yes"
		if len(r.Blockers) > 0 {
			verdict = "no: " + r.Blockers[0]
		}
		_, _ = fmt.Fprintf(w, "  %s\t%s\t%s\t%d\t%s\n", r.Version, served, stored, r.Written, verdict)
		for _, b := range r.Blockers[min(1, len(r.Blockers)):] {
			_, _ = fmt.Fprintf(w, "  \t\t\t\tno: %s\n", b)
		}
	}
	return w.Flush()
}

func newStorageRun(streams Streams) *cobra.Command {
	var in clusterFlags
	var o storage.Options
	cmd := &cobra.Command{
		Use:   "run <definitions>",
		Short: "Write all objects in the storage version, and drop the others from storedVersions",
		Long: `Run makes the API server store each object of CustomResourceDefinitions again, in
the storage version. The objects do not change. When all objects are written, run
removes the other versions from status.storedVersions.

Versions that are not served can still be in metadata.managedFields. Run moves
these entries to a served version, because API servers refuse a server-side apply
of objects that name a removed version.

You can stop run at any time. The next run goes on there, if the definition has
not changed. Run can be used while clients write the objects.

If the API server refuses to write an object, for example because it is invalid,
run prints its name and the reason, writes the others, and leaves
status.storedVersions as it is. Repair the object and run again: run writes only
what is left. The exit code is 1 then.

Where the API server has StorageVersionMigrations (by default from Kubernetes
1.37), run lets it do the work.`,
		Example: `  kindsmith storage run orders.shop.example.com
  kindsmith storage run orders.shop.example.com --rate 200
  kindsmith storage run $(kubectl get crd -o name | grep shop.example.com | cut -d/ -f2)`,
		Args:              some("CustomResourceDefinition"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, names []string) error {
			return onEach(cmd.Context(), streams, in, o, names, (*storage.Cluster).Run, printResult)
		},
	}
	in.add(cmd)
	rateFlag(cmd, &o)
	return cmd
}

func newStorageDetach(streams Streams) *cobra.Command {
	var in clusterFlags
	var o storage.Options
	cmd := &cobra.Command{
		Use:   "detach <definitions>",
		Short: "Make definitions independent of their conversion webhook, to uninstall it",
		Long: `Detach prepares CustomResourceDefinitions for a cluster without their conversion
webhook. Like run, it writes all objects in the storage version. Then it stops
serving the other versions, and sets the conversion strategy None. Objects stay
readable and writable in the storage version. Clients of other versions get an
error.

Without detach, API servers cannot read objects in other versions once the
webhook is gone, and cannot delete them either.

If the API server refuses to write an object, the definition stays as it is, and
the exit code is 1. To serve the versions again, apply the definition.`,
		Example: `  kindsmith storage detach orders.shop.example.com
  kindsmith storage detach orders.shop.example.com customers.shop.example.com`,
		Args:              some("CustomResourceDefinition"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, names []string) error {
			return onEach(cmd.Context(), streams, in, o, names, (*storage.Cluster).Detach, printDetached)
		},
	}
	in.add(cmd)
	rateFlag(cmd, &o)
	return cmd
}

func printDetached(out Stream, name string, r *storage.Result) error {
	err := printResult(out, name, r)
	if err == nil && len(r.Failures) == 0 {
		_, err = fmt.Fprintf(out, "%s: serves %s only, without a conversion webhook\n", name, r.Storage)
	}
	return err
}

func rateFlag(cmd *cobra.Command, o *storage.Options) {
	cmd.Flags().Float64Var(&o.Rate, "rate", storage.DefaultRate, "write at most this `number` of objects a second")
}

// onEach migrates definitions by one of the methods that do, and shows each result.
func onEach(ctx context.Context, streams Streams, in clusterFlags, o storage.Options, names []string,
	migrate func(*storage.Cluster, context.Context, string, storage.Options) (*storage.Result, error), show func(Stream, string, *storage.Result) error,
) error {
	if o.Rate <= 0 {
		return errors.New("--rate must be more than 0")
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends a request that hangs
	c, err := in.cluster()
	if err != nil {
		return err
	}
	blocked := false
	var failed []error
	for _, name := range names {
		bar := newBar(streams.Err, name)
		o.Progress = bar.show
		r, err := migrate(c, ctx, name, o)
		bar.clear()
		switch {
		case err != nil && ctx.Err() != nil:
			return fmt.Errorf("%s: stopped; run the command again to go on", name)
		case err != nil:
			failed = append(failed, err)
			continue
		}
		if err := show(streams.Out, name, r); err != nil {
			return err
		}
		blocked = blocked || len(r.Failures) > 0
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	if blocked {
		return errDiagnostics
	}
	return nil
}

func printResult(out Stream, name string, r *storage.Result) error {
	for _, f := range r.Failures {
		if _, err := fmt.Fprintf(out, "%s %s: error: %v\n", name, f, f.Err); err != nil {
			return err
		}
	}
	var done string
	switch {
	case r.Migrator != "":
		done = "the API server wrote all objects in " + r.Storage
	case r.Done+len(r.Failures) == 0:
		done = "all objects are stored in " + r.Storage
	default:
		done = fmt.Sprintf("wrote %s in %s", diag.Count(r.Done, "object", "objects"), r.Storage)
		if r.Resumed > 0 {
			done += fmt.Sprintf(", %d of them in an earlier run", r.Resumed)
		}
	}
	if r.Fields > 0 {
		done += ", and moved the managedFields of " + diag.Count(r.Fields, "object", "objects") + " to a served version"
	}
	if n := len(r.Failures); n > 0 {
		_, err := fmt.Fprintf(out, "%s: %s, and the API server refused %d; storedVersions is still %s. Repair what it refused, and run the command again.\n",
			name, done, n, strings.Join(r.Stored, ", "))
		return err
	}
	_, err := fmt.Fprintf(out, "%s: %s; storedVersions is %s\n", name, done, strings.Join(r.Stored, ", "))
	return err
}

// The times between two reports of the progress, on a terminal and in a log.
const (
	barInterval = 100 * time.Millisecond
	logInterval = 30 * time.Second
)

// bar shows the progress of a migration: a bar on a terminal, and a line from time to time in a log.
type bar struct {
	stream  Stream
	name    string
	next    time.Time // of the next report
	visible bool
}

func newBar(s Stream, name string) *bar {
	if s.Terminal {
		return &bar{stream: s, name: name, next: time.Now().Add(progressDelay)}
	}
	return &bar{stream: s, name: name, next: time.Now().Add(logInterval)}
}

func (b *bar) show(p storage.Progress) {
	now := time.Now()
	if now.Before(b.next) {
		return
	}
	text := fmt.Sprintf("%d of %d", p.Done, p.Total)
	if p.Failed > 0 {
		text += fmt.Sprintf(", %d failed", p.Failed)
	}
	if !b.stream.Terminal {
		b.next = now.Add(logInterval)
		_, _ = fmt.Fprintf(b.stream, "%s: %s\n", b.name, text)
		return
	}
	b.next = now.Add(barInterval)
	const columns = 30
	full := columns * p.Done / max(p.Total, 1)
	line := fmt.Sprintf("%s [%s%s] %s", b.name, strings.Repeat("=", full), strings.Repeat(" ", columns-full), text)
	if width := b.stream.Width; width > 0 && len(line) >= width {
		line = line[:width-1] // clear cannot remove a wrapped line
	}
	_, _ = fmt.Fprint(b.stream, clearLine+line)
	b.visible = true
}

func (b *bar) clear() {
	if b.visible {
		_, _ = fmt.Fprint(b.stream, clearLine)
	}
}
