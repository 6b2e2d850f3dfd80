// Package kubeconfig reads and changes kubeconfigs, and knows how clusters on this machine reach it.
//
// [Config] reads a context, [Add] writes one, and [Address] says how its API server reaches this machine.
package kubeconfig

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// local are the contexts of clusters that only one developer uses.
var local = []struct {
	prefix string
	// exact is set if the context has no more than the prefix.
	exact bool
	// host is how containers of the cluster call this machine.
	host string
	// network is the network of containers whose gateway is this machine on Linux; "" for none.
	network string
}{
	{prefix: "kind-", host: "host.docker.internal", network: "kind"},
	{prefix: "k3d-", host: "host.k3d.internal"},
	{prefix: "minikube", exact: true, host: "host.minikube.internal"},
	{prefix: "docker-desktop", exact: true, host: "host.docker.internal"},
}

// Local returns the contexts, or how they begin, of clusters that only one developer uses.
func Local() (names []string) {
	for _, l := range local {
		name := l.prefix
		if !l.exact {
			name += "*"
		}
		names = append(names, name)
	}
	return names
}

// IsLocal reports whether a context is of such a cluster.
func IsLocal(name string) bool {
	for _, l := range local {
		if name == l.prefix || !l.exact && strings.HasPrefix(name, l.prefix) {
			return true
		}
	}
	return false
}

func loader(file, name string) clientcmd.ClientConfig {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = file
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: name})
}

// Config returns how to connect to the cluster of a context. "" is the file of $KUBECONFIG or ~/.kube/config, and its current
// context.
func Config(file, name string) (*rest.Config, error) {
	config, err := loader(file, name).ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		return nil, errors.New("there is no kubeconfig; name one with --kubeconfig or $KUBECONFIG")
	}
	return config, err
}

// Extract writes a kubeconfig that has only one context.
func Extract(file, name, to string) error {
	raw, err := loader(file, name).RawConfig()
	if err != nil {
		return err
	}
	raw.CurrentContext = name
	if err := api.MinifyConfig(&raw); err != nil {
		return err
	}
	if err := api.FlattenConfig(&raw); err != nil {
		return err
	}
	return clientcmd.WriteToFile(raw, to)
}

// Redirect makes the current context of a kubeconfig that of a server with a token.
func Redirect(file, server string, authority []byte, token string) error {
	config, err := clientcmd.LoadFromFile(file)
	if err != nil {
		return err
	}
	at := config.Contexts[config.CurrentContext]
	if at == nil {
		return fmt.Errorf("%s has no current context", file)
	}
	config.Clusters[at.Cluster] = &api.Cluster{Server: server, CertificateAuthorityData: authority}
	config.AuthInfos[at.AuthInfo] = &api.AuthInfo{Token: token}
	return clientcmd.WriteToFile(*config, file)
}

// Add adds the only context of a kubeconfig to another file, and makes it the current one. remove takes it away again.
func Add(to, from, name string) (remove func() error, err error) {
	added, err := clientcmd.LoadFromFile(from)
	if err != nil {
		return nil, err
	}
	config, err := clientcmd.LoadFromFile(to)
	if errors.Is(err, os.ErrNotExist) {
		config, err = api.NewConfig(), nil
	}
	if err != nil {
		return nil, err
	}
	before := config.CurrentContext
	if before == name {
		before = ""
	}
	config.Clusters[name], config.AuthInfos[name], config.Contexts[name] = added.Clusters[name], added.AuthInfos[name], added.Contexts[name]
	config.CurrentContext = name
	if err := clientcmd.WriteToFile(*config, to); err != nil {
		return nil, err
	}
	return func() error { return removeContext(to, name, before) }, nil
}

func removeContext(from, name, before string) error {
	config, err := clientcmd.LoadFromFile(from)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	delete(config.Clusters, name)
	delete(config.AuthInfos, name)
	delete(config.Contexts, name)
	if config.CurrentContext == name {
		config.CurrentContext = before
	}
	return clientcmd.WriteToFile(*config, from)
}

// Address returns where to listen for the API server of a context, and the host under which it reaches this machine. wanted
// is a host, or host:port; "" finds out.
func Address(ctx context.Context, name, server, wanted string) (listen, host string, err error) {
	host, port := wanted, "0"
	if h, p, err := net.SplitHostPort(wanted); err == nil {
		host, port = h, p
	}
	if host == "" {
		if host, err = guess(ctx, name, server); err != nil {
			return "", "", fmt.Errorf("%w; name the host at which the API server reaches this machine with --webhook-address", err)
		}
	}
	bind := ""
	if ip, err := netip.ParseAddr(host); err == nil && (ip.IsLoopback() || isMine(ip)) {
		bind = ip.String()
	}
	return net.JoinHostPort(bind, port), host, nil
}

// guess returns the host under which the API server of a context may reach this machine.
func guess(ctx context.Context, name, server string) (string, error) {
	for _, l := range local {
		if name != l.prefix && (l.exact || !strings.HasPrefix(name, l.prefix)) {
			continue
		}
		if l.network == "" || runtime.GOOS != "linux" {
			return l.host, nil
		}
		out, err := exec.CommandContext(ctx, "docker", "network", "inspect", l.network, "--format", "{{range .IPAM.Config}}{{.Gateway}} {{end}}").Output()
		for gateway := range strings.FieldsSeq(string(out)) {
			if ip, err := netip.ParseAddr(gateway); err == nil && ip.Is4() {
				return gateway, nil
			}
		}
		return "", fmt.Errorf("docker does not say the gateway of the network %s: %w", l.network, err)
	}
	u, err := url.Parse(server)
	if err != nil {
		return "", err
	}
	// The address from which this machine reaches the API server. Nothing is sent.
	port := u.Port()
	if port == "" {
		port = "443"
	}
	c, err := (&net.Dialer{}).DialContext(ctx, "udp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return "", err
	}
	defer c.Close()
	return c.LocalAddr().(*net.UDPAddr).IP.String(), nil
}

// isMine reports whether an address is one of this machine.
func isMine(ip netip.Addr) bool {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return false
	}
	for _, a := range addresses {
		if prefix, err := netip.ParsePrefix(a.String()); err == nil && prefix.Addr() == ip {
			return true
		}
	}
	return false
}
