package serving

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// balancer sends connections to the replicas that are ready, in turn.
type balancer struct {
	listener net.Listener
	client   *http.Client

	mu       sync.Mutex
	backends map[string]bool // whether they are ready
	order    []string
	next     int
	clients  map[net.Conn]bool
}

func newBalancer(t *testing.T) *balancer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &balancer{listener: listener, backends: map[string]bool{}, clients: map[net.Conn]bool{}, client: &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true, // like a kubelet
	}}}
	stop := make(chan bool)
	t.Cleanup(func() {
		close(stop)
		listener.Close()
	})
	go b.accept()
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Millisecond):
				b.probe()
			}
		}
	}()
	return b
}

func (b *balancer) addr() string { return b.listener.Addr().String() }

func (b *balancer) add(addr string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.backends[addr] = false
	b.order = append(b.order, addr)
}

func (b *balancer) ready(addr string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.backends[addr]
}

func (b *balancer) probe() {
	b.mu.Lock()
	order := b.order
	b.mu.Unlock()
	for _, addr := range order {
		answer, err := b.client.Get("https://" + addr + "/readyz")
		if err == nil {
			answer.Body.Close()
		}
		b.mu.Lock()
		b.backends[addr] = err == nil && answer.StatusCode == http.StatusOK
		b.mu.Unlock()
	}
}

func (b *balancer) accept() {
	for {
		c, err := b.listener.Accept()
		if err != nil {
			return
		}
		go b.forward(c)
	}
}

// pick returns the ready replicas, the next in turn first.
func (b *balancer) pick() (addrs []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next++
	for i := range b.order {
		if addr := b.order[(i+b.next)%len(b.order)]; b.backends[addr] {
			addrs = append(addrs, addr)
		}
	}
	return addrs
}

// cut closes all connections: clients open new ones.
func (b *balancer) cut() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.clients {
		c.Close()
	}
}

// open remembers a connection until the returned function closes it.
func (b *balancer) open(c net.Conn) (closed func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clients[c] = true
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.clients, c)
		c.Close()
	}
}

func (b *balancer) forward(client net.Conn) {
	defer b.open(client)()
	for _, addr := range b.pick() {
		backend, err := net.Dial("tcp", addr)
		if err != nil {
			continue
		}
		defer backend.Close()
		go func() {
			_, _ = io.Copy(backend, client)
			_ = backend.(*net.TCPConn).CloseWrite()
		}()
		_, _ = io.Copy(client, backend)
		return
	}
}
