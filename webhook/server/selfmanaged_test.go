package server_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/kindsmith/kindsmith/webhook/server"
)

const week = 7 * 24 * time.Hour

// replica is a server with certificates of its own, whose clock the test sets.
type replica struct {
	*server.Server
	t   *testing.T
	now time.Time
	api *api
	log bytes.Buffer
}

// newReplica returns a replica. The next authority signs in the second look after it was published.
func newReplica(t *testing.T, a *api) *replica {
	r := &replica{t: t, api: a, now: time.Now()}
	m := &server.SelfManaged{Namespace: "shop", Secret: "ca", Service: "webhooks", MutatingWebhooks: []string{"hooks"}, Overlap: time.Nanosecond}
	r.Server = server.New(server.Options{Certificates: m, Config: a.config(), Conversions: ofA(t), Metrics: prometheus.NewRegistry(), Log: slog.New(slog.NewTextHandler(&r.log, nil)), Now: func() time.Time { return r.now }})
	return r
}

// look looks once. The replica must be ready then.
func (r *replica) look() {
	r.t.Helper()
	if err := server.Look(r.t.Context(), r.Server); err != nil {
		r.t.Errorf("not ready: %v", err)
	}
}

// leaf returns the serving certificate.
func (r *replica) leaf() *x509.Certificate {
	return server.Serving(r.Server)
}

// trusted fails the test unless the definition verifies the serving certificate.
func (r *replica) trusted() {
	r.t.Helper()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(r.api.bundle())
	if _, err := r.leaf().Verify(x509.VerifyOptions{Roots: roots, DNSName: "webhooks.shop.svc", CurrentTime: r.now}); err != nil {
		r.t.Errorf("API servers do not trust a replica: %v", err)
	}
}

func (a *api) annotate() {
	a.change(secretPath, func(object map[string]any) {
		object["metadata"].(map[string]any)["annotations"] = map[string]any{server.RotateAnnotation: "now", "other": "kept"}
	})
}

// TestOneAuthority starts replicas at once without a Secret, and with an empty one.
func TestOneAuthority(t *testing.T) {
	for _, empty := range []bool{false, true} {
		a := newAPI(t)
		if empty {
			a.put(secretPath, map[string]any{"kind": "Secret", "metadata": map[string]any{"name": "ca", "labels": map[string]any{"app": "shop"}}, "data": map[string]any{"other": "eA=="}})
		}
		var group sync.WaitGroup
		var replicas []*replica
		for range 8 {
			replicas = append(replicas, newReplica(t, a))
		}
		for _, r := range replicas {
			group.Add(1)
			go func() {
				defer group.Done()
				// A write of another replica can be first. Each look of one succeeds.
				for range 8 {
					if server.Look(context.Background(), r.Server) == nil {
						return
					}
				}
				t.Errorf("a replica is not ready:\n%s", r.log.String())
			}()
		}
		group.Wait()
		for _, r := range replicas {
			r.look()
			r.trusted()
		}
		if n := a.written(secretPath); n != 1 {
			t.Errorf("empty %v: the Secret is written %d times", empty, n)
		}
		if n := strings.Count(string(a.bundle()), "BEGIN"); n != 1 {
			t.Errorf("empty %v: there are %d authorities", empty, n)
		}
		if n, m := a.written(definitionPath), a.written(configurationPath); n != 1 || m != 1 {
			t.Errorf("empty %v: the definition is written %d times, the configuration %d times", empty, n, m)
		}
		if secret := a.objects[secretPath]; empty && (secret["data"].(map[string]any)["other"] != "eA==" || secret["metadata"].(map[string]any)["labels"] == nil) {
			t.Errorf("what others wrote is lost: %v", secret)
		}
	}
}

