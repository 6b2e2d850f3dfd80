// Package v1beta1 has the kinds of ci.example.com as they were between the alpha versions and v1beta2.
//
// The package is hand-written: it is older than the project's use of kindsmith, and other modules
// import its Go names.
//
// Deprecated: use ci.example.com/v2
//
// +groupName=ci.example.com
package v1beta1

import (
	"github.com/kindsmith/kindsmith/runtime/convert"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:deprecatedversion:warning="use ci.example.com/v2"
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=pl,categories={all,ci}
// +kubebuilder:subresource:status
// +kubebuilder:selectablefield:JSONPath=.spec.concurrencyPolicy
// +kubebuilder:printcolumn:name="Phase",type=string,JSONPath=`.status.phase`
// +kubebuilder:printcolumn:name="Source",type=string,JSONPath=`.spec.source.url`,priority=1

// Pipeline builds and tests the revisions of a repository.
type Pipeline struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard metadata of an object.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is the desired state of the pipeline.
	// +required
	Spec PipelineSpec `json:"spec"`

	// status is the observed state of the pipeline.
	// +optional
	Status PipelineStatus `json:"status,omitzero"`
}

// +kubebuilder:object:root=true

// PipelineList is a list of pipelines.
type PipelineList struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard metadata of a list.
	// +optional
	metav1.ListMeta `json:"metadata,omitzero"`

	// items are the pipelines.
	// +required
	Items []Pipeline `json:"items"`
}

// PipelineSpec is the desired state of a pipeline.
type PipelineSpec struct {
	// source is the repository that the pipeline builds.
	// +k8s:optional
	Source *Source `json:"source,omitempty"`

	// triggers are the events that start the pipeline.
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=16
	Triggers []Trigger `json:"triggers,omitempty"`

	// parameters are values that tasks can use, by name.
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=64
	Parameters []Parameter `json:"parameters,omitempty"`

	// volumes are the volumes that tasks can mount, by name.
	// +k8s:optional
	Volumes map[string]VolumeSource `json:"volumes,omitempty"`

	// workspace is where tasks share files.
	// +k8s:optional
	Workspace *Workspace `json:"workspace,omitempty"`

	// matrix runs the pipeline once for each combination of values.
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=8
	Matrix []Axis `json:"matrix,omitempty"`

	// tasks are what the pipeline runs.
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=64
	Tasks []Task `json:"tasks,omitempty"`

	// artifacts are the files that the pipeline keeps, by name.
	// +k8s:optional
	// +k8s:maxProperties=32
	Artifacts map[string]Artifact `json:"artifacts,omitempty"`

	// reporters are the services that show the results.
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=8
	Reporters []Reporter `json:"reporters,omitempty"`

	// notifications are the channels that are told about failures.
	// +k8s:optional
	Notifications *Notifications `json:"notifications,omitempty"`

	// concurrencyPolicy is what happens when the pipeline is triggered while it runs.
	// +default=ref(ConcurrencyQueue)
	// +k8s:optional
	ConcurrencyPolicy Concurrency `json:"concurrencyPolicy,omitempty"`

	// parallelism is how many tasks run at the same time.
	// +default=1
	// +k8s:optional
	// +k8s:minimum=0
	Parallelism *int32 `json:"parallelism,omitempty"`

	// priority orders the pipelines that wait for a runner: higher ones are first.
	// +k8s:optional
	Priority int32 `json:"priority,omitempty"`

	// timeout is how long the pipeline may run.
	// +k8s:optional
	Timeout *metav1.Duration `json:"timeout,omitempty"`

	// cacheSize is the size of the cache between runs.
	// +k8s:optional
	CacheSize *resource.Quantity `json:"cacheSize,omitempty"`

	// account is the account that all tasks run as.
	// +k8s:optional
	// +k8s:format=k8s-long-name
	Account string `json:"serviceAccount,omitempty"`

	// proxies are the proxies that tasks use, in their order.
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=8
	Proxies []Proxy `json:"proxies,omitempty"`

	// limits bound what the tasks of a pool may use, by the name of the pool.
	// +k8s:optional
	// +k8s:maxProperties=16
	Limits map[string]Limit `json:"limits,omitempty"`

	// mail configures mails about failures.
	//
	// Deprecated: use notifications.
	DeprecatedMail *Mail `json:"deprecatedMail,omitempty"`
}

// Source is a repository.
type Source struct {
	// url is the address of the repository.
	// +k8s:optional
	// +k8s:maxLength=2048
	URL string `json:"url,omitempty"`

	// revision is the branch, tag or commit to build.
	// +k8s:optional
	// +k8s:maxLength=256
	Revision string `json:"revision,omitempty"`
}

