package object

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	samplev1 "github.com/kindsmith/kindsmith/bench/internal/sample/v1"
)

func maker(seed uint64) Maker { return Maker{Rand: rand.New(rand.NewPCG(seed, 0))} }

func nothing(string) (bool, []int) { return false, nil }

func TestSameSeedSameObject(t *testing.T) {
	make := func() *corev1.Pod { return maker(7).New(reflect.TypeFor[corev1.Pod]()).(*corev1.Pod) }
	if !reflect.DeepEqual(make(), make()) {
		t.Error("the same seed made two objects")
	}
}

func TestCopyIsApart(t *testing.T) {
	for seed := range uint64(50) {
		m := maker(seed)
		obj := m.New(reflect.TypeFor[corev1.Pod]()).(*corev1.Pod)
		copied := Copy(obj).(*corev1.Pod)
		if !reflect.DeepEqual(obj, copied) {
			t.Fatalf("seed %d: the copy differs", seed)
		}
		want := obj.DeepCopy()
		for range 10 {
			m.Mutate(copied, nothing)
		}
		if !reflect.DeepEqual(obj, want) {
			t.Fatalf("seed %d: changing the copy changed the object", seed)
		}
	}
}

func TestMutateChangesMostly(t *testing.T) {
	same := 0
	for seed := range uint64(200) {
		m := maker(seed)
		obj := m.New(reflect.TypeFor[corev1.Pod]())
		before := Copy(obj)
		if m.Mutate(obj, nothing); reflect.DeepEqual(obj, before) {
			same++ // a value can be replaced by itself
		}
	}
	if same > 60 {
		t.Errorf("%d of 200 mutations changed nothing", same)
	}
}

func TestMutatePrefers(t *testing.T) {
	hits := 0
	for seed := range uint64(200) {
		m := maker(seed)
		pod := &corev1.Pod{Spec: corev1.PodSpec{NodeName: "n", Containers: []corev1.Container{{Name: "a"}}}}
		if m.Mutate(pod, func(path string) (bool, []int) { return path == "spec.nodeName", nil }); pod.Spec.NodeName != "n" {
			hits++
		}
	}
	if hits < 100 {
		t.Errorf("the preferred place was changed %d times of 200", hits)
	}
}

func TestMutateGoesToLimits(t *testing.T) {
	numbers, lengths, items := map[int32]bool{}, map[int]bool{}, map[int]bool{}
	for seed := range uint64(300) {
		m := maker(seed)
		title := "title"
		w := &samplev1.Workload{Spec: samplev1.WorkloadSpec{Replicas: new(int32), Title: &title, Hosts: []string{"a"}}}
		m.Mutate(w, func(path string) (bool, []int) {
			return path == "spec.replicas" || path == "spec.title" || path == "spec.hosts", []int{40}
		})
		if w.Spec.Replicas != nil {
			numbers[*w.Spec.Replicas] = true
		}
		if w.Spec.Title != nil {
			lengths[len(*w.Spec.Title)] = true
		}
		items[len(w.Spec.Hosts)] = true
	}
	for _, n := range []int{39, 40, 41} {
		if !numbers[int32(n)] || !lengths[n] || !items[n] {
			t.Errorf("%d: as a number %v, as a length %v, as a count %v", n, numbers[int32(n)], lengths[n], items[n])
		}
	}
}

func TestRespellKeepsMeaning(t *testing.T) {
	changed := 0
	for seed := range uint64(50) {
		m := maker(seed)
		obj := m.New(reflect.TypeFor[corev1.Pod]())
		before := Copy(obj)
		m.Respell(obj)
		if !equality.Semantic.DeepEqual(obj, before) {
			t.Fatalf("seed %d: the object means something else", seed)
		}
		if !reflect.DeepEqual(obj, before) {
			changed++
		}
	}
	if changed == 0 {
		t.Error("no object was written differently")
	}
}

