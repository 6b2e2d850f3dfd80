package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"google.golang.org/grpc/grpclog"
)

// etcdSocket is where etcd listens, relative to the state directory. A socket
// in a private directory keeps the store, which has no authentication, out of
// reach of other users.
const etcdSocket = "etcd.sock"

// startEtcd starts a single etcd with its data under the working directory and
// returns once it serves. The caller closes it.
func startEtcd() (*embed.Etcd, error) {
	// Do not log a warning for each client of etcd that is closed before it is
	// connected; the API server has hundreds of these when it starts.
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, os.Stderr))

	cfg := embed.NewConfig()
	cfg.Name = "kindsmith"
	cfg.Dir = "etcd"
	cfg.LogLevel = "error"
	cfg.LogOutputs = []string{"stderr"}
	cfg.ListenClientUrls = []url.URL{{Scheme: "unix", Path: etcdSocket}}
	// The one member has no peers to listen for; the peer address it advertises
	// by default is only a name in its own membership list.
	cfg.ListenPeerUrls = nil
	cfg.InitialCluster = cfg.InitialClusterFromName(cfg.Name)
	// An election with one member need not wait: a tenth of a second is enough.
	cfg.TickMs = 10
	cfg.ElectionMs = 100
	// The last writes may be lost in a power failure. They are not if only the process ends.
	cfg.UnsafeNoFsync = true
	cfg.EnableGRPCGateway = false
	// Left at zero, every request would be traced and logged as a slow one.
	cfg.WarningUnaryRequestDuration = embed.DefaultWarningUnaryRequestDuration

	etcd, err := embed.StartEtcd(cfg)
	if err != nil {
		return nil, err
	}
	select {
	case <-etcd.Server.ReadyNotify():
		return etcd, nil
	case err = <-etcd.Err():
	case <-time.After(time.Minute):
		err = fmt.Errorf("not ready after a minute")
	}
	etcd.Close()
	return nil, err
}

// watchEtcd returns an error if etcd fails before ctx is done.
func watchEtcd(ctx context.Context, etcd *embed.Etcd) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-etcd.Err():
		return fmt.Errorf("etcd: %w", err)
	}
}
