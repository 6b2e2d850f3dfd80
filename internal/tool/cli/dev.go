package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/client-go/rest"

	"github.com/kindsmith/kindsmith/internal/tool/dev"
	"github.com/kindsmith/kindsmith/internal/tool/dev/apiserver"
	"github.com/kindsmith/kindsmith/internal/tool/dev/cluster"
	"github.com/kindsmith/kindsmith/internal/tool/dev/hooks"
	"github.com/kindsmith/kindsmith/internal/tool/dev/kubeconfig"
	"github.com/kindsmith/kindsmith/internal/tool/dev/requests"
	"github.com/kindsmith/kindsmith/internal/tool/dev/state"
	"github.com/kindsmith/kindsmith/internal/tool/dev/workbench"
)

// devFlags are the flags of `kindsmith dev`.
type devFlags struct {
	*settings
	dir, kubeconfig, context, webhookAddress, run string
	port                                          int
	restore, thisCluster                          bool
	ui                                            bool
	uiAddress                                     string
}

func newDev(streams Streams) *cobra.Command {
	var f devFlags
	cmd := &cobra.Command{
		Use:   "dev [packages]",
		Short: "Serve an API on a local API server, and update it after each change",
		Long: `Dev starts a kube-apiserver on this machine, generates the code and the
CustomResourceDefinitions of the packages, by default ./..., applies them, and
converts objects between versions. It does so again after each change of a
source file. kubectl works for everything but pods, because there are no nodes.

If your source has a mistake, dev prints it and keeps serving the API as it was.
If stored objects break a new definition, dev names them.

Dev takes the first kube-apiserver that it finds: in $KUBEBUILDER_ASSETS, in
bin/k8s of the project, as kindsmith-apiserver in $PATH or in your cache folder,
or where setup-envtest has installed one. If there is none, dev builds
kindsmith-apiserver into the cache folder, which takes minutes, once.

Objects are gone when dev ends, unless --dir names a folder for them.

Dev prints the address of a page with the requests of kubectl and other clients,
why the API server refuses them, and the objects. Clients that use the
kubeconfig of dev are shown there. Only this machine reaches the page.

With --run, dev also runs a command, such as a manager, and runs it again after
each change that compiles. The command has the variables KUBECONFIG,
WEBHOOK_PORT and WEBHOOK_CERT_DIR. The API server reaches its webhooks at this
port.

With --context, dev uses your cluster instead. Its API server then calls this
machine for conversions. When dev ends, the definitions stay, and get their
former webhooks back. If dev was killed, put the webhooks back with --restore.`,
		Example: `  kindsmith dev
  kindsmith dev ./api/... --dir .dev
  kindsmith dev --run 'go run ./cmd --webhook-cert-path=$WEBHOOK_CERT_DIR'
  kindsmith dev --context kind-shop
  kindsmith dev --context kind-shop --restore`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: folders,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.begin(cmd, args); err != nil {
				return err
			}
			if err := f.check(cmd); err != nil {
				return err
			}
			return serve(cmd.Context(), streams, &f)
		},
	}
	f.settings = newSettings(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.dir, "dir", "", "keep the objects in this `folder`, by default in a temporary one; one dev at a time uses a folder")
	flags.IntVar(&f.port, "port", 0, "`port` of the kube-apiserver on 127.0.0.1 (default any)")
	flags.StringVar(&f.kubeconfig, "kubeconfig", "", "also add the server to this kubeconfig `file` while dev runs; with --context, the file with the context, by default that of $KUBECONFIG or ~/.kube/config")
	flags.StringVar(&f.run, "run", "", "run this `command`, such as a manager, and run it again after each change")
	flags.StringVar(&f.context, "context", "", "use the cluster of this `context` of the kubeconfig, instead of a new kube-apiserver")
	flags.StringVar(&f.webhookAddress, "webhook-address", "", "with --context, the `host` or host:port at which the cluster's API server reaches this machine")
	flags.BoolVar(&f.thisCluster, "yes-this-cluster", false, "use a cluster whose context is not of "+strings.Join(kubeconfig.Local(), ", "))
	flags.BoolVar(&f.ui, "ui", true, "serve the page with requests and objects")
	flags.StringVar(&f.uiAddress, "ui-address", "127.0.0.1:0", "`host:port` of the page, on the loopback interface; port 0 is any")
	flags.BoolVar(&f.restore, "restore", false, "with --context, put back the webhooks that a killed dev has replaced, and end")
	must(cmd.MarkFlagDirname("dir"))
	must(cmd.MarkFlagFilename("kubeconfig"))
	return cmd
}

