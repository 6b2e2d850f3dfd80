// Package authority is the certificate authority of a webhook server that manages its own
// certificates: its states, and the leaves that it signs. It reads no clock and stores nothing.
//
// [New] begins, [Parse] reads a stored [State]; an error says what is wrong with the data.
//
// Replicas share one State. A rotation moves it in steps, so that every certificate in use is always
// verified by the published bundle:
//
//	state                      bundle
//	Current A                  A
//	Current A, Next B          A B      published, and waited for
//	Current B, Previous A      A B      the same bytes: nothing is written
//	Current B                  B        after the last leaf of A has ended
//
// Parse and State.Data convert a state from and to the data of a Secret, and State.Bundle returns what
// API servers have to trust. State.Rotate, State.Promote and State.Drop return the next state.
package authority

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"slices"
	"time"
)

const (
	// caLife is how long an authority is valid.
	caLife = 5 * 365 * 24 * time.Hour
	// skew is how far the clocks of others may be behind.
	skew = time.Hour
)

// The keys of a Secret's data.
const (
	currentCert, currentKey = "ca.crt", "ca.key"
	nextCert, nextKey       = "next.crt", "next.key"
	previousCerts           = "previous.crt"
	previousUntil           = "previous-until"
)

// A State is what replicas share. States are immutable.
type State struct {
	// Current signs leaves.
	Current *Signer
	// Next is published and signs nothing yet; nil unless a rotation has begun.
	Next *Signer
	// Previous signed leaves that may be in use, until a time.
	Previous []*x509.Certificate
	Until    time.Time
}

// A Signer is a certificate of an authority with its key.
type Signer struct {
	Cert *x509.Certificate
	key  crypto.Signer
}

// New returns a first state, with a new authority. The name is for people who read the certificate.
func New(name string, now time.Time) (*State, error) {
	current, err := newSigner(name, now)
	return &State{Current: current}, err
}

// Rotate returns the state with a next authority; the state itself if it has one.
func (s *State) Rotate(name string, now time.Time) (*State, error) {
	if s.Next != nil {
		return s, nil
	}
	next, err := newSigner(name, now)
	if err != nil {
		return nil, err
	}
	out := *s
	out.Next = next
	return &out, nil
}

// Promote returns the state in which the next authority signs, and the one before is published until a
// time. API servers must trust the next one already.
func (s *State) Promote(until time.Time) *State {
	return &State{Current: s.Next, Previous: append(slices.Clone(s.Previous), s.Current.Cert), Until: until}
}

// Drop returns the state without previous authorities, once their time is over; before, the state itself.
func (s *State) Drop(now time.Time) *State {
	if len(s.Previous) == 0 || now.Before(s.Until) {
		return s
	}
	return &State{Current: s.Current, Next: s.Next}
}

// Due reports whether two thirds of the life of the current authority are over.
func (s *State) Due(now time.Time) bool { return !now.Before(RenewAt(s.Current.Cert)) }

// RenewAt returns when two thirds of a certificate's life are over.
func RenewAt(cert *x509.Certificate) time.Time {
	return cert.NotBefore.Add(cert.NotAfter.Sub(cert.NotBefore) / 3 * 2)
}

// Bundle returns the certificates that API servers have to trust, as PEM, the oldest first.
func (s *State) Bundle() []byte {
	all := append(slices.Clone(s.Previous), s.Current.Cert)
	if s.Next != nil {
		all = append(all, s.Next.Cert)
	}
	slices.SortStableFunc(all, func(a, b *x509.Certificate) int {
		if c := a.NotBefore.Compare(b.NotBefore); c != 0 {
			return c
		}
		return bytes.Compare(a.Raw, b.Raw)
	})
	return certsPEM(all)
}

// Data returns the data of a Secret.
func (s *State) Data() (map[string][]byte, error) {
	data := map[string][]byte{}
	for _, of := range []struct {
		signer    *Signer
		cert, key string
	}{{s.Current, currentCert, currentKey}, {s.Next, nextCert, nextKey}} {
		if of.signer == nil {
			continue
		}
		der, err := x509.MarshalPKCS8PrivateKey(of.signer.key)
		if err != nil {
			return nil, err
		}
		data[of.cert] = certsPEM([]*x509.Certificate{of.signer.Cert})
		data[of.key] = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	}
	if len(s.Previous) > 0 {
		data[previousCerts] = certsPEM(s.Previous)
		data[previousUntil] = []byte(s.Until.UTC().Format(time.RFC3339))
	}
	return data, nil
}

