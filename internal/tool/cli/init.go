package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/project"
	"github.com/kindsmith/kindsmith/internal/tool/scaffold"
	"github.com/kindsmith/kindsmith/internal/tool/wiring"
)

// initFlags are the flags of `kindsmith init`.
type initFlags struct {
	request                      scaffold.Request
	edit, dryRun, agree, offline bool
}

func newInit(streams Streams) *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Prepare a project for kindsmith, or start one",
		Long: `Init adds to the module of the current folder what it lacks: kindsmith.yaml, a
module for the tool, Makefile targets, a line for go generate, and a check in
GitHub Actions. It adds the tool with go get -tool, or prints the command. With
--group and --kind it also writes the source of a kind, and with --module a new
module.

In a Makefile that runs controller-gen, as kubebuilder writes it, init replaces
controller-gen.

With --webhook it also writes a manager that serves the webhooks of all kinds,
its manifests, a Dockerfile, and settings for the manifests that generate
writes: a Service, certificates, a chart. In a project that has a manager, init
shows the lines that the source of the manager lacks, also after a new kind or
version.

Init first shows what it is going to do, and asks on a terminal. It writes only
files that do not exist. Changes of existing files are shown, and made with
--edit. A second run changes nothing.`,
		Example: `  kindsmith init
  kindsmith init --dry-run
  kindsmith init --module example.com/shop --group shop.example.com --kind Order
  kindsmith init --group shop.example.com --kind Order --webhook
  kindsmith init --edit --yes`,
		Args:              none,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return initialise(cmd.InOrStdin(), streams, f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.request.Module, "module", "", "the `path` of a new module")
	flags.StringVar(&f.request.Group, "group", "", "the API `group` of a new kind, such as shop.example.com")
	flags.StringVar(&f.request.Version, "version", "v1", "the `version` of a new kind")
	flags.StringVar(&f.request.Kind, "kind", "", "the `name` of a new kind, such as Order")
	flags.BoolVar(&f.request.Webhook, "webhook", false, "also write what runs webhooks: a manager, its manifests, and settings")
	flags.StringVar(&f.request.Release, "release", "", "the `version` of kindsmith that the project uses, such as v0.1.0; by default that of this program")
	flags.BoolVar(&f.edit, "edit", false, "also change existing files")
	flags.BoolVar(&f.dryRun, "dry-run", false, "write nothing; print a diff")
	flags.BoolVar(&f.offline, "offline", false, "do not run go get -tool; print the command")
	flags.BoolVarP(&f.agree, "yes", "y", false, "do not ask")
	return cmd
}

// initialise shows the plan for the current folder, and carries it out.
func initialise(in io.Reader, streams Streams, f initFlags) error {
	f.request.Files = source.NewFS(nil)
	if f.request.Release == "" {
		f.request.Release = release()
	}
	if f.request.Webhook {
		f.request.APIs = servedAPIs(streams.Err)
	}
	plan, err := scaffold.New(f.request)
	if err != nil {
		return err
	}
	changes := plan.New
	if f.edit {
		changes = slices.Concat(plan.New, plan.Edits)
	}
	if f.dryRun {
		_, err := streams.Out.Write(driver.Diff(slices.Concat(plan.New, plan.Edits)))
		return err
	}
	if err := show(streams.Err, plan, f); err != nil {
		return err
	}
	if len(changes) == 0 {
		plan.Next, plan.Trial = nil, ""
		return printNext(streams.Out, plan)
	}
	if !f.agree {
		if ok, err := confirm(in, streams, "Write these files?"); err != nil || !ok {
			return err
		}
	}
	if err := write(streams, &driver.Output{Files: changes}, false); err != nil {
		return err
	}
	get(plan, f.offline)
	return printNext(streams.Out, plan)
}

