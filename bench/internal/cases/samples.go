package cases

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	v1 "github.com/kindsmith/kindsmith/bench/internal/sample/v1"
)

func sampleMeta(kind string) (metav1.TypeMeta, metav1.ObjectMeta) {
	return metav1.TypeMeta{APIVersion: "bench.example.com/v1", Kind: kind}, objectMeta("sample")
}

func objectMeta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name: name, Namespace: "default", UID: "123e4567-e89b-12d3-a456-426614174000", ResourceVersion: "1", Generation: 1,
		CreationTimestamp: metav1.Unix(1700000000, 0),
		Labels:            map[string]string{"app": name, "tier": "backend"},
	}
}

func workload() *v1.Workload {
	w := bareWorkload()
	w.Spec.Title = ptr("A workload to be measured")
	w.Spec.Replicas = ptr(int32(3))
	w.Spec.Claim = ptr("123e4567-e89b-12d3-a456-426614174000")
	w.Spec.Hosts = []string{"a.example.com", "b.example.com", "internal.example.com"}
	w.Spec.Ports = []v1.Port{
		{Name: "http", Protocol: v1.TCP, Number: 8080},
		{Name: "metrics", Protocol: v1.TCP, Number: 9090},
		{Name: "discovery", Protocol: v1.UDP, Number: 5353},
	}
	w.Spec.Source = &v1.Source{Image: &v1.ImageSource{Reference: "registry.example.com/workload:1.2.3", SecretNames: []string{"pull-secret"}}}
	return w
}

func bareWorkload() *v1.Workload {
	w := &v1.Workload{Spec: v1.WorkloadSpec{Class: "standard.example.com", Policy: v1.OnFailure}}
	w.TypeMeta, w.ObjectMeta = sampleMeta("Workload")
	return w
}

func changeWorkload(w *v1.Workload) { w.Spec.Ports[1].Number++ }

func registryName(n int) string { return fmt.Sprintf("list-map uniqueness, %d items", n) }

func registry(n int) *v1.Registry {
	r := &v1.Registry{}
	r.TypeMeta, r.ObjectMeta = sampleMeta("Registry")
	for i := range n {
		r.Entries = append(r.Entries, v1.Entry{Name: fmt.Sprintf("entry-%05d", i), Value: ptr(int64(i))})
	}
	return r
}

func changeRegistry(r *v1.Registry) { *r.Entries[len(r.Entries)/2].Value++ }