// TestRotations rotates with replicas that look in turn, some of them late. API servers trust all of them at
// each moment, and each rotation writes the definition twice.
func TestRotations(t *testing.T) {
	a := newAPI(t)
	r1, r2 := newReplica(t, a), newReplica(t, a)
	both := func() {
		t.Helper()
		for _, r := range []*replica{r1, r2} {
			r.look()
			r1.trusted()
			r2.trusted()
		}
	}
	r1.look()
	r2.look()
	both()
	a.written(definitionPath)
	first := r1.leaf()
	for range 3 {
		a.annotate()
		for range 5 {
			both()
		}
		if !signed(first, a.bundle()) || strings.Count(string(a.bundle()), "BEGIN") != 2 {
			t.Error("the previous authority is not published")
		}
		late := r2.now
		for r1.now = r1.now.Add(week + 25*time.Hour); late.Before(r1.now); late = late.Add(24 * time.Hour) {
			r2.now = late
			both()
		}
		r2.now = r1.now
		both()
		if n := a.written(definitionPath); n != 2 {
			t.Errorf("a rotation writes the definition %d times", n)
		}
		if n := strings.Count(string(a.bundle()), "BEGIN"); n != 1 {
			t.Errorf("%d authorities are left", n)
		}
		if !signed(r1.leaf(), a.bundle()) || signed(first, a.bundle()) {
			t.Error("the new authority does not sign")
		}
		first = r1.leaf()
	}
	if other := a.objects[secretPath]["metadata"].(map[string]any)["annotations"].(map[string]any)["other"]; other != "kept" {
		t.Errorf("an annotation of others is %v", other)
	}
}

// signed reports whether an authority of a bundle signed a certificate.
func signed(cert *x509.Certificate, bundle []byte) bool {
	return slices.ContainsFunc(server.Certs(bundle), func(ca *x509.Certificate) bool { return cert.CheckSignatureFrom(ca) == nil })
}

// TestBehind has a replica that read the Secret before a rotation, and the definition after it: it does not
// take back what the other has published.
func TestBehind(t *testing.T) {
	a := newAPI(t)
	r1, r2 := newReplica(t, a), newReplica(t, a)
	r1.look()
	r2.look()
	a.annotate()
	once := atomic.Bool{}
	a.before = func(r *http.Request) {
		if r.Method == http.MethodGet && r.URL.Path == secretPath && !once.Swap(true) {
			r1.look() // r2 has read the definition
			r1.look()
		}
	}
	r2.look()
	a.before = nil
	if n := strings.Count(string(a.bundle()), "BEGIN"); n != 2 {
		t.Errorf("the definition has %d authorities", n)
	}
	r1.trusted()
	r2.trusted()
}

// TestOverlap has targets that the next authority does not reach: it never signs.
func TestOverlap(t *testing.T) {
	for name, status := range map[string]int{"forbidden": http.StatusForbidden, "an error": http.StatusInternalServerError} {
		a := newAPI(t)
		r := newReplica(t, a)
		r.look()
		before := r.leaf()
		a.annotate()
		refuse := true
		a.before = func(req *http.Request) {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.status = 0
			if refuse && req.Method == http.MethodGet && req.URL.Path == definitionPath {
				a.status = status
			}
		}
		for range 5 {
			_ = server.Look(t.Context(), r.Server)
		}
		if r.leaf() != before {
			t.Errorf("%s: the next authority signs, and the definition does not have it", name)
		}
		refuse = false
		for range 5 {
			r.look()
		}
		if r.leaf() == before {
			t.Errorf("%s: the rotation does not go on", name)
		}
		r.trusted()
	}
}

// TestLeafRenewal renews serving certificates: nothing is written.
func TestLeafRenewal(t *testing.T) {
	a := newAPI(t)
	r := newReplica(t, a)
	r.look()
	r.look()
	a.written(definitionPath)
	a.written(secretPath)
	for range 5 {
		before := r.leaf()
		r.now = r.now.Add(week / 2)
		r.look()
		r.now = r.now.Add(week / 4)
		r.look()
		if r.leaf() == before {
			t.Error("the certificate is not renewed")
		}
	}
	if n, m := a.written(definitionPath), a.written(secretPath); n != 0 || m != 0 {
		t.Errorf("the definition is written %d times, the Secret %d times", n, m)
	}
}