// Parse returns the state in the data of a Secret; nil if it has none.
func Parse(data map[string][]byte) (*State, error) {
	if len(data[currentCert]) == 0 && len(data[currentKey]) == 0 {
		return nil, nil
	}
	s := &State{}
	var err error
	if s.Current, err = parseSigner(data, currentCert, currentKey); err != nil {
		return nil, err
	}
	if len(data[nextCert]) > 0 {
		if s.Next, err = parseSigner(data, nextCert, nextKey); err != nil {
			return nil, err
		}
	}
	if len(data[previousCerts]) > 0 {
		if s.Previous, err = parseCerts(data[previousCerts]); err != nil {
			return nil, fmt.Errorf("%s: %w", previousCerts, err)
		}
		if s.Until, err = time.Parse(time.RFC3339, string(data[previousUntil])); err != nil {
			return nil, fmt.Errorf("%s: %w", previousUntil, err)
		}
	}
	return s, nil
}

func parseSigner(data map[string][]byte, certName, keyName string) (*Signer, error) {
	certs, err := parseCerts(data[certName])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", certName, err)
	}
	pair, err := tls.X509KeyPair(data[certName], data[keyName]) // also compares the two
	if err != nil {
		return nil, fmt.Errorf("%s and %s: %w", certName, keyName, err)
	}
	key, ok := pair.PrivateKey.(crypto.Signer)
	if !ok || !certs[0].IsCA {
		return nil, fmt.Errorf("%s is not the certificate of an authority", certName)
	}
	return &Signer{certs[0], key}, nil
}

func parseCerts(text []byte) ([]*x509.Certificate, error) {
	var certs []*x509.Certificate
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			break
		}
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		certs = append(certs, cert)
	}
	if len(certs) == 0 {
		return nil, errors.New("there is no certificate in PEM")
	}
	return certs, nil
}

func certsPEM(certs []*x509.Certificate) []byte {
	var b bytes.Buffer
	for _, cert := range certs {
		_ = pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: cert.Raw}) // a buffer takes everything
	}
	return b.Bytes()
}

func newSigner(name string, now time.Time) (*Signer, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template, err := template(now, caLife)
	if err != nil {
		return nil, err
	}
	// Authorities have different names, because verifiers look for the issuer by its name first.
	template.Subject = pkix.Name{CommonName: fmt.Sprintf("%s %x", name, template.SerialNumber.Bytes()[:4])}
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	cert, err := sign(template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	return &Signer{cert, key}, nil
}

// Leaf returns a serving certificate for host names and addresses, with a new key.
func (s *Signer) Leaf(names []string, now time.Time, life time.Duration) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template, err := template(now, life)
	if err != nil {
		return nil, err
	}
	if template.NotAfter.After(s.Cert.NotAfter) {
		template.NotAfter = s.Cert.NotAfter
	}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	template.KeyUsage, template.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	cert, err := sign(template, s.Cert, key.Public(), s.key)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{cert.Raw}, PrivateKey: key, Leaf: cert}, nil
}

// Signed reports whether an authority signed a certificate.
func (s *Signer) Signed(leaf *x509.Certificate) bool { return leaf.CheckSignatureFrom(s.Cert) == nil }

// template returns what all certificates have. Their life begins early, for clocks that are behind.
func template(now time.Time, life time.Duration) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, err
	}
	serial.SetBit(serial, 126, 1) // all bytes are there
	return &x509.Certificate{SerialNumber: serial, NotBefore: now.Add(-skew), NotAfter: now.Add(life)}, nil
}

func sign(template, parent *x509.Certificate, public crypto.PublicKey, key crypto.Signer) (*x509.Certificate, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, public, key)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}

// Owns reports whether a key of a Secret's data is one of a state.
func Owns(key string) bool {
	return slices.Contains([]string{currentCert, currentKey, nextCert, nextKey, previousCerts, previousUntil}, key)
}
