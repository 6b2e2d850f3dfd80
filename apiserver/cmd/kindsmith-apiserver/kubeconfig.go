package main

import (
	"encoding/json"
	"fmt"
	"os"

	clientcmdv1 "k8s.io/client-go/tools/clientcmd/api/v1"
)

// writeKubeconfig atomically writes a kubeconfig for the administrator to file, because
// the file's existence means that the server is ready.
func (c *credentials) writeKubeconfig(file, url string) error {
	const name = "kindsmith"
	data, err := json.MarshalIndent(clientcmdv1.Config{
		Kind:           "Config",
		APIVersion:     "v1",
		CurrentContext: name,
		Clusters: []clientcmdv1.NamedCluster{{
			Name:    name,
			Cluster: clientcmdv1.Cluster{Server: url, CertificateAuthorityData: c.ca},
		}},
		AuthInfos: []clientcmdv1.NamedAuthInfo{{
			Name:     name,
			AuthInfo: clientcmdv1.AuthInfo{Token: c.token},
		}},
		Contexts: []clientcmdv1.NamedContext{{
			Name:    name,
			Context: clientcmdv1.Context{Cluster: name, AuthInfo: name, Namespace: "default"},
		}},
	}, "", "  ")
	if err != nil {
		return err
	}
	partial := file + ".partial"
	if err := os.WriteFile(partial, data, 0o600); err != nil {
		return fmt.Errorf("write the kubeconfig: %w", err)
	}
	return os.Rename(partial, file)
}
