package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"time"

	"k8s.io/client-go/rest"
)

// credentials are the credentials of a server and of its administrator. They are
// generated at each start and valid only for this server.
type credentials struct {
	ca    []byte // PEM of the certificate that signed the server's
	token string // bearer token of the administrator

	certFile, keyFile string // the server's certificate
	tokenFile         string // static token file, for the administrator
	accountKeyFile    string // key that signs service account tokens
}

// newCredentials makes credentials and writes the files the server reads.
func newCredentials() (*credentials, error) {
	c := &credentials{
		token:          rand.Text(),
		certFile:       "server.crt",
		keyFile:        "server.key",
		tokenFile:      "tokens.csv",
		accountKeyFile: "service-account.key",
	}
	if err := c.certify(); err != nil {
		return nil, err
	}
	// Fields: token, user name, user id, groups.
	user := fmt.Sprintf("%s,kindsmith-admin,kindsmith-admin,system:masters\n", c.token)
	if err := os.WriteFile(c.tokenFile, []byte(user), 0o600); err != nil {
		return nil, err
	}
	_, err := newKey(c.accountKeyFile)
	return c, err
}

// certify generates a CA, whose key it discards, and a server certificate for loopback
// that the CA signs. It uses elliptic-curve keys because generating RSA keys takes up
// to a second.
func (c *credentials) certify() error {
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	now := time.Now()
	ca := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "kindsmith-apiserver-ca"},
		NotBefore:             now.Add(-time.Minute),
		NotAfter:              now.AddDate(1, 0, 0),
		KeyUsage:              x509.KeyUsageCertSign,
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	caDER, err := x509.CreateCertificate(rand.Reader, ca, ca, caKey.Public(), caKey)
	if err != nil {
		return err
	}
	serverKey, err := newKey(c.keyFile)
	if err != nil {
		return err
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2),
		Subject:      pkix.Name{CommonName: "kube-apiserver"},
		NotBefore:    ca.NotBefore,
		NotAfter:     ca.NotAfter,
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		DNSNames:     []string{"localhost", "kubernetes.default.svc"},
	}
	serverDER, err := x509.CreateCertificate(rand.Reader, server, ca, serverKey.Public(), caKey)
	if err != nil {
		return err
	}
	c.ca = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: caDER})
	return os.WriteFile(c.certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: serverDER}), 0o600)
}

// newKey makes a private key and writes it to file as PEM.
func newKey(file string) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return key, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), 0o600)
}

// restConfig returns a configuration for clients that act as the administrator.
func (c *credentials) restConfig(url string) *rest.Config {
	return &rest.Config{
		Host:            url,
		BearerToken:     c.token,
		TLSClientConfig: rest.TLSClientConfig{CAData: c.ca},
	}
}