func TestWalkNamesPlacesAsErrorsDo(t *testing.T) {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a.b/c": "v"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{}, {Env: []corev1.EnvVar{{Name: "E"}}}}},
	}
	pod.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}}
	got := map[string]bool{}
	walk(pod, func(n node) bool { got[n.path] = true; return true })
	spec := field.NewPath("spec")
	for _, want := range []*field.Path{
		field.NewPath("metadata", "labels").Key("a.b/c"),
		spec.Child("containers").Index(1).Child("env").Index(0).Child("name"),
		spec.Child("volumes").Index(0).Child("emptyDir", "medium"), // of an inlined struct, behind a pointer
		field.NewPath("status"),
	} {
		if !got[want.String()] {
			t.Errorf("%s was not visited", want)
		}
	}
}

// accept accepts workloads that have a title, a supported policy, a replica
// count of at most 10, no more than two hosts, and an immutable class.
func accept(obj, old any) (errs field.ErrorList) {
	w, spec := obj.(*samplev1.Workload), field.NewPath("spec")
	if w.Spec.Title == nil {
		errs = append(errs, field.Required(spec.Child("title"), ""))
	}
	if w.Spec.Policy != samplev1.Never {
		errs = append(errs, field.NotSupported(spec.Child("policy"), w.Spec.Policy, []samplev1.Policy{samplev1.Never}))
	}
	if r := w.Spec.Replicas; r != nil && *r > 10 {
		errs = append(errs, field.Invalid(spec.Child("replicas"), *r, "must be less than or equal to 10").WithOrigin("maximum"))
	}
	if len(w.Spec.Hosts) > 2 {
		errs = append(errs, field.TooMany(spec.Child("hosts"), len(w.Spec.Hosts), 2))
	}
	if old != nil && w.Spec.Class != old.(*samplev1.Workload).Spec.Class {
		errs = append(errs, field.Invalid(spec.Child("class"), nil, "field is immutable").WithOrigin("immutable"))
	}
	return errs
}

func TestRepair(t *testing.T) {
	for seed := range uint64(100) {
		m := maker(seed)
		old := m.New(reflect.TypeFor[samplev1.Workload]())
		for _, before := range []any{nil, old} {
			obj := m.New(reflect.TypeFor[samplev1.Workload]()).(*samplev1.Workload)
			obj.Spec.Replicas, obj.Spec.Hosts = new(int32), []string{"a", "b", "c"}
			*obj.Spec.Replicas = 11
			if !m.Repair(obj, before, func(obj any) field.ErrorList { return accept(obj, before) }) {
				t.Fatalf("seed %d: not repaired: %v", seed, accept(obj, before))
			}
			if len(obj.Spec.Hosts) != 2 || *obj.Spec.Replicas != 10 {
				t.Errorf("seed %d: %v hosts, %d replicas: more was changed than the errors ask for", seed, obj.Spec.Hosts, *obj.Spec.Replicas)
			}
		}
	}
}

func TestRepairGivesUp(t *testing.T) {
	m := maker(1)
	always := func(any) field.ErrorList {
		return field.ErrorList{field.Invalid(field.NewPath("spec", "nowhere"), nil, "")}
	}
	if m.Repair(m.New(reflect.TypeFor[samplev1.Workload]()), nil, always) {
		t.Error("what cannot be repaired was")
	}
}

func TestShrink(t *testing.T) {
	for seed := range uint64(5) {
		m := maker(seed)
		obj := m.New(reflect.TypeFor[corev1.Pod]()).(*corev1.Pod)
		obj.Spec.Containers = []corev1.Container{{Name: "a"}, {Name: "b", Image: "bad"}, {Name: "c"}}
		objs := Shrink([]any{obj, obj.DeepCopy()}, func(objs []any) bool {
			for _, o := range objs {
				found := false
				for _, c := range o.(*corev1.Pod).Spec.Containers {
					found = found || c.Image == "bad"
				}
				if !found {
					return false
				}
			}
			return true
		})
		want := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Image: "bad"}}}}
		for i, o := range objs {
			if !equality.Semantic.DeepEqual(o, want) {
				t.Fatalf("seed %d: object %d is not the smallest: %s", seed, i, fmt.Sprint(o))
			}
		}
	}
}
