// Command kindsmith-converter serves the conversion webhooks of CustomResourceDefinitions by plans, for APIs without a
// manager of their own, in any language:
//
//	kindsmith model --tables ./api/... > plans/shop.json
//	kindsmith-converter --plans=plans --cert-dir=/certs
//
// It reads plans again when they change.
package main

import (
	"context"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/kindsmith/kindsmith/cmd/kindsmith-converter/internal/plans"
	"github.com/kindsmith/kindsmith/webhook/server"
)

func main() { os.Exit(status()) }

// status runs the program and returns its exit code.
func status() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		return 2 // the flags have reported it
	case err != nil:
		fmt.Fprintln(os.Stderr, "kindsmith-converter:", err)
		return 1
	}
	return 0
}

// errUsage means that a flag is wrong.
var errUsage = errors.New("wrong flags")

// settings are the flags.
type settings struct {
	plans, address, certDir, kubeconfig string
	managed                             server.SelfManaged
	offline, printBundle                bool
	memory                              int64
	drain, reload                       time.Duration
}

func parse(args []string, stderr io.Writer) (*settings, error) {
	s := &settings{}
	f := flag.NewFlagSet("kindsmith-converter", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&s.plans, "plans", "", "`folder` of plans: files *.json that kindsmith model --tables and kindsmith plan write")
	f.StringVar(&s.address, "address", ":9443", "`address` to listen on")
	f.StringVar(&s.certDir, "cert-dir", "", "`folder` of tls.crt and tls.key, such as a mounted Secret of cert-manager")
	f.StringVar(&s.managed.Secret, "ca-secret", "", "`name` of the Secret for a certificate authority of its own, instead of --cert-dir")
	f.StringVar(&s.managed.Namespace, "namespace", os.Getenv("POD_NAMESPACE"), "`namespace` of --ca-secret and --service (default $POD_NAMESPACE)")
	f.StringVar(&s.managed.Service, "service", "", "`name` of the Service, for --ca-secret")
	f.Func("host", "host `name` or address in the certificates of --ca-secret besides those of the Service; can be repeated", func(host string) error {
		s.managed.Hosts = append(s.managed.Hosts, host)
		return nil
	})
	f.DurationVar(&s.managed.Overlap, "ca-overlap", 10*time.Minute, "`time` for which the next authority is published before it signs")
	f.BoolVar(&s.printBundle, "print-ca-bundle", false, "print the caBundle for definitions, and exit")
	f.StringVar(&s.kubeconfig, "kubeconfig", "", "kubeconfig `file` (default the service account of the pod)")
	f.BoolVar(&s.offline, "offline", false, "do not connect to the API server: ready means only that there is a certificate")
	f.Int64Var(&s.memory, "max-in-flight-bytes", 0, "`bytes` of memory for reviews (default 40 % of GOMEMLIMIT, or 256 MiB)")
	f.DurationVar(&s.drain, "drain", server.DefaultDrain, "`time` for which it answers after SIGTERM, and is not ready")
	f.DurationVar(&s.reload, "reload", 2*time.Second, "`time` between two looks at the plans")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		return nil, errUsage
	}
	var mistakes []error
	report := func(wrong bool, text string) {
		if wrong {
			mistakes = append(mistakes, errors.New(text))
		}
	}
	report(f.NArg() > 0, fmt.Sprintf("there are arguments besides flags: %q", f.Args()))
	report(s.plans == "" && !s.printBundle, "--plans is missing: name the folder of the plans")
	report((s.certDir == "") == (s.managed.Secret == ""), "set one of --cert-dir and --ca-secret")
	report(s.offline && s.managed.Secret != "", "--ca-secret needs the API server: drop --offline")
	report(s.printBundle && s.managed.Secret == "", "--print-ca-bundle needs --ca-secret; with --cert-dir the issuer of the files has the caBundle")
	return s, errors.Join(mistakes...)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parse(args, stderr)
	if err != nil {
		return err
	}
	var config *rest.Config
	if !s.offline {
		if config, err = clientcmd.BuildConfigFromFlags("", s.kubeconfig); err != nil {
			return fmt.Errorf("there is no API server: set --kubeconfig or --offline: %w", err)
		}
	}
	if s.printBundle {
		bundle, err := s.managed.Bundle(ctx, config)
		if err == nil {
			_, err = fmt.Fprintln(stdout, base64.StdEncoding.EncodeToString(bundle))
		}
		return err
	}
	log := slog.New(slog.NewJSONHandler(stderr, nil))
	conversions, sum, err := plans.Read(s.plans)
	if err != nil {
		return err
	}
	options := server.Options{
		Address: s.address, Certificates: server.Files{Dir: s.certDir}, Config: config, Conversions: conversions,
		MaxInFlightBytes: s.memory, Log: log, Drain: s.drain, Metrics: ctrlmetrics.Registry,
	}
	if s.managed.Secret != "" {
		options.Certificates = &s.managed
	}
	converter := server.New(options)
	go plans.Follow(ctx, s.plans, sum, s.reload, log, func(all []server.Conversion) error { return converter.SetConversions(all...) })
	return converter.Start(ctx)
}