// TestSecretDeleted deletes the Secret: it is created again, with the same authority.
func TestSecretDeleted(t *testing.T) {
	a := newAPI(t)
	r1, r2 := newReplica(t, a), newReplica(t, a)
	r1.look()
	r2.look()
	a.written(definitionPath)
	a.delete(secretPath)
	r2.look()
	r1.look()
	r1.trusted()
	r2.trusted()
	if n := a.written(definitionPath); n != 0 {
		t.Errorf("the definition is written %d times", n)
	}
	// An unreadable Secret is reported, and the certificate is kept.
	a.change(secretPath, func(object map[string]any) { object["data"] = map[string]any{"ca.crt": "eA==", "ca.key": "eA=="} })
	r1.look()
	if text := r1.log.String(); !strings.Contains(text, "secret shop/ca") || !strings.Contains(text, "delete the Secret") {
		t.Errorf("the log:\n%s", text)
	}
	fresh := newReplica(t, a)
	if err := server.Look(t.Context(), fresh.Server); err == nil {
		t.Error("a replica without a certificate is ready")
	}
	// A bundle that somebody removed is written again.
	a.delete(secretPath)
	a.change(definitionPath, func(object map[string]any) {
		delete(object["spec"].(map[string]any)["conversion"].(map[string]any)["webhook"].(map[string]any)["clientConfig"].(map[string]any), "caBundle")
	})
	r1.look()
	r1.trusted()
}

// TestReady has definitions that the server cannot serve.
func TestReady(t *testing.T) {
	a := newAPI(t)
	expect := func(r *replica, want string) {
		t.Helper()
		err := server.Look(t.Context(), r.Server)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("ready: %v, want %q", err, want)
		}
	}
	r := newReplica(t, a)
	if err := r.StartedChecker()(nil); err == nil {
		t.Error("ready before it looked")
	}
	a.served = nil
	expect(r, "does not serve the kind A of the group a.example.com")
	a.served = []string{"v1", "v2", "v3"}
	for range 3 {
		expect(r, "customresourcedefinition as.a.example.com: it serves v2, v3, and this server converts only v1")
	}
	a.served = []string{"v1"}
	expect(r, "")
	// It stays ready if a version is added, and if the API server restarts: the others convert still.
	for _, served := range [][]string{{"v1", "v2"}, nil} {
		a.served = served
		expect(r, "")
	}
	a.status = http.StatusInternalServerError
	expect(r, "")
	expect(newReplica(t, a), "there is no certificate yet")
	a.status, a.served = 0, []string{"v1", "v2"}
	expect(newReplica(t, a), "it serves v2")
	// The bundle is somebody else's, and may not be written.
	a.served = []string{"v1"}
	other, files := newAPI(t), newReplica(t, a)
	expect(newReplica(t, other), "")
	expect(files, "")
	a.change(definitionPath, func(object map[string]any) { object["spec"] = other.objects[definitionPath]["spec"] })
	a.before = func(req *http.Request) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.status = 0
		if req.Method == http.MethodPatch {
			a.status = http.StatusConflict
		}
	}
	expect(files, "customresourcedefinition as.a.example.com: its caBundle does not verify the serving certificate")
}

// TestBundle prints the bundle for people: it is that of the replicas.
func TestBundle(t *testing.T) {
	a := newAPI(t)
	m := &server.SelfManaged{Namespace: "shop", Secret: "ca", Service: "webhooks"}
	bundle, err := m.Bundle(t.Context(), a.config())
	if err != nil {
		t.Fatal(err)
	}
	newReplica(t, a).look()
	if !bytes.Equal(bundle, a.bundle()) {
		t.Errorf("%s, want %s", bundle, a.bundle())
	}
	if _, err := (&server.SelfManaged{}).Bundle(t.Context(), a.config()); err == nil {
		t.Error("mistakes are not reported")
	}
}
