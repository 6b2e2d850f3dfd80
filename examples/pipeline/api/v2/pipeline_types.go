package v2

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=pl,categories={all,ci}
// +kubebuilder:subresource:status
// +kubebuilder:selectablefield:JSONPath=.spec.concurrency
// +kubebuilder:printcolumn:name="Phase",type=string,JSONPath=`.status.phase`
// +kubebuilder:printcolumn:name="Started",type=date,JSONPath=`.status.lastRun.startTime`
// +kubebuilder:printcolumn:name="Source",type=string,JSONPath=`.spec.source.url`,priority=1

// Pipeline builds and tests the revisions of a repository.
type Pipeline struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard metadata of an object.
	//
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is the desired state of the pipeline.
	//
	// +required
	Spec PipelineSpec `json:"spec"`

	// status is the observed state of the pipeline.
	//
	// +optional
	Status PipelineStatus `json:"status,omitzero"`
}

// +kubebuilder:object:root=true

// PipelineList is a list of pipelines.
type PipelineList struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard metadata of a list.
	//
	// +optional
	metav1.ListMeta `json:"metadata,omitzero"`

	// items are the pipelines.
	//
	// +required
	Items []Pipeline `json:"items"`
}

// PipelineSpec is the desired state of a pipeline.
//
// +versioned:removed(since: "v1beta2", name: "deprecatedMail", type: "*Mail", doc: "mail configures mails about failures.")
// +versioned:changed(since: "v1alpha2", field: "deprecatedMail", fromName: "email")
// +versioned:deprecated(since: "v1beta1", field: "deprecatedMail", note: "use notifications.")
type PipelineSpec struct {
	// source is the repository that the pipeline builds.
	//
	// +versioned:added(since: "v1beta1")
	// +k8s:optional
	Source *Source `json:"source,omitempty"`

	// triggers are the events that start the pipeline.
	//
	// +versioned:wrapped(since: "v1alpha2", fromName: "trigger")
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=16
	Triggers []Trigger `json:"triggers,omitempty"`

	// parameters are values that tasks can use, by name.
	//
	// +versioned:changed(since: "v1beta1", fromName: "params", fromType: "map[string]string", transform: "keyed(name, value)")
	// +k8s:optional
	// +versioned:since("v1beta1")=+k8s:listType=map
	// +versioned:since("v1beta1")=+k8s:listMapKey=name
	// +versioned:since("v1beta1")=+k8s:maxItems=64
	// +versioned:until("v1alpha2")=+k8s:maxProperties=64
	Parameters []Parameter `json:"parameters,omitempty"`

	// volumes are the volumes that tasks can mount, by name.
	//
	// +versioned:changed(since: "v1beta2", fromType: "map[string]VolumeSource", transform: "keyed(name)")
	// +k8s:optional
	// +versioned:since("v1beta2")=+k8s:listType=map
	// +versioned:since("v1beta2")=+k8s:listMapKey=name
	Volumes []Volume `json:"volumes,omitempty"`

	// workspace is where tasks share files.
	//
	// +versioned:changed(since: "v1beta1", fromType: "string", transform: "field(claimName)")
	// +k8s:optional
	Workspace *Workspace `json:"workspace,omitempty"`

	// matrix runs the pipeline once for each combination of values.
	//
	// +versioned:added(since: "v1alpha2")
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=8
	Matrix []Axis `json:"matrix,omitempty"`

	// tasks are what the pipeline runs.
	//
	// +versioned:changed(since: "v1alpha2", fromName: "steps")
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=64
	Tasks []Task `json:"tasks,omitempty"`

	// artifacts are the files that the pipeline keeps, by name.
	//
	// +k8s:optional
	// +k8s:maxProperties=32
	Artifacts map[string]Artifact `json:"artifacts,omitempty"`

	// reporters are the services that show the results.
	//
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=8
	Reporters []Reporter `json:"reporters,omitempty"`

	// notifications are the channels that are told about failures.
	//
	// +versioned:added(since: "v1beta1", default: "NoNotifications")
	// +k8s:optional
	Notifications *Notifications `json:"notifications,omitempty"`

	// concurrency is what happens when the pipeline is triggered while it runs.
	//
	// +versioned:added(since: "v1alpha2", default: "\"Allow\"")
	// +versioned:changed(since: "v1", fromName: "concurrencyPolicy")
	// +default=ref(ConcurrencyQueue)
	// +k8s:optional
	Concurrency Concurrency `json:"concurrency,omitempty"`

	// parallelism is how many tasks run at the same time.
	//
	// +versioned:changed(since: "v1alpha2", fromName: "parallel", fromType: "string", transform: "integer")
	// +versioned:until("v1alpha1")=+default="1"
	// +versioned:since("v1alpha2")=+default=1
	// +k8s:optional
	// +versioned:since("v1alpha2")=+k8s:minimum=0
	// +versioned:until("v1alpha1")=+k8s:maxLength=8
	Parallelism *int32 `json:"parallelism,omitempty"`

	// priority orders the pipelines that wait for a runner: higher ones are first.
	//
	// +versioned:changed(since: "v1", fromType: "int32", downgradeWith: "ClampPriority")
	// +k8s:optional
	Priority int64 `json:"priority,omitempty"`

	// timeoutSeconds is how long the pipeline may run.
	//
	// +versioned:changed(since: "v1", fromName: "timeout", fromType: "*metav1.Duration", transform: "seconds")
	// +k8s:optional
	// +versioned:since("v1")=+k8s:minimum=0
	TimeoutSeconds *int64 `json:"timeoutSeconds,omitempty"`

	// cacheSize is the size of the cache between runs.
	//
	// +versioned:changed(since: "v1beta1", fromName: "cache", fromType: "string", upgradeWith: "ParseCacheSize", downgradeWith: "FormatCacheSize")
	// +k8s:optional
	CacheSize *resource.Quantity `json:"cacheSize,omitempty"`

	// deprecatedServiceAccount is the account that all tasks run as.
	//
	// Deprecated: use tasks[].serviceAccountName.
	//
	// +versioned:changed(since: "v1alpha2", fromName: "account")
	// +versioned:deprecated(since: "v1", note: "use tasks[].serviceAccountName.")
	// +k8s:optional
	// +k8s:format=k8s-long-name
	DeprecatedServiceAccount string `json:"deprecatedServiceAccount,omitempty"`

	// team is the team that gets questions about the pipeline.
	//
	// +versioned:moved(since: "v1", fromPath: "metadata.labels['ci.example.com/team']")
	// +k8s:optional
	// +k8s:maxLength=63
	Team string `json:"team,omitempty"`

	// keepRuns is how many runs are kept.
	//
	// +versioned:moved(since: "v1beta2", fromPath: "metadata.annotations['ci.example.com/keep-runs']", transform: "integer")
	// +k8s:optional
	// +k8s:minimum=0
	KeepRuns *int32 `json:"keepRuns,omitempty"`

	// proxies are the proxies that tasks use, in their order.
	//
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=8
	Proxies []Proxy `json:"proxies,omitempty"`

	// limits bound what the tasks of a pool may use, by the name of the pool.
	//
	// +versioned:added(since: "v1alpha2")
	// +k8s:optional
	// +k8s:maxProperties=16
	Limits map[string]Limit `json:"limits,omitempty"`
}

