package authority_test

import (
	"bytes"
	"crypto/x509"
	"strings"
	"testing"
	"time"

	"github.com/kindsmith/kindsmith/webhook/internal/authority"
)

var start = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func first(t *testing.T) *authority.State {
	t.Helper()
	s, err := authority.New("webhooks.shop", start)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// verify checks a leaf of a signer against a bundle, at a time.
func verify(t *testing.T, by *authority.Signer, bundle []byte, made, now time.Time) error {
	t.Helper()
	leaf, err := by.Leaf([]string{"webhooks.shop.svc", "127.0.0.1"}, made, 7*24*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if !by.Signed(leaf.Leaf) {
		t.Error("the signer does not know its leaf")
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle)
	for _, name := range []string{"webhooks.shop.svc", "127.0.0.1"} {
		if _, err := leaf.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: name, CurrentTime: now}); err != nil {
			return err
		}
	}
	return nil
}

// TestRotation moves through two rotations. All leaves that may be in use are verified by the bundle
// before and after each step, and the bundle changes twice in a rotation.
func TestRotation(t *testing.T) {
	s := first(t)
	bundle, changes := s.Bundle(), 0
	now := start
	signers := []*authority.Signer{s.Current}
	move := func(next *authority.State, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, signer := range signers {
			if err := verify(t, signer, next.Bundle(), now, now); err != nil {
				t.Errorf("a leaf that is in use: %v", err)
			}
		}
		if s = next; !bytes.Equal(bundle, s.Bundle()) {
			bundle, changes = s.Bundle(), changes+1
		}
	}
	for range 2 {
		now = now.Add(time.Hour)
		move(s.Rotate("webhooks.shop", now))
		if again, err := s.Rotate("webhooks.shop", now); err != nil || again != s {
			t.Errorf("a rotation in a rotation: %v", err)
		}
		now = now.Add(time.Hour)
		until := now.Add(48 * time.Hour)
		signers = append(signers, s.Next)
		move(s.Promote(until), nil)
		if s.Drop(until.Add(-time.Second)) != s {
			t.Error("dropped too early")
		}
		old := signers[0]
		now, signers = until, signers[1:]
		move(s.Drop(now), nil)
		if err := verify(t, old, s.Bundle(), now, now); err == nil {
			t.Error("the bundle has an authority that was dropped")
		}
	}
	if changes != 4 {
		t.Errorf("the bundle changes %d times in two rotations", changes)
	}
}

// TestQuickRotations begins a second rotation before the first is over.
func TestQuickRotations(t *testing.T) {
	s := first(t)
	a := s.Current
	s, _ = s.Rotate("x", start)
	s = s.Promote(start.Add(time.Hour))
	b := s.Current
	s, _ = s.Rotate("x", start.Add(time.Minute))
	s = s.Promote(start.Add(2 * time.Hour))
	s = s.Drop(start.Add(90 * time.Minute))
	for _, signer := range []*authority.Signer{a, b, s.Current} {
		if err := verify(t, signer, s.Bundle(), start, start); err != nil {
			t.Error(err)
		}
	}
}

// TestClocks verifies leaves by clocks that differ from the signer's.
func TestClocks(t *testing.T) {
	s := first(t)
	for _, skew := range []time.Duration{-10 * time.Minute, 10 * time.Minute} {
		if err := verify(t, s.Current, s.Bundle(), start.Add(skew), start); err != nil {
			t.Errorf("%s: %v", skew, err)
		}
		if err := verify(t, s.Current, s.Bundle(), start, start.Add(skew)); err != nil {
			t.Errorf("%s: %v", skew, err)
		}
	}
}

func TestRenewal(t *testing.T) {
	s := first(t)
	if s.Due(start.Add(3 * 365 * 24 * time.Hour)) {
		t.Error("due after 3 years")
	}
	if !s.Due(start.Add(4 * 365 * 24 * time.Hour)) {
		t.Error("not due after 4 years")
	}
	// A leaf never outlives its authority.
	leaf, err := s.Current.Leaf([]string{"a"}, start.Add(5*365*24*time.Hour-time.Hour), 7*24*time.Hour)
	if err != nil || leaf.Leaf.NotAfter.After(s.Current.Cert.NotAfter) {
		t.Error(leaf.Leaf.NotAfter, err)
	}
}

func TestData(t *testing.T) {
	s := first(t)
	states := []*authority.State{s}
	s, _ = s.Rotate("x", start)
	states = append(states, s)
	s = s.Promote(start.Add(time.Hour))
	states = append(states, s)
	for i, want := range states {
		data, err := want.Data()
		if err != nil {
			t.Fatal(err)
		}
		got, err := authority.Parse(data)
		if err != nil {
			t.Fatal(i, err)
		}
		if !bytes.Equal(got.Bundle(), want.Bundle()) || !got.Until.Equal(want.Until) || (got.Next == nil) != (want.Next == nil) {
			t.Errorf("%d: %+v", i, got)
		}
		if err := verify(t, got.Current, want.Bundle(), start, start); err != nil {
			t.Errorf("%d: %v", i, err)
		}
	}
	if s, err := authority.Parse(map[string][]byte{"other": nil}); s != nil || err != nil {
		t.Errorf("no state: %v, %v", s, err)
	}
	valid, _ := states[1].Data()
	other, _ := first(t).Data()
	for name, tc := range map[string]struct {
		key, value, want string
	}{
		"text":        {"ca.crt", "text", "ca.crt: there is no certificate in PEM"},
		"no key":      {"ca.key", "", "ca.crt and ca.key"},
		"other's key": {"ca.key", string(other["ca.key"]), "private key does not match"},
		"next":        {"next.key", string(other["ca.key"]), "next.crt and next.key"},
		"previous":    {"previous.crt", "text", "previous.crt"},
		"until":       {"previous.crt", string(other["ca.crt"]), "previous-until"},
	} {
		data := map[string][]byte{tc.key: []byte(tc.value)}
		for k, v := range valid {
			if k != tc.key {
				data[k] = v
			}
		}
		if _, err := authority.Parse(data); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
