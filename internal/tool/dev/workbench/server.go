package workbench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

	"k8s.io/client-go/rest"
)

// server sends requests that the log does not show.
type server struct {
	client *http.Client
	host   string
}

func newServer(config *rest.Config) (*server, error) {
	config = rest.CopyConfig(config)
	config.WarningHandler, config.UserAgent = rest.NoWarnings{}, "kindsmith-workbench"
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	url, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, err
	}
	return &server{client: client, host: url.Scheme + "://" + url.Host + url.Path}, nil
}

// answer is an answer of the API server.
type answer struct {
	code    int
	content []byte
	header  http.Header
}

// send sends a request. kind is the media type of the content.
func (s *server) send(ctx context.Context, method, path, accept, kind string, content []byte) (*answer, error) {
	r, err := http.NewRequestWithContext(ctx, method, s.host+path, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", accept)
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	got, err := s.client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("the API server does not answer: %w", err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	return &answer{got.StatusCode, text, got.Header}, err
}

// mediaJSON is the media type of JSON.
const mediaJSON = "application/json"

func (s *server) get(ctx context.Context, path string) (*answer, error) {
	return s.send(ctx, http.MethodGet, path, mediaJSON, "", nil)
}
