// Command kindsmith-apiserver runs a kube-apiserver with an embedded etcd in one process, to try and test APIs:
//
//	kindsmith-apiserver -dir STATE -kubeconfig FILE [-port PORT] [-- KUBE-APISERVER-FLAG...]
//
// There are no nodes and no controllers: objects are stored, validated, converted and watched, and no pod runs.
//
// It listens on loopback only, by default on a port the system picks. It writes the
// kubeconfig once the server is ready and custom resources can be created, so a
// caller only has to wait for that file. The kubeconfig is JSON, which is YAML
// too, and carries everything needed to connect: address, CA and a bearer token
// of the group system:masters.
//
// It stops on SIGINT, on SIGTERM and when its standard input ends: it therefore also
// stops if the process that started it dies. When run by hand, it needs a terminal or
// an open pipe as standard input.
//
// If the variables KINDSMITH_STEPS_URL and KINDSMITH_STEPS_TOKEN are set, it posts what admission does with custom resources to
// the address, with the token: see package steps. kindsmith dev sets them.
//
// Logs go to standard error. The exit code is 0 after a requested stop, 1 when
// something failed, 2 for a wrong command line.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// stopDeadline limits a graceful stop. A hanging request, such as one that waits for a
// webhook, would otherwise delay the stop for a minute.
const stopDeadline = 10 * time.Second

func main() {
	dir := flag.String("dir", "", "directory for the state; created when missing, kept on exit")
	kubeconfig := flag.String("kubeconfig", "", "file to write once the server is ready")
	port := flag.Int("port", 0, "port on 127.0.0.1; 0 picks one that is free")
	flag.Parse()
	if *dir == "" || *kubeconfig == "" {
		fmt.Fprintln(os.Stderr, "kindsmith-apiserver: -dir and -kubeconfig are required")
		flag.Usage()
		os.Exit(2)
	}

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	ctx = cancelAtEOF(ctx, os.Stdin)
	context.AfterFunc(ctx, func() {
		time.AfterFunc(stopDeadline, func() {
			fmt.Fprintf(os.Stderr, "kindsmith-apiserver: did not stop within %s, giving up\n", stopDeadline)
			os.Exit(1)
		})
	})

	err := run(ctx, *dir, *kubeconfig, *port, flag.Args())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "kindsmith-apiserver:", err)
		os.Exit(1)
	}
}

// cancelAtEOF returns a context that is cancelled when r ends or cannot be read.
func cancelAtEOF(ctx context.Context, r io.Reader) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		// An unreadable input counts as one that ended: nobody is there.
		_, _ = io.Copy(io.Discard, r)
	}()
	return ctx
}

// enterStateDir makes dir the working directory, so that every file of the
// server has a short relative name: the path of a unix socket may have about
// 100 bytes, and test directories are often longer. It returns kubeconfig as an
// absolute path, meant relative to where the process was.
func enterStateDir(dir, kubeconfig string) (string, error) {
	kubeconfig, err := filepath.Abs(kubeconfig)
	if err != nil {
		return "", err
	}
	// An old kubeconfig would mean that this server is ready.
	if err := os.Remove(kubeconfig); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	return kubeconfig, os.Chdir(dir)
}