// Trigger is an event that starts a pipeline.
type Trigger struct {
	// event is what happens to the repository.
	// +k8s:required
	Event Event `json:"event"`

	// branch limits the event to branches that match one of these patterns.
	// +k8s:optional
	Branch string `json:"branch,omitempty"`
}

// Event is what happens to a repository. Services send events that this API does not know.
type Event string

const (
	// EventPush is a push of commits.
	EventPush Event = "Push"

	// EventPullRequest is a pull request that is opened or changed.
	EventPullRequest Event = "PullRequest"
)

// Parameter is a value that tasks can use.
type Parameter struct {
	// name is the name of the parameter.
	// +k8s:required
	Name string `json:"name"`

	// value is the value of the parameter.
	// +k8s:optional
	// +k8s:maxLength=4096
	Value string `json:"value,omitempty"`
}

// VolumeSource is a volume of versions before v1beta2, which have the names of volumes as keys.
type VolumeSource struct {
	// claimName is the name of the PersistentVolumeClaim.
	// +k8s:optional
	// +k8s:format=k8s-long-name
	ClaimName string `json:"claimName,omitempty"`

	// readOnly mounts the volume without write access.
	// +k8s:optional
	ReadOnly bool `json:"readOnly,omitempty"`
}

// Workspace is where tasks share files.
type Workspace struct {
	// claimName is the name of the PersistentVolumeClaim with the files.
	// +k8s:required
	// +k8s:format=k8s-long-name
	ClaimName string `json:"claimName"`
}

// Axis is a variable of a matrix.
type Axis struct {
	// name is the name of the variable.
	// +k8s:required
	// +k8s:maxLength=63
	Name string `json:"name"`

	// values are the values of the variable.
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=32
	Values []string `json:"values,omitempty"`
}

// Mail configures mails about failures, in versions before v1beta2.
type Mail struct {
	// to are the addresses of the receivers.
	// +k8s:optional
	// +k8s:listType=atomic
	To []string `json:"to,omitempty"`

	// always sends mails about successes, too.
	// +k8s:optional
	Always bool `json:"always,omitempty"`
}

// Notifications configures messages about failures.
type Notifications struct {
	// channels are the channels of the chat server that receive messages.
	// +k8s:optional
	// +k8s:listType=set
	Channels []string `json:"channels,omitempty"`
}

// Proxy is a server that tasks connect through.
type Proxy struct {
	// address is the name of the server, and its port: host:port.
	// +k8s:optional
	Address string `json:"address,omitempty"`
}

// Limit bounds what tasks may use.
type Limit struct {
	// tasks is how many tasks may run.
	// +k8s:optional
	// +k8s:minimum=0
	Tasks *int32 `json:"tasks,omitempty"`

	// wait is how long a task may wait for a runner.
	// +k8s:optional
	Wait *metav1.Duration `json:"wait,omitempty"`

	// disk is the disk space of a task in mebibytes.
	// +k8s:optional
	Disk *resource.Quantity `json:"disk,omitempty"`

	// resources is what all tasks together may use.
	// +k8s:optional
	Resources *Resources `json:"resources,omitempty"`
}

// Concurrency is what happens when a pipeline is triggered while it runs.
//
// +k8s:enum
type Concurrency string

const (
	// ConcurrencyAllow runs it at the same time.
	ConcurrencyAllow Concurrency = "Allow"

	// ConcurrencyQueue runs it afterwards.
	ConcurrencyQueue Concurrency = "Queue"

	// ConcurrencyForbid ignores the trigger.
	ConcurrencyForbid Concurrency = "Forbid"
)

// Reporter is a service that shows results. Plugins add services.
type Reporter string

const (
	// ReporterChecks shows results beside commits.
	ReporterChecks Reporter = "Checks"

	// ReporterComments comments on pull requests.
	ReporterComments Reporter = "Comments"
)

// +kubebuilder:deprecatedversion:warning="use ci.example.com/v2"
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,categories=ci
// +kubebuilder:subresource:status

// Runner is a computer that runs tasks.
type Runner struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard metadata of an object.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is the desired state of the runner.
	// +required
	Spec RunnerSpec `json:"spec"`

	// status is the observed state of the runner.
	// +optional
	Status RunnerStatus `json:"status,omitzero"`
}

// +kubebuilder:object:root=true

// RunnerList is a list of runners.
type RunnerList struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard metadata of a list.
	// +optional
	metav1.ListMeta `json:"metadata,omitzero"`

	// items are the runners.
	// +required
	Items []Runner `json:"items"`
}

// RunnerSpec is the desired state of a runner.
type RunnerSpec struct {
	// group is the name of the pool that the runner belongs to.
	// +k8s:optional
	// +k8s:format=k8s-long-name
	Group string `json:"group,omitempty"`

	// slots are how many tasks the runner runs at the same time.
	// +k8s:optional
	// +k8s:minimum=1
	Slots *int32 `json:"slots,omitempty"`

	// drain ends the runner after its tasks.
	// +k8s:optional
	Drain bool `json:"drain,omitempty"`
}