// get adds the tool to the project. If it cannot, the command remains to be run.
func get(plan *scaffold.Plan, offline bool) {
	if len(plan.Get) == 0 {
		return
	}
	if !offline {
		cmd := exec.Command("go", plan.Get...)
		cmd.Dir, cmd.Env = plan.Root, append(os.Environ(), "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err == nil {
			return
		}
		plan.Notes = append(plan.Notes, "The tool is not installed yet: "+strings.TrimSpace(string(out)))
	}
	plan.Next = slices.Insert(plan.Next, 0, plan.GetLine())
}

// show writes what a plan does.
func show(w io.Writer, plan *scaffold.Plan, flags initFlags) error {
	var b strings.Builder
	for _, f := range plan.New {
		b.WriteString("create " + f.Name + "\n")
	}
	for _, f := range plan.Edits {
		if flags.edit {
			b.WriteString("change " + f.Name + "\n")
		} else {
			b.WriteString(f.Name + " is yours; change it like this, or run kindsmith init --edit\n")
		}
	}
	b.Write(driver.Diff(plan.Edits))
	if len(plan.Get) > 0 && !flags.offline {
		b.WriteString("run " + plan.GetLine() + "\n")
	}
	if b.Len() == 0 {
		b.WriteString("the project has all that kindsmith needs\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// confirm asks a question on a terminal. Without one it is an error.
func confirm(in io.Reader, streams Streams, question string) (bool, error) {
	if file, ok := in.(*os.File); !ok || !streams.Err.Terminal || !term.IsTerminal(int(file.Fd())) {
		return false, fmt.Errorf("nothing is written without a terminal to ask at; add --yes")
	}
	return ask(in, streams.Err, question)
}

// ask asks a question that is answered with yes or no.
func ask(in io.Reader, out io.Writer, question string) (bool, error) {
	if _, err := fmt.Fprint(out, question+" [y/N] "); err != nil {
		return false, err
	}
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && err != io.EOF {
		return false, err
	}
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(answer))), nil
}

// printNext writes the remarks of a plan and the commands that follow it.
func printNext(w io.Writer, plan *scaffold.Plan) error {
	var b strings.Builder
	for _, note := range plan.Notes {
		b.WriteString("\n" + note + "\n")
	}
	if len(plan.Next) > 0 {
		b.WriteString("\nNext, run:\n  " + strings.Join(plan.Next, "\n  ") + "\n")
	}
	if plan.Trial != "" {
		b.WriteString("\nThen try the API on your machine:\n  " + plan.Trial + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// servedAPIs returns the groups of the project whose kinds a manager serves. Without packages there are none, and those with
// mistakes are reported by lint.
func servedAPIs(w io.Writer) []wiring.API {
	files, bag := source.NewFS(nil), &diag.Bag{}
	if _, ok := files.Above(".", "go.mod"); !ok {
		return nil
	}
	all := project.Default()
	if err := all.Read(files, "", func(*project.Option) bool { return false }, bag); err != nil {
		return nil
	}
	m, err := driver.Model(all.Model(files), bag)
	if err != nil {
		_, _ = fmt.Fprintf(w, "the kinds of the project are not known: %v\n", err)
		return nil
	}
	var apis []wiring.API
	for _, k := range emit.Kinds(m) {
		p := k.Lead().Package
		i := slices.IndexFunc(apis, func(a wiring.API) bool { return a.Package == p.Path })
		if i < 0 {
			i = len(apis)
			apis = append(apis, servedAPI(m, k.Group, p))
		}
		apis[i].Kinds = append(apis[i].Kinds, k.Name)
	}
	return apis
}

func servedAPI(m *model.Model, group string, newest *model.Package) wiring.API {
	a := wiring.API{Group: group, Package: newest.Path}
	for _, v := range newest.Versions {
		p := m.Package(v.Package)
		if p == nil || p.Hub != newest.Path {
			continue
		}
		a.Older = append(a.Older, p.Path)
		if a.Converts == "" && !model.Skips(p.Tags, model.PartConversion) {
			a.Converts = p.Path // its table has the steps of all later versions
		}
	}
	return a
}
