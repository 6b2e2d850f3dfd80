package main

import (
	"context"
	"fmt"
	"net"
	"strconv"

	"golang.org/x/sync/errgroup"
)

// run starts etcd and the API server with state in dir, writes kubeconfig when they are
// ready, and serves until ctx is done. A requested stop is not an error; any other end
// of the server is.
func run(ctx context.Context, dir, kubeconfig string, port int, flags []string) error {
	if err := setVersion(); err != nil {
		return err
	}
	kubeconfig, err := enterStateDir(dir, kubeconfig)
	if err != nil {
		return fmt.Errorf("prepare the state directory: %w", err)
	}
	creds, err := newCredentials()
	if err != nil {
		return fmt.Errorf("make credentials: %w", err)
	}
	store, err := startEtcd()
	if err != nil {
		return fmt.Errorf("start etcd: %w", err)
	}
	defer store.Close()
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return err
	}
	url := "https://" + listener.Addr().String()

	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return watchEtcd(ctx, store) })
	group.Go(func() error {
		if err := serve(ctx, listener, creds, flags); err != nil {
			return fmt.Errorf("kube-apiserver: %w", err)
		}
		return nil
	})
	group.Go(func() error {
		if err := waitReady(ctx, creds.restConfig(url)); err != nil {
			if ctx.Err() != nil {
				return nil // stopped before it was ready; the cause is reported elsewhere
			}
			return fmt.Errorf("wait until ready: %w", err)
		}
		return creds.writeKubeconfig(kubeconfig, url)
	})
	return group.Wait()
}