// RunnerStatus is the observed state of a runner.
type RunnerStatus struct {
	// tasks are the tasks that run.
	// +k8s:optional
	// +k8s:listType=set
	Tasks []string `json:"tasks,omitempty"`

	// changedValues are values of other versions that this version cannot represent.
	// +optional
	ChangedValues *convert.ChangedValues `json:"changedValues,omitempty"`
}

// PipelineStatus is the observed state of a pipeline.
type PipelineStatus struct {
	// observedGeneration is the generation of the object that the status was computed from.
	// +k8s:optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// phase summarises the last run.
	// +k8s:optional
	Phase Phase `json:"phase,omitempty"`

	// tasks are the results of the tasks.
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Tasks []TaskStatus `json:"tasks,omitempty"`

	// conditions describe the state of the pipeline.
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// startTime is when the run began.
	// +k8s:optional
	StartTime *metav1.Time `json:"startTime,omitempty"`

	// duration is how long the run took.
	// +k8s:optional
	Duration *metav1.Duration `json:"duration,omitempty"`
}

// TaskStatus is the result of a task.
type TaskStatus struct {
	// name is the name of the task.
	// +k8s:required
	Name string `json:"name"`

	// phase is the state of the task.
	// +k8s:optional
	Phase Phase `json:"phase,omitempty"`

	// exitCode are the exit codes of its attempts, the first first.
	// +k8s:optional
	ExitCode int32 `json:"exitCode,omitempty"`
}

// Phase is the state of a run.
//
// +k8s:enum
type Phase string

const (
	// PhasePending waits for a runner.
	PhasePending Phase = "Pending"

	// PhaseRunning runs.
	PhaseRunning Phase = "Running"

	// PhaseSucceeded has ended without failures.
	PhaseSucceeded Phase = "Succeeded"

	// PhaseFailed has failed.
	PhaseFailed Phase = "Failed"

	// PhaseCancelled was stopped by a user.
	PhaseCancelled Phase = "Cancelled"
)

// Task is a program that a pipeline runs.
type Task struct {
	// name is the name of the task.
	// +k8s:required
	// +k8s:format=k8s-short-name
	Name string `json:"name"`

	// Container is the container that the program runs in.
	Container `json:",inline"`

	// after are the tasks that must succeed before this one.
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=64
	After []string `json:"after,omitempty"`

	// optional continues the pipeline if the task fails.
	// +k8s:optional
	MayFail bool `json:"optional,omitempty"`

	// secret is the secret that the task can read.
	// +k8s:optional
	// +k8s:format=k8s-long-name
	Secret string `json:"secret,omitempty"`

	// retries is how often a task is retried.
	// +k8s:optional
	// +k8s:minimum=0
	RetryLimit *int32 `json:"retries,omitempty"`

	// retryDelay is the time before a task is retried.
	// +k8s:optional
	RetryDelay string `json:"retryDelay,omitempty"`
}

// Container is the container that a program runs in.
type Container struct {
	// image is the image of the container.
	// +k8s:required
	// +k8s:maxLength=512
	Image string `json:"image"`

	// script is the program with its arguments.
	// +k8s:optional
	Script string `json:"script,omitempty"`

	// pull is when the image is pulled.
	// +k8s:optional
	Pull PullPolicy `json:"pull,omitempty"`

	// resources is what the program may use.
	// +k8s:optional
	Resources *Resources `json:"resources,omitempty"`
}

// PullPolicy is when an image is pulled.
//
// +k8s:enum
type PullPolicy string

const (
	// PullAlways pulls the image for each run.
	PullAlways PullPolicy = "always"
	// PullIfMissing pulls the image if the runner lacks it.
	PullIfMissing PullPolicy = "if-missing"
	// PullNever uses images that the runner has.
	PullNever PullPolicy = "never"
)

// Resources are amounts of what a computer has.
type Resources struct {
	// cpu is the number of processors.
	// +k8s:optional
	CPU *resource.Quantity `json:"cpu,omitempty"`

	// memory is the amount of memory.
	// +k8s:optional
	Memory *int64 `json:"memory,omitempty"`
}

// Artifact is a file that a pipeline keeps.
type Artifact struct {
	// path is the path of the file in the workspace.
	// +k8s:required
	Path string `json:"path"`

	// keepFor is how long the file is kept.
	// +k8s:optional
	KeepFor *metav1.Duration `json:"keepFor,omitempty"`

	// location is where the file is stored: bucket/key.
	Location string `json:"location,omitempty"`
}