// check returns mistakes in the command line.
func (f *devFlags) check(cmd *cobra.Command) error {
	for _, name := range []string{"webhook-address", "yes-this-cluster", "restore"} {
		if cmd.Flags().Changed(name) && f.context == "" {
			return fmt.Errorf("--%s is for a cluster of yours; name it with --context", name)
		}
	}
	for _, name := range []string{"dir", "port"} {
		if cmd.Flags().Changed(name) && f.context != "" {
			return fmt.Errorf("--%s is for a new kube-apiserver, and --context names one that runs; remove one of them", name)
		}
	}
	if f.port < 0 || f.port > 65535 {
		return fmt.Errorf("--port %d is not between 1 and 65535", f.port)
	}
	if !f.ui && cmd.Flags().Changed("ui-address") {
		return errors.New("--ui-address is for the page, which --ui=false leaves out; remove one of them")
	}
	if err := workbench.Loopback(f.uiAddress); err != nil {
		return fmt.Errorf("--ui-address: %w", err)
	}
	if f.context != "" && !f.thisCluster && !kubeconfig.IsLocal(f.context) {
		return fmt.Errorf("the context %s may be of a cluster that others use: dev changes its CustomResourceDefinitions, and makes its API server call this machine. "+
			"Contexts of %s need no more; for this one, add --yes-this-cluster", f.context, strings.Join(kubeconfig.Local(), ", "))
	}
	return nil
}

// serve serves the packages until the user ends it.
func serve(ctx context.Context, streams Streams, f *devFlags) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends it at once
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	err := serveUntil(ctx, fail, streams, f)
	if ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)) {
		return nil // the user wants it
	}
	return err
}

// place is where an API is served.
type place struct {
	config *rest.Config
	// dir is the folder for files of this run.
	dir *state.Dir
	// kubeconfig is what programs and users use.
	kubeconfig string
	// listen and host are where webhooks listen, and where the API server reaches them.
	listen, host string
	// about says which server it is.
	about string
	// page is the address of the page; "" for none.
	page string
	// steps gets what the API server reports of admission; nil if nothing does.
	steps *requests.Receiver
	// end stops it.
	end func() error
}

func serveUntil(ctx context.Context, fail context.CancelCauseFunc, streams Streams, f *devFlags) (err error) {
	begin := time.Now()
	session := &dev.Session{Out: streams.Out}
	generator := &devGenerator{streams: streams, flags: f}
	if f.restore {
		return restore(ctx, session, f)
	}
	dir, err := state.Open(ctx, f.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	built := make(chan *dev.Build, 1)
	if f.run != "" {
		if session.Program, err = f.program(streams, dir.Path); err != nil {
			return err
		}
		generator.program = session.Program
	}
	session.Generate = generator.run
	go func() { built <- generator.run(ctx) }() // while the server starts
	open := f.own
	if f.context != "" {
		open = f.existing
	}
	at, err := open(ctx, fail, session, dir)
	if err != nil {
		return errors.Join(err, (<-built).Drop())
	}
	defer func() { err = errors.Join(err, at.end()) }()
	if f.ui {
		page, err := f.page(at)
		if err != nil {
			return errors.Join(err, (<-built).Drop())
		}
		defer func() { err = errors.Join(err, page.Close()) }()
		session.Notice, at.page = page.Reload, page.URL()
	}
	if f.kubeconfig != "" && f.context == "" {
		remove, err := kubeconfig.Add(f.kubeconfig, at.kubeconfig, apiserver.Name)
		if err != nil {
			return errors.Join(err, (<-built).Drop())
		}
		defer func() { err = errors.Join(err, remove()) }()
	}
	if session.Cluster, err = cluster.New(at.config); err != nil {
		return err
	}
	session.Cluster.Keep = f.context != ""
	if session.Hooks, err = hooks.Listen(at.listen, at.host); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Hooks.Close()) }()
	session.Cluster.Webhook = cluster.Webhook{URL: "https://" + withPort(at.host, session.Hooks.Port()), Bundle: session.Hooks.Cert}
	session.Say("%s (%.1fs)", at.about, time.Since(begin).Seconds())
	if session.Cluster.Keep {
		defer func() { err = errors.Join(err, putBack(session, f)) }()
	}
	if session.Program != nil {
		session.Program.Kubeconfig = at.kubeconfig
		if err := dev.WriteCertificate(session.Program.CertDir, session.Hooks.Cert, session.Hooks.Key); err != nil {
			return err
		}
		defer session.Program.Stop()
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	first := <-built
	if first.Err != nil {
		return first.Err
	}
	err = session.Run(ctx, first, func() {
		session.Say("ready in %.1fs; press Ctrl-C to end", time.Since(begin).Seconds())
		_, _ = fmt.Fprint(streams.Out, generator.next(at, f))
	})
	if ctx.Err() != nil {
		session.Say("ending")
	}
	return err
}

