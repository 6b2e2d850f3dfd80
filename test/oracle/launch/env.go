package launch

import "path/filepath"

// Env returns the environment variables for a kubectl that connects to this server.
// Besides the kubeconfig, they isolate kubectl from the user's preferences and from its
// discovery cache, which identifies servers by host and port although another server
// may have had that port.
func (s *Server) Env() []string {
	return []string{
		"KUBECONFIG=" + s.Kubeconfig,
		"KUBECACHEDIR=" + filepath.Join(filepath.Dir(s.Kubeconfig), "kubectl-cache"),
		"KUBERC=off",
	}
}
