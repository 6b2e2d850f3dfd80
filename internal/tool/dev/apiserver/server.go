// Package apiserver finds, starts and stops a kube-apiserver with its own etcd.
//
// [Find] returns the programs, and installs them if there are none. [Start] runs them with state in a folder. They end with
// this process, however it ends.
package apiserver

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/cert"

	"github.com/kindsmith/kindsmith/internal/tool/dev/process"
)

// startTime is how long a server may take to be ready.
const startTime = 3 * time.Minute

// The times that programs have to stop. Kindsmith-apiserver stops within 10 s. If this process was killed, a separate
// kube-apiserver would wait for etcd, which is stopped at the same time.
const combinedTime, separateTime = 15 * time.Second, 3 * time.Second

// Name is the name of the server in kubeconfigs.
const Name = "kindsmith"

// Server is a running server.
type Server struct {
	// Config connects to it as an administrator.
	Config *rest.Config
	// Kubeconfig is a file for kubectl, and Log what the server logs.
	Kubeconfig, Log string
	// Version is the release of Kubernetes, such as v1.37.2.
	Version string

	// processes are in the order in which they started.
	processes []*process.Process
	log, lock *os.File
	env       []string
	// gone is closed when the first of them has ended.
	gone chan struct{}
	once sync.Once
}

// Options configure a server.
type Options struct {
	// Programs are the server's.
	Programs *Programs
	// Dir is the folder for its state, kubeconfig and log.
	Dir string
	// Lock is a file that the server has open as long as it runs; nil for none.
	Lock *os.File
	// Port is the port on 127.0.0.1; 0 is any.
	Port int
	// Env are variables for kindsmith-apiserver.
	Env []string
}

// Start starts a server and returns when it is ready. An error has what the server logged last.
func Start(ctx context.Context, o Options) (*Server, error) {
	p, port := o.Programs, o.Port
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	state := filepath.Join(dir, "state")
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, err
	}
	if port != 0 {
		if err := unused(port); err != nil {
			return nil, err
		}
	}
	s := &Server{lock: o.Lock, env: o.Env, gone: make(chan struct{}), Kubeconfig: filepath.Join(dir, "kubeconfig"), Log: filepath.Join(dir, "apiserver.log")}
	// That of an earlier server would mean that this one is ready.
	if err := os.Remove(s.Kubeconfig); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if s.log, err = os.Create(s.Log); err != nil {
		return nil, err
	}
	begin := s.combined
	if p.Combined == "" {
		begin = s.separate
	}
	if err = begin(p, state, port); err == nil {
		err = s.await(ctx)
	}
	if err == nil {
		return s, nil
	}
	s.Stop()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("kube-apiserver (%s): %w; the end of %s:\n%s", p.From, err, s.Log, tail(s.Log, 15))
}

// unused returns an error if something listens on a port.
func unused(port int) error {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("port %d is in use; choose another with --port, or leave it to kindsmith: %w", port, err)
	}
	return l.Close()
}

// Ended returns a channel that gets the reason if the server ends by itself, and is closed when Stop was called.
func (s *Server) Ended() <-chan error {
	ended := make(chan error, 1)
	go func() {
		defer close(ended)
		<-s.gone
		if !slices.ContainsFunc(s.processes, (*process.Process).Stopped) {
			ended <- fmt.Errorf("kube-apiserver ended; the end of %s:\n%s", s.Log, tail(s.Log, 15))
		}
	}()
	return ended
}

// Stop stops the server and returns when its processes are gone. Its state stays.
func (s *Server) Stop() {
	for i := len(s.processes) - 1; i >= 0; i-- {
		s.processes[i].Stop()
	}
	_ = s.log.Close()
}

func (s *Server) run(grace time.Duration, args ...string) error {
	p, err := process.Start(process.Command{Args: args, Env: s.env, Output: s.log, Hold: s.lock, Grace: grace})
	if err != nil {
		return err
	}
	s.processes = append(s.processes, p)
	go func() {
		<-p.Done()
		s.once.Do(func() { close(s.gone) })
	}()
	return nil
}

// combined starts kindsmith-apiserver, which writes the kubeconfig.
func (s *Server) combined(p *Programs, state string, port int) error {
	return s.run(combinedTime, p.Combined, "-dir", state, "-kubeconfig", s.Kubeconfig, "-port", strconv.Itoa(port))
}

