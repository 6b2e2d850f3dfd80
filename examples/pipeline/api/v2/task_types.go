package v2

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Task is a program that a pipeline runs.
type Task struct {
	// name is the name of the task.
	//
	// +k8s:required
	// +k8s:format=k8s-short-name
	Name string `json:"name"`

	// Container is the container that the program runs in.
	Container `json:",inline"`

	// after are the tasks that must succeed before this one.
	//
	// +versioned:wrapped(since: "v1beta1", fromName: "needs")
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=64
	After []string `json:"after,omitempty"`

	// retry configures how failures are retried.
	//
	// +versioned:added(since: "v1beta2")
	// +k8s:optional
	Retry *Retry `json:"retry,omitempty"`

	// secrets are the secrets that the task can read.
	//
	// +versioned:wrapped(since: "v1", fromName: "secret", fromType: "string", transform: "field(name)")
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=8
	Secrets []SecretReference `json:"secrets,omitempty"`

	// serviceAccountName is the account that the task runs as.
	//
	// +versioned:added(since: "v1")
	// +k8s:optional
	// +k8s:format=k8s-long-name
	ServiceAccountName string `json:"serviceAccountName,omitempty"`

	// ignoreFailure continues the pipeline if the task fails.
	//
	// +versioned:changed(since: "v1alpha2", fromName: "onFailure", fromType: "string", transform: "bool")
	// +versioned:changed(since: "v1", fromName: "optional", fromGoName: "IsOptional")
	// +k8s:optional
	IgnoreFailure bool `json:"ignoreFailure,omitempty"`
}

// Container is the container that a program runs in.
type Container struct {
	// image is the image of the container.
	//
	// +versioned:changed(since: "v1alpha2", fromName: "dockerImage")
	// +k8s:required
	// +k8s:maxLength=512
	Image string `json:"image"`

	// command is the program with its arguments.
	//
	// +versioned:changed(since: "v1beta2", fromName: "script", fromType: "string", upgradeWith: "SplitCommand", downgradeWith: "JoinCommand")
	// +k8s:optional
	// +versioned:since("v1beta2")=+k8s:listType=atomic
	// +versioned:since("v1beta2")=+k8s:maxItems=64
	Command []string `json:"command,omitempty"`

	// pull is when the image is pulled.
	//
	// +k8s:optional
	Pull PullPolicy `json:"pull,omitempty"`

	// resources is what the program may use.
	//
	// +k8s:optional
	Resources *Resources `json:"resources,omitempty"`
}

// PullPolicy is when an image is pulled.
//
// +k8s:enum
// +versioned:changed(since: "v1beta2", transform: "case(kebab)")
type PullPolicy string

const (
	// PullAlways pulls the image for each run.
	PullAlways PullPolicy = "Always"
	// PullIfMissing pulls the image if the runner lacks it.
	PullIfMissing PullPolicy = "IfMissing"
	// PullNever uses images that the runner has.
	PullNever PullPolicy = "Never"
)

// SecretReference names a secret.
type SecretReference struct {
	// name is the name of the secret.
	//
	// +k8s:required
	// +k8s:format=k8s-long-name
	Name string `json:"name"`
}

// Resources are amounts of what a computer has.
type Resources struct {
	// cpu is the number of processors.
	//
	// +k8s:optional
	CPU *resource.Quantity `json:"cpu,omitempty"`

	// memory is the amount of memory.
	//
	// +versioned:changed(since: "v1beta1", fromName: "mem", fromType: "string", transform: "quantity")
	// +k8s:optional
	Memory *int64 `json:"memory,omitempty"`

	// gpus is the number of graphics processors.
	//
	// +versioned:added(since: "v1beta2")
	// +k8s:optional
	// +k8s:minimum=0
	GPUs *int32 `json:"gpus,omitempty"`
}

// Retry configures how failures are retried.
type Retry struct {
	// limit is how often a task is retried.
	//
	// +versioned:moved(since: "v1beta2", fromPath: "spec.tasks[].retries")
	// +k8s:optional
	// +k8s:minimum=0
	Limit *int32 `json:"limit,omitempty"`

	// delayMilliseconds is the time before a task is retried.
	//
	// +versioned:moved(since: "v1beta2", fromPath: "spec.tasks[].retryDelay", fromType: "string", transform: "milliseconds")
	// +k8s:optional
	DelayMilliseconds *int64 `json:"delayMilliseconds,omitempty"`
}

// Artifact is a file that a pipeline keeps.
//
// +versioned:removed(since: "v1", name: "location", type: "string", doc: "location is where the file is stored: bucket/key.")
// +versioned:hook(since: "v1", upgrade: "SplitLocation", downgrade: "JoinLocation")
type Artifact struct {
	// path is the path of the file in the workspace.
	//
	// +k8s:required
	Path string `json:"path"`

	// bucket is the bucket that the file is stored in.
	//
	// +versioned:added(since: "v1")
	// +k8s:optional
	Bucket string `json:"bucket,omitempty"`

	// key is the name of the file in the bucket.
	//
	// +versioned:added(since: "v1")
	// +k8s:optional
	Key string `json:"key,omitempty"`

	// keepFor is how long the file is kept.
	//
	// +versioned:changed(since: "v1beta1", fromName: "retain")
	// +k8s:optional
	KeepFor *metav1.Duration `json:"keepFor,omitempty"`
}