// own starts a kube-apiserver.
func (f *devFlags) own(ctx context.Context, fail context.CancelCauseFunc, session *dev.Session, dir *state.Dir) (*place, error) {
	programs, err := apiserver.Find(ctx, apiserver.Search{Version: release(), Notice: func(text string) { session.Say("%s", text) }})
	if err != nil {
		return nil, err
	}
	options := apiserver.Options{Programs: programs, Dir: dir.Path, Lock: dir.Lock(), Port: f.port}
	end := func() error { return nil }
	var steps *requests.Receiver
	if f.ui { // clients connect to the page's proxy
		options.Port = 0
		if steps, err = requests.Receive(); err != nil {
			return nil, err
		}
		options.Env, end = steps.Env(), steps.Close
	}
	server, err := apiserver.Start(ctx, options)
	if err != nil {
		return nil, errors.Join(err, end())
	}
	go func() {
		if err := <-server.Ended(); err != nil {
			fail(&dev.ServerError{Err: err})
		}
	}()
	at := &place{
		config: server.Config, dir: dir, kubeconfig: server.Kubeconfig, listen: "127.0.0.1:0", host: "127.0.0.1",
		about: "kube-apiserver " + server.Version + " is ready", end: func() error { server.Stop(); return end() },
		steps: steps,
	}
	return at, nil
}

// page starts the page, and makes the kubeconfig that of its proxy.
func (f *devFlags) page(at *place) (*workbench.Workbench, error) {
	page, err := workbench.Start(workbench.Options{
		Address: f.uiAddress, Clients: net.JoinHostPort("127.0.0.1", strconv.Itoa(f.port)), Config: at.config,
		About: strings.TrimSuffix(at.about, " is ready"), Kubeconfig: at.kubeconfig, Steps: at.steps,
	})
	if err != nil {
		return nil, err
	}
	if err := kubeconfig.Redirect(at.kubeconfig, page.Proxy.URL(), page.Proxy.Cert, page.Proxy.Token); err != nil {
		return nil, errors.Join(err, page.Close())
	}
	return page, nil
}

// existing uses the cluster of a context.
func (f *devFlags) existing(ctx context.Context, _ context.CancelCauseFunc, _ *dev.Session, dir *state.Dir) (*place, error) {
	config, err := kubeconfig.Config(f.kubeconfig, f.context)
	if err != nil {
		return nil, err
	}
	at := &place{config: config, dir: dir, kubeconfig: filepath.Join(dir.Path, "kubeconfig"), about: "the cluster of the context " + f.context, end: func() error { return nil }}
	if at.listen, at.host, err = kubeconfig.Address(ctx, f.context, config.Host, f.webhookAddress); err != nil {
		return nil, err
	}
	return at, kubeconfig.Extract(f.kubeconfig, f.context, at.kubeconfig)
}

// withPort adds a port to a host that has none.
func withPort(host string, port int) string {
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		host = "[" + host + "]"
	}
	return fmt.Sprintf("%s:%d", host, port)
}

// putBackTime is how long the end of dev may take.
const putBackTime = 30 * time.Second

// putBack restores what this run has replaced in a cluster.
func putBack(session *dev.Session, f *devFlags) error {
	ctx, cancel := context.WithTimeout(context.Background(), putBackTime)
	defer cancel()
	restored, err := session.Cluster.Restore(ctx, true)
	if len(restored) > 0 {
		session.Say("restored the webhooks of %s", strings.Join(restored, ", "))
	}
	if err != nil {
		return fmt.Errorf("%w\nTo restore the webhooks, run kindsmith dev --restore --context %s", err, f.context)
	}
	return nil
}

// restore restores what earlier runs have replaced in a cluster.
func restore(ctx context.Context, session *dev.Session, f *devFlags) error {
	config, err := kubeconfig.Config(f.kubeconfig, f.context)
	if err != nil {
		return err
	}
	c, err := cluster.New(config)
	if err != nil {
		return err
	}
	restored, err := c.Restore(ctx, false)
	if len(restored) > 0 {
		session.Say("restored the webhooks of %s", strings.Join(restored, ", "))
	} else if err == nil {
		session.Say("there is nothing to restore")
	}
	return err
}

// program is what --run names.
func (f *devFlags) program(streams Streams, dir string) (*dev.Program, error) {
	wd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return &dev.Program{Command: f.run, Dir: wd, CertDir: filepath.Join(dir, "certs"), Out: dev.Prefixed(streams.Err, "run | ")}, nil
}
