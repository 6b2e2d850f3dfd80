package cases

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func resourceSliceName(n int) string {
	if n == 1 {
		return "ResourceSlice, 1 device"
	}
	return fmt.Sprintf("ResourceSlice, %d devices", n)
}

func resourceSlice(devices int) *resourcev1.ResourceSlice {
	s := bareResourceSlice(devices)
	for i := range s.Spec.Devices {
		d := &s.Spec.Devices[i]
		d.Attributes = map[resourcev1.QualifiedName]resourcev1.DeviceAttribute{
			"model":              {StringValue: ptr("accelerator-9000")},
			"index":              {IntValue: ptr(int64(i))},
			"example.com/driver": {VersionValue: ptr("1.2.3")},
			"healthy":            {BoolValue: ptr(true)},
		}
		d.Capacity = map[resourcev1.QualifiedName]resourcev1.DeviceCapacity{"memory": {Value: resource.MustParse("80Gi")}}
	}
	return s
}

func bareResourceSlice(devices int) *resourcev1.ResourceSlice {
	s := &resourcev1.ResourceSlice{
		ObjectMeta: objectMeta("slice"),
		Spec: resourcev1.ResourceSliceSpec{
			Driver: "gpu.example.com", NodeName: ptr("node-1"),
			Pool: resourcev1.ResourcePool{Name: "node-1", Generation: 1, ResourceSliceCount: 1},
		},
	}
	for i := range devices {
		s.Spec.Devices = append(s.Spec.Devices, resourcev1.Device{Name: fmt.Sprintf("gpu-%d", i)})
	}
	return s
}

func changeResourceSlice(s *resourcev1.ResourceSlice) {
	if d := s.Spec.Devices[len(s.Spec.Devices)-1]; d.Attributes != nil {
		d.Attributes["healthy"] = resourcev1.DeviceAttribute{BoolValue: ptr(false)}
	}
}

// pod is a pod of typical size. It has no evictionResponders, because these also have
// hand-written validation.
func pod() *corev1.Pod {
	p := barePod()
	for i, name := range []string{"server", "proxy", "agent"} {
		c := corev1.Container{
			Name: name, Image: "registry.example.com/" + name + ":1.2.3", Command: []string{"/bin/" + name, "--verbose"},
			Ports:        []corev1.ContainerPort{{Name: "http", ContainerPort: int32(8080 + i), Protocol: corev1.ProtocolTCP}},
			VolumeMounts: []corev1.VolumeMount{{Name: "config", MountPath: "/etc/config"}, {Name: "data", MountPath: "/data"}},
			Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("128Mi")},
				Limits:   corev1.ResourceList{"memory": resource.MustParse("256Mi")},
			},
		}
		for j := range 8 {
			c.Env = append(c.Env, corev1.EnvVar{Name: fmt.Sprintf("VARIABLE_%d", j), Value: "value"})
		}
		if i > 0 {
			p.Spec.Containers = append(p.Spec.Containers, c)
		} else {
			p.Spec.Containers[0] = c
		}
	}
	p.Spec.Volumes = []corev1.Volume{
		{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: "config"}}}},
		{Name: "data", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
	}
	p.Spec.Tolerations = []corev1.Toleration{
		{Key: "node.kubernetes.io/not-ready", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: ptr(int64(300))},
		{Key: "node.kubernetes.io/unreachable", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: ptr(int64(300))},
	}
	p.Status.ResourceClaimStatuses = []corev1.PodResourceClaimStatus{{Name: "gpu", ResourceClaimName: ptr("gpu-claim")}, {Name: "disk"}}
	return p
}

func barePod() *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: objectMeta("pod"),
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "server", Image: "registry.example.com/server:1.2.3"}}},
	}
}

func changePod(p *corev1.Pod) {
	p.Status.ResourceClaimStatuses[1].ResourceClaimName = ptr("disk-claim")
}
