// Package adopt runs `kindsmith adopt` on projects that many people use. It imports their packages so that go.mod pins
// them.
package adopt

import (
	_ "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1beta1"
	_ "sigs.k8s.io/cluster-api-provider-aws/v2/bootstrap/eks/api/v1beta1"
)
