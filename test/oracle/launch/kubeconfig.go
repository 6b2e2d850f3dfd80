package launch

import (
	"encoding/json"
	"fmt"
	"os"
)

// readKubeconfig sets the server's address and credentials from its kubeconfig, which
// the server writes as JSON. It returns an error that wraps os.ErrNotExist if the file
// does not exist.
func (s *Server) readKubeconfig() error {
	data, err := os.ReadFile(s.Kubeconfig)
	if err != nil {
		return err
	}
	var config struct {
		Clusters []struct {
			Cluster struct {
				Server string `json:"server"`
				CA     []byte `json:"certificate-authority-data"`
			} `json:"cluster"`
		} `json:"clusters"`
		Users []struct {
			User struct {
				Token string `json:"token"`
			} `json:"user"`
		} `json:"users"`
	}
	if err := json.Unmarshal(data, &config); err != nil {
		return fmt.Errorf("%s: %w", s.Kubeconfig, err)
	}
	if len(config.Clusters) != 1 || len(config.Users) != 1 {
		return fmt.Errorf("%s: want one cluster and one user, have %d and %d",
			s.Kubeconfig, len(config.Clusters), len(config.Users))
	}
	s.URL = config.Clusters[0].Cluster.Server
	s.CA = config.Clusters[0].Cluster.CA
	s.Token = config.Users[0].User.Token
	return nil
}
