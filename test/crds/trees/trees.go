package main

// tree is a project.
type tree struct {
	// name is its name, title that in the table; title is name if empty.
	name, title string
	// module and version are those in the module proxy.
	module, version string
	// runs are the arguments of controller-gen in the project's Makefile or scripts, for definitions,
	// without their outputs.
	runs [][]string
}

// kyverno's definitions are written in five runs.
const kyvernoCRDs = "crd:crdVersions=v1,ignoreUnexportedFields=true,generateEmbeddedObjectMeta=false"

// trees are the projects. Versions are the newest of which the proxy has everything: Traefik 3.7 replaces a
// module by a folder that its module's archive does not have.
var trees = []tree{
	{name: "velero", title: "Velero", module: "github.com/vmware-tanzu/velero", version: "v1.18.3", runs: [][]string{
		{"crd:crdVersions=v1", "paths=./pkg/apis/velero/v1/...", "paths=./pkg/controller/..."},
		{"crd:crdVersions=v1", "paths=./pkg/apis/velero/v2alpha1/...", "paths=./pkg/controller/..."},
	}},
	{name: "kyverno", title: "Kyverno", module: "github.com/kyverno/kyverno", version: "v1.19.1", runs: [][]string{
		{"paths=./api/kyverno/v1/...", "paths=./api/kyverno/v1beta1/...", "paths=./api/kyverno/v2/...", "paths=./api/kyverno/v2alpha1/...", "paths=./api/kyverno/v2beta1/...", kyvernoCRDs},
		{"paths=github.com/kyverno/api/api/policies.kyverno.io/...", kyvernoCRDs},
		{"paths=./api/policyreport/...", kyvernoCRDs},
		{"paths=./api/reports/...", kyvernoCRDs},
		{"paths=./cmd/cli/kubectl-kyverno/apis/...", kyvernoCRDs},
	}},
	{name: "cluster-api-provider-aws", title: "Cluster API Provider AWS", module: "sigs.k8s.io/cluster-api-provider-aws/v2", version: "v2.13.0", runs: [][]string{{
		"paths=./", "paths=./api/...", "paths=./exp/api/...", "paths=./bootstrap/eks/api/...", "paths=./controlplane/eks/api/...",
		"paths=./controlplane/rosa/api/...", "paths=./iam/api/...", "paths=./controllers/...", "paths=./exp/controllers/...",
		"paths=./bootstrap/eks/controllers/...", "paths=./controlplane/eks/controllers/...", "paths=./controlplane/rosa/controllers/...",
		"crd:crdVersions=v1", "rbac:roleName=manager-role", "webhook",
	}}},
	{name: "metallb", title: "MetalLB", module: "go.universe.tf/metallb", version: "v0.16.2", runs: [][]string{
		{"crd:crdVersions=v1", "rbac:roleName=manager-role", "webhook", "paths=./api/..."},
	}},
	{name: "contour", title: "Contour", module: "github.com/projectcontour/contour", version: "v1.33.8", runs: [][]string{
		{"crd:crdVersions=v1", "paths=./apis/..."},
	}},
	{name: "trainer", title: "Kubeflow Trainer", module: "github.com/kubeflow/trainer/v2", version: "v2.0.0", runs: [][]string{{
		"crd:generateEmbeddedObjectMeta=true", "rbac:roleName=kubeflow-trainer-controller-manager", "webhook",
		"paths=./pkg/apis/trainer/v1alpha1/...;./pkg/controller/...;./pkg/runtime/...;./pkg/webhooks/...;./pkg/util/cert/...",
	}}},
	{name: "cilium", title: "Cilium", module: "github.com/cilium/cilium", version: "v1.20.2", runs: [][]string{
		{"crd:crdVersions=v1", "paths=./pkg/k8s/apis/cilium.io/v2;./pkg/k8s/apis/cilium.io/v2alpha1;"},
	}},
	{name: "cloud-on-k8s", title: "Elastic Cloud on Kubernetes", module: "github.com/elastic/cloud-on-k8s/v3", version: "v3.5.0", runs: [][]string{
		{"crd:crdVersions=v1,generateEmbeddedObjectMeta=true", "paths=./pkg/apis/..."},
	}},
	{name: "traefik", title: "Traefik", module: "github.com/traefik/traefik/v3", version: "v3.6.0", runs: [][]string{
		{"crd:crdVersions=v1", "paths=./pkg/provider/kubernetes/crd/traefikio/v1alpha1/..."},
	}},
	{name: "argo-rollouts", title: "Argo Rollouts", module: "github.com/argoproj/argo-rollouts", version: "v1.10.1", runs: [][]string{
		{"paths=./pkg/apis/rollouts/...", "crd:crdVersions=v1"},
	}},
	{name: "envoy-gateway", title: "Envoy Gateway", module: "github.com/envoyproxy/gateway", version: "v1.9.1", runs: [][]string{
		{"crd:allowDangerousTypes=true", "paths=./api/..."},
	}},
	{name: "external-snapshotter", title: "External Snapshotter", module: "github.com/kubernetes-csi/external-snapshotter/client/v8", version: "v8.7.0", runs: [][]string{
		{"crd", "paths=./apis/..."},
	}},
	{name: "kueue", title: "Kueue", module: "sigs.k8s.io/kueue", version: "v0.15.0", runs: [][]string{
		{"crd:generateEmbeddedObjectMeta=true", "paths=./apis/..."},
	}},
	{name: "jobset", title: "JobSet", module: "sigs.k8s.io/jobset", version: "v0.11.0", runs: [][]string{
		{"rbac:roleName=manager-role", "crd:generateEmbeddedObjectMeta=true", "paths=./api/..."},
	}},
	{name: "prometheus-operator", title: "Prometheus Operator", module: "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring", version: "v0.95.1", runs: [][]string{
		{"crd:crdVersions=v1", "paths=./..."},
	}},
}
