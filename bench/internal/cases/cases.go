// Package cases has the objects for benchmarks of validators. All are valid.
package cases

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kindsmith/kindsmith/bench/internal/object"
)

// Case is one request on one kind.
type Case struct {
	// Group names the object, such as "ResourceSlice, 16 devices"; Request is the
	// operation.
	Group, Request string
	// Kind is the kind's name, such as resource/v1.ResourceSlice.
	Kind string
	// Object is a pointer to the new object, Old to the old one, nil on create.
	Object, Old any
	// Target is the required speedup over upstream's code, 0 for none.
	Target float64
}

// The requests.
const (
	Create     = "create"
	CreateBare = "create, optionals unset"
	Unchanged  = "update, unchanged"
	OneLeaf    = "update, one leaf changed"
)

// All returns the cases. Cases whose kind is a sample also run with the CRD.
func All() []Case {
	var all []Case
	all = append(all, requests("Workload, 24 rules", "sample/v1.Workload", workload(), bareWorkload(), changeWorkload)...)
	for _, n := range []int{1, 16, 128} {
		all = append(all, requests(resourceSliceName(n), "resource/v1.ResourceSlice", resourceSlice(n), bareResourceSlice(n), changeResourceSlice)...)
	}
	all = append(all, requests("Pod, 3 containers", "core/v1.Pod", pod(), barePod(), changePod)...)
	// Targets are for kinds of about twenty rules.
	targets := map[string]float64{Create: 20, CreateBare: 50, Unchanged: 25, OneLeaf: 25}
	for i := range all[:4] {
		all[i].Target = targets[all[i].Request]
	}
	for _, n := range []int{100, 1000, 4000} {
		all = append(all, requests(registryName(n), "sample/v1.Registry", registry(n), nil, changeRegistry)...)
	}
	return all
}

// requests returns the requests on an object; bare is the object without optional
// fields, nil to skip it.
func requests[T any](group, kind string, obj, bare *T, change func(*T)) []Case {
	all := []Case{{Group: group, Request: Create, Kind: kind, Object: obj}}
	if bare != nil {
		all = append(all, Case{Group: group, Request: CreateBare, Kind: kind, Object: bare})
	}
	changed := object.Copy(obj).(*T)
	change(changed)
	return append(all,
		Case{Group: group, Request: Unchanged, Kind: kind, Object: object.Copy(obj), Old: obj},
		Case{Group: group, Request: OneLeaf, Kind: kind, Object: changed, Old: obj},
	)
}

// Unstructured returns the object in the form that CRD validation takes.
func Unstructured(obj any) (map[string]any, error) {
	return runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
}

func ptr[T any](v T) *T { return &v }
