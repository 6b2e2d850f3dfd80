package storage

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

// pages calls a function with the metadata of all objects after a continue token, page by page. The function may keep the token
// of the next page, which stays usable: for a token whose snapshot is gone, the API server returns another one that goes on after
// the same key.
func (c *Cluster) pages(ctx context.Context, d *Definition, token string, each func(*metav1.PartialObjectMetadataList) error) error {
	resource, err := d.through()
	if err != nil {
		return err
	}
	for {
		var list *metav1.PartialObjectMetadataList
		err := retry(ctx, func() (err error) {
			list, err = c.objects.Resource(resource).List(ctx, metav1.ListOptions{Limit: c.page, Continue: token})
			return err
		})
		if expired := (*apierrors.StatusError)(nil); apierrors.IsResourceExpired(err) && errors.As(err, &expired) && token != expired.ErrStatus.Continue {
			token = expired.ErrStatus.Continue
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: list the objects in %s: %w", d.Name, resource.Version, err)
		}
		if err := each(list); err != nil {
			return err
		}
		if token = list.Continue; token == "" {
			return nil
		}
	}
}

// retry calls a function until it succeeds or fails for good.
func retry(ctx context.Context, do func() error) error {
	backoff := wait.Backoff{Duration: 200 * time.Millisecond, Factor: 2, Jitter: 0.1, Steps: 5}
	for {
		err := do()
		if err == nil || !passing(err) || backoff.Steps == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(backoff.Step()):
		}
	}
}

// passing reports whether the same request may succeed later.
func passing(err error) bool {
	return !answered(err) || apierrors.IsServerTimeout(err) || apierrors.IsTimeout(err) || apierrors.IsTooManyRequests(err) ||
		apierrors.IsServiceUnavailable(err) || apierrors.IsInternalError(err)
}

// answered reports whether an API server sent the error. If not, the next request will probably fail too.
func answered(err error) bool {
	status := apierrors.APIStatus(nil)
	return errors.As(err, &status)
}
