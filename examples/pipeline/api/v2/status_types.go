package v2

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// PipelineStatus is the observed state of a pipeline.
//
// +versioned:removed(since: "v1beta1", name: "message", type: "string", doc: "message says what happened last.")
type PipelineStatus struct {
	// observedGeneration is the generation of the object that the status was computed from.
	//
	// +versioned:added(since: "v1alpha2")
	// +k8s:optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// phase summarises the last run.
	//
	// +versioned:changed(since: "v1alpha2", fromName: "state")
	// +k8s:optional
	Phase Phase `json:"phase,omitempty"`

	// lastRun is the last run of the pipeline.
	//
	// +versioned:added(since: "v1beta2")
	// +k8s:optional
	LastRun *Run `json:"lastRun,omitempty"`

	// tasks are the results of the tasks.
	//
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Tasks []TaskStatus `json:"tasks,omitempty"`

	// conditions describe the state of the pipeline.
	//
	// +versioned:added(since: "v1beta1")
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Run is a run of a pipeline.
type Run struct {
	// revision is the commit that was built.
	//
	// +k8s:optional
	Revision string `json:"revision,omitempty"`

	// startTime is when the run began.
	//
	// +versioned:moved(since: "v1beta2", fromPath: "status.startTime")
	// +k8s:optional
	StartTime *metav1.Time `json:"startTime,omitempty"`

	// durationSeconds is how long the run took.
	//
	// +versioned:moved(since: "v1beta2", fromPath: "status.duration", fromType: "*metav1.Duration", transform: "seconds")
	// +k8s:optional
	DurationSeconds *int64 `json:"durationSeconds,omitempty"`
}

// TaskStatus is the result of a task.
type TaskStatus struct {
	// name is the name of the task.
	//
	// +k8s:required
	Name string `json:"name"`

	// phase is the state of the task.
	//
	// +k8s:optional
	Phase Phase `json:"phase,omitempty"`

	// exitCodes are the exit codes of its attempts, the first first.
	//
	// +versioned:wrapped(since: "v1beta2", fromName: "exitCode")
	// +k8s:optional
	// +k8s:listType=atomic
	ExitCodes []int32 `json:"exitCodes,omitempty"`
}

// Phase is the state of a run.
//
// +k8s:enum
type Phase string

const (
	// PhasePending waits for a runner.
	//
	// +versioned:changed(since: "v1alpha2", fromName: "Waiting")
	PhasePending Phase = "Pending"
	// PhaseRunning runs.
	PhaseRunning Phase = "Running"
	// PhaseSucceeded has ended without failures.
	PhaseSucceeded Phase = "Succeeded"
	// PhaseFailed has failed.
	PhaseFailed Phase = "Failed"
	// PhaseCancelled was stopped by a user.
	//
	// +versioned:added(since: "v1alpha2", downgradeTo: "Failed")
	PhaseCancelled Phase = "Cancelled"
	// PhaseTimedOut was stopped after its timeout.
	//
	// +versioned:added(since: "v1", downgradeTo: "Cancelled")
	PhaseTimedOut Phase = "TimedOut"
)
