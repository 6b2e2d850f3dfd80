package launch

import "path/filepath"

// Env returns the variables to add to the environment of a kubectl that is to
// talk to this server. Besides the kubeconfig, they keep out what belongs to
// the user: preferences, and what kubectl remembers about servers, which it
// tells apart by host and port although another server may have had that port.
func (s *Server) Env() []string {
	return []string{
		"KUBECONFIG=" + s.Kubeconfig,
		"KUBECACHEDIR=" + filepath.Join(filepath.Dir(s.Kubeconfig), "kubectl-cache"),
		"KUBERC=off",
	}
}