// separate starts the programs of a release.
func (s *Server) separate(p *Programs, state string, port int) error {
	ports, err := freePorts(3)
	if err != nil {
		return err
	}
	if port == 0 {
		port = ports[0]
	}
	local := func(port int) string { return "http://127.0.0.1:" + strconv.Itoa(port) }
	if err := s.run(separateTime, p.Etcd, "--data-dir="+filepath.Join(state, "etcd"), "--unsafe-no-fsync", "--logger=zap", "--log-level=error",
		"--listen-client-urls="+local(ports[1]), "--advertise-client-urls="+local(ports[1]),
		"--listen-peer-urls="+local(ports[2]), "--initial-advertise-peer-urls="+local(ports[2]), "--initial-cluster=default="+local(ports[2])); err != nil {
		return err
	}
	c, err := newCredentials(state)
	if err != nil {
		return err
	}
	if err := s.run(separateTime, p.APIServer, "--etcd-servers="+local(ports[1]), "--bind-address=127.0.0.1", "--secure-port="+strconv.Itoa(port),
		"--tls-cert-file="+c.cert, "--tls-private-key-file="+c.key, "--token-auth-file="+c.tokens,
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-signing-key-file="+c.accountKey, "--service-account-key-file="+c.accountKey,
		"--authorization-mode=RBAC", "--service-cluster-ip-range=10.0.0.0/24", "--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none",
		"--shutdown-watch-termination-grace-period=100ms"); err != nil {
		return err
	}
	config := api.NewConfig()
	config.Clusters[Name] = &api.Cluster{Server: "https://127.0.0.1:" + strconv.Itoa(port), CertificateAuthorityData: c.bundle}
	config.AuthInfos[Name] = &api.AuthInfo{Token: c.token}
	config.Contexts[Name] = &api.Context{Cluster: Name, AuthInfo: Name, Namespace: metav1.NamespaceDefault}
	config.CurrentContext = Name
	return clientcmd.WriteToFile(*config, s.Kubeconfig)
}

// credentials are those of a server of separate programs.
type credentials struct {
	cert, key, tokens, accountKey string
	token                         string
	bundle                        []byte
}

func newCredentials(dir string) (*credentials, error) {
	c := &credentials{
		cert: filepath.Join(dir, "server.crt"), key: filepath.Join(dir, "server.key"), tokens: filepath.Join(dir, "tokens.csv"),
		accountKey: filepath.Join(dir, "service-account.key"), token: rand.Text(),
	}
	certificate, key, err := cert.GenerateSelfSignedCertKey("127.0.0.1", nil, []string{"localhost"})
	if err != nil {
		return nil, err
	}
	c.bundle = certificate
	account, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalECPrivateKey(account)
	if err != nil {
		return nil, err
	}
	for name, content := range map[string][]byte{
		c.cert: certificate, c.key: key,
		c.tokens:     []byte(c.token + ",kindsmith-admin,kindsmith-admin,system:masters\n"),
		c.accountKey: pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}),
	} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// freePorts returns ports of 127.0.0.1 that nothing uses.
func freePorts(n int) (ports []int, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// await returns when the server is ready, or has ended.
func (s *Server) await(ctx context.Context) error {
	limit := time.After(startTime)
	poll := time.NewTicker(25 * time.Millisecond)
	defer poll.Stop()
	var last error
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.gone:
			return errors.New("it ended before it was ready")
		case <-limit:
			return fmt.Errorf("it was not ready after %s: %w", startTime, last)
		case <-poll.C:
		}
		if last = s.ready(ctx); last == nil {
			return nil
		}
	}
}

// ready returns why the server cannot be used yet.
func (s *Server) ready(ctx context.Context) (err error) {
	if s.Config == nil {
		if _, err := os.Stat(s.Kubeconfig); err != nil {
			return err
		}
		if s.Config, err = clientcmd.BuildConfigFromFlags("", s.Kubeconfig); err != nil {
			return err
		}
		s.Config.QPS = -1
	}
	// Not package discovery, which has all kinds of Kubernetes.
	client, err := rest.HTTPClientFor(s.Config)
	if err != nil {
		return err
	}
	for _, path := range []string{"/readyz", "/api/v1/namespaces/default"} {
		if err := get(ctx, client, s.Config.Host+path, nil); err != nil {
			return err
		}
	}
	var v version.Info
	err = get(ctx, client, s.Config.Host+"/version", &v)
	s.Version = v.GitVersion
	return err
}

// get decodes the answer to a request, if into is not nil.
func get(ctx context.Context, client *http.Client, url string, into any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: %s", url, answer.Status)
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(answer.Body).Decode(into)
}

// tail returns the last lines of a file.
func tail(path string, n int) string {
	const most = 64 << 10
	f, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > most {
		_, _ = f.Seek(-most, io.SeekEnd)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