// Source is a repository.
type Source struct {
	// url is the address of the repository.
	//
	// +versioned:moved(since: "v1beta1", fromPath: "spec.repository")
	// +k8s:optional
	// +k8s:maxLength=2048
	URL string `json:"url,omitempty"`

	// revision is the branch, tag or commit to build.
	//
	// +versioned:moved(since: "v1beta1", fromPath: "spec.branch")
	// +k8s:optional
	// +k8s:maxLength=256
	Revision string `json:"revision,omitempty"`

	// depth is how many commits are fetched; 0 fetches all.
	//
	// +versioned:added(since: "v1beta2", default: 1)
	// +k8s:optional
	// +k8s:minimum=0
	Depth *int32 `json:"depth,omitempty"`
}

// Trigger is an event that starts a pipeline.
type Trigger struct {
	// event is what happens to the repository.
	//
	// +k8s:required
	Event Event `json:"event"`

	// branches limits the event to branches that match one of these patterns.
	//
	// +versioned:wrapped(since: "v1beta2", fromName: "branch")
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=16
	Branches []string `json:"branches,omitempty"`
}

// Event is what happens to a repository. Services send events that this API does not know.
type Event string

const (
	// EventPush is a push of commits.
	EventPush Event = "Push"
	// EventPullRequest is a pull request that is opened or changed.
	//
	// +versioned:changed(since: "v1beta1", fromName: "MergeRequest")
	EventPullRequest Event = "PullRequest"
	// EventTag is a new tag.
	//
	// +versioned:added(since: "v1")
	EventTag Event = "Tag"
)

// Parameter is a value that tasks can use.
type Parameter struct {
	// name is the name of the parameter.
	//
	// +k8s:required
	Name string `json:"name"`

	// value is the value of the parameter.
	//
	// +k8s:optional
	// +k8s:maxLength=4096
	Value string `json:"value,omitempty"`
}

// Volume is a volume that tasks can mount.
type Volume struct {
	// name is the name of the volume.
	//
	// +k8s:required
	// +k8s:format=k8s-short-name
	Name string `json:"name"`

	// claimName is the name of the PersistentVolumeClaim.
	//
	// +k8s:optional
	// +k8s:format=k8s-long-name
	ClaimName string `json:"claimName,omitempty"`

	// readOnly mounts the volume without write access.
	//
	// +k8s:optional
	ReadOnly bool `json:"readOnly,omitempty"`
}

