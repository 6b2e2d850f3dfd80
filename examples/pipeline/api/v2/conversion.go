package v2

import (
	"fmt"
	"math"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// ParseCacheSize converts the cache of v1alpha1 and v1alpha2 to a quantity. Both have the sizes of
// computers: 500M, 2Gi, or "none".
func ParseCacheSize(in string) (*resource.Quantity, error) {
	if in == "" {
		return nil, nil
	}
	if in == "none" {
		return &resource.Quantity{}, nil
	}
	q, err := resource.ParseQuantity(in)
	if err != nil {
		return nil, fmt.Errorf("%q is not a size such as \"500M\" or \"2Gi\"", in)
	}
	return &q, nil
}

// FormatCacheSize converts a quantity to the cache of v1alpha1 and v1alpha2.
func FormatCacheSize(in *resource.Quantity) string {
	switch {
	case in == nil:
		return ""
	case in.IsZero():
		return "none"
	}
	return in.String()
}

// SplitCommand converts the script of versions before v1beta2 to a program and its arguments.
func SplitCommand(in string) []string { return strings.Fields(in) }

// JoinCommand converts a program and its arguments to the script of versions before v1beta2.
func JoinCommand(in []string) string { return strings.Join(in, " ") }

// ClampPriority converts a priority to that of versions before v1, which is smaller.
func ClampPriority(in int64) int32 { return int32(max(math.MinInt32, min(in, math.MaxInt32))) }

// NoNotifications returns the notifications of pipelines that were created before v1beta1: none, and
// not those that the cluster's administrator configures for others.
func NoNotifications() *Notifications { return &Notifications{Channels: []string{}} }

// ArtifactBefore is what the conversion needs of an Artifact before v1.
type ArtifactBefore struct {
	// Location is the bucket and the key: bucket/key.
	Location string `json:"location,omitempty"`
}

// SplitLocation splits the location of versions before v1.
func SplitLocation(in *ArtifactBefore, out *Artifact) {
	out.Bucket, out.Key, _ = strings.Cut(in.Location, "/")
}

// JoinLocation joins the bucket and the key to the location of versions before v1.
func JoinLocation(in *Artifact, out *ArtifactBefore) {
	out.Location = in.Bucket
	if in.Key != "" {
		out.Location += "/" + in.Key
	}
}
