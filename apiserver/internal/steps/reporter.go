package steps

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"k8s.io/klog/v2"
)

// The variables that a program sets to get the steps. The server sends them to the address, with the token.
const (
	URLEnv   = "KINDSMITH_STEPS_URL"
	TokenEnv = "KINDSMITH_STEPS_TOKEN"
)

// The limits of what waits to be sent.
const (
	// mostWaiting is the number of steps that wait.
	mostWaiting = 1024
	// mostBatch is the size of what is sent at once. The last step may be beyond it.
	mostBatch = 8 << 20
	// sendTime is how long the receiver may take for it.
	sendTime = 5 * time.Second
)

// Reporter sends steps, in order. One that is nil sends nothing.
type Reporter struct {
	url, token string
	waiting    chan Step
}

// FromEnv returns the reporter that the variables of this process describe; nil if they are not set.
func FromEnv() *Reporter {
	if os.Getenv(URLEnv) == "" {
		return nil
	}
	return New(os.Getenv(URLEnv), os.Getenv(TokenEnv))
}

// New returns a reporter that posts arrays of steps to an address, with a bearer token.
func New(url, token string) *Reporter {
	return &Reporter{url: url, token: token, waiting: make(chan Step, mostWaiting)}
}

// send queues a step. If the receiver is slow, the request waits for it, so that no step is missing.
func (r *Reporter) send(ctx context.Context, s Step) {
	select {
	case r.waiting <- s:
	case <-ctx.Done():
	}
}

// Run sends steps until the context is done. It sends an empty array first, which says that steps will follow.
func (r *Reporter) Run(ctx context.Context) {
	client := &http.Client{Timeout: sendTime}
	batch := []Step{}
	for {
		if err := r.post(ctx, client, batch); err != nil && ctx.Err() == nil {
			klog.ErrorS(err, "Steps of admission are not reported", "steps", len(batch))
		}
		batch = batch[:0]
		size := 0
		add := func(s Step) {
			batch = append(batch, s)
			size += len(s.Old) + len(s.Before) + len(s.After)
		}
		select {
		case <-ctx.Done():
			return
		case s := <-r.waiting:
			add(s)
		}
		for more := true; more && size < mostBatch && len(batch) < mostWaiting; {
			select {
			case s := <-r.waiting:
				add(s)
			default:
				more = false
			}
		}
	}
}

func (r *Reporter) post(ctx context.Context, client *http.Client, batch []Step) error {
	body, err := json.Marshal(batch)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+r.token)
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusNoContent {
		return fmt.Errorf("POST %s: %s", r.url, answer.Status)
	}
	return nil
}