// VolumeSource is a volume of versions before v1beta2, which have the names of volumes as keys.
type VolumeSource struct {
	// claimName is the name of the PersistentVolumeClaim.
	//
	// +k8s:optional
	// +k8s:format=k8s-long-name
	ClaimName string `json:"claimName,omitempty"`

	// readOnly mounts the volume without write access.
	//
	// +k8s:optional
	ReadOnly bool `json:"readOnly,omitempty"`
}

// Workspace is where tasks share files.
type Workspace struct {
	// claimName is the name of the PersistentVolumeClaim with the files.
	//
	// +k8s:required
	// +k8s:format=k8s-long-name
	ClaimName string `json:"claimName"`
}

// Axis is a variable of a matrix.
type Axis struct {
	// name is the name of the variable.
	//
	// +k8s:required
	// +k8s:maxLength=63
	Name string `json:"name"`

	// values are the values of the variable.
	//
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=32
	Values []string `json:"values,omitempty"`

	// optional are values that may fail.
	//
	// +versioned:added(since: "v1beta2")
	// +versioned:changed(since: "v2", fromName: "allowFailures")
	// +k8s:optional
	// +k8s:listType=set
	Optional []string `json:"optional,omitempty"`
}

// Mail configures mails about failures, in versions before v1beta2.
type Mail struct {
	// to are the addresses of the receivers.
	//
	// +k8s:optional
	// +k8s:listType=atomic
	To []string `json:"to,omitempty"`

	// always sends mails about successes, too.
	//
	// +k8s:optional
	Always bool `json:"always,omitempty"`
}

// Notifications configures messages about failures.
type Notifications struct {
	// channels are the channels of the chat server that receive messages.
	//
	// +k8s:optional
	// +k8s:listType=set
	Channels []string `json:"channels,omitempty"`

	// onlyChanges sends a message only if the result changes.
	//
	// +versioned:added(since: "v1beta2", default: true)
	// +k8s:optional
	OnlyChanges *bool `json:"onlyChanges,omitempty"`
}

// Proxy is a server that tasks connect through.
//
// +versioned:split(since: "v1", name: "address", parts: "{host}[:{port}]")
type Proxy struct {
	// host is the name of the server.
	//
	// +k8s:optional
	// +k8s:maxLength=253
	Host string `json:"host,omitempty"`

	// port is the port of the server.
	//
	// +k8s:optional
	// +k8s:minimum=1
	// +k8s:maximum=65535
	Port *int32 `json:"port,omitempty"`
}

// Limit bounds what tasks may use.
type Limit struct {
	// tasks is how many tasks may run.
	//
	// +k8s:optional
	// +k8s:minimum=0
	Tasks *int32 `json:"tasks,omitempty"`

	// waitSeconds is how long a task may wait for a runner.
	//
	// +versioned:changed(since: "v1beta2", fromName: "wait", fromType: "*metav1.Duration", transform: "seconds")
	// +k8s:optional
	WaitSeconds *int32 `json:"waitSeconds,omitempty"`

	// diskMiB is the disk space of a task in mebibytes.
	//
	// +versioned:changed(since: "v2", fromName: "disk", fromType: "*resource.Quantity", transform: "quantity(Mi)")
	// +k8s:optional
	// +versioned:since("v2")=+k8s:minimum=0
	DiskMiB *int64 `json:"diskMiB,omitempty"`

	// resources is what all tasks together may use.
	//
	// +versioned:added(since: "v1beta1")
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
	//
	// +versioned:changed(since: "v1beta1", fromName: "Serial")
	ConcurrencyQueue Concurrency = "Queue"
	// ConcurrencyReplace stops what runs.
	//
	// +versioned:added(since: "v1beta2", downgradeTo: "Queue")
	ConcurrencyReplace Concurrency = "Replace"
	// ConcurrencyForbid ignores the trigger.
	//
	// Deprecated: use Queue.
	//
	// +versioned:deprecated(since: "v1", note: "use Queue.", keepName: true)
	ConcurrencyForbid Concurrency = "Forbid"
)

// Reporter is a service that shows results. Plugins add services.
type Reporter string

const (
	// ReporterChecks shows results beside commits.
	ReporterChecks Reporter = "Checks"
	// ReporterComments comments on pull requests.
	//
	// +versioned:changed(since: "v1beta1", fromName: "Notes")
	ReporterComments Reporter = "Comments"
	// ReporterDashboard shows results on the dashboard.
	//
	// +versioned:added(since: "v1")
	ReporterDashboard Reporter = "Dashboard"
)
